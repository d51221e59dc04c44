/* Checks that the code that a report of a hazard shows compiles, and that the hazard is gone with
 * it. Commands of every family run one after the other. The mend of each hazard, as it was printed,
 * is compiled, and called where the report wants it. */
#include "sync/sync_world.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define MENDS_MOST 256

struct mend {
    const struct operation *second;
    bool between;    /* an execution dependency stood between the two already */
    VkBuffer buffer; /* what the barrier names */
    VkImage image;
};

struct mends {
    struct world world;
    const struct operation *first;
    FILE *code;
    unsigned count;
    struct mend list[MENDS_MOST];
};

static const struct operation *const operations[] = {
#define ADDRESS(name_, stage_, access_, command_) &operation_##name_,
    OPERATIONS_X(ADDRESS)
#undef ADDRESS
};

static void record_first(struct mends *mends, const struct operation *second, bool between)
{
    struct world *w = &mends->world;
    world_record(w);
    mends->first->record(w);
    if (between)
        world_barrier(w, mends->first, second, false);
}

/* --- reading the report --- */

static uint64_t named_handle(const char *code, const char *type)
{
    char mark[64];
    (void)snprintf(mark, sizeof(mark), "/* %s 0x", type);
    const char *found = strstr(code, mark);
    return found ? strtoull(found + strlen(mark), NULL, 16) : 0;
}

#define INDENT 12 /* of a section's second line, and those after it */

static bool is_indented(const char *line)
{
    return strspn(line, " ") >= INDENT;
}

/* The section of the mend, but for its first line. */
static char *code_of(const char *text, const char *first_words)
{
    static const char head[] = "\n    mend    ";
    const char *section = strstr(text, head),
               *line = section ? strchr(section + sizeof(head), '\n') : NULL;
    char *code = calloc(1, strlen(text) + 1);
    ENSURE(code && line);
    EXPECT(!strncmp(section + sizeof(head) - 1, first_words, strlen(first_words)));
    for (line++; line && is_indented(line);
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        strncat(code, line + INDENT, strcspn(line + INDENT, "\n") + 1);
    return code;
}

static void note_mend(struct mends *mends, const struct operation *second, bool between,
                      const struct seen *seen)
{
    char *code = code_of(seen->text, strstr(seen->text, "WRITE-AFTER-READ") ||
                                             strstr(seen->text, "makes it wait for")
                                         ? "an execution dependency"
                                         : "a memory dependency");
    ENSURE(mends->count < MENDS_MOST);
    mends->list[mends->count] =
        (struct mend){.second = second,
                      .between = between,
                      .buffer = (VkBuffer)(uintptr_t)named_handle(code, "VkBuffer"),
                      .image = (VkImage)(uintptr_t)named_handle(code, "VkImage")};
    (void)fprintf(mends->code,
                  "void mend_%u(VkCommandBuffer commandBuffer, VkBuffer buffer, VkImage image);\n"
                  "void mend_%u(VkCommandBuffer commandBuffer, VkBuffer buffer, VkImage "
                  "image)\n{\n%s}\n\n",
                  mends->count, mends->count, code);
    mends->count++;
    free(code);
}

static const struct seen *seen_from(const struct baseline *b, unsigned number)
{
    const struct seen *seen = b->first_seen;
    for (; seen && number; number--)
        seen = seen->next;
    return seen;
}

static void collect_mends(struct mends *mends, const struct operation *second, bool between)
{
    struct baseline *b = mends->world.b;
    record_first(mends, second, between);
    unsigned before = seen_count(b, NULL);
    second->record(&mends->world);
    for (const struct seen *seen = seen_from(b, before); seen; seen = seen->next)
        note_mend(mends, second, between, seen);
}

/* --- trying it --- */

static void *compile_mends(void)
{
    if (system(MENDS_COMPILER
               /* NOLINT */
               " -std=c17 -Wall -Wextra -Wno-unused-parameter -shared -fPIC "
               "-o mends.so mends.c"))
        scenario_abort(__FILE__, __LINE__, "the mends do not compile");
    void *library = dlopen("./mends.so", RTLD_NOW);
    if (!library)
        scenario_abort(__FILE__, __LINE__, "%s", dlerror());
    return library;
}

typedef void (*mend_function)(VkCommandBuffer commandBuffer, VkBuffer buffer, VkImage image);

/* The mends from `number` on, of the same pair, before its second command. Returns how many there
 * are. */
static unsigned apply_mend(struct mends *mends, void *library, unsigned number)
{
    const struct mend *mend = &mends->list[number];
    struct baseline *b = mends->world.b;
    unsigned count = 0;
    record_first(mends, mend->second, mend->between);
    for (; number + count < mends->count; count++) {
        const struct mend *other = &mends->list[number + count];
        char name[32];
        mend_function function;
        if (other->second != mend->second || other->between != mend->between)
            break;
        (void)snprintf(name, sizeof(name), "mend_%u", number + count);
        *(void **)&function = dlsym(library, name);
        ENSURE(function);
        function(mends->world.commands, other->buffer, other->image);
    }
    unsigned before = seen_count(b, NULL);
    mend->second->record(&mends->world);
    const struct seen *seen = seen_from(b, before);
    if (seen)
        scenario_fail(__FILE__, __LINE__, "the mend number %u is not enough:\n%s", number,
                      seen->text);
    return count;
}

static void check_mends(struct baseline *b, const struct operation *first, bool version2)
{
    static struct mends mends;
    mends.first = first;
    mends.code = fopen("mends.c", "w");
    ENSURE(mends.code);
    (void)fputs("#include <stddef.h>\n#include <vulkan/vulkan.h>\n\n", mends.code);
    world_begin(b, &mends.world);
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        collect_mends(&mends, operations[i], false);
        if (version2) /* the barrier in between is */
            collect_mends(&mends, operations[i], true);
    }
    ENSURE(fclose(mends.code) == 0);
    EXPECT(mends.count > 0);
    void *library = compile_mends();
    for (unsigned i = 0; i < mends.count;)
        i += apply_mend(&mends, library, i);
    dlclose(library);
}

/* Where there is synchronization2 the code is of version 2. */
static const VkPhysicalDeviceVulkan13Features version1_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = &(VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .features = {.fragmentStoresAndAtomics = VK_TRUE}},
    .dynamicRendering = VK_TRUE};

#define MENDS(features_)                                                         \
    .settings = {"validate_sync=true", "syncval_shader_accesses_heuristic=true", \
                 "enable_message_limit=false"},                                  \
    .allow = {"SYNC-HAZARD-READ-AFTER-WRITE", "SYNC-HAZARD-WRITE-AFTER-READ",    \
              "SYNC-HAZARD-WRITE-AFTER-WRITE"},                                  \
    .proceed = true, .ours_only = true, .seconds = 120, .features = &(features_)
#define MENDS_AFTER(name_, stage_, access_, command_)     \
    SCENARIO(mends_behind_##name_, MENDS(world_features)) \
    {                                                     \
        check_mends(b, &operation_##name_, true);         \
    }
OPERATIONS_X(MENDS_AFTER)

/* A few of each kind in the words of version 1. */
#define MENDS_AFTER1(name_)                                           \
    SCENARIO(version1_mends_behind_##name_, MENDS(version1_features)) \
    {                                                                 \
        check_mends(b, &operation_##name_, false);                    \
    }
MENDS_AFTER1(copy_from_buffer)
MENDS_AFTER1(fill_buffer)
MENDS_AFTER1(dispatch_write)
MENDS_AFTER1(draw_vertices)
MENDS_AFTER1(draw_indirect)
MENDS_AFTER1(blit_from)
MENDS_AFTER1(write_image)
MENDS_AFTER1(draw_sample)
MENDS_AFTER1(dispatch_store)
MENDS_AFTER1(rendering_clear)

/* --- layout transitions: their own barriers are to be wider --- */

struct masks {
    VkPipelineStageFlags2 src, dst;
    VkAccessFlags2 src_access, dst_access;
};
typedef void (*widen_function)(struct masks *masks);

static void transition_masked(struct world *w, const struct masks *masks, bool version2)
{
    const VkImageMemoryBarrier2 barrier2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                            .srcStageMask = masks->src,
                                            .srcAccessMask = masks->src_access,
                                            .dstStageMask = masks->dst,
                                            .dstAccessMask = masks->dst_access,
                                            .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .image = w->image,
                                            .subresourceRange = color_range()};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier2};
    VkImageMemoryBarrier barrier =
        image_barrier(w->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = (VkAccessFlags)masks->src_access;
    barrier.dstAccessMask = (VkAccessFlags)masks->dst_access;
    if (version2)
        vkCmdPipelineBarrier2(w->commands, &info);
    else
        vkCmdPipelineBarrier(w->commands, (VkPipelineStageFlags)masks->src,
                             (VkPipelineStageFlags)masks->dst, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* The changes that one of the two makes to the image, and their order with a transition. */
struct change {
    const struct operation *operation; /* NULL: another transition, in front */
    bool in_front;
};

/* Returns the transition that the mend is about as it has to be for nothing else. */
static struct masks masks_of(const struct change *change)
{
    const VkAccessFlags2 all = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    if (change->in_front || !change->operation)
        return (struct masks){VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT,
                              VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0, all};
    return (struct masks){VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                          VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, all, 0};
}

static void record_change(struct world *w, const struct change *change, const struct masks *masks,
                          bool version2)
{
    const struct masks first = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                VK_ACCESS_2_MEMORY_WRITE_BIT, VK_ACCESS_2_SHADER_READ_BIT};
    world_record(w);
    if (!change->operation)
        transition_masked(w, &first, version2);
    if (change->operation && change->in_front)
        change->operation->record(w);
    transition_masked(w, masks, version2);
    if (change->operation && !change->in_front)
        change->operation->record(w);
}

static void write_widening(FILE *file, unsigned number, const char *code, bool version2)
{
    (void)fprintf(file,
                  "void widen_%u(struct masks *masks);\nvoid widen_%u(struct masks *masks)\n{\n",
                  number, number);
    if (version2)
        (void)fprintf(file,
                      "VkImageMemoryBarrier2 barrier = {.srcStageMask = masks->src, .dstStageMask "
                      "= masks->dst, .srcAccessMask = masks->src_access, .dstAccessMask = "
                      "masks->dst_access};\n%s*masks = (struct masks){barrier.srcStageMask, "
                      "barrier.dstStageMask, barrier.srcAccessMask, barrier.dstAccessMask};\n}\n\n",
                      code);
    else
        (void)
            fprintf(file,
                    "VkPipelineStageFlags srcStageMask = masks->src, dstStageMask = masks->dst;\n"
                    "VkImageMemoryBarrier barrier = {.srcAccessMask = masks->src_access, "
                    ".dstAccessMask = masks->dst_access};\n%s*masks = (struct masks){srcStageMask, "
                    "dstStageMask, barrier.srcAccessMask, barrier.dstAccessMask};\n}\n\n",
                    code);
}

static void check_transitions(struct baseline *b, bool version2)
{
    struct world world, *w = &world;
    struct change changes[2 * sizeof(operations) / sizeof(operations[0]) + 1];
    unsigned count = 0;
    FILE *file = fopen("mends.c", "w");
    ENSURE(file);
    (void)fputs("#include <stddef.h>\n#include <vulkan/vulkan.h>\nstruct masks { "
                "VkPipelineStageFlags2 src, dst; VkAccessFlags2 src_access, dst_access; };\n\n",
                file);
    world_begin(b, w);
    for (size_t i = 0; i < 2 * sizeof(operations) / sizeof(operations[0]) + 1; i++) {
        const struct change change = {i ? operations[(i - 1) / 2] : NULL, i % 2};
        const struct masks masks = masks_of(&change);
        unsigned before = seen_count(b, NULL);
        record_change(w, &change, &masks, version2);
        const struct seen *seen = seen_from(b, before);
        if (!seen) /* it is for the buffer */
            continue;
        EXPECT(!seen->next);
        char *code = code_of(seen->text, "add to the image barrier of vkCmdPipelineBarrier");
        write_widening(file, count, code, version2);
        changes[count++] = change;
        free(code);
    }
    ENSURE(fclose(file) == 0);
    EXPECT(count > 20);
    void *library = compile_mends();
    for (unsigned i = 0; i < count; i++) {
        struct masks masks = masks_of(&changes[i]);
        char name[32];
        widen_function widen;
        (void)snprintf(name, sizeof(name), "widen_%u", i);
        *(void **)&widen = dlsym(library, name);
        ENSURE(widen);
        widen(&masks);
        unsigned before = seen_count(b, NULL);
        record_change(w, &changes[i], &masks, version2);
        const struct seen *seen = seen_from(b, before);
        if (seen)
            scenario_fail(__FILE__, __LINE__, "the mend number %u is not enough:\n%s", i,
                          seen->text);
    }
    dlclose(library);
}

SCENARIO(mends_of_transitions, MENDS(world_features))
{
    check_transitions(b, true);
}
SCENARIO(version1_mends_of_transitions, MENDS(version1_features))
{
    check_transitions(b, false);
}
