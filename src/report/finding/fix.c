/* Writes the line `fix` of a finding: the registry's sentence, with the finding's objects and the
 * physical device's features filled in. */
#include "report/finding/fix.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/names/feature_names.h"
#include "report/names/object_text.h"
#include "report/names/structures.h"
#include "objects/device.h"

const char *fix_format(struct fix_text *fix, const char *format, ...)
{
    assert(fix && format);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(fix->text, sizeof(fix->text), format, args);
    va_end(args);
    return fix->text;
}

/* --- features --- */

/* True if the structure of this type has the feature. The function reads a structure in which all
 * features are enabled. It returns false, too, if memory is out. */
static bool structure_has(VkStructureType type, size_t size, enum feature feature)
{
    VkBaseOutStructure *all = mem_alloc(size);
    struct feature_set set = {0};
    if (!all)
        return false;
    memset(all, 1, size); /* each VkBool32 in the structure is not 0 then */
    all->sType = type;
    all->pNext = NULL;
    /* As if a device were created with all features of the structure. */
    feature_set_read(&set, &(VkDeviceCreateInfo){.pNext = all});
    mem_free(all);
    return feature_set_has(&set, feature);
}

/* True if the physical device supports the feature. The driver is asked each time, as this is rare.
 * Returns true, too, if the driver cannot be asked. */
static bool is_supported(const struct call *call, enum feature feature)
{
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    PFN_vkGetPhysicalDeviceFeatures2 get =
        call->device && call->instance ? call->instance->dispatch.GetPhysicalDeviceFeatures2 : NULL;
    struct feature_set set = {0};
    bool complete = true;
    if (!get)
        return true;
    /* Several structures may have the feature: the driver fills in those that it knows. */
    for (uint32_t i = 0; i < structures_by_type_count; i++) {
        const VkStructureType type = (VkStructureType)structures_by_type[i].type;
        const size_t size = feature_structure_size(type);
        if (!size || !structure_has(type, size, feature))
            continue;
        VkBaseOutStructure *structure = mem_alloc_zeroed(size);
        complete &= structure != NULL;
        if (!structure)
            continue;
        structure->sType = type;
        structure->pNext = features.pNext;
        features.pNext = structure;
    }
    get(call->device->physical_device, &features);
    feature_set_read(&set, &(VkDeviceCreateInfo){.pNext = &features});
    for (VkBaseOutStructure *next, *at = features.pNext; at; at = next) {
        next = at->pNext;
        mem_free(at);
    }
    /* If memory was out for a structure, it may have had the feature: support is assumed. */
    return !complete || feature_set_has(&set, feature);
}

/* --- objects --- */

/* Returns the finding's only object of this type; NULL: there are several, or none. */
static const struct finding_object *find_only(const struct finding_objects *objects,
                                              enum handle_type type)
{
    const struct finding_object *found = NULL;
    for (uint32_t i = 0; objects && i < objects->count; i++) {
        if (objects->list[i].type != type || !objects->list[i].handle)
            continue;
        /* With two objects of the type, it is not known which one the fix is about. */
        if (found && found->handle != objects->list[i].handle)
            return NULL;
        found = &objects->list[i];
    }
    return found;
}

/* Returns the type of handle with this name ("VkBuffer"), which need not end with a zero.
 * HANDLE_NONE: no type has the name. */
static enum handle_type type_of_name(const char *name, size_t length)
{
    assert(name);
    for (int i = HANDLE_NONE + 1; i < HANDLE_TYPE_COUNT; i++) {
        if (strlen(handle_type_name[i]) == length && !strncmp(handle_type_name[i], name, length))
            return (enum handle_type)i;
    }
    return HANDLE_NONE;
}

/* Writes the finding's object of this type, and the call that created it. "the VkBuffer" is written
 * if several could be meant. */
static void write_object_of(struct string_builder *to, const struct call *call,
                            const struct finding_objects *objects, const char *name, size_t length)
{
    const enum handle_type type = type_of_name(name, length);
    const struct finding_object *object = find_only(objects, type);
    if (!object) {
        string_builder_add(to, "the ");
        string_builder_add_bytes(to, name, length);
        return;
    }
    object_text_write(to, call, type, object->handle);
    object_text_write_creator(to, call, type, object->handle);
}

void fix_write(struct string_builder *to, const struct call *call,
               const struct finding_objects *objects, const char *fix)
{
    assert(fix);
    /* A fix that begins with "?" and the number of a feature holds if the physical device supports
     * that feature: then it is to be enabled. */
    if (fix[0] == '?') {
        char *rest;
        const enum feature feature = (enum feature)strtoul(fix + 1, &rest, 10);
        fix = rest + 1;
        if (!is_supported(call, feature)) {
            string_builder_format(to,
                                  "do without it: the physical device does not have the feature %s",
                                  feature_name(feature));
            return;
        }
    }
    while (*fix) {
        const size_t plain = strcspn(fix, "{");
        string_builder_add_bytes(to, fix, plain);
        fix += plain;
        if (!*fix)
            return;
        const size_t name = strcspn(++fix, "}");
        write_object_of(to, call, objects, fix, name);
        fix += name + (fix[name] == '}');
    }
}
