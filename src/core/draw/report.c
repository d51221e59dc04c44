/* Writes findings about something that is bound: a destroyed pipeline or shader, or a descriptor
 * that a stage uses. */
#include "core/draw/use.h"
#include "core/destroy/gone.h"
#include "report/finding/fix.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "report/names/object_text.h"
#include "state/descriptor/descriptor_resources.h"
#include "state/memory/formats.h"
#include "state/object/reach.h"

#include <stdio.h>

void draw_report_gone(struct draw *draw, uint64_t id, enum vuid vuid)
{
    assert(id);
    const struct call *call = draw->s.call;
    const struct reach_chain chain = {.count = 1, .ids = {id}};
    char text[GONE_TEXT];
    gone_write_chain(call, &chain, text);
    draw->s.wrong = call_stop(call, true);
    BROKEN_OF(&draw->s, call->wraps ? OBJECT(object_id_type(id), id) : NULL, vuid,
              &LOCATION(NULL, "commandBuffer"), "is invalid: the bound %s", text);
}

/* The end of a finding's message. It names the descriptor set, and often what the descriptor
 * contains. */
struct there_text {
    char text[1024];
};

/* Writes the objects of the descriptor: a view with its image, and the sampler. */
static void write_target(struct string_builder *to, const struct use *use)
{
    const struct call *call = use->draw->s.call;
    const enum descriptor_tag tag = (enum descriptor_tag)use->descriptor.tag;
    const uint64_t target = tag == DESCRIPTOR_SAMPLER ? 0 : descriptor_target(use->descriptor);
    const bool samples = tag == DESCRIPTOR_SAMPLER || tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER;
    const uint64_t sampler = samples ? descriptor_sampler_id(use->bound->layout, use->binding,
                                                             use->element, use->descriptor)
                                     : 0;
    uint64_t below[REACH_DEPTH];
    if (target) {
        object_text_write_id(to, call, target);
        /* The image of a view, or the buffer of a structure, but not their memory. */
        if (reach_dependencies(target, below) && object_id_type(below[0]) != HANDLE_DEVICE_MEMORY) {
            string_builder_add(to, " of ");
            object_text_write_id(to, call, below[0]);
        }
    }
    if (sampler) {
        string_builder_add(to, target ? ", with " : "");
        object_text_write_id(to, call, sampler);
    }
}

/* Writes `: what VkDescriptorSet 0x1 "material" has there is VkImageView 0x2 "albedo" of VkImage
 * 0x3`. */
static COLD const char *place_is_there(const struct use *use, bool with_target,
                                       struct there_text *result)
{
    char buffer[512];
    struct string_builder to;
    string_builder_begin(&to, buffer, sizeof(buffer));
    with_target = with_target && use->descriptor.tag != DESCRIPTOR_NOTHING;
    if (use_set(use)) {
        string_builder_add(&to, with_target ? ": what " : ", in ");
        object_text_write(&to, use->draw->s.call, HANDLE_DESCRIPTOR_SET, use_set(use));
        string_builder_add(&to, with_target ? " has there is " : "");
    } else if (with_target) {
        string_builder_add(&to, ": what was pushed is ");
    }
    const size_t before = to.length;
    if (with_target)
        write_target(&to, use);
    if (with_target && to.length == before)
        string_builder_add(&to, "nothing");
    (void)snprintf(result->text, sizeof(result->text), "%s", to.text);
    string_builder_end(&to);
    return result->text;
}

/* The objects of a finding: the set, the given object, and those of the descriptor. */
static COLD const struct finding_objects *objects_there(const struct use *use,
                                                        enum handle_type type, uint64_t handle,
                                                        struct finding_objects *objects)
{
    const enum descriptor_tag tag = (enum descriptor_tag)use->descriptor.tag;
    uint64_t chain[REACH_DEPTH + 1] = {0};
    *objects = (struct finding_objects){
        .count = 2, .list = {{HANDLE_DESCRIPTOR_SET, use_set(use)}, {type, handle}}};
    if (tag == DESCRIPTOR_NOTHING || tag == DESCRIPTOR_SAMPLER)
        return objects;
    chain[0] = descriptor_target(use->descriptor);
    if (chain[0])
        (void)reach_dependencies(chain[0], chain + 1);
    for (uint32_t i = 0; i < 2 && chain[i] && object_id_type(chain[i]) != HANDLE_DEVICE_MEMORY;
         i++) {
        const struct object *object = object_find_id(chain[i], object_id_type(chain[i]));
        if (object)
            objects->list[objects->count++] =
                (struct finding_object){object_id_type(chain[i]), object_handle(object)};
    }
    return objects;
}

void use_report_as(struct use *use, enum vuid vuid, struct wrong wrong, const char *format,
                   va_list args)
{
    const struct call *call = use->draw->s.call;
    char text[512], element[32] = "";
    use->draw->s.wrong = true;
    if (vuid == VUID_COUNT) /* the command does not have this rule, but the next command may */
        return;
    (void)vsnprintf(text, sizeof(text), format, args);
    if (use->of_array)
        (void)snprintf(element, sizeof(element), ", element %u", use->element);
    use->right = false;
    use->draw->s.skip |=
        finding_with_fix(call, vuid, &LOCATION(NULL, "commandBuffer"),
                         objects_there(use, wrong.type, wrong.handle,
                                       &(struct finding_objects){.count = 0}),
                         wrong.fix,
                         "has descriptor set %u bound, whose binding %u%s (\"%s\" in the shader of "
                         "%s) %s%s",
                         use->shader->set, use->shader->binding, element,
                         use->code->text + use->shader->name,
                         TEXT_OF(VkShaderStageFlagBits, use->stage), text,
                         place_is_there(use, !wrong.says_target, &(struct there_text){.text = ""}));
}

/* "Texel output validation covers cases such as using R32ui with VK_FORMAT_R8_UINT that ... still
 * result in undefined values. Validation layers will provide a warning" (chapter "Image
 * Operations"). */
void use_check_format(struct use *use, uint32_t declared, VkFormat format, struct wrong view)
{
    const struct format_info *info = format_info(format), *wanted = NULL;
    for (uint32_t i = 0; i < FORMAT_COUNT && !wanted; i++)
        wanted = format_table[i].spirv_format == declared ? &format_table[i] : NULL;
    if (!info || !wanted || info == wanted || !use->right)
        return;
    /* A packed format, such as VK_FORMAT_A8B8G8R8_UNORM_PACK32, may have the same bits. */
    if (info->packed && info->block_size == wanted->block_size &&
        info->component_count == wanted->component_count && info->numeric == wanted->numeric)
        return;
    use->draw->s.skip |=
        finding_with_severity(use->draw->s.call, SEVERITY_WARNING,
                              view.type == HANDLE_IMAGE_VIEW
                                  ? Undefined_Value_StorageImage_FormatMismatch_ImageView
                                  : Undefined_Value_StorageImage_FormatMismatch_BufferView,
                              &LOCATION(NULL, "commandBuffer"),
                              objects_there(use, view.type, view.handle,
                                            &(struct finding_objects){.count = 0}),
                              "has descriptor set %u bound, whose binding %u (\"%s\" in the shader "
                              "of %s) is declared with "
                              "the image format of %s, but its view is of %s: what the shader "
                              "reads and writes there is "
                              "undefined",
                              use->shader->set, use->shader->binding,
                              use->code->text + use->shader->name,
                              TEXT_OF(VkShaderStageFlagBits, use->stage),
                              value_text(VALUES_VkFormat, wanted->format).text,
                              value_text(VALUES_VkFormat, format).text);
}

void use_report(struct use *use, enum rule rule, struct wrong wrong, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    use_report_as(use, rule_vuid(use->draw->s.call->command, rule), wrong, format, args);
    va_end(args);
}
