/* Checks that advice on barriers is right. Random programs without hazards take the advice that
 * they get. No hazard may come of that, within the command buffer nor with what is submitted before
 * and after it. */
#include "sync/sync_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAMS 6000
#define MOST     14 /* commands of one command buffer */
#define BUFFERS  2

enum kind {
    FILL,
    COPY,
    DISPATCH_READ,
    DISPATCH_WRITE,
    BARRIER,
    TWO_BARRIERS,
    BUFFER_BARRIER,
    KINDS
};

struct step {
    enum kind kind;
    uint32_t buffer; /* filled, copied to, of the barrier */
    VkPipelineStageFlags2 src, dst;
    VkAccessFlags2 src_access, dst_access;
    VkPipelineStageFlags2 second_src, second_dst; /* of TWO_BARRIERS, of all memory */
    bool left_out;
};

/* Three command buffers that are submitted in a row: advice comes for the second one. */
struct program {
    uint32_t counts[3];
    struct step steps[3][MOST];
};

struct tried {
    struct baseline *b;
    VkBuffer buffers[BUFFERS], source;
    VkPipelineLayout layout;
    VkDescriptorSet set; /* of buffers[0] */
    VkPipeline reads, writes;
    VkCommandBuffer commands[3];
    uint64_t random;
    uint32_t taken[3], of_resource, clean; /* advice by its kind, programs without hazards */
};

static uint32_t pick_number(struct tried *tried, uint32_t count)
{
    tried->random = tried->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(tried->random >> 33) % count;
}

static VkAccessFlags2 pick_access(struct tried *tried, VkPipelineStageFlags2 stage, bool src)
{
    if (pick_number(tried, 3) || stage == VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
        return src ? VK_ACCESS_2_MEMORY_WRITE_BIT
                   : VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    return 0;
}

static VkPipelineStageFlags2 pick_stage(struct tried *tried)
{
    static const VkPipelineStageFlags2 stages[] = {
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        VK_PIPELINE_STAGE_2_COPY_BIT,
        VK_PIPELINE_STAGE_2_CLEAR_BIT,
    };
    return stages[pick_number(tried, sizeof(stages) / sizeof(*stages))];
}

/* Barriers and other commands, the former more often: most programs without them have hazards. */
static struct step pick_step(struct tried *tried, bool barriers)
{
    struct step step = {.kind = (enum kind)pick_number(tried, BARRIER),
                        .buffer = pick_number(tried, BUFFERS)};
    if (!barriers || !pick_number(tried, 3))
        return step;
    step.kind = pick_number(tried, 2)   ? BARRIER
                : pick_number(tried, 2) ? TWO_BARRIERS
                                        : BUFFER_BARRIER;
    step.src = pick_stage(tried);
    step.dst = pick_stage(tried);
    step.src_access = pick_access(tried, step.src, true);
    step.dst_access = pick_access(tried, step.dst, false);
    step.second_src = pick_stage(tried);
    step.second_dst = pick_stage(tried);
    return step;
}

static struct program pick_program(struct tried *tried)
{
    struct program program = {
        .counts = {pick_number(tried, 3), 3 + pick_number(tried, MOST - 3), pick_number(tried, 3)}};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < program.counts[i]; k++)
            program.steps[i][k] = pick_step(tried, i == 1);
    }
    return program;
}

/* --- recording --- */

/* Each step has a call site of its own, as each is reported once. */
static void record_barrier(VkCommandBuffer commands, uint32_t site, const VkDependencyInfo *info)
{
    switch (site) {
#define SITE(number_)                                  \
    case number_:                                      \
        vkCmdPipelineBarrier2(commands, info);         \
        __asm__ volatile("/* %0 */" : : "i"(number_)); \
        return;
        SITE(0)
        SITE(1)
        SITE(2)
        SITE(3)
        SITE(4)
        SITE(5)
        SITE(6)
        SITE(7)
        SITE(8)
        SITE(9)
        SITE(10)
        SITE(11)
        SITE(12)
        SITE(13)
    }
}

static void record_step(const struct tried *tried, VkCommandBuffer commands,
                        const struct step *step, uint32_t site)
{
    VkBuffer buffer = tried->buffers[step->buffer], other = tried->buffers[!step->buffer];
    const VkBufferCopy region = {0, 0, WORLD_BYTES};
    const VkMemoryBarrier2 memory[2] = {
        {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
         .srcStageMask = step->src,
         .srcAccessMask = step->src_access,
         .dstStageMask = step->dst,
         .dstAccessMask = step->dst_access},
        {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
         .srcStageMask = step->second_src,
         .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
         .dstStageMask = step->second_dst,
         .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT}};
    const VkBufferMemoryBarrier2 range = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                          .srcStageMask = step->src,
                                          .srcAccessMask = step->src_access,
                                          .dstStageMask = step->dst,
                                          .dstAccessMask = step->dst_access,
                                          .buffer = buffer,
                                          .size = VK_WHOLE_SIZE};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = step->kind == BUFFER_BARRIER ? 0
                                                         : step->kind == TWO_BARRIERS ? 2
                                                                                      : 1,
                                   .pMemoryBarriers = memory,
                                   .bufferMemoryBarrierCount = step->kind == BUFFER_BARRIER,
                                   .pBufferMemoryBarriers = &range};
    switch (step->kind) {
    case FILL:
        vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, 0);
        return;
    case COPY:
        vkCmdCopyBuffer(commands, other, buffer, 1, &region);
        return;
    case DISPATCH_READ:
    case DISPATCH_WRITE:
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                          step->kind == DISPATCH_READ ? tried->reads : tried->writes);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, tried->layout, 0, 1,
                                &tried->set, 0, NULL);
        vkCmdPushConstants(commands, tried->layout, VK_SHADER_STAGE_ALL, 0, 16,
                           (const uint32_t[4]){0});
        vkCmdDispatch(commands, 1, 1, 1);
        return;
    default:
        record_barrier(commands, site, &info);
        return;
    }
}

/* Returns the findings of recording and submitting it. */
static const struct seen *try_program(struct tried *tried, const struct program *program)
{
    struct baseline *b = tried->b;
    struct seen **findings = b->last_seen;
    VkSubmitInfo submit = submit_info(tried->commands);
    submit.commandBufferCount = 3;
    for (uint32_t i = 0; i < 3; i++) {
        VkCommandBufferBeginInfo begin = begin_info();
        VK(vkBeginCommandBuffer(tried->commands[i], &begin));
        for (uint32_t k = 0; k < program->counts[i]; k++) {
            if (!program->steps[i][k].left_out)
                record_step(tried, tried->commands[i], &program->steps[i][k], k);
        }
        VK(vkEndCommandBuffer(tried->commands[i]));
    }
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
    return *findings;
}

/* --- advice --- */

static bool is_hazard(const struct seen *finding)
{
    return strncmp(finding->id, "SYNC-HAZARD", 11) == 0;
}

static const struct seen *first_hazard(const struct seen *findings)
{
    while (findings && !is_hazard(findings))
        findings = findings->next;
    return findings;
}

/* The flags of a member in the code of the advice. */
static uint64_t flags_of(const char *code, const char *member)
{
    static const struct {
        const char *name;
        uint64_t flag;
    } names[] = {
        {"STAGE_2_ALL_COMMANDS_BIT", VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
        {"STAGE_2_ALL_TRANSFER_BIT", VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT},
        {"STAGE_2_COMPUTE_SHADER_BIT", VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT},
        {"STAGE_2_COPY_BIT", VK_PIPELINE_STAGE_2_COPY_BIT},
        {"STAGE_2_CLEAR_BIT", VK_PIPELINE_STAGE_2_CLEAR_BIT},
        {"ACCESS_2_MEMORY_READ_BIT", VK_ACCESS_2_MEMORY_READ_BIT},
        {"ACCESS_2_MEMORY_WRITE_BIT", VK_ACCESS_2_MEMORY_WRITE_BIT},
        {"ACCESS_2_TRANSFER_WRITE_BIT", VK_ACCESS_2_TRANSFER_WRITE_BIT},
    };
    const char *line = strstr(code, member), *end = line ? strchr(line, '\n') : NULL;
    uint64_t flags = 0;
    for (size_t i = 0; line && i < sizeof(names) / sizeof(*names); i++) {
        const char *found = strstr(line, names[i].name);
        if (found && found < end)
            flags |= names[i].flag;
    }
    return flags;
}

/* The barrier that is the command with this number; none was left out yet. A dispatch is four
 * commands, with what it binds. */
static struct step *advised_step(struct program *program, const char *text)
{
    const char *at = strstr(text, "(command ");
    uint32_t number = at ? (uint32_t)strtoul(at + strlen("(command "), NULL, 10) : UINT32_MAX,
             first = 0;
    for (uint32_t i = 0; i < program->counts[1]; i++) {
        struct step *step = &program->steps[1][i];
        if (first == number && step->kind >= BARRIER)
            return step;
        first += step->kind == DISPATCH_READ || step->kind == DISPATCH_WRITE ? 4 : 1;
    }
    return NULL;
}

static void take_advice(struct tried *tried, struct program *program, const struct seen *advice)
{
    struct step *step = advised_step(program, advice->text);
    const char *code = strstr(advice->text, "    advice  ");
    ENSURE(step && code);
    bool narrows = strcmp(advice->id, "BestPractices-SyncBarrier-AllCommands") == 0;
    tried->taken[narrows ? 2
                         : strcmp(advice->id, "BestPractices-SyncBarrier-EmptyFirstScope") == 0]++;
    if (!narrows) {
        step->left_out = true;
        return;
    }
    step->src = flags_of(code, ".srcStageMask = ");
    step->dst = flags_of(code, ".dstStageMask = ");
    step->src_access = flags_of(code, ".srcAccessMask = ");
    step->dst_access = flags_of(code, ".dstAccessMask = ");
    ENSURE(step->src && step->dst);
}

static void show_program(const struct program *program)
{
    static const char *const names[KINDS] = {"fill",    "copy",         "read",          "write",
                                             "barrier", "two barriers", "buffer barrier"};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < program->counts[i]; k++) {
            const struct step *step = &program->steps[i][k];
            printf("    %u.%u %s%s %u %llx %llx -> %llx %llx\n", i, k,
                   step->left_out ? "(left out) " : "", names[step->kind], step->buffer,
                   (unsigned long long)step->src, (unsigned long long)step->src_access,
                   (unsigned long long)step->dst, (unsigned long long)step->dst_access);
        }
    }
}

/* True if the advice is about a resource only: where other resources rely on the barrier, the
 * advice says that they do. */
static bool is_of_resource(const struct seen *advice)
{
    return strstr(advice->text, "does with it;") != NULL;
}

/* A hazard of the buffer that the barrier is for. */
static const struct seen *hazard_of(const struct seen *findings, VkBuffer buffer)
{
    char name[64];
    snprintf(name, sizeof(name), "VkBuffer 0x%llx", (unsigned long long)HANDLE(buffer));
    for (findings = first_hazard(findings); findings; findings = first_hazard(findings->next)) {
        if (strstr(findings->text, name))
            return findings;
    }
    return NULL;
}

static void expect_none(const struct program *program, const struct program *taken,
                        const struct seen *hazard)
{
    if (!hazard)
        return;
    scenario_fail(__FILE__, __LINE__, "what comes of the advice: %s", hazard->text);
    show_program(program);
    show_program(taken);
}

static void try_advice(struct tried *tried, const struct program *program,
                       const struct seen *findings)
{
    struct program all = *program;
    uint32_t left = 0; /* what comes after those is of programs that take the advice */
    for (const struct seen *advice = findings; advice; advice = advice->next)
        left++;
    for (const struct seen *advice = findings; left; advice = advice->next, left--) {
        struct program one = *program;
        if (!is_of_resource(advice)) {
            take_advice(tried, &all, advice);
            continue;
        }
        take_advice(tried, &one, advice);
        tried->of_resource++;
        VkBuffer buffer = tried->buffers[advised_step(&one, advice->text)->buffer];
        const struct seen *then = try_program(tried, &one);
        expect_none(program, &one, hazard_of(then, buffer));
    }
    const struct seen *then = try_program(tried, &all);
    expect_none(program, &all, first_hazard(then));
}

static VkPipeline make_tried_pipeline(struct baseline *b, VkShaderModule module,
                                      VkPipelineLayout layout)
{
    const VkComputePipelineCreateInfo info = compute_pipeline_info(module, layout);
    return create_compute_pipeline(b, &info);
}

SCENARIO(advice_that_is_taken, .drivers = NULL_DRIVER, .ours_only = true, .proceed = true,
         .features = &world_features,
         .settings = {"validate_sync=true", "validate_best_practices=true",
                      "syncval_shader_accesses_heuristic=true", "enable_message_limit=false"},
         .allow = {"BestPractices-SyncBarrier-EmptyFirstScope",
                   "BestPractices-SyncBarrier-EmptySecondScope",
                   "BestPractices-SyncBarrier-AllCommands", "SYNC-HAZARD-READ-AFTER-WRITE",
                   "SYNC-HAZARD-WRITE-AFTER-READ", "SYNC-HAZARD-WRITE-AFTER-WRITE"},
         .seconds = 300)
{
    struct world world;
    world_begin(b, &world);
    VK(vkEndCommandBuffer(world.commands));
    struct tried tried = {
        .b = b,
        .buffers = {world.buffer, world.other_buffer},
        .layout = world.layout,
        .set = world.set,
        .reads = make_tried_pipeline(b,
                                     make_shader_from(b, world_code_read_storage.words,
                                                      world_code_read_storage.size),
                                     world.layout),
        .writes = make_tried_pipeline(b, make_shader_from(b, shader_fill_code, shader_fill_size),
                                      world.layout),
        .random = 1};
    for (uint32_t i = 0; i < 3; i++)
        tried.commands[i] = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    for (uint32_t i = 0; i < PROGRAMS && !scenario_failed(); i++) {
        struct program program = pick_program(&tried);
        const struct seen *findings = try_program(&tried, &program);
        if (first_hazard(findings))
            continue;
        tried.clean++;
        if (findings)
            try_advice(&tried, &program, findings);
    }
    printf("    %u programs without hazards, advice taken: %u, %u, %u, of these for a resource "
           "%u\n",
           tried.clean, tried.taken[0], tried.taken[1], tried.taken[2], tried.of_resource);
    for (uint32_t i = 0; i < 3; i++)
        EXPECT(tried.taken[i] > 20);
    EXPECT(tried.of_resource > 20);
}
