/* Chooses the next legal step. Every step leaves the model (valid.h) as true as it was. */
#include "valid.h"

#include <stdlib.h>
#include <string.h>

static void record_something(struct valid *v, struct random *r)
{
    (void)record_primary(v, r, random_chance(r, 70) ? 0 : random_below(r, QUEUE_FAMILY_COUNT),
                         false);
}

static const struct {
    uint32_t weight;
    void (*step)(struct valid *v, struct random *r);
} steps[] = {{30, record_something},   {22, submit_something}, {14, submit_direct},
             {12, wait_for_something}, {4, show_frame},        {10, host_step},
             {8, update_some_set},     {6, destroy_something}, {4, spoil_commands},
             {2, wait_before_signal}};

void valid_step(struct valid *v, struct random *r)
{
    uint32_t total = 0;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
        total += steps[i].weight;
    uint32_t choice = random_below(r, total);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (choice < steps[i].weight) {
            steps[i].step(v, r);
            return;
        }
        choice -= steps[i].weight;
    }
}

struct valid *valid_create(struct world *w)
{
    struct valid *v = calloc(1, sizeof(*v));
    if (!v)
        abort();
    v->w = w;
    vkGetPhysicalDeviceMemoryProperties(w->physical_device, &v->memory);
    for (unsigned i = 0; i < SHADER_COUNT; i++) {
        VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .codeSize = shader_codes[i].size,
                                         .pCode = shader_codes[i].words};
        MUST(TRY(w, CreateShaderModule, w->device, &info, NULL, &v->modules[i]));
    }
    for (uint32_t i = 0; i < COMMAND_POOLS; i++) {
        VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                        .queueFamilyIndex = i};
        MUST(TRY(w, CreateCommandPool, w->device, &info, NULL, &v->command_pools[i]));
    }
    VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    MUST(TRY(w, CreatePipelineCache, w->device, &cache, NULL, &v->cache));
    layouts_create(v);
    return v;
}

void valid_destroy(struct valid *v)
{
    struct world *w = v->w;
    wait_for_everything(v);
    for (unsigned i = 0; i < COMMANDS_MOST; i++)
        commands_forget(v, &v->commands[i]);
    for (uint32_t i = 0; i < COMMAND_POOLS; i++)
        CALL(w, DestroyCommandPool, w->device, v->command_pools[i], NULL);
    objects_destroy(v);
    layouts_destroy(v);
    CALL(w, DestroyPipelineCache, w->device, v->cache, NULL);
    CALL(w, DestroySwapchainKHR, w->device, v->swapchain, NULL);
    for (unsigned i = 0; i < SHADER_COUNT; i++)
        CALL(w, DestroyShaderModule, w->device, v->modules[i], NULL);
    free(v);
}
