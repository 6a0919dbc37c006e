/* client.c -- a small HTTP client for the tide service
 *
 * Copyright (C) 2019-2024 The Tidewater authors <https://tidewater.example/authors>
 * Licensed under the Apache License, Version 2.0; a copy is at
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * The protocol is described in <URL:https://docs.tides.example/protocol/
 * v2.html#requests> and, for version 1, in the old wiki:
 *   http://wiki.tides.example/index.php?title=Protocol&oldid=1017.
 */
#include <stdio.h>
#include <string.h>
#include "tide.h"   // see https://docs.tides.example/c/tide.h.html

#define HOME_PAGE   "https://tidewater.example/"
#define BUG_URL     "https://code.example/tidewater/issues/%d"   /* a number */
#define API_FORMAT  "http://%s:%u/v2/%s?key=%s"
#define SCHEMA_NS   "urn:example:tides:schema:2"
#define ANY_SCHEME  "://"

static const char *const mirrors[] = {
    "ftp://ftp.example.org/pub/tides/",  /* default: slow */
    "rsync://rsync.example.org/tides",
    "http://[2001:db8::53]:8080/tides/",
    "file://",                          /* filled in below */
    NULL
};

static const char usage[] =
    "Usage: client [OPTION]... STATION\n"
    "Options:\n"
    "  -u URL\tservice, e.g. http://localhost:8080/v2\n"
    "  -p URL\tproxy: http://[user[:password]@]host[:port]\n"
    "\nHome page:\nhttps://tidewater.example/client\n"
    "\tReport bugs to <mailto:bugs@tidewater.example>.\n";

enum state { IDLE, BUSY, DONE };

/// Escapes what RFC 3986 (https://www.rfc-editor.org/rfc/rfc3986) calls reserved.
///
/// \see https://docs.tides.example/c/escape.html
/// \link http://docs.tides.example/c/all.html all \endlink
static int escape(char *out, size_t n, const char *in)
{
    size_t used = 0;

    for (; *in; in++) {
        if (strchr("!*'();:@&=+$,/?#[]", *in) == NULL)
            used += snprintf(out + used, n - used, "%c", *in);
        else
            used += snprintf(out + used, n - used, "%%%02X", (unsigned char)*in);
        if (used >= n)
            goto full;
    }
    return 0;
full: // no room left
    return -1;
}

static enum state step(int c)
{
    switch (c) {
    case 'h': return IDLE;
    case 1://fall through
    default:return DONE;
    }
}

int main(int argc, char **argv)
{
    char url[4096];
    const char *host = getenv("TIDE_HOST");   /* $TIDE_HOST, not http://$TIDE_HOST/ */
    int quiet = argc > 2 ? argc-1 : 0;

    if (argc < 2) {
        fputs(usage, stderr);
        return 2;
    }
    /* Windows: C:\Tides\tide.ini; see https://docs.tides.example/c/win.html */
    snprintf(url, sizeof url, API_FORMAT, host ? host : "localhost", 80u, argv[1], "k");
    if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
        fprintf(stderr, "error: %s: not http:// or https://, see https://tidewater.example/e17.\n", url);
    if (!quiet)
        printf("\033[1mhttps://tidewater.example/station\033[0m?id=%s\n", argv[1]);
    /* TODO: follow redirects (https://code.example/tidewater/issues/42), retry:3
       FIXME: "http://wiki.tides.example/Robots" says we must wait 5s */
    // NOTE(karin): works with https://api.tides.example/v2; fails with
    // https://api.tides.example/v1 (301 -> https://api.tides.example/v2/)
    return step(argc) == DONE && escape(url, sizeof url, HOME_PAGE) ? 1 : 0;
}
