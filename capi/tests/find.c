// What the C interface finds, and what it does with wrong arguments. Run under AddressSanitizer.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../urigrep.h"

struct seen {
    int count;
    int stop_after;
    char uris[8][128];
    size_t spans[8][2];
    char host[64];
};

static int keep(const struct urigrep_match *found, void *context) {
    struct seen *seen = context;
    assert(seen->count < 8 && found->uri_length < 128 && found->host_length < 64);
    memcpy(seen->uris[seen->count], found->uri, found->uri_length);
    memcpy(seen->host, found->host, found->host_length);
    assert(found->uri[found->scheme_length] == ':' && found->kind_length > 2);
    seen->spans[seen->count][0] = found->start;
    seen->spans[seen->count][1] = found->end;
    return ++seen->count == seen->stop_after;
}

static int search(uint32_t options, const char *given, int stop_after, struct seen *seen) {
    // of exactly this length, so that a read behind it is seen
    size_t length = strlen(given);
    uint8_t *text = malloc(length);
    memcpy(text, given, length);
    memset(seen, 0, sizeof *seen);
    seen->stop_after = stop_after;
    struct urigrep_finder *finder = urigrep_finder_new(options);
    int result = urigrep_find(finder, text, length, keep, seen);
    urigrep_finder_free(finder);
    free(text);
    return result;
}

int main(void) {
    struct seen seen;
    assert(search(0, "see <http://www.w3.org/\n Addressing/>, urn:isbn:0451450523", 0, &seen) == URIGREP_DONE);
    assert(seen.count == 2 && !strcmp(seen.uris[0], "http://www.w3.org/Addressing/"));
    assert(seen.spans[0][0] == 5 && seen.spans[0][1] == 36 && !strcmp(seen.uris[1], "urn:isbn:0451450523"));
    assert(search(0, "http://a.example http://b.example", 1, &seen) == URIGREP_STOPPED && seen.count == 1);
    assert(!strcmp(seen.host, "a.example"));
    assert(search(0, "jo@a.example www.b.example", 0, &seen) == URIGREP_DONE && seen.count == 0);
    assert(search(URIGREP_EMAIL | URIGREP_ABBREVIATED, "jo@a.example www.b.example", 0, &seen) == URIGREP_DONE);
    assert(seen.count == 2 && !strcmp(seen.uris[0], "mailto:jo@a.example"));
    uint32_t all = (URIGREP_IDENTIFIERS << 1) - 1;
    assert(search(all, "hxxp://a[.]example/\xff\xf0\x9f", 0, &seen) == URIGREP_DONE && seen.count == 1);
    assert(!urigrep_finder_new(all + 1) && !urigrep_finder_new(UINT32_MAX));
    assert(search(0, "", 0, &seen) == URIGREP_DONE);

    const char *options = "{\"schemes\": [\"https\", \"mailto\"], \"email\": \"report\"}";
    char error[64] = "";
    struct urigrep_finder *by_json = urigrep_finder_new_json(options, strlen(options), error, sizeof error);
    assert(by_json && !*error);
    memset(&seen, 0, sizeof seen);
    const char *text = "http://a.example https://b.example jo@a.example";
    assert(urigrep_find(by_json, (const uint8_t *)text, strlen(text), keep, &seen) == URIGREP_DONE);
    assert(seen.count == 2 && !strcmp(seen.uris[0], "https://b.example") && !strcmp(seen.uris[1], "mailto:jo@a.example"));
    urigrep_finder_free(by_json);
    const char *wrong[] = {"{\"emial\": \"report\"}", "{\"email\": \"yes\"}", "{\"email\": true}", "[]", "{", "", "{\"schemes\": [1]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        *error = 0;
        assert(!urigrep_finder_new_json(wrong[i], strlen(wrong[i]), error, sizeof error));
        assert(*error && strlen(error) < sizeof error);
    }
    assert(!urigrep_finder_new_json("{", 1, error, 1) && !*error);
    assert(!urigrep_finder_new_json(NULL, 5, NULL, 0));
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", URIGREP_VERSION_MAJOR, URIGREP_VERSION_MINOR, URIGREP_VERSION_PATCH);
    assert(!strcmp(version, urigrep_version()));

    struct urigrep_finder *finder = urigrep_finder_new(0);
    assert(urigrep_find(NULL, (const uint8_t *)"a", 1, keep, &seen) == URIGREP_NULL);
    assert(urigrep_find(finder, NULL, 1, keep, &seen) == URIGREP_NULL);
    assert(urigrep_find(finder, (const uint8_t *)"a", (size_t)-1, keep, &seen) == URIGREP_NULL);
    assert(urigrep_finder_new_json("{}", (size_t)-1, NULL, 0) == NULL);
    assert(urigrep_find(finder, NULL, 0, keep, &seen) == URIGREP_DONE);
    assert(urigrep_find(finder, (const uint8_t *)"a", 1, NULL, NULL) == URIGREP_NULL);
    urigrep_finder_free(finder);
    urigrep_finder_free(NULL);
    printf("urigrep %s: the C interface is fine\n", urigrep_version());
    return 0;
}
