// urigrep for C: finds URIs and URNs in text. Made by cbindgen from src/lib.rs; see cbindgen.toml.

#ifndef URIGREP_H
#define URIGREP_H

#include <stddef.h>
#include <stdint.h>

// Take only what the RFCs allow; drop URIs that would need repair.
#define URIGREP_STRICT 1

// Let every character outside ASCII end a URI.
#define URIGREP_ASCII (1 << 1)

// Take only schemes that are registered or in wide use.
#define URIGREP_KNOWN_SCHEMES (1 << 2)

// Find also the URIs that stand inside other URIs.
#define URIGREP_EMBEDDED (1 << 3)

// Read URIs that were made unclickable: `hxxp`, `[.]`.
#define URIGREP_REFANG (1 << 4)

// Give what redirectors lead to.
#define URIGREP_UNWRAP (1 << 5)

// Find also URIs without a scheme.
#define URIGREP_ABBREVIATED (1 << 6)

// Find also mail addresses without `mailto:`.
#define URIGREP_EMAIL (1 << 7)

// Find also DOIs, ISBNs and the like as people write them.
#define URIGREP_IDENTIFIERS (1 << 8)

// The text was searched to its end.
#define URIGREP_DONE 0

// The callback ended the search.
#define URIGREP_STOPPED 1

// An argument is null.
#define URIGREP_NULL -1

// A fault of this library; matches before it were given.
#define URIGREP_FAULT -2

// What finds. It does not change: threads may share it.
typedef struct urigrep_finder urigrep_finder;

// A match. What it points to lives until the callback returns; no text ends in NUL.
typedef struct urigrep_match {
    // The offset in the text of its first byte.
    size_t start;
    // The offset one past its last byte.
    size_t end;
    // The URI, valid under RFC 3986; UTF-8.
    const char *uri;
    // The length of the URI in bytes.
    size_t uri_length;
    // Where the host is in the URI; `host_length` is 0 where there is none.
    const char *host;
    // The length of the host in bytes.
    size_t host_length;
    // The length of the scheme, with which the URI starts.
    size_t scheme_length;
    // `uri`, `iri`, `urn`, `lax`, `abbreviated` or `email`.
    const char *kind;
    // The length of the kind in bytes.
    size_t kind_length;
} urigrep_match;

// Is given each match, and the context that `urigrep_find` was given. It returns 0 to go on, anything else to stop.
typedef int (*urigrep_callback)(const struct urigrep_match *found, void *context);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version, which ends in NUL.
const char *urigrep_version(void);

// Makes a finder. `options` is 0, or some of `URIGREP_STRICT` and so on; bits that mean nothing are ignored. Null after a fault of
// this library.
struct urigrep_finder *urigrep_finder_new(uint32_t options);

// Frees a finder; null is none.
//
// # Safety
// It is one of `urigrep_finder_new`, and nobody uses it any more.
void urigrep_finder_free(struct urigrep_finder *finder);

// Gives each match in a text to a callback, in order: `URIGREP_DONE`, `URIGREP_STOPPED`, `URIGREP_NULL` or
// `URIGREP_FAULT`.
//
// # Safety
// The finder is one of `urigrep_finder_new`, the text has so many bytes, nobody writes to it meanwhile, and the callback neither throws nor jumps.
int urigrep_find(const struct urigrep_finder *finder,
                 const uint8_t *text,
                 size_t length,
                 urigrep_callback callback,
                 void *context);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* URIGREP_H */
