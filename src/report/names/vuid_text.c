/* Decompresses the table of message ids, piece by piece. */
#include "report/names/vuid_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "report/names/unpack.h"

static struct lock lock = LOCK_INITIALIZER;
/* the piece that was decompressed last, which is kept as the next finding often needs it; NULL:
 * none */
static char *opened GUARDED_BY(lock);
static uint32_t opened_index GUARDED_BY(lock);
static uint32_t opened_length GUARDED_BY(lock);
/* index of the piece that is decompressed in vuid_spare, plus 1; 0: none */
static uint32_t spare_index GUARDED_BY(lock);

/* Decompresses the piece with this index into `opened`. Returns false if memory is out. */
static bool open_frame(uint32_t index) REQUIRES(lock)
{
    if (opened && opened_index == index)
        return true;
    const struct vuid_frame *frame = &vuid_frames[index];
    char *text = mem_resize(opened, frame->length);
    if (!text)
        return false;
    opened = text;
    if (!unpack(opened, frame->length, vuid_blob + frame->offset, frame->size)) {
        /* `opened` may be half written, so it is dropped. */
        mem_free(opened);
        opened = NULL;
        return false;
    }
    opened_index = index;
    opened_length = frame->length;
    return true;
}

/* Each id has four strings: name, text, page and fix. */
#define STRINGS 4u

/* Skips a string; returns where the next one begins. */
static const char *skip_string(const char *text, const char *end)
{
    const char *zero = memchr(text, '\0', (size_t)(end - text));
    assert(zero);
    return zero + 1;
}

/* Copies the strings of one id from the piece in `opened`. The caller frees them; NULL: memory is
 * out. */
static char *copy_strings(uint32_t position) REQUIRES(lock)
{
    assert(opened && position < VUID_FRAME_IDS);
    const char *end = opened + opened_length;
    const char *text = opened;
    for (uint32_t i = 0; i < position * STRINGS; i++)
        text = skip_string(text, end);
    const char *after = text;
    for (uint32_t i = 0; i < STRINGS; i++)
        after = skip_string(after, end);
    char *copy = mem_alloc((size_t)(after - text));
    return copy ? memcpy(copy, text, (size_t)(after - text)) : NULL;
}

/* Decompresses the piece with this index without allocating; NULL: that is not possible. */
static const char *frame_without_memory(uint32_t index) REQUIRES(lock)
{
    const struct vuid_frame *frame = &vuid_frames[index];
    if (opened && opened_index == index)
        return opened;
    if (spare_index == index + 1)
        return vuid_spare;
    const bool good =
        unpack_without_memory(vuid_spare, frame->length, vuid_blob + frame->offset, frame->size);
    spare_index = good ? index + 1 : 0;
    return good ? vuid_spare : NULL;
}

/* Writes the id's name; its number, if the piece cannot be decompressed. */
static void write_name(char name[VUID_NAME_SIZE], enum vuid vuid) REQUIRES(lock)
{
    const uint32_t index = (uint32_t)vuid / VUID_FRAME_IDS;
    const char *text = frame_without_memory(index);
    for (uint32_t i = 0; text && i < (uint32_t)vuid % VUID_FRAME_IDS * STRINGS; i++)
        text += strlen(text) + 1;
    if (text)
        (void)snprintf(name, VUID_NAME_SIZE, "%s", text);
    else
        (void)snprintf(name, VUID_NAME_SIZE, "message 0x%08x", vuid_number[vuid]);
}

void vuid_text_open(struct vuid_text *text, enum vuid vuid)
{
    assert((unsigned)vuid < VUID_COUNT);
    *text = (struct vuid_text){0};
    lock_take(&lock);
    if (open_frame((uint32_t)vuid / VUID_FRAME_IDS))
        text->memory = copy_strings((uint32_t)vuid % VUID_FRAME_IDS);
    if (unlikely(!text->memory))
        /* If memory is out, a finding still gets the name of its id. */
        write_name(text->fallback, vuid);
    lock_release(&lock);
    if (!text->memory) {
        text->name = text->fallback;
        text->text = text->page = text->fix = "";
        return;
    }
    text->name = text->memory;
    text->text = text->name + strlen(text->name) + 1;
    text->page = text->text + strlen(text->text) + 1;
    text->fix = text->page + strlen(text->page) + 1;
}

void vuid_text_fork(enum fork_step step)
{
    lock_fork(&lock, step);
}

void vuid_text_close(struct vuid_text *text)
{
    mem_free(text->memory);
}

/* XXH32's constants. */
#define PRIME1 2654435761u
#define PRIME2 2246822519u
#define PRIME3 3266489917u
#define PRIME4 668265263u
#define PRIME5 374761393u

/* Rotates to the left. */
static uint32_t vuid_hash_rotate(uint32_t x, unsigned bits)
{
    assert(bits && bits < 32);
    return (x << bits) | (x >> (32 - bits));
}

/* Reads four bytes as a number, the lowest byte first. The address may be unaligned. */
static uint32_t read_word(const unsigned char *data)
{
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
           (uint32_t)data[3] << 24;
}

/* Compares two ids, for bsearch(). */
static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool vuid_is_enforced(enum vuid vuid)
{
    const uint32_t id = vuid;
    assert(id <= VUID_COUNT);
    return id != VUID_COUNT &&
           (!vuids_unread_count ||
            !bsearch(&id, vuids_unread, vuids_unread_count, sizeof(*vuids_unread), compare_ids));
}

uint32_t message_number(const char *name)
{
    assert(name);
    const unsigned char *data = (const unsigned char *)name;
    size_t length = strlen(name), left = length;
    /* This is XXH32 (xxHash specification, "XXH32 algorithm description"). The Khronos layer uses
     * it as well, so that the numbers in users' filters are the same. */
    uint32_t hash = VUID_NUMBER_SEED + PRIME5;
    if (left >= 16) {
        uint32_t lanes[4] = {VUID_NUMBER_SEED + PRIME1 + PRIME2, VUID_NUMBER_SEED + PRIME2,
                             VUID_NUMBER_SEED, VUID_NUMBER_SEED - PRIME1};
        for (; left >= 16; left -= 16) {
            for (int lane = 0; lane < 4; lane++, data += 4)
                lanes[lane] = vuid_hash_rotate(lanes[lane] + read_word(data) * PRIME2, 13) * PRIME1;
        }
        hash = vuid_hash_rotate(lanes[0], 1) + vuid_hash_rotate(lanes[1], 7) +
               vuid_hash_rotate(lanes[2], 12) + vuid_hash_rotate(lanes[3], 18);
    }
    hash += (uint32_t)length;
    for (; left >= 4; left -= 4, data += 4)
        hash = vuid_hash_rotate(hash + read_word(data) * PRIME3, 17) * PRIME4;
    for (; left; left--, data++)
        hash = vuid_hash_rotate(hash + *data * PRIME5, 11) * PRIME1;
    hash = (hash ^ hash >> 15) * PRIME2;
    hash = (hash ^ hash >> 13) * PRIME3;
    return hash ^ hash >> 16;
}
