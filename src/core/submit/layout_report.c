/* Says which recorded command wants a layout, with the code that recorded it and the statement that
 * it breaks. */
#include "core/submit/layout_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/barrier/layout_fix.h"
#include "objects/device.h"
#include "report/finding/details.h"
#include "report/names/object_text.h"
#include "report/report.h"
#include "state/memory/ownership.h"

/* --- the statement --- */

/* The rules of each command about the layouts that it wants. RULE_NONE: the command has no rule
 * about that image. */
static const struct {
    enum command command; /* key: command_root */
    enum rule rules[2];   /* index: enum layout_role */
} statements[] = {
    {COMMAND_CmdPipelineBarrier, {RULE_01197, RULE_NONE}},
    {COMMAND_CmdPipelineBarrier2, {RULE_01197, RULE_NONE}},
    {COMMAND_CmdWaitEvents, {RULE_01197, RULE_NONE}},
    {COMMAND_CmdWaitEvents2, {RULE_01197, RULE_NONE}},
    {COMMAND_CmdBeginRenderPass, {RULE_00900, RULE_NONE}},
    {COMMAND_CmdBeginRenderPass2, {RULE_03100, RULE_NONE}},
    {COMMAND_CmdCopyImage, {RULE_00128, RULE_00133}},
    {COMMAND_CmdCopyImage2, {RULE_00128, RULE_00133}},
    {COMMAND_CmdCopyBufferToImage, {RULE_NONE, RULE_00180}},
    {COMMAND_CmdCopyBufferToImage2, {RULE_NONE, RULE_00180}},
    {COMMAND_CmdCopyImageToBuffer, {RULE_00189, RULE_NONE}},
    {COMMAND_CmdCopyImageToBuffer2, {RULE_00189, RULE_NONE}},
    {COMMAND_CmdBlitImage, {RULE_00221, RULE_00226}},
    {COMMAND_CmdBlitImage2, {RULE_00221, RULE_00226}},
    {COMMAND_CmdResolveImage, {RULE_00260, RULE_00262}},
    {COMMAND_CmdResolveImage2, {RULE_00260, RULE_00262}},
    {COMMAND_CmdClearColorImage, {RULE_00004, RULE_NONE}},
    {COMMAND_CmdClearDepthStencilImage, {RULE_00011, RULE_NONE}},
};

/* The rule that the report quotes. Images in descriptors are all noted with the id of draws
 * (09600): for another command its own rule replaces that. */
static enum vuid statement_of(const struct layout_mismatch *mismatch)
{
    const uint32_t command = mismatch->user.command;
    enum rule rule = RULE_09600;
    if (mismatch->vuid != VUID_vkCmdDraw_None_09600 || command >= COMMAND_COUNT)
        return mismatch->vuid;
    for (size_t i = 0; i < ARRAY_LENGTH(statements); i++) {
        if (statements[i].command == (enum command)command_root[command])
            rule = statements[i].rules[mismatch->user.role == LAYOUT_OF_TARGET];
    }
    const enum vuid vuid = rule == RULE_NONE ? VUID_COUNT : rule_vuid((enum command)command, rule);
    return vuid < VUID_COUNT ? vuid : mismatch->vuid;
}

/* --- the command --- */

/* Text such as "vkCmdDraw (command 3)"; it also names the secondary command buffer, if the command
 * is in one. */
struct user_text {
    char text[160];
};
/* The text that names the command which needs the layout, and its number in the command buffer. */
static COLD struct user_text user_text(const struct layout_mismatch *mismatch)
{
    const struct layout_user user = mismatch->user;
    struct user_text text = {""};
    char number[32] = "";
    if (user.number < LAYOUT_USER_MOST)
        snprintf(number, sizeof(number), " (command %u)", user.number);
    snprintf(text.text, sizeof(text.text),
             user.in_secondary ? "%s in a secondary command buffer of vkCmdExecuteCommands%s"
                               : "%s%s",
             user.command < COMMAND_COUNT ? command_name[user.command] : "a command", number);
    return text;
}

/* The data of the section that describes the command in a report. */
struct wanted {
    const struct call *call;
    VkCommandBuffer command_buffer; /* the submitted one */
    struct layout_user user;
    struct caller_path *path; /* code that recorded the command; NULL: not known */
};

/* Writes "vkCmdDraw, command 3 of VkCommandBuffer 0x1", the code that recorded it, and what called
 * that. */
static void write_section(struct string_builder *to, const struct wanted *wanted)
{
    const struct layout_user user = wanted->user;
    string_builder_add(to, user.command < COMMAND_COUNT ? command_name[user.command] : "a command");
    if (user.in_secondary)
        string_builder_add(to, " in a secondary command buffer, executed by vkCmdExecuteCommands");
    if (user.number < LAYOUT_USER_MOST)
        string_builder_format(to, ", command %u", user.number);
    string_builder_add(to, " of ");
    object_text_write(to, wanted->call, HANDLE_COMMAND_BUFFER,
                      (uint64_t)(uintptr_t)wanted->command_buffer);
    if (!wanted->path)
        return;
    string_builder_add(to, "\ncalled by ");
    message_write_frame(to, &wanted->path->frames[wanted->path->first]);
    message_write_outer(to, wanted->path, "    ");
}

/* Writes {"command": "vkCmdDraw", "index": 3, "commandBuffer": {...}, "caller": {...}, "stack":
 * [...]}. */
static void write_json(struct string_builder *to, const struct wanted *wanted)
{
    const struct layout_user user = wanted->user;
    const uint64_t handle = (uint64_t)(uintptr_t)wanted->command_buffer;
    char *name = told_object_name(wanted->call, HANDLE_COMMAND_BUFFER, handle);
    string_builder_format(to, "{\"command\":\"%s\"",
                          user.command < COMMAND_COUNT ? command_name[user.command] : "");
    if (user.number < LAYOUT_USER_MOST)
        string_builder_format(to, ",\"%s\":%u", user.in_secondary ? "executedBy" : "index",
                              user.number);
    string_builder_format(to, ",\"%s\":", user.in_secondary ? "primary" : "commandBuffer");
    message_write_json_object(to, &(struct report_object){.type = HANDLE_COMMAND_BUFFER,
                                                          .handle = handle,
                                                          .name = name});
    if (wanted->path) {
        string_builder_add(to, ",");
        message_write_json_path(to, wanted->path);
    }
    string_builder_add(to, "}");
    mem_free(name);
}

/* --- the findings --- */

/* Reports an image that was released and not acquired. "After a release operation is performed, the
 * contents and image layout ... are undefined until a matching acquire operation is performed". So
 * the report advises an acquire: a transition would discard the contents. */
static bool report_released(const struct call *call, const struct finding_objects *objects,
                            const struct layout_mismatch *mismatch,
                            const struct transfer_range *release, const struct location *where,
                            struct finding_details *details)
{
    const struct value_text from = value_text(VALUES_VkImageLayout, (uint64_t)release->old_layout);
    const struct value_text to = value_text(VALUES_VkImageLayout, (uint64_t)release->new_layout);
    details->fix =
        FIX("acquire it before, on a queue of family %u, with an image barrier "
            "that has srcQueueFamilyIndex %u, dstQueueFamilyIndex %u, "
            "oldLayout %s and newLayout %s, as the release has",
            release->dst_family, release->src_family, release->dst_family, from.text, to.text);
    return finding_told_with(call, mismatch->vuid, where, objects, details,
                             "expects the image in %s when it begins to use it, by %s, but queue "
                             "family %u has released it to family %u, and nothing has acquired it "
                             "since (mip level %u, array layer %u)",
                             value_text(VALUES_VkImageLayout, (uint64_t)mismatch->expected).text,
                             user_text(mismatch).text, release->src_family, release->dst_family,
                             mismatch->level, mismatch->layer);
}

/* Reports an image in another layout than a command buffer expects. If the image was released to
 * this queue family and never acquired, it reports that instead. */
static bool report_conflict(const struct submit *submit, const struct finding_objects *objects,
                            const struct image *image, const struct layout_mismatch *mismatch,
                            const struct location *where, struct finding_details *details)
{
    const struct call *call = submit->call;
    const struct owned_subresource subresource = {object_state_id(&image->base), mismatch->aspect,
                                                  mismatch->level, mismatch->layer};
    struct transfer_range release;
    if (mismatch->found == VK_IMAGE_LAYOUT_UNDEFINED &&
        ownership_find_release(call->device, submit->layouts.list, submit->layouts.count,
                               &subresource, submit->queue ? submit->queue->family : UINT32_MAX,
                               &release))
        return report_released(call, objects, mismatch, &release, where, details);
    details->fix = fix_transition(mismatch->found, mismatch->expected);
    return finding_told_with(call, mismatch->vuid, where, objects, details,
                             "expects the image in %s when it begins to use it, by %s, but it will "
                             "be in %s (%s, mip level %u, %s %u)",
                             value_text(VALUES_VkImageLayout, (uint64_t)mismatch->expected).text,
                             user_text(mismatch).text,
                             value_text(VALUES_VkImageLayout, (uint64_t)mismatch->found).text,
                             value_text(VALUES_VkImageAspectFlags, mismatch->aspect).text,
                             mismatch->level,
                             image->type == VK_IMAGE_TYPE_3D ? "slice" : "array layer",
                             mismatch->layer);
}

bool submit_report_layout(const struct submit *submit, VkCommandBuffer handle,
                          const struct image *image, const struct layout_mismatch *mismatch,
                          const struct location *where)
{
    assert(image && mismatch);
    const struct call *call = submit->call;
    const enum vuid statement = statement_of(mismatch);
    struct finding_objects objects = {.count = 2,
                                      .list = {{HANDLE_COMMAND_BUFFER, (uint64_t)(uintptr_t)handle},
                                               {HANDLE_IMAGE, object_state_handle(&image->base)}}};
    struct finding_details details = {.quoted = statement == mismatch->vuid ? NULL : &statement};
    struct wanted wanted = {call, handle, mismatch->user, NULL};
    char section_buffer[512], json_buffer[512];
    struct string_builder section, json;
    /* A command buffer that the layer could not follow may have left the image in that layout. */
    if (mem_failures())
        return false;
    string_builder_begin(&section, section_buffer, sizeof(section_buffer));
    string_builder_begin(&json, json_buffer, sizeof(json_buffer));
    if (finding_is_heard(call, SEVERITY_ERROR, mismatch->vuid)) {
        wanted.path = caller_path_of_kept(call, layout_user_caller(mismatch->user));
        write_section(&section, &wanted);
        write_json(&json, &wanted);
        details.sections[details.section_count++] =
            (struct finding_section){"wanted", section.text};
        details.json_key = "wanted";
        details.json = json.text;
    }
    const bool skip = report_conflict(submit, &objects, image, mismatch, where, &details);
    string_builder_end(&section);
    string_builder_end(&json);
    mem_free(wanted.path);
    return skip;
}
