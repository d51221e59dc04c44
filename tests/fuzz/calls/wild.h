/* The files of the wild mode share this. It is the pool of handles, dead and alive, and values that
 * may be anything. */
#ifndef ASSAY_FUZZ_WILD_H
#define ASSAY_FUZZ_WILD_H

#include "fuzz.h"

/* Kinds of handles; each with the command that ends one of it. */
#define KINDS(X)                                                 \
    X(Buffer, DestroyBuffer)                                     \
    X(BufferView, DestroyBufferView)                             \
    X(DeviceMemory, FreeMemory)                                  \
    X(DescriptorPool, DestroyDescriptorPool)                     \
    X(DescriptorSetLayout, DestroyDescriptorSetLayout)           \
    X(DescriptorUpdateTemplate, DestroyDescriptorUpdateTemplate) \
    X(Event, DestroyEvent)                                       \
    X(Fence, DestroyFence)                                       \
    X(Framebuffer, DestroyFramebuffer)                           \
    X(Image, DestroyImage)                                       \
    X(ImageView, DestroyImageView)                               \
    X(Pipeline, DestroyPipeline)                                 \
    X(PipelineCache, DestroyPipelineCache)                       \
    X(PipelineLayout, DestroyPipelineLayout)                     \
    X(PrivateDataSlot, DestroyPrivateDataSlot)                   \
    X(QueryPool, DestroyQueryPool)                               \
    X(RenderPass, DestroyRenderPass)                             \
    X(Sampler, DestroySampler)                                   \
    X(SamplerYcbcrConversion, DestroySamplerYcbcrConversion)     \
    X(Semaphore, DestroySemaphore)                               \
    X(ShaderModule, DestroyShaderModule)                         \
    X(ShaderEXT, DestroyShaderEXT)                               \
    X(SwapchainKHR, DestroySwapchainKHR)                         \
    X(CommandPool, DestroyCommandPool)

enum kind {
#define DECLARE_KIND(Type_, destroy_) KIND_##Type_,
    KINDS(DECLARE_KIND)
#undef DECLARE_KIND
        KIND_DescriptorSet,
    KIND_CommandBuffer,
    KIND_COUNT
};

#define LIVE_MOST 24
#define DEAD_MOST 16

/* Threads: everything is under the lock. */
struct handles {
    uint64_t live[LIVE_MOST];
    unsigned live_count;
    uint64_t dead[DEAD_MOST]; /* the last ones to go */
    unsigned dead_count;
};

struct wild {
    struct world *w;
    pthread_mutex_t lock;
    struct handles handles[KIND_COUNT];
    struct handles foreign[KIND_COUNT]; /* of the other device */
};

/* A handle to hand in: mostly a live one, but also dead, none, of another kind, of the other
 * device, or no handle at all. */
uint64_t wild_pick(struct wild *wild, struct random *r, enum kind kind);
/* A live one, or 0. */
uint64_t wild_live(struct wild *wild, struct random *r, enum kind kind);
/* Notes a handle that came into being. When there is no room, the oldest one is forgotten, and
 * lives on unnoticed. */
void wild_add(struct wild *wild, enum kind kind, uint64_t handle);
/* Notes that it went. */
void wild_end(struct wild *wild, enum kind kind, uint64_t handle);
/* All of a kind are dead: their pools went. */
void wild_end_some(struct wild *wild, struct random *r, enum kind kind);

#define PICK(Type_)         ((Vk##Type_)(uintptr_t)wild_pick(wild, r, KIND_##Type_))
#define LIVE(Type_)         ((Vk##Type_)(uintptr_t)wild_live(wild, r, KIND_##Type_))
#define ADD(Type_, handle_) wild_add(wild, KIND_##Type_, (uint64_t)(uintptr_t)(handle_))

/* Values: mostly what is asked for, sometimes anything. */
uint32_t wild_number(struct random *r, uint32_t below_this);
uint64_t wild_size(struct random *r, uint64_t below_this);
uint32_t wild_flags(struct random *r, uint32_t usual);
int32_t wild_enum(struct random *r, int32_t below_this);
VkFormat wild_format(struct random *r);
VkImageLayout wild_layout(struct random *r);
float wild_float(struct random *r);
/* A number of elements: rarely 0, never more than there are. */
uint32_t wild_count(struct random *r, uint32_t there);
uint64_t wild_stages2(struct random *r);
uint64_t wild_accesses2(struct random *r);
/* A chain of one structure that does not belong there, or NULL. It lives in `memory`. */
struct wild_chain {
    _Alignas(16) unsigned char memory[1024];
};
const void *wild_next(struct random *r, struct wild_chain *memory);
/* Sometimes NULL, where an array or structure belongs. */
/* The stages of the shaders, and one that none has. */
#define SHADER_STAGES     (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT)
#define OR_NULL(pointer_) (random_chance(r, 1) ? NULL : (pointer_))

/* One step each. */
void wild_create_step(struct wild *wild, struct random *r);  /* wild_create.c */
void wild_destroy_step(struct wild *wild, struct random *r); /* wild.c */
void wild_memory_step(struct wild *wild, struct random *r);  /* wild_host.c */
void wild_descriptor_step(struct wild *wild, struct random *r);
void wild_pipeline_step(struct wild *wild, struct random *r); /* wild_pipeline.c */
void wild_record_step(struct wild *wild, struct random *r);   /* wild_record.c */
void wild_queue_step(struct wild *wild, struct random *r);    /* wild_host.c */
void wild_sync_step(struct wild *wild, struct random *r);

#endif
