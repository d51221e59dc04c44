/* Checks buffers with the parameters of draws and dispatches. */
#include "core/draw/indirect.h"

#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "state/memory/buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *indirect_text(const struct call *call, const struct indirect_buffer *indirect,
                          struct indirect_text *text)
{
    assert(indirect->name && text);
    const char *what = !strcmp(indirect->name, "countBuffer")     ? "count is"
                       : !strcmp(indirect->name, "counterBuffer") ? "counter is"
                                                                  : "parameters are";
    char stride[32] = "";
    if (indirect->stride)
        (void)snprintf(stride, sizeof(stride), ", with stride %u", indirect->stride);
    (void)snprintf(text->text, sizeof(text->text), "; the %s at offset %" PRIu64 " of %s%s", what,
                   indirect->offset, NAMED(call, HANDLE_BUFFER, indirect->handle), stride);
    return text->text;
}

bool indirect_check_buffer(const struct call *call, const struct indirect_buffer *indirect)
{
    const struct buffer *buffer = find_buffer(call, indirect->handle);
    struct subject s = {.call = call};
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, indirect->handle), indirect->alignment,
               indirect->offset % 4 == 0, indirect->offset_name,
               "is %" PRIu64 ", which is not a multiple of 4%s", indirect->offset,
               INDIRECT(call, indirect));
    if (!buffer)
        return s.skip;
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, indirect->handle), indirect->bound,
               buffer_is_bound(buffer), indirect->name, "%s%s",
               buffer->binding.memory ? "is bound to memory that was freed"
                                      : "is not bound to memory",
               INDIRECT(call, indirect));
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, indirect->handle), indirect->usage,
               buffer->usage & VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT, indirect->name,
               "was created without VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT%s",
               INDIRECT(call, indirect));
    return s.skip;
}

bool indirect_check_end(const struct call *call, const struct indirect_buffer *indirect,
                        uint32_t count, uint32_t size, enum rule rule)
{
    assert(indirect->name && size);
    const struct buffer *buffer = find_buffer(call, indirect->handle);
    if (!buffer || !count)
        return false;
    const uint64_t end = (uint64_t)indirect->stride * (count - 1) + size;
    struct subject s = {.call = call};
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, indirect->handle), rule,
               indirect->offset <= buffer->size && end <= buffer->size - indirect->offset,
               indirect->offset_name,
               "is %" PRIu64 ": the %u parameter structures from there on take %" PRIu64
               " bytes, but the buffer has %" PRIu64 "%s",
               indirect->offset, count, end, buffer->size, INDIRECT(call, indirect));
    return s.skip;
}
