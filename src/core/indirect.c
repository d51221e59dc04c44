/* Is a buffer fit to hold the parameters of draws and dispatches? */
#include "core/indirect.h"

#include "report/finding.h"
#include "state/buffer.h"

#include <inttypes.h>

bool indirect_check_buffer(const struct call *call, const struct indirect_buffer *indirect)
{
    const struct buffer *buffer = find_buffer(call, indirect->handle);
    bool skip = CHECK(call, rule_vuid(call->command, indirect->alignment), indirect->offset % 4 == 0,
                      &LOCATION(NULL, indirect->offset_name), NULL, "is %" PRIu64 ", which is not a multiple of 4",
                      indirect->offset);
    if (!buffer)
        return skip;
    skip |= CHECK(call, rule_vuid(call->command, indirect->bound), buffer_is_bound(buffer),
                  &LOCATION(NULL, indirect->name), OBJECT(HANDLE_BUFFER, indirect->handle), "%s",
                  buffer->binding.memory ? "is bound to memory that was freed" : "is not bound to memory");
    return skip | CHECK(call, rule_vuid(call->command, indirect->usage),
                        buffer->usage & VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT, &LOCATION(NULL, indirect->name),
                        OBJECT(HANDLE_BUFFER, indirect->handle),
                        "was created without VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT");
}

bool indirect_check_end(const struct call *call, VkBuffer handle, VkDeviceSize offset, uint32_t count, uint32_t stride,
                        uint32_t size, enum rule rule)
{
    const struct buffer *buffer = find_buffer(call, handle);
    if (!buffer || !count)
        return false;
    uint64_t end = (uint64_t)stride * (count - 1) + size;
    return CHECK(call, rule_vuid(call->command, rule), offset <= buffer->size && end <= buffer->size - offset,
                 &LOCATION(NULL, "offset"), OBJECT(HANDLE_BUFFER, handle),
                 "is %" PRIu64 ": the %u parameter structures from there on take %" PRIu64
                 " bytes, but the buffer has %" PRIu64,
                 offset, count, end, buffer->size);
}
