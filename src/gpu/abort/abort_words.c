/* Writes the messages of shaders that aborted as text, and as bytes for the program. */
#include "gpu/abort/abort.h"

#include <string.h>

#include "base/string_builder.h"
#include "spirv/abort/abort.h"

/* Writes the message's bytes to `to`, which has room for `message->site->size`: constant parts come
 * from the site, the others from the record. */
static void abort_message_put_together(const struct abort_message *message, unsigned char *to)
{
    (void)spirv_abort_message(message->site, message->record + ABORT_MESSAGE,
                              message->words - ABORT_MESSAGE, to);
}

uint64_t aborts_write(const struct gpu_aborts *aborts, unsigned char *to, uint64_t room, bool *all)
{
    uint64_t end = 0;
    *all = true;
    for (uint32_t i = 0; i < aborts->message_count; i++) {
        const struct abort_message *message = &aborts->messages[i];
        /* each pair is 8-byte aligned */
        const uint64_t begin = (end + 7) & ~UINT64_C(7), size = message->site->size;
        /* A message is written whole or not at all: the program takes the data apart by the
         * sizes. */
        if (to && begin + sizeof(size) + size > room) {
            *all = false;
            break;
        }
        if (to) {
            memset(to + end, 0, (size_t)(begin - end));
            memcpy(to + begin, &size, sizeof(size));
            abort_message_put_together(message, to + begin + sizeof(size));
        }
        end = begin + sizeof(size) + size;
    }
    return end;
}

void aborts_describe(const struct abort_message *message, struct string_builder *to)
{
    unsigned char *bytes = mem_alloc(message->site->size + (size_t)1);
    /* Memory is out: the text stays without the message, and the finding is reported all the
     * same. */
    if (!bytes)
        return;
    abort_message_put_together(message, bytes);
    spirv_abort_format(message->site, bytes, to);
    mem_free(bytes);
}
