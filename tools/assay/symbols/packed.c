/* Writes a compressed stream in base64. */
#include "assay/symbols/packed.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#include <zlib.h>

struct packed {
    FILE *page;
    z_stream stream;
    unsigned char rest[3]; /* bytes that are not yet enough for four letters */
    int rest_count;
};

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_three(struct packed *packed)
{
    const unsigned char *rest = packed->rest;
    fputc(letters[rest[0] >> 2], packed->page);
    fputc(letters[(rest[0] & 3) << 4 | rest[1] >> 4], packed->page);
    fputc(packed->rest_count > 1 ? letters[(rest[1] & 15) << 2 | rest[2] >> 6] : '=', packed->page);
    fputc(packed->rest_count > 2 ? letters[rest[2] & 63] : '=', packed->page);
    packed->rest_count = 0;
    packed->rest[0] = packed->rest[1] = packed->rest[2] = 0;
}

static void put_bytes(struct packed *packed, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        packed->rest[packed->rest_count++] = bytes[i];
        if (packed->rest_count == 3)
            put_three(packed);
    }
}

static void packed_add(struct packed *packed, const char *bytes, size_t count, int flush)
{
    unsigned char out[16384];
    packed->stream.next_in = (unsigned char *)bytes;
    packed->stream.avail_in = (uInt)count;
    do {
        packed->stream.next_out = out;
        packed->stream.avail_out = sizeof(out);
        deflate(&packed->stream, flush);
        put_bytes(packed, out, sizeof(out) - packed->stream.avail_out);
    } while (!packed->stream.avail_out);
}

static ssize_t packed_write(void *cookie, const char *bytes, size_t count)
{
    packed_add(cookie, bytes, count, Z_NO_FLUSH);
    return (ssize_t)count;
}

static int packed_close(void *cookie)
{
    struct packed *packed = cookie;
    packed_add(packed, NULL, 0, Z_FINISH);
    if (packed->rest_count)
        put_three(packed);
    deflateEnd(&packed->stream);
    free(packed);
    return 0;
}

FILE *packed_open(FILE *page)
{
    struct packed *packed = calloc(1, sizeof(*packed));
    if (!packed)
        return NULL;
    packed->page = page;
    if (deflateInit(&packed->stream, 6) != Z_OK) {
        free(packed);
        errno = ENOMEM;
        return NULL;
    }
    FILE *file = fopencookie(packed, "w",
                             (cookie_io_functions_t){.write = packed_write, .close = packed_close});
    if (!file)
        packed_close(packed);
    return file;
}
