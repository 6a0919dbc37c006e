// urigrep for C: finds URIs and URNs in text. Made by cbindgen from src/lib.rs; see cbindgen.toml.

#ifndef URIGREP_H
#define URIGREP_H

#include <stddef.h>
#include <stdint.h>

// The version of this header: `URIGREP_VERSION_MAJOR.URIGREP_VERSION_MINOR.URIGREP_VERSION_PATCH`.
// `urigrep_version` returns that of the library.
#define URIGREP_VERSION_MAJOR 0

// The second number of the version.
#define URIGREP_VERSION_MINOR 2

// The third number of the version.
#define URIGREP_VERSION_PATCH 0

// Accept only what the RFCs allow; skip URIs that would need repair.
#define URIGREP_STRICT 1

// Let every character outside ASCII end a URI.
#define URIGREP_ASCII (1 << 1)

// Accept only schemes that are registered or in wide use.
#define URIGREP_KNOWN_SCHEMES (1 << 2)

// Also find URIs inside other URIs.
#define URIGREP_EMBEDDED (1 << 3)

// Read URIs that were made unclickable: `hxxp`, `[.]`.
#define URIGREP_REFANG (1 << 4)

// Report the targets of redirectors.
#define URIGREP_UNWRAP (1 << 5)

// Also find URIs without a scheme.
#define URIGREP_ABBREVIATED (1 << 6)

// Also find mail addresses without `mailto:`.
#define URIGREP_EMAIL (1 << 7)

// Also find DOIs, ISBNs, and similar identifiers as people write them.
#define URIGREP_IDENTIFIERS (1 << 8)

// The text was searched to its end.
#define URIGREP_DONE 0

// The callback ended the search.
#define URIGREP_STOPPED 1

// An argument is null, or no text has this length.
#define URIGREP_NULL -1

// A bug in this library; the matches before it were reported.
#define URIGREP_FAULT -2

// The text is not what the function reads.
#define URIGREP_INVALID -3

// The result does not fit.
#define URIGREP_TOO_SMALL -4

// The text of the reader has ended.
#define URIGREP_ENDED -5

// A finder. It is immutable, so threads may share it.
typedef struct urigrep_finder urigrep_finder;

// A search of text that arrives in chunks. It has a copy of its finder. One thread may use it at a
// time.
typedef struct urigrep_reader urigrep_reader;

// A match. Its pointers are valid until the callback returns; no text ends in NUL.
typedef struct urigrep_match {
    // The offset in the text of its first byte.
    size_t start;
    // The offset one past its last byte.
    size_t end;
    // The URI, valid under RFC 3986; UTF-8.
    const char *uri;
    // The length of the URI in bytes.
    size_t uri_length;
    // The start of the host in the URI; `host_length` is 0 if there is no host.
    const char *host;
    // The length of the host in bytes.
    size_t host_length;
    // The length of the scheme, which is the start of the URI.
    size_t scheme_length;
    // `uri`, `iri`, `urn`, `lax`, `abbreviated` or `email`.
    const char *kind;
    // The length of the kind in bytes.
    size_t kind_length;
    // Warnings and facts: one bit each, of which `urigrep_flag` knows the names. A later
    // version may add members behind this one.
    uint32_t flags;
} urigrep_match;

// Receives each match, and the context passed to `urigrep_find`. Returns 0 to continue, and any
// other value to stop.
typedef int (*urigrep_callback)(const struct urigrep_match *found, void *context);

// A part of a text.
typedef struct urigrep_part {
    // The offset of its first byte in the text.
    size_t start;
    // Its length in bytes; a component that is present may be empty.
    size_t length;
    // 1 if the component is present, and 0 if it is not.
    int is_present;
} urigrep_part;

// The components of a URI, an IRI, or a reference (RFC 3986 section 3).
typedef struct urigrep_components {
    // The scheme, without its `:`; absent from a relative reference.
    struct urigrep_part scheme;
    // The text before the `@`.
    struct urigrep_part userinfo;
    // The host, with the brackets of an IPv6 address.
    struct urigrep_part host;
    // The port, without its `:`.
    struct urigrep_part port;
    // The path, which is always present.
    struct urigrep_part path;
    // The query, without its `?`.
    struct urigrep_part query;
    // The fragment, without its `#`.
    struct urigrep_part fragment;
} urigrep_components;

#ifdef __cplusplus
extern "C" {
#endif  // __cplusplus

// The version, which ends in NUL.
const char *urigrep_version(void);

// Creates a finder. `options` is 0 or a combination of `URIGREP_STRICT` and the other options;
// Returns null if a bit has no meaning in this version, and after a bug in this library.
struct urigrep_finder *urigrep_finder_new(uint32_t options);

// Creates a finder from options in JSON, such as `{"schemes": ["https"], "email": "report"}`. Names
// and values are those of the Rust library: `schemes` (`any`, `known`, or a list), `charset`, `lax`,
// `embedded`, `rejoin`, `refang`, `unwrap`, `abbreviated`, `assume_scheme`, `email`, `identifiers`,
// `detection`, `grammar`, and `max_uri`.
//
// Returns null if an option is unknown or has a wrong value. The reason is then in `error`, if that
// is not null: a text of at most `error_size` bytes that ends in NUL.
//
// # Safety
// `options` must have `length` bytes, and `error` must be null or have `error_size` bytes.
struct urigrep_finder *urigrep_finder_new_json(const char *options, size_t length, char *error, size_t error_size);

// Returns the bit of a flag by its name, such as `has-credentials`; 0 if this version has no such
// flag. The bit of a flag is the same in all versions.
//
// # Safety
// The name must have `length` bytes.
uint32_t urigrep_flag(const char *name, size_t length);

// Returns the name of the lowest flag in a set, such as the `flags` of a match; null if there is
// none. Its length is in `length`, if that is not null; it does not end in NUL.
//
// # Safety
// `length` must be null or valid for writes.
const char *urigrep_flag_name(uint32_t flags, size_t *length);

// Frees a finder; null is ignored.
//
// # Safety
// The finder must come from `urigrep_finder_new` or `urigrep_finder_new_json`, and must not be used afterwards.
void urigrep_finder_free(struct urigrep_finder *finder);

// Passes each match in a text to a callback, in order. Returns `URIGREP_DONE`, `URIGREP_STOPPED`,
// `URIGREP_NULL`, or `URIGREP_FAULT`.
//
// # Safety
// The finder must come from `urigrep_finder_new`, and the text must have `length` bytes. No other
// thread may write to the text meanwhile, and the callback must neither throw nor jump.
int urigrep_find(const struct urigrep_finder *finder,
                 const uint8_t *text,
                 size_t length,
                 urigrep_callback callback,
                 void *context);

// Creates a reader; null if the finder is null. The finder may be freed before the reader.
//
// # Safety
// The finder must be null or come from `urigrep_finder_new` or `urigrep_finder_new_json`.
struct urigrep_reader *urigrep_reader_new(const struct urigrep_finder *finder);

// Takes the next bytes of the text, and passes the matches that no further byte can change to a
// callback, in order. Their offsets count from the first byte of the text.
//
// Memory is bounded by the longest URI. Returns `URIGREP_DONE`; `URIGREP_STOPPED` if the callback
// ended the search, or `URIGREP_FAULT`, both of which end the reader; `URIGREP_ENDED` if it has
// ended, or `URIGREP_NULL`.
//
// # Safety
// The reader must be null or come from `urigrep_reader_new`, and the chunk must have `length`
// bytes. The callback must not use the reader, and must neither throw nor jump.
int urigrep_reader_push(struct urigrep_reader *reader,
                        const uint8_t *chunk,
                        size_t length,
                        urigrep_callback callback,
                        void *context);

// Ends the text, and passes the rest of its matches to a callback. Returns what
// `urigrep_reader_push` does; afterwards, the reader can only be freed.
//
// # Safety
// As for `urigrep_reader_push`.
int urigrep_reader_finish(struct urigrep_reader *reader, urigrep_callback callback, void *context);

// Frees a reader; null is ignored.
//
// # Safety
// The reader must come from `urigrep_reader_new`, and must not be used afterwards.
void urigrep_reader_free(struct urigrep_reader *reader);

// Parses all of a text as a URI, an IRI, or a relative reference, and writes its components to
// `components`. Returns `URIGREP_DONE`; `URIGREP_INVALID` if the text is none of these, with the
// offset of the fault in `error_at`, if that is not null; `URIGREP_NULL`, or `URIGREP_FAULT`.
//
// # Safety
// The text must have `length` bytes, `components` must be null or valid for writes, and so must
// `error_at`.
int urigrep_parse(const char *text, size_t length, struct urigrep_components *components, size_t *error_at);

// Writes the normal form of a URI or an IRI (RFC 3986 sections 6.2.2 and 6.2.3) and a NUL to `out`,
// which has `out_size` bytes. `needed` gets the number of bytes that this takes, with the NUL.
//
// Returns `URIGREP_DONE`; `URIGREP_TOO_SMALL` if `out` is too small, and nothing is written to it;
// `URIGREP_INVALID` if the text is no URI and no IRI; `URIGREP_NULL`, or `URIGREP_FAULT`. To ask
// for the size alone, pass null and 0 for `out`.
//
// # Safety
// The text must have `length` bytes, `out` must be null or have `out_size` bytes, and `needed` must
// be null or valid for writes.
int urigrep_normalize(const char *text, size_t length, char *out, size_t out_size, size_t *needed);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* URIGREP_H */
