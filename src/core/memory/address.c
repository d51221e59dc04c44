/* Describes a device address in findings. */
#include "core/memory/address.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/finding/fix.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "report/names/object_text.h"

const char *address_text(const struct call *call, VkDeviceAddress address,
                         const struct buffer *buffer, struct address_text *text)
{
    assert(text);
    struct address_search found = {.buffer = buffer};
    if (!buffer)
        found = device_address_find(call->device, address, 1, 0);
    if (found.buffer)
        (void)snprintf(text->text, sizeof(text->text), "0x%" PRIx64 " (offset %" PRIu64 " of %s)",
                       address,
                       address - atomic_load_explicit(&found.buffer->address, memory_order_relaxed),
                       NAMED_STATE(call, &found.buffer->base));
    else
        (void)snprintf(text->text, sizeof(text->text), "0x%" PRIx64 "%s", address,
                       found.match == ADDRESS_NOWHERE
                           ? " (in no buffer whose address was asked for)"
                           : "");
    return text->text;
}

const struct finding_objects *address_objects(const struct call *call, VkDeviceAddress address,
                                              struct finding_objects *objects)
{
    assert(objects && !objects->count);
    const struct address_search found = device_address_find(call->device, address, 1, 0);
    if (!found.buffer)
        return NULL;
    *objects = (struct finding_objects){
        .count = 1, .list = {{HANDLE_BUFFER, object_state_handle(&found.buffer->base)}}};
    return objects;
}

/* Names usages with the bits of VkBufferCreateInfo::usage if they fit 32 bits, otherwise with those
 * of VkBufferUsageFlags2. */
static struct value_text usage_text(VkBufferUsageFlags2 usage)
{
    return value_text(usage <= UINT32_MAX ? VALUES_VkBufferUsageFlags : VALUES_VkBufferUsageFlags2,
                      usage);
}

bool address_report_usage(const struct call *call, enum vuid vuid, const struct location *where,
                          VkDeviceAddress address, const struct address_search *found,
                          VkBufferUsageFlags2 usage)
{
    assert(found && usage);
    return BROKEN_BY(call, vuid, where, ADDRESS_OBJECT(found),
                     "is %s, but that buffer was created with usage %s, without %s",
                     ADDRESS_IN(call, address, found->buffer),
                     usage_text(found->buffer->usage).text,
                     usage_text(usage & ~ADDRESS_ALL_OF).text);
}

bool address_report_nowhere(const struct call *call, enum vuid vuid, const struct location *where,
                            VkDeviceAddress address, const char *what)
{
    assert(what);
    struct string_builder gone;
    char buffer[320];
    const uint64_t id = device_address_find_destroyed(call->device, address);
    string_builder_begin(&gone, buffer, sizeof(buffer));
    if (id) {
        string_builder_add(&gone, "; it lay in ");
        object_text_write_id(&gone, call, id);
    }
    const bool skip = finding_with_fix(call, vuid, where, NULL,
                                       "give it an address that vkGetBufferDeviceAddress has "
                                       "answered for a live buffer, or one within that buffer",
                                       "is 0x%" PRIx64
                                       ", which lies in no buffer whose address was asked for%s%s",
                                       address, what, gone.text);
    string_builder_end(&gone);
    return skip;
}

bool address_check_bound(const struct call *call, const struct location *where,
                         VkDeviceAddress address)
{
    if (!address)
        return false;
    const struct address_search found =
        device_address_find(call->device, address, 1, ADDRESS_BOUND);
    return unlikely(found.match == ADDRESS_USAGE) &&
           address_report_unbound(call, VUID_VkDeviceAddress_None_10894, where, address, &found);
}

bool address_report_unbound(const struct call *call, enum vuid vuid, const struct location *where,
                            VkDeviceAddress address, const struct address_search *found)
{
    assert(found && found->buffer);
    return BROKEN_BY(call, vuid, where, ADDRESS_OBJECT(found),
                     "is %s, which is not bound to memory%s",
                     ADDRESS_IN(call, address, found->buffer),
                     found->buffer->binding.memory ? " any more: that was freed" : "");
}

bool address_report_short(const struct call *call, enum vuid vuid, const struct location *where,
                          VkDeviceAddress address, const struct address_search *found,
                          VkDeviceSize size, const char *what)
{
    assert(found && what);
    return BROKEN_BY(call, vuid, where, ADDRESS_OBJECT(found),
                     "is %s, where that buffer has %" PRIu64 " bytes left, but %s %" PRIu64,
                     ADDRESS_IN(call, address, found->buffer), found->rest, what, size);
}
