// Prints the URIs of standard input with their byte offsets, from Go by cgo.
//
//	cd capi && cargo build --release
//	cd examples/go && CGO_LDFLAGS="-L../../target/release" go build -o find .
//	echo "see <http://a.example/>" | LD_LIBRARY_PATH=... ./find      (the directory with liburigrep.so.0.2)
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../..
#cgo LDFLAGS: -lurigrep
#include <stdlib.h>
#include "urigrep.h"

// Written in Go, below. C passes the context on, and Go finds its value by that number.
extern int take(struct urigrep_match *found, uintptr_t context);

static inline int pass(const struct urigrep_match *found, void *context) {
    return take((struct urigrep_match *)found, (uintptr_t)context);
}

static inline int find(struct urigrep_finder *finder, const void *text, size_t length, uintptr_t context) {
    return urigrep_find(finder, text, length, pass, (void *)context);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/cgo"
	"unsafe"
)

// Finder finds URIs. It is immutable, so goroutines may share it.
type Finder struct {
	finder *C.struct_urigrep_finder
}

// Match is a URI and its place in the text.
type Match struct {
	Start, End      int
	URI, Host, Kind string
}

// NewFinder makes a finder from options in JSON, such as {"email": "report"}.
func NewFinder(options string) (*Finder, error) {
	given := C.CString(options)
	defer C.free(unsafe.Pointer(given))
	var reason [256]C.char
	finder := C.urigrep_finder_new_json(given, C.size_t(len(options)), &reason[0], C.size_t(len(reason)))
	if finder == nil {
		return nil, errors.New(C.GoString(&reason[0]))
	}
	made := &Finder{finder}
	runtime.SetFinalizer(made, func(f *Finder) { C.urigrep_finder_free(f.finder) })
	return made, nil
}

// Find calls each with the matches in a text, in order, until it returns false.
func (f *Finder) Find(text []byte, each func(Match) bool) error {
	context := cgo.NewHandle(each)
	defer context.Delete()
	var start unsafe.Pointer
	if len(text) > 0 {
		start = unsafe.Pointer(&text[0])
	} else {
		return nil
	}
	result := C.find(f.finder, start, C.size_t(len(text)), C.uintptr_t(context))
	runtime.KeepAlive(f)
	if result < 0 {
		return fmt.Errorf("urigrep failed: %d", result)
	}
	return nil
}

//export take
func take(found *C.struct_urigrep_match, context C.uintptr_t) C.int {
	each := cgo.Handle(context).Value().(func(Match) bool)
	text := func(start *C.char, length C.size_t) string { return C.GoStringN(start, C.int(length)) }
	more := each(Match{
		Start: int(found.start),
		End:   int(found.end),
		URI:   text(found.uri, found.uri_length),
		Host:  text(found.host, found.host_length),
		Kind:  text(found.kind, found.kind_length),
	})
	if more {
		return 0
	}
	return 1
}

func run() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	finder, err := NewFinder(`{"email": "report"}`)
	if err != nil {
		return err
	}
	return finder.Find(text, func(m Match) bool {
		fmt.Printf("%d:%d %s %s\n", m.Start, m.End, m.Kind, m.URI)
		return true
	})
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
