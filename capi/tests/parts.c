// Components, normal forms, flags, and text in chunks; and wrong arguments of these. Run under AddressSanitizer.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../urigrep.h"

// A copy of exactly this length, so that a read behind it is seen.
static char *copy(const char *text) {
    size_t length = strlen(text);
    char *made = malloc(length);
    memcpy(made, text, length);
    return made;
}

static int parse(const char *given, struct urigrep_components *out, size_t *error_at) {
    char *text = copy(given);
    int result = urigrep_parse(text, strlen(given), out, error_at);
    free(text);
    return result;
}

static void is(const char *text, struct urigrep_part part, const char *expected) {
    assert(part.is_present == (expected != NULL));
    if (expected) {
        assert(part.length == strlen(expected) && !memcmp(text + part.start, expected, part.length));
    }
}

static void components(void) {
    struct urigrep_components c;
    const char *text = "HTTP://jo:x@[::1]:80/a/b?c#";
    assert(parse(text, &c, NULL) == URIGREP_DONE);
    is(text, c.scheme, "HTTP");
    is(text, c.userinfo, "jo:x");
    is(text, c.host, "[::1]");
    is(text, c.port, "80");
    is(text, c.path, "/a/b");
    is(text, c.query, "c");
    is(text, c.fragment, "");
    assert(c.fragment.start == strlen(text));
    text = "//b\xc3\xbc.example?\xc3\xbc";
    assert(parse(text, &c, NULL) == URIGREP_DONE);
    is(text, c.scheme, NULL);
    is(text, c.host, "b\xc3\xbc.example");
    is(text, c.path, "");
    is(text, c.query, "\xc3\xbc");
    is(text, c.port, NULL);
    text = "urn:isbn:0451450523";
    assert(parse(text, &c, NULL) == URIGREP_DONE);
    is(text, c.path, "isbn:0451450523");
    is(text, c.host, NULL);
    assert(parse("", &c, NULL) == URIGREP_DONE && c.path.is_present && !c.path.length && !c.scheme.is_present);
    size_t at = 99;
    assert(parse("http://a.example/ b", &c, &at) == URIGREP_INVALID && at == 17);
    assert(parse("a\xff", &c, &at) == URIGREP_INVALID && at == 1);
    assert(parse("http://a b", &c, NULL) == URIGREP_INVALID);
    assert(urigrep_parse(NULL, 1, &c, NULL) == URIGREP_NULL);
    assert(urigrep_parse("a", 1, NULL, NULL) == URIGREP_NULL);
    assert(urigrep_parse("a", (size_t)-1, &c, NULL) == URIGREP_NULL);
}

static int normalize(const char *given, char *out, size_t size, size_t *needed) {
    char *text = copy(given);
    int result = urigrep_normalize(text, strlen(given), out, size, needed);
    free(text);
    return result;
}

static void normal_forms(void) {
    char out[64];
    size_t needed = 0;
    assert(normalize("HTTP://A.example:80/%7eb/../c", out, sizeof out, &needed) == URIGREP_DONE);
    assert(!strcmp(out, "http://a.example/c") && needed == strlen(out) + 1);
    assert(normalize("http://b\xc3\xbc.example/", out, sizeof out, NULL) == URIGREP_DONE);
    assert(!strcmp(out, "http://xn--b-eha.example/"));
    // exactly enough, and one byte too few: then nothing is written
    char *exact = malloc(19);
    assert(normalize("http://a.example/c", exact, 19, &needed) == URIGREP_DONE && !exact[18]);
    free(exact);
    memset(out, 'x', sizeof out);
    assert(normalize("http://a.example/c", out, 18, &needed) == URIGREP_TOO_SMALL && needed == 19 && out[0] == 'x');
    assert(normalize("http://a.example/c", NULL, 0, &needed) == URIGREP_TOO_SMALL && needed == 19);
    assert(normalize("no uri", out, sizeof out, NULL) == URIGREP_INVALID);
    assert(normalize("a\xff:b", out, sizeof out, NULL) == URIGREP_INVALID);
    assert(urigrep_normalize(NULL, 1, out, sizeof out, NULL) == URIGREP_NULL);
    assert(urigrep_normalize("a:b", (size_t)-1, out, sizeof out, NULL) == URIGREP_NULL);
}

struct kept {
    int count;
    int stop_after;
    uint32_t flags;
    size_t spans[8][2];
    char uris[8][64];
};

static int keep(const struct urigrep_match *found, void *context) {
    struct kept *kept = context;
    assert(kept->count < 8 && found->uri_length < 64);
    kept->flags = found->flags;
    kept->spans[kept->count][0] = found->start;
    kept->spans[kept->count][1] = found->end;
    memcpy(kept->uris[kept->count], found->uri, found->uri_length);
    return ++kept->count == kept->stop_after;
}

static void flags(void) {
    struct kept kept = {0};
    struct urigrep_finder *finder = urigrep_finder_new(0);
    const char *text = "http://jo:pw@a.example/";
    assert(urigrep_find(finder, (const uint8_t *)text, strlen(text), keep, &kept) == URIGREP_DONE && kept.count == 1);
    urigrep_finder_free(finder);
    uint32_t credentials = urigrep_flag("has-credentials", strlen("has-credentials"));
    assert(credentials && kept.flags == credentials);
    size_t length = 0;
    const char *name = urigrep_flag_name(kept.flags, &length);
    assert(length == strlen("has-credentials") && !memcmp(name, "has-credentials", length));
    assert(urigrep_flag_name(kept.flags, NULL) == name);
    assert(!urigrep_flag_name(0, &length) && length == 0);
    assert(!urigrep_flag("nonsense", 8) && !urigrep_flag(NULL, 3) && !urigrep_flag("bidi", (size_t)-1));
    // every bit has a name, by which it is found
    uint32_t all = 0;
    for (uint32_t bit = 1; bit; bit <<= 1) {
        name = urigrep_flag_name(bit, &length);
        assert(!name || urigrep_flag(name, length) == bit);
        all |= name ? bit : 0;
    }
    assert(all & credentials);
}

static void chunks(void) {
    const char *text = "see http://a.example/1 and <http://b.example/\n 2>, urn:example:c";
    size_t length = strlen(text);
    for (size_t step = 1; step <= length; step++) {
        struct kept kept = {0};
        struct urigrep_finder *finder = urigrep_finder_new(0);
        struct urigrep_reader *reader = urigrep_reader_new(finder);
        // it has a copy of the finder
        urigrep_finder_free(finder);
        for (size_t at = 0; at < length; at += step) {
            size_t size = length - at < step ? length - at : step;
            uint8_t *chunk = malloc(size);
            memcpy(chunk, text + at, size);
            assert(urigrep_reader_push(reader, chunk, size, keep, &kept) == URIGREP_DONE);
            free(chunk);
        }
        assert(urigrep_reader_finish(reader, keep, &kept) == URIGREP_DONE);
        assert(kept.count == 3 && kept.spans[0][0] == 4 && kept.spans[0][1] == 22);
        assert(kept.spans[1][0] == 28 && !strcmp(kept.uris[1], "http://b.example/2"));
        assert(kept.spans[2][1] == length && !strcmp(kept.uris[2], "urn:example:c"));
        assert(urigrep_reader_push(reader, NULL, 0, keep, &kept) == URIGREP_ENDED);
        assert(urigrep_reader_finish(reader, keep, &kept) == URIGREP_ENDED);
        urigrep_reader_free(reader);
    }
    struct kept kept = {.stop_after = 1};
    struct urigrep_finder *finder = urigrep_finder_new(0);
    struct urigrep_reader *reader = urigrep_reader_new(finder);
    assert(urigrep_reader_push(reader, (const uint8_t *)text, length, keep, &kept) == URIGREP_STOPPED && kept.count == 1);
    assert(urigrep_reader_push(reader, (const uint8_t *)text, length, keep, &kept) == URIGREP_ENDED);
    urigrep_reader_free(reader);
    reader = urigrep_reader_new(finder);
    assert(urigrep_reader_push(reader, NULL, 1, keep, &kept) == URIGREP_NULL);
    assert(urigrep_reader_push(reader, (const uint8_t *)"a", (size_t)-1, keep, &kept) == URIGREP_NULL);
    assert(urigrep_reader_push(reader, (const uint8_t *)"a", 1, NULL, NULL) == URIGREP_NULL);
    assert(urigrep_reader_push(NULL, (const uint8_t *)"a", 1, keep, &kept) == URIGREP_NULL);
    assert(urigrep_reader_finish(NULL, keep, &kept) == URIGREP_NULL);
    // one that was never finished
    urigrep_reader_free(reader);
    urigrep_reader_free(NULL);
    assert(!urigrep_reader_new(NULL));
    urigrep_finder_free(finder);
}

int main(void) {
    components();
    normal_forms();
    flags();
    chunks();
    printf("urigrep %s: parts, normal forms, flags, and chunks are fine\n", urigrep_version());
    return 0;
}
