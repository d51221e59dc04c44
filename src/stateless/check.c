/* Checks that single values are known to the registry for their type, and enabled where the program
 * uses them. It also writes the texts of the findings. */
#include "stateless/pipeline.h"

#include <string.h>

#include "base/string_builder.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"

#define TEXT_SIZE 256

/* --- requirements --- */

/* Returns whether the device supports a version. `version` is one of the first values of enum
 * extension, which are versions. */
static bool version_supported(const struct call *call, enum extension version)
{
    assert(call->device && (uint32_t)version < version_count);
    /* Enumerants need a version that the device supports, whatever the program asked for (3.10
     * "Valid Usage for Enumerated Types"). */
    return call->device->properties.apiVersion >=
           VK_MAKE_API_VERSION(0, 1, extension_info[version].spec_version, 0);
}

/* True if the extension is enabled. A version that the device supports counts as enabled as
 * well. */
static bool extension_enabled(const struct call *call, enum extension extension)
{
    if (call_has_extension(call, extension))
        return true;
    return (uint32_t)extension < version_count && version_supported(call, extension);
}

bool requirement_met(const struct call *call, uint16_t requirement)
{
    /* Without a device, the support of the physical device counts. At vkCreateDevice it is that of
     * the device to be created. */
    if (!requirement || !call->device)
        return true;
    for (const uint16_t *word = &requirement_terms[requirement]; *word != REQUIREMENT_END; word++) {
        if (extension_enabled(call, (enum extension) * word))
            return true;
    }
    return false;
}

void requirement_describe(uint16_t requirement, struct string_builder *text)
{
    const char *separator = "";
    for (const uint16_t *word = &requirement_terms[requirement]; *word != REQUIREMENT_END; word++) {
        enum extension extension = (enum extension) * word;
        string_builder_add(text, separator);
        if ((uint32_t)extension < version_count)
            string_builder_format(text, "Vulkan 1.%u", extension_info[extension].spec_version);
        else
            string_builder_add(text, extension_info[extension].name);
        separator = ", or ";
    }
}

/* Reports a value with a requirement that is not enabled. Returns whether to skip the call. */
static bool report_requirement(struct check *c, enum vuid vuid, const struct location *at,
                               const char *thing, uint16_t requirement)
{
    char buffer[TEXT_SIZE];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    requirement_describe(requirement, &text);
    bool skip =
        finding(c->call, vuid, at, NULL, "is %s, which needs %s to be enabled", thing, text.text);
    string_builder_end(&text);
    return skip;
}

void report_disabled_command(struct check *c, uint16_t requirement)
{
    enum vuid id = UNASSIGNED_GeneralParameterError_ExtensionNotEnabled;
    /* The command has the name of core Vulkan, from a later version than the program asked for. */
    for (const uint16_t *word = &requirement_terms[requirement]; *word != REQUIREMENT_END; word++) {
        if (*word < version_count && command_root[c->call->command] == c->call->command)
            id = UNASSIGNED_API_Version_Violation;
    }
    char buffer[TEXT_SIZE];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    requirement_describe(requirement, &text);
    c->skip |= finding_that_speaks_alone(c->call, id, "needs %s to be enabled", text.text);
    string_builder_end(&text);
}

/* With VK_KHR_maintenance5, queries of physical devices take any value, and answer "not supported"
 * (3.10). */
static bool any_value_allowed(const struct call *call)
{
    if (call->device || !call->instance || !call->object ||
        object_type(call->object) != HANDLE_PHYSICAL_DEVICE)
        return false;
    VkPhysicalDevice physical_device = (VkPhysicalDevice)(uintptr_t)call->object->driver;
    VkPhysicalDeviceProperties properties;
    call->instance->dispatch.GetPhysicalDeviceProperties(physical_device, &properties);
    if (properties.apiVersion >= VK_API_VERSION_1_4)
        return true;
    uint32_t count = 0;
    if (call->instance->dispatch.EnumerateDeviceExtensionProperties(physical_device, NULL, &count,
                                                                    NULL) != VK_SUCCESS)
        return true;
    VkExtensionProperties *extensions = count ? mem_alloc(count * sizeof(*extensions)) : NULL;
    if (!extensions)
        return count != 0;
    bool found =
        call->instance->dispatch.EnumerateDeviceExtensionProperties(physical_device, NULL, &count,
                                                                    extensions) < 0;
    for (uint32_t i = 0; i < count && !found; i++)
        found = !strcmp(extensions[i].extensionName, VK_KHR_MAINTENANCE_5_EXTENSION_NAME);
    mem_free(extensions);
    return found;
}

/* --- what a compare has settled --- */

void report_structure_type(struct check *c, enum vuid vuid, const struct location *where,
                           VkStructureType found, const char *expected)
{
    /* The finding has the number too: an sType that was never set is 0, which is
     * VK_STRUCTURE_TYPE_APPLICATION_INFO. */
    const bool refused =
        value_has_name(VALUES_VkStructureType, found)
            ? finding(c->call, vuid, &LOCATION(where, "sType"), NULL, "is %d (%s), not %s",
                      (int)found, value_text(VALUES_VkStructureType, found).text, expected)
            : finding(c->call, vuid, &LOCATION(where, "sType"), NULL, "is %d, not %s", (int)found,
                      expected);
    c->skip |= refused;
    /* Queries usually reach the driver, whatever callbacks answer, because the program then reads
     * the structures. This query must not: a structure of another type may be smaller, and the
     * driver would write past its end. */
    if (refused && command_only_answers[command_root[c->call->command]])
        c->call->dead_handle = true;
}

/* --- what is ignored --- */

/* True if the location is a member of this name. */
static bool is_in(const struct location *where, const char *name)
{
    return where && !strcmp(where->name, name);
}

bool pipeline_ignores(const struct check *c, const struct location *where, const char *member)
{
    for (size_t i = 0; c->of_pipeline && i < ignored_member_count; i++) {
        const struct ignored_member *ignored = &ignored_members[i];
        if (!strcmp(ignored->member, member) &&
            (!ignored->structure || (where && !strcmp(where->name, ignored->structure))) &&
            graphics_is_dynamic(pipeline_graphics(c), (enum dynamic_state)ignored->state))
            return true;
    }
    return false;
}

/* True if another member of the call makes this member ignored. Callers ask only if the value is
 * not a valid one. */
static bool is_ignored(const struct check *c, enum vuid vuid, const struct location *where,
                       const char *name)
{
    switch (vuid) {
    case VUID_VkDescriptorAddressInfoEXT_format_parameter: /* "is ignored for buffers" */
        return is_in(where, "pUniformBuffer") || is_in(where, "pStorageBuffer");
    case VUID_VkPushConstantRange_stageFlags_parameter: /* "The stageFlags member of updateRange is
                                                           ignored." */
        return is_in(where, "updateRange");
    default:
        return pipeline_ignores(c, where, name);
    }
}

/* Reports a pointer that is NULL or points nowhere, and keeps the call from the driver. */
static void report_pointer_at(struct check *c, enum vuid vuid, const struct location *at,
                              const void *pointer)
{
    if (pointer)
        c->skip |=
            finding(c->call, vuid, at, NULL, "is %p, where no program can have memory", pointer);
    else
        c->skip |= finding(c->call, vuid, at, NULL, "is NULL");
    /* The driver and the other validators read required structures without another check, so that
     * the call stops. Only calls that create an instance or a device are checked to the end. */
    const bool makes_instance = c->call->command == COMMAND_CreateInstance,
               makes_device = c->call->command == COMMAND_CreateDevice;
    if (pointer || !at->parent || !(makes_instance || makes_device))
        c->call->dead_handle = c->skip = true;
    c->skip |= makes_device;
}

void report_pointer(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                    const void *pointer)
{
    if (!is_ignored(c, vuid, where, name))
        report_pointer_at(c, vuid, &LOCATION(where, name), pointer);
}

void report_pointer_in_array(struct check *c, enum vuid vuid, const struct location *where,
                             const char *name, uint32_t index, const void *pointer)
{
    report_pointer_at(c, vuid, &LOCATION_INDEX(where, name, index), pointer);
}

/* Reports VK_NULL_HANDLE. A call with such a parameter does not reach the driver: drivers follow
 * handles like pointers. If the handle is in a structure, the other validators still check the
 * call. */
static void report_null_handle_at(struct check *c, enum vuid vuid, const struct location *at)
{
    c->skip |= finding(c->call, vuid, at, NULL, "is VK_NULL_HANDLE");
    if ((c->call->device && !at->parent) || command_only_answers[command_root[c->call->command]])
        c->call->dead_handle = true;
    c->skip |= c->call->dead_handle || c->call->device;
}

void report_null_handle(struct check *c, enum vuid vuid, const struct location *where,
                        const char *name)
{
    report_null_handle_at(c, vuid, &LOCATION(where, name));
}

void report_zero(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 const char *expected)
{
    if (!is_ignored(c, vuid, where, name))
        c->skip |= finding(c->call, vuid, &LOCATION(where, name), NULL, "is 0, where %s", expected);
}

void report_not_zero(struct check *c, enum vuid vuid, const struct location *where,
                     const char *name, uint64_t value)
{
    c->skip |= finding(c->call, vuid, &LOCATION(where, name), NULL,
                       "is 0x%llx, where no bit has a meaning yet", (unsigned long long)value);
}

void report_no_queue(struct check *c, enum vuid vuid)
{
    c->skip |=
        finding(c->call, vuid, &LOCATION(NULL, "device"), NULL, "was created without any queue");
}

void report_bool(struct check *c, const struct location *where, const char *name, uint32_t value)
{
    if (!pipeline_ignores(c, where, name))
        c->skip |=
            finding(c->call, UNASSIGNED_GeneralParameterError_UnrecognizedBool32,
                    &LOCATION(where, name), NULL, "is %u, neither VK_TRUE nor VK_FALSE", value);
}

void report_bools(struct check *c, const struct location *where, const void *structure,
                  const struct bool_member *members, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        VkBool32 value;
        memcpy(&value, (const char *)structure + members[i].offset, sizeof(value));
        if (value > VK_TRUE)
            report_bool(c, where, members[i].name, value);
    }
}

/* --- enumerations and flags --- */

/* True if a rule with a number reports that this value is not enabled. */
static bool is_spoken_of(const struct call *call, enum vuid vuid, uint64_t value)
{
    if (!call->device || !call->instance->settings.validate_core)
        return false;
    for (uint32_t i = 0; i < spoken_value_count; i++) {
        const struct spoken_value *spoken = &spoken_values[i];
        if (spoken->vuid != vuid || spoken->value != value)
            continue;
        /* With one of these features enabled, the rule with a number allows the value. */
        for (uint32_t k = 0; k < SPOKEN_FEATURE_LIMIT; k++) {
            if (spoken->features[k] != FEATURE_COUNT &&
                device_has_feature(call->device, (enum feature)spoken->features[k]))
                return false;
        }
        return true;
    }
    return false;
}

/* The index of the first value that is not less, or `count` if all are less. The values increase.
 * Most enumerations begin with 0, 1, 2, and most values are among these. */
static inline uint32_t find_enum(const struct enum_info *info, int32_t value)
{
    uint32_t low = 0, high = info->count;
    if (likely((uint32_t)value < high && info->values[value].value == value))
        return (uint32_t)value;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (info->values[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Checks a value of an enumeration at a location. A value that a rule with a number reports is left
 * to that rule. */
static void check_enum_at(struct check *c, enum vuid vuid, const struct location *at, int32_t value,
                          const struct enum_info *info)
{
    uint32_t low = find_enum(info, value);
    if (low == info->count || info->values[low].value != value) {
        if (!any_value_allowed(c->call))
            c->skip |= finding(c->call, vuid, at, NULL, "is %d, which is not a value of %s", value,
                               value_type_name(info->type));
    } else if (!requirement_met(c->call, info->values[low].requirement) &&
               !is_spoken_of(c->call, vuid, (uint64_t)(int64_t)value)) {
        c->skip |= report_requirement(c, vuid, at, value_text(info->type, value).text,
                                      info->values[low].requirement);
    }
}

void check_enum(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                int32_t value, const struct enum_info *info)
{
    if (!is_ignored(c, vuid, where, name))
        check_enum_at(c, vuid, &LOCATION(where, name), value, info);
}

/* Reports a bit of `value` whose requirement is not enabled. */
static void report_flag(struct check *c, enum vuid vuid, const struct location *at, uint64_t value,
                        const struct flag_value *flag, const struct flags_info *info)
{
    if (is_spoken_of(c->call, vuid, flag->bits))
        return;
    if (value == flag->bits) {
        c->skip |=
            report_requirement(c, vuid, at, value_text(info->type, value).text, flag->requirement);
        return;
    }
    char buffer[TEXT_SIZE];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    requirement_describe(flag->requirement, &text);
    c->skip |=
        finding(c->call, vuid, at, NULL, "is %s and includes %s, which needs %s to be enabled",
                value_text(info->type, value).text, value_text(info->type, flag->bits).text,
                text.text);
    string_builder_end(&text);
}

/* Reports each bit that is not known or not enabled. */
static void check_flags_at(struct check *c, enum vuid vuid, const struct location *at,
                           uint64_t value, const struct flags_info *info)
{
    uint64_t rest = value;
    for (uint32_t i = 0; i < info->count; i++) {
        const struct flag_value *flag = &info->values[i];
        if (!(flag->bits & rest) || (value & flag->bits) != flag->bits)
            continue;
        /* A name for several bits is checked as a whole. Bits that such a name covers are not
         * unknown. */
        if (requirement_met(c->call, flag->requirement)) {
            rest &= ~flag->bits;
        } else if (!(flag->bits & (flag->bits - 1))) {
            rest &= ~flag->bits;
            report_flag(c, vuid, at, value, flag, info);
        }
    }
    if (rest && !any_value_allowed(c->call))
        c->skip |= finding(c->call, vuid, at, NULL, "is %s, of which 0x%llx is not a bit of %s",
                           value_text(info->type, value).text, (unsigned long long)rest,
                           value_type_name(info->type));
}

void check_flags(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 uint64_t value, const struct flags_info *info)
{
    if (!is_ignored(c, vuid, where, name))
        check_flags_at(c, vuid, &LOCATION(where, name), value, info);
}

/* The value with this bit, or with these bits; NULL if it is unknown. */
static const struct flag_value *find_flag(const struct flags_info *info, uint64_t value)
{
    for (uint32_t i = 0; i < info->count; i++) {
        if (info->values[i].bits == value)
            return &info->values[i];
    }
    return NULL;
}

/* Reports a value that should have exactly one bit and does not. */
static void report_no_one_flag(struct check *c, enum vuid vuid, const struct location *at,
                               uint64_t value, const struct flags_info *info)
{
    c->skip |= finding(c->call, vuid, at, NULL, "is %s, which is not a single value of %s",
                       value_text(info->type, value).text, value_type_name(info->type));
}

/* Checks a value that must be exactly one bit. */
static void check_flag_at(struct check *c, enum vuid vuid, const struct location *at,
                          uint64_t value, const struct flags_info *info)
{
    const struct flag_value *flag = find_flag(info, value);
    if (flag && !requirement_met(c->call, flag->requirement)) {
        if (!is_spoken_of(c->call, vuid, value))
            c->skip |= report_requirement(c, vuid, at, value_text(info->type, value).text,
                                          flag->requirement);
    } else if (!flag && !any_value_allowed(c->call)) {
        report_no_one_flag(c, vuid, at, value, info);
    }
}

void check_flag(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                uint64_t value, const struct flags_info *info)
{
    if (!is_ignored(c, vuid, where, name))
        check_flag_at(c, vuid, &LOCATION(where, name), value, info);
}

/* --- strings --- */

/* The index of the first byte of `string` that is not valid UTF-8, or its length if all bytes are.
 * (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF.) The function stops at the
 * terminator, or after `limit` bytes. */
static size_t utf8_valid_length(const char *string, size_t limit)
{
    const unsigned char *s = (const unsigned char *)string;
    size_t i = 0;
    while (i < limit && s[i]) {
        unsigned char first = s[i];
        if (likely(first < 0x80)) {
            do
                i++;
            /* The bytes are 1 to 0x7f. The subtraction turns 0 into 0xff, so that the loop ends
             * there as well. */
            while (i < limit && (unsigned char)(s[i] - 1) < 0x7f);
            continue;
        }
        unsigned length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        /* These bytes do not begin a character: continuation bytes, overlong forms of two bytes,
         * and those beyond U+10FFFF. */
        if (first < 0xc2 || first > 0xf4)
            return i;
        for (unsigned k = 1; k < length; k++) {
            if (i + k >= limit || (s[i + k] & 0xc0) != 0x80)
                return i;
        }
        unsigned char second = s[i + 1];
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
            (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
            return i;
        i += length;
    }
    return i;
}

/* Checks a string. `limit` is the size of the array that must contain the terminator, or SIZE_MAX
 * for a pointer. */
static void check_string_at(struct check *c, enum vuid vuid, const struct location *at,
                            const char *string, size_t limit)
{
    size_t length = utf8_valid_length(string, limit);
    if (length == limit)
        c->skip |=
            finding(c->call, vuid, at, NULL, "has no terminator within its %zu bytes", limit);
    else if (string[length])
        c->skip |= finding(c->call, vuid, at, NULL, "is not valid UTF-8: byte %zu is 0x%02x",
                           length, (unsigned char)string[length]);
}

void check_string(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                  const char *string)
{
    if (unlikely(pointer_is_bad(string)))
        report_pointer(c, vuid, where, name, string);
    else
        check_string_at(c, vuid, &LOCATION(where, name), string, SIZE_MAX);
}

void check_fixed_string(struct check *c, enum vuid vuid, const struct location *where,
                        const char *name, const char *string, size_t size)
{
    check_string_at(c, vuid, &LOCATION(where, name), string, size);
}

/* --- arrays --- */

void check_strings(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                   size_t count, const char *const *strings)
{
    if (unlikely(pointer_is_bad(strings))) {
        report_pointer(c, vuid, where, name, strings);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (pointer_is_bad(strings[i]))
            report_pointer_in_array(c, vuid, where, name, (uint32_t)i, strings[i]);
        else
            check_string_at(c, vuid, &LOCATION_INDEX(where, name, (uint32_t)i), strings[i],
                            SIZE_MAX);
    }
}

/* Handles of both kinds, dispatchable or not, are 64 bits wide on every system that the layer runs
 * on. */
static_assert(sizeof(void *) == sizeof(uint64_t), "handles are read as 64-bit words");
void check_handles(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                   size_t count, const void *handles)
{
    if (unlikely(pointer_is_bad(handles))) {
        report_pointer(c, vuid, where, name, handles);
        return;
    }
    const uint64_t *handle = handles;
    for (size_t i = 0; i < count; i++) {
        if (unlikely(!handle[i]))
            report_null_handle_at(c, vuid, &LOCATION_INDEX(where, name, (uint32_t)i));
    }
}

void check_enums(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 size_t count, const void *values, const struct enum_info *info)
{
    if (unlikely(pointer_is_bad(values))) {
        report_pointer(c, vuid, where, name, values);
        return;
    }
    const int32_t *value = values;
    for (size_t i = 0; i < count; i++)
        check_enum_at(c, vuid, &LOCATION_INDEX(where, name, (uint32_t)i), value[i], info);
}

void check_flags_array(struct check *c, enum vuid vuid, const struct location *where,
                       const char *name, size_t count, const VkFlags *values,
                       const struct flags_info *info)
{
    if (unlikely(pointer_is_bad(values))) {
        report_pointer(c, vuid, where, name, values);
        return;
    }
    for (size_t i = 0; i < count; i++)
        check_flags_at(c, vuid, &LOCATION_INDEX(where, name, (uint32_t)i), values[i], info);
}

void check_flag_array(struct check *c, enum vuid vuid, const struct location *where,
                      const char *name, size_t count, const void *values,
                      const struct flags_info *info)
{
    if (unlikely(pointer_is_bad(values))) {
        report_pointer(c, vuid, where, name, values);
        return;
    }
    const uint32_t *value = values;
    for (size_t i = 0; i < count; i++)
        check_flag_at(c, vuid, &LOCATION_INDEX(where, name, (uint32_t)i), value[i], info);
}

void check_known_bit_array(struct check *c, enum vuid vuid, const struct location *where,
                           const char *name, size_t count, const void *values,
                           const struct flags_info *info)
{
    if (unlikely(pointer_is_bad(values))) {
        report_pointer(c, vuid, where, name, values);
        return;
    }
    const uint32_t *value = values;
    for (size_t i = 0; i < count; i++) {
        if (!find_flag(info, value[i]))
            report_no_one_flag(c, vuid, &LOCATION_INDEX(where, name, (uint32_t)i), value[i], info);
    }
}

void check_nonzero_array(struct check *c, enum vuid vuid, const struct location *where,
                         const char *name, size_t count, const VkFlags *values)
{
    if (unlikely(pointer_is_bad(values)))
        return; /* the rule of the array reports it */
    for (size_t i = 0; i < count; i++) {
        if (!values[i])
            c->skip |= finding(c->call, vuid, &LOCATION_INDEX(where, name, (uint32_t)i), NULL,
                               "is 0, where at least one bit must be set");
    }
}

void check_bools(struct check *c, enum vuid vuid, const struct location *where, const char *name,
                 size_t count, const VkBool32 *values)
{
    if (unlikely(pointer_is_bad(values))) {
        report_pointer(c, vuid, where, name, values);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (unlikely(values[i] > VK_TRUE))
            c->skip |= finding(c->call, UNASSIGNED_GeneralParameterError_UnrecognizedBool32,
                               &LOCATION_INDEX(where, name, (uint32_t)i), NULL,
                               "is %u, neither VK_TRUE nor VK_FALSE", values[i]);
    }
}

/* --- conditions under which a member is read --- */

bool call_records_secondary(const struct call *call)
{
    return call->object && object_has(call->object, OBJECT_SECONDARY);
}
