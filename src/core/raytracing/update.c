/* Checks that an acceleration structure was built, and how, when a command reads or updates it
 * (37.2 "Building Acceleration Structures", 37.3 "Copying Acceleration Structures"). A command
 * buffer knows the structures that it built itself; for all others, submits check it. */
#include "core/raytracing/acceleration_structure.h"

#include "base/thread.h"
#include "core/hooks.h"
#include "core/submit/walk.h"
#include "report/names/object_text.h"
#include "state/object/created.h"

/* One command that uses a structure. Threads: on the stack. */
struct use {
    /* the reporting call: the recorded command, or the submission; s.where: the place in that
     * call */
    struct subject s;
    const struct build_record *record; /* the command's action */
};

/* The id of the rule for the command itself, even if a submission finds the mistake. */
static enum vuid use_rule(const struct use *use, enum rule rule)
{
    assert(use->record);
    return rule_vuid(use->record->command, rule);
}

/* Checks micromaps of VK_KHR_opacity_micromap, which builds on the host do not have. */
static void check_update_micromap(struct use *use, const struct built_geometry *now,
                                  const struct built_geometry *then, uint32_t i, bool may_change)
{
    if (command_root[use->record->command] == COMMAND_BuildAccelerationStructuresKHR)
        return;
    if (!then->has_opacity) {
        if (now->has_opacity)
            BROKEN(&use->s, use_rule(use, RULE_11627), use->s.where,
                   "updates a structure, but geometry %u has "
                   "VkAccelerationStructureTrianglesOpacityMicromapKHR, and was built without",
                   i);
        return;
    }
    if (then->micromap && !now->micromap)
        BROKEN(&use->s, use_rule(use, RULE_11625), use->s.where,
               "updates a structure, but geometry %u has no micromap, and was built with one", i);
    else if (!then->micromap && !(now->has_opacity && !now->micromap))
        BROKEN(&use->s, use_rule(use, RULE_11626), use->s.where,
               "updates a structure, but geometry %u has %s, and was built with a micromap of "
               "VK_NULL_HANDLE",
               i, now->has_opacity ? "a micromap" : "no structure for one");
    else if (then->micromap && now->micromap != then->micromap && !may_change)
        BROKEN(&use->s, use_rule(use, RULE_11629), use->s.where,
               "updates a structure, but geometry %u has another micromap, and the structure was "
               "built without "
               "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_OPACITY_MICROMAP_UPDATE_BIT_KHR",
               i);
}

/* Checks that geometry `i` of an update matches the one that was built. `counts`: the numbers of
 * primitives are known. */
static void check_update_geometry(struct use *use, const struct built_geometry *now,
                                  const struct built_geometry *then, uint32_t i, bool counts)
{
    if (now->type != then->type) {
        BROKEN(&use->s, use_rule(use, RULE_03761), use->s.where,
               "updates a structure, but geometry %u is of %s, and was built of %s", i,
               TEXT_OF(VkGeometryTypeKHR, now->type), TEXT_OF(VkGeometryTypeKHR, then->type));
        return;
    }
    if (now->flags != then->flags)
        BROKEN(&use->s, use_rule(use, RULE_03762), use->s.where,
               "updates a structure, but geometry %u has flags %s, and was built with %s", i,
               TEXT_OF(VkGeometryFlagsKHR, now->flags), TEXT_OF(VkGeometryFlagsKHR, then->flags));
    if (counts && now->primitive_count != then->primitive_count)
        BROKEN(&use->s, use_rule(use, RULE_03769), use->s.where,
               "updates a structure, but geometry %u has %u primitives, and was built of %u", i,
               now->primitive_count, then->primitive_count);
    if (now->type != VK_GEOMETRY_TYPE_TRIANGLES_KHR)
        return;
    if (now->vertex_format != then->vertex_format)
        BROKEN(&use->s, use_rule(use, RULE_03763), use->s.where,
               "updates a structure, but geometry %u has vertices of %s, and was built of %s", i,
               TEXT_OF(VkFormat, now->vertex_format), TEXT_OF(VkFormat, then->vertex_format));
    if (now->max_vertex != then->max_vertex)
        BROKEN(&use->s, use_rule(use, RULE_03764), use->s.where,
               "updates a structure, but geometry %u has maxVertex %u, and was built with %u", i,
               now->max_vertex, then->max_vertex);
    if (now->index_type != then->index_type)
        BROKEN(&use->s, use_rule(use, RULE_03765), use->s.where,
               "updates a structure, but geometry %u has indices of %s, and was built with %s", i,
               TEXT_OF(VkIndexType, now->index_type), TEXT_OF(VkIndexType, then->index_type));
    if (now->has_transform && !then->has_transform)
        BROKEN(&use->s, use_rule(use, RULE_03766), use->s.where,
               "updates a structure, but geometry %u has transformData, and was built without", i);
    if (!now->has_transform && then->has_transform)
        BROKEN(&use->s, use_rule(use, RULE_03767), use->s.where,
               "updates a structure, but geometry %u has no transformData, and was built with one",
               i);
}

/* Checks an update against the build of the structure. */
static void structure_update_check(struct use *use, const struct build_info *now,
                                   const struct build_info *then)
{
    assert(now && then);
    if (!(then->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR)) {
        BROKEN(&use->s, use_rule(use, RULE_03667), use->s.where,
               "updates a structure that was built with flags %s, without "
               "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR",
               TEXT_OF(VkBuildAccelerationStructureFlagsKHR, then->flags));
        return;
    }
    if (now->flags != then->flags)
        BROKEN(&use->s, use_rule(use, RULE_03759), use->s.where,
               "updates a structure with flags %s, but it was built with %s",
               TEXT_OF(VkBuildAccelerationStructureFlagsKHR, now->flags),
               TEXT_OF(VkBuildAccelerationStructureFlagsKHR, then->flags));
    /* Structures of different types have different geometries, so the rules below are not
     * checked. */
    if (now->type != then->type) {
        BROKEN(&use->s, use_rule(use, RULE_03760), use->s.where,
               "updates a structure with type %s, but it was built with %s",
               TEXT_OF(VkAccelerationStructureTypeKHR, now->type),
               TEXT_OF(VkAccelerationStructureTypeKHR, then->type));
        return;
    }
    if (now->geometry_count != then->geometry_count) {
        BROKEN(&use->s, use_rule(use, RULE_03758), use->s.where,
               "updates a structure with %u geometries, but it was built of %u",
               now->geometry_count, then->geometry_count);
        return;
    }
    if (!now->geometries_known || !then->geometries_known)
        return;
    bool counts = now->counts_known && then->counts_known;
    const bool may_change =
        then->flags & (VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_OPACITY_MICROMAP_DATA_UPDATE_BIT_EXT |
                       VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_OPACITY_MICROMAP_UPDATE_BIT_KHR);
    for (uint32_t i = 0; i < now->geometry_count && !use->s.skip; i++) {
        check_update_geometry(use, &now->geometries[i], &then->geometries[i], i, counts);
        if (now->geometries[i].type == VK_GEOMETRY_TYPE_TRIANGLES_KHR &&
            then->geometries[i].type == VK_GEOMETRY_TYPE_TRIANGLES_KHR)
            check_update_micromap(use, &now->geometries[i], &then->geometries[i], i, may_change);
    }
}

/* The rule that the command breaks if the structure was never built. */
static enum rule unbuilt_rule(const struct build_record *record)
{
    switch (record->action) {
    case BUILD_ACTION_UPDATE:
        return RULE_03667;
    case BUILD_ACTION_COPY:
        return command_root[record->command] == COMMAND_CopyAccelerationStructureKHR ? RULE_11586
                                                                                     : RULE_11633;
    case BUILD_ACTION_SERIALIZE:
        return RULE_04959;
    case BUILD_ACTION_GEOMETRY:
        return RULE_11701;
    default:
        return command_root[record->command] == COMMAND_WriteAccelerationStructuresPropertiesKHR
                   ? RULE_11591
                   : RULE_11684;
    }
}

/* Checks that the structure has what a command requires. `update`: the build, if the command is an
 * update. */
static void structure_update_check_content(struct use *use, const struct build_info *update,
                                           const struct build_info *info)
{
    assert(info);
    /* The rules depend on the action: updates and copies read, queries are about the build. */
    const struct build_record *record = use->record;
    bool compaction = (info->flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR) != 0;
    if (info->content == BUILD_NOTHING) {
        BROKEN(&use->s, use_rule(use, unbuilt_rule(record)), use->s.where,
               "%s a structure that was never built",
               record->action == BUILD_ACTION_UPDATE ? "updates"
               : record->action == BUILD_ACTION_COPY ? "copies"
                                                     : "reads");
        return;
    }
    if (record->action == BUILD_ACTION_UPDATE)
        structure_update_check(use, update, info);
    if (record->action == BUILD_ACTION_GEOMETRY &&
        info->type != VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR)
        BROKEN(&use->s, use_rule(use, RULE_11624), use->s.where,
               "has a geometry with a micromap that was built as %s",
               TEXT_OF(VkAccelerationStructureTypeKHR, info->type));
    if (record->action == BUILD_ACTION_COPY && !compaction &&
        record->argument == VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR)
        BROKEN(&use->s, use_rule(use, RULE_03411), use->s.where,
               "compacts a structure that was built with flags %s, without "
               "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR",
               TEXT_OF(VkBuildAccelerationStructureFlagsKHR, info->flags));
    if (record->action != BUILD_ACTION_QUERY)
        return;
    if (!compaction && record->argument == VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR)
        BROKEN(&use->s, use_rule(use, RULE_03431), use->s.where,
               "asks for the compacted size of a structure that was built with flags %s, without "
               "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR",
               TEXT_OF(VkBuildAccelerationStructureFlagsKHR, info->flags));
    if (info->type != VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR &&
        record->argument ==
            VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR)
        BROKEN(&use->s, use_rule(use, RULE_12425), use->s.where,
               "asks for the pointers to the bottom level of a structure that was built as %s",
               TEXT_OF(VkAccelerationStructureTypeKHR, info->type));
}

bool check_build_use(const struct call *call, const struct build_record *record,
                     const struct build_info *update, const struct build_info *info,
                     const struct location *where)
{
    assert(record && info);
    const struct acceleration_structure *source = acceleration_structure_by_id(record->source);
    struct use use = {
        .s = {.call = call,
              .where = where,
              .objects = STRUCTURE_OBJECT(object_state_handle(&source->base))},
        .record = record,
    };
    if (!source || info->content == BUILD_UNKNOWN || mem_failures())
        return false;
    structure_update_check_content(&use, update, info);
    return use.s.skip;
}

bool check_recorded_use(const struct call *call, const struct build_record *record,
                        const struct build_info *update, const struct location *where)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct build_info info;
    if (!command_buffer || !command_buffer_build_info(command_buffer, record->source, &info))
        return false;
    return check_build_use(call, record, update, &info, where);
}

/* --- what submissions find --- */

/* True if one of the batch's first `count` command buffers changes the structure, so that the
 * command will not find its current build. */
static bool is_touched(const struct batch *batch, uint32_t count, uint64_t structure)
{
    assert(count <= batch->command_buffer_count);
    for (uint32_t i = 0; i < count; i++) {
        const struct command_buffer *command_buffer =
            find_command_buffer(batch_command_buffer(batch, i));
        if (command_buffer && command_buffer_build(command_buffer, structure))
            return true;
    }
    return false;
}

/* True if an earlier record of the command buffer writes the structure, so that the command will
 * not find its current build. */
static bool is_written_before(const struct command_buffer_builds *builds, uint32_t end,
                              uint64_t structure)
{
    for (uint32_t i = 0; i < end; i++) {
        if (builds->records[i].target == structure)
            return true;
    }
    return false;
}

/* The rules that a command on a VkMicromapEXT breaks: where it was never built, and where it cannot
 * be compacted. */
struct micromap_rules {
    enum vuid unbuilt, compaction;
};

static struct micromap_rules micromap_rules_of(const struct build_record *record)
{
    switch (command_root[record->command]) {
    case COMMAND_CmdCopyMicromapEXT:
        return (struct micromap_rules){RULE(record, 07532), RULE(record, 07533)};
    case COMMAND_CopyMicromapEXT:
        return (struct micromap_rules){RULE(record, 11670), RULE(record, 07533)};
    case COMMAND_CmdCopyMicromapToMemoryEXT:
    case COMMAND_CopyMicromapToMemoryEXT:
        return (struct micromap_rules){.unbuilt = RULE(record, 07540)};
    case COMMAND_CmdWriteMicromapsPropertiesEXT:
        return (struct micromap_rules){RULE(record, 11662), RULE(record, 07502)};
    case COMMAND_WriteMicromapsPropertiesEXT:
        return (struct micromap_rules){RULE(record, 11671), RULE(record, 07502)};
    default: /* a build of an acceleration structure */
        return (struct micromap_rules){.unbuilt = RULE(record, 11632)};
    }
}

bool micromap_check_use(const struct call *call, const struct build_record *record,
                        const struct created_micromap *micromap, const struct location *where)
{
    if (!micromap)
        return false;
    const struct micromap_rules rules = micromap_rules_of(record);
    const uint32_t built = atomic_load_explicit(&micromap->built, memory_order_relaxed);
    const uint64_t handle = object_state_handle(&micromap->base);
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_MICROMAP_EXT, handle)};
    REQUIRE(&s, rules.unbuilt, built & MICROMAP_BUILT, where, "reads %s, which was never built",
            NAMED(call, HANDLE_MICROMAP_EXT, handle));
    if (record->argument)
        REQUIRE_NEXT(&s, rules.compaction, built & MICROMAP_COMPACTABLE, where,
                     "needs %s to have been built with VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT, "
                     "which no build of it had",
                     NAMED(call, HANDLE_MICROMAP_EXT, handle));
    return s.skip;
}

/* Checks a recorded update against the structure's build when the command buffer is submitted. */
static bool check_record(const struct call *call, const struct command_buffer_builds *builds,
                         uint32_t index, const struct location *where)
{
    const struct build_record *record = &builds->records[index];
    if (record->action == BUILD_ACTION_MICROMAP)
        return micromap_check_use(call, record, created_micromap_by_id(record->source), where);
    struct acceleration_structure *source = acceleration_structure_by_id(record->source);
    if (!source)
        return false;
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    struct build_info update = build_record_info(builds, record),
                      info = acceleration_structure_build(source);
    bool skip = check_build_use(call, record, &update, &info, where);
    scratch_rewind(&thread_self()->scratch, mark);
    return skip;
}

/* Checks one command buffer. `count`: the number of command buffers before it in the batch. */
static bool structure_update_check_command_buffer(const struct call *call,
                                                  const struct command_buffer *command_buffer,
                                                  const struct batch *batch, uint32_t count,
                                                  const struct location *where)
{
    const struct command_buffer_builds *builds = command_buffer->builds;
    bool skip = false;
    for (uint32_t i = 0; i < builds->count && !skip; i++) {
        uint64_t source = builds->records[i].source;
        if (source &&
            !(command_buffer_build(command_buffer, source) &&
              is_written_before(builds, i, source)) &&
            !is_touched(batch, count, source))
            skip |= check_record(call, builds, i, where);
    }
    return skip;
}

/* True if command buffers of an earlier batch of this call build anything. The later batches are
 * then not checked; few programs submit several at once. */
static bool any_builds(const struct batch *batch)
{
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        const struct command_buffer *command_buffer =
            find_command_buffer(batch_command_buffer(batch, i));
        if (command_buffer && command_buffer->builds && command_buffer->builds->count)
            return true;
    }
    return false;
}

bool submit_check_builds(struct submit *submit, const struct submit_batch *submitted)
{
    const struct batch *batch = &submitted->batch;
    bool skip = false;
    if (likely(!any_builds(batch)))
        return false;
    bool known = !submit->built && !submit->ahead;
    submit->built = true;
    for (uint32_t i = 0; known && i < batch->command_buffer_count; i++) {
        const struct command_buffer *command_buffer =
            find_command_buffer(batch_command_buffer(batch, i));
        if (command_buffer && command_buffer->builds && !command_buffer->builds->incomplete)
            skip |= structure_update_check_command_buffer(
                submit->call, command_buffer, batch, i,
                &LOCATION_INDEX(&submitted->where, batch_command_buffers_name(batch), i));
    }
    return skip;
}
