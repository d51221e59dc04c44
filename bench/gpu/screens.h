/* Draws whose cost is measured: each samples four textures of a plain array. */
#ifndef BENCH_GPU_SCREENS_H
#define BENCH_GPU_SCREENS_H

#include "constants.h"
#include "device.h"

/* Threads: immutable. */
struct screen_row {
    const char *name;
    const char *text; /* what it does, for people */
    uint32_t draws;   /* of one submission */
    bool fills;       /* each draw fills the screen, or else is one small triangle */
};

extern const struct screen_row screen_rows[];
extern const uint32_t screen_row_count;

/* A row that can be drawn. Threads: one alone. */
struct screen {
    const struct device *device;
    const struct screen_row *row;
    VkExtent2D extent;                   /* smaller on a software driver */
    VkImage images[SCREEN_TEXTURES + 1]; /* the last is what is drawn to */
    VkImageView views[SCREEN_TEXTURES + 1];
    VkDeviceMemory memories[SCREEN_TEXTURES + 1];
    VkSampler sampler;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipeline pipeline;
};

void screen_create(struct screen *screen, const struct device *device,
                   const struct screen_row *row);
void screen_destroy(struct screen *screen);

/* Records the row's draws between timestamps 0 and 1; `queries` NULL: without them. */
void screen_draw(const struct screen *screen, VkCommandBuffer commands, VkQueryPool queries);
/* Draws once, and returns how many texels have another colour than the textures' sum. */
uint32_t screen_wrong_texels(const struct screen *screen);

#endif
