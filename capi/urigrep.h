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

// A finder. It is immutable, so threads may share it.
typedef struct urigrep_finder urigrep_finder;

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
} urigrep_match;

// Receives each match, and the context passed to `urigrep_find`. Returns 0 to continue, and any
// other value to stop.
typedef int (*urigrep_callback)(const struct urigrep_match *found, void *context);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

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

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* URIGREP_H */
