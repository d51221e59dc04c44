/* The valid mode knows enough of the objects that it made to say which calls are legal next.
 *
 * Everything that others refer to counts its users: views their image, sets their resources,
 * command buffers all that they recorded. What has users is not destroyed, but for the step that
 * spoils command buffers on purpose. */
#ifndef ASSAY_FUZZ_VALID_H
#define ASSAY_FUZZ_VALID_H

#include "fuzz.h"
#include "shaders.h"

struct head {
    unsigned users;
    bool alive;
};

struct buffer {
    struct head head;
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceSize size, offset, memory_size;
    VkBufferUsageFlags usage;
    bool visible; /* its memory is host-visible */
    bool concurrent;
};

struct image {
    struct head head;
    VkImage handle;
    VkDeviceMemory memory; /* NULL for one of a swapchain */
    VkImageCreateInfo info;
    VkImageAspectFlags aspects;
    VkImageLayout layout; /* of all of it, after everything that was submitted */
    uint32_t family;      /* which used it last */
};

struct view {
    struct head head;
    VkImageView handle;
    struct image *image;
    VkImageViewType type;
    VkImageSubresourceRange range;
};

struct buffer_view {
    struct head head;
    VkBufferView handle;
    struct buffer *buffer;
};

struct sampler {
    struct head head;
    VkSampler handle;
};

/* Layouts that sets and pipelines are made of. */
enum layout_kind {
    LAYOUT_PLAIN,
    LAYOUT_IMMUTABLE,  /* the samplers are in the layout */
    LAYOUT_AFTER_BIND, /* update after bind, partially bound */
    LAYOUT_PUSH,       /* push descriptors */
    LAYOUT_TWO_SETS,   /* as plain, with a second set of a dynamic uniform buffer */
    LAYOUT_ATTACHMENT, /* one input attachment */
    LAYOUT_KIND_COUNT
};

struct layout {
    VkDescriptorSetLayout set_layout;
    VkDescriptorSetLayout second; /* LAYOUT_TWO_SETS */
    VkPipelineLayout pipeline_layout;
    VkDescriptorUpdateTemplate template;
};

#define SET_BINDINGS 7

/* The contents of a set, as a template reads them. */
struct set_data {
    VkDescriptorBufferInfo uniform;
    VkDescriptorImageInfo combined;
    VkDescriptorBufferInfo storage;
    VkDescriptorImageInfo target, sampled, alone;
    VkBufferView texels;
};

struct set {
    struct head head;
    VkDescriptorSet handle;
    enum layout_kind kind;
    unsigned pool;
    bool second; /* of layout->second */
    bool whole;  /* every binding has been written */
    struct set_data data;
    struct head *refers[SET_BINDINGS];
    struct head *second_refers[SET_BINDINGS]; /* samplers */
    /* which must be in the layouts below when the set is used */
    struct image *images[SET_BINDINGS];
    VkImageLayout layouts[SET_BINDINGS];
};

/* Where things are drawn to: formats and samples, which must fit between passes and pipelines. */
struct shape {
    VkFormat color, depth; /* VK_FORMAT_UNDEFINED: none */
    VkSampleCountFlagBits samples;
    bool resolves;      /* color is resolved to an attachment of one sample */
    bool two_subpasses; /* the second reads what the first wrote */
    bool dynamic;       /* no render pass object */
};

struct pass {
    struct head head;
    VkRenderPass handle;
    struct shape shape;
    uint32_t attachment_count;
};

struct framebuffer {
    struct head head;
    VkFramebuffer handle;
    struct pass *pass;
    struct view *views[4];
    bool imageless;
    uint32_t width, height;
};

enum dynamic { DYNAMIC_LITTLE, DYNAMIC_OLD, DYNAMIC_MUCH, DYNAMIC_ALL, DYNAMIC_KIND_COUNT };

enum geometry { GEOMETRY_PLAIN, GEOMETRY_INPUTS, GEOMETRY_MESH };

struct pipeline {
    struct head head;
    VkPipeline handle;
    bool compute;
    enum layout_kind layout;
    struct shape shape;
    uint32_t subpass;
    enum dynamic dynamic;
    enum geometry geometry;
    bool textured;
};

struct query_pool {
    struct head head;
    VkQueryPool handle;
    VkQueryType type;
    uint32_t count;
};

struct event {
    struct head head;
    VkEvent handle;
};

struct semaphore {
    struct head head;
    VkSemaphore handle;
    bool timeline;
    uint64_t value; /* timeline: the last one that a submission or the host signals */
    bool signaled;  /* binary: a submission signals it, and nothing waits yet */
    uint32_t queue; /* timeline: the one that signals it */
    /* binary: serial of the submission that waits for it; it may be signalled again when that is
     * over */
    uint64_t free_at;
};

struct fence {
    struct head head;
    VkFence handle;
    bool pending, signaled;
};

enum commands_state { COMMANDS_INITIAL, COMMANDS_RECORDED, COMMANDS_PENDING, COMMANDS_INVALID };

#define USES_MOST    192
#define LAYOUTS_MOST 24

/* Images and the layouts that they are in. */
struct layouts {
    unsigned count;
    struct {
        struct image *image;
        VkImageLayout layout;
    } of[LAYOUTS_MOST];
};

struct commands {
    struct head head; /* a secondary's users are the primaries that execute it */
    VkCommandBuffer handle;
    unsigned pool;
    uint32_t family;
    bool secondary;
    bool in_pass; /* a secondary that continues a pass of `shape` */
    bool inherits_queries;
    struct shape shape;
    uint32_t subpass;
    enum commands_state state;
    VkCommandBufferUsageFlags usage;
    bool once, overlaps; /* submitted only once; while it is pending, too: with its secondaries */
    bool recording;      /* at this moment: not for anybody else */
    uint64_t serial;     /* of its last submission */
    unsigned use_count;
    struct head *uses[USES_MOST];
    struct layouts leaves; /* the layouts of the images that it used */
};

#define SUBMITTED_MOST 4

/* Semaphores have it as a user until it is over. */
struct submission {
    uint64_t serial;
    uint32_t queue;
    struct fence *fence; /* or NULL */
    unsigned semaphore_count;
    struct semaphore *semaphores[2 * SUBMITTED_MOST];
    struct semaphore *timeline; /* that it signals, or NULL */
    uint64_t value;
};

#define BUFFERS_MOST      20
#define IMAGES_MOST       28
#define VIEWS_MOST        32
#define BUFFER_VIEWS_MOST 6
#define SAMPLERS_MOST     6
#define SETS_MOST         16
#define SET_POOLS         2
#define PASSES_MOST       10
#define FRAMEBUFFERS_MOST 12
#define PIPELINES_MOST    32
#define QUERY_POOLS_MOST  6
#define EVENTS_MOST       4
#define SEMAPHORES_MOST   12
#define FENCES_MOST       6
#define COMMANDS_MOST     16
#define COMMAND_POOLS     3
#define SUBMISSIONS_MOST  64

struct valid {
    struct world *w;
    VkPhysicalDeviceMemoryProperties memory;
    VkShaderModule modules[SHADER_COUNT];
    struct layout layouts[LAYOUT_KIND_COUNT];
    VkDescriptorPool set_pools[SET_POOLS];
    VkPipelineCache cache;
    VkSampler immutable;                        /* in set layouts */
    VkCommandPool command_pools[COMMAND_POOLS]; /* one a queue family */
    struct buffer buffers[BUFFERS_MOST];
    struct image images[IMAGES_MOST];
    struct view views[VIEWS_MOST];
    struct buffer_view buffer_views[BUFFER_VIEWS_MOST];
    struct sampler samplers[SAMPLERS_MOST];
    struct set sets[SETS_MOST];
    struct pass passes[PASSES_MOST];
    struct framebuffer framebuffers[FRAMEBUFFERS_MOST];
    struct pipeline pipelines[PIPELINES_MOST];
    struct query_pool query_pools[QUERY_POOLS_MOST];
    struct event events[EVENTS_MOST];
    struct semaphore semaphores[SEMAPHORES_MOST];
    struct fence fences[FENCES_MOST];
    struct commands commands[COMMANDS_MOST];
    struct submission submissions[SUBMISSIONS_MOST];
    unsigned submission_count;
    uint64_t serial; /* of the last submission */
    VkSwapchainKHR swapchain;
    struct image swapchain_images[8];
    uint32_t swapchain_count;
};

/* Any failure of a call that must not fail. */
#define MUST(call_)                                                   \
    do {                                                              \
        VkResult result__ = (call_);                                  \
        if (result__ != VK_SUCCESS)                                   \
            fuzz_fail(v->w, "%s answered %d", #call_, (int)result__); \
    } while (0)

/* --- tables --- */

/* A slot of a table: a free one, or one that holds something which is not in use and which
 * `destroy` takes down; or NULL. */
#define FREE_SLOT(v_, r_, table_, most_, destroy_)                              \
    ({                                                                          \
        __typeof__(&(v_)->table_[0]) slot__ = NULL;                             \
        unsigned start__ = random_below((r_), (most_));                         \
        for (unsigned i__ = 0; i__ < (most_) && !slot__; i__++) {               \
            if (!(v_)->table_[i__].head.alive)                                  \
                slot__ = &(v_)->table_[i__];                                    \
        }                                                                       \
        for (unsigned i__ = 0; i__ < (most_) && !slot__; i__++) {               \
            __typeof__(slot__) it__ = &(v_)->table_[(start__ + i__) % (most_)]; \
            if (!it__->head.users) {                                            \
                destroy_((v_), it__);                                           \
                slot__ = it__;                                                  \
            }                                                                   \
        }                                                                       \
        slot__;                                                                 \
    })

/* One that is there already and for which the condition holds (`it`), from a random place on; or
 * NULL. */
#define FIND(v_, r_, table_, most_, condition_)                                \
    ({                                                                         \
        __typeof__(&(v_)->table_[0]) found__ = NULL;                           \
        unsigned start__ = random_below((r_), (most_));                        \
        for (unsigned i__ = 0; i__ < (most_) && !found__; i__++) {             \
            __typeof__(found__) it = &(v_)->table_[(start__ + i__) % (most_)]; \
            if (it->head.alive && (condition_))                                \
                found__ = it;                                                  \
        }                                                                      \
        found__;                                                               \
    })

/* Unless making room has just taken it down. */
#define STILL(found_) ((found_) && (found_)->head.alive ? (found_) : NULL)

/* --- objects: each finds one that fits or makes it; NULL when there is no room --- */
struct buffer *need_buffer(struct valid *v, struct random *r, VkBufferUsageFlags usage,
                           VkDeviceSize size);
struct image *need_image(struct valid *v, struct random *r, VkImageUsageFlags usage,
                         VkFormat format, VkSampleCountFlagBits samples);
/* As a render target or input: 2D, one level, at least 64 texels square. */
struct view *need_attachment(struct valid *v, struct random *r, VkFormat format,
                             VkSampleCountFlagBits samples, const struct view *not_this);
struct view *need_view(struct valid *v, struct random *r, VkImageUsageFlags usage);
struct buffer_view *need_buffer_view(struct valid *v, struct random *r);
struct sampler *need_sampler(struct valid *v, struct random *r);
struct set *need_set(struct valid *v, struct random *r, enum layout_kind kind, bool second);
struct set *need_attachment_set(struct valid *v, struct random *r, struct view *view);
struct query_pool *need_query_pool(struct valid *v, struct random *r, VkQueryType type);
struct event *need_event(struct valid *v, struct random *r);
struct semaphore *need_semaphore(struct valid *v, struct random *r, bool timeline);
struct fence *need_fence(struct valid *v, struct random *r);
struct pass *need_pass(struct valid *v, struct random *r, const struct shape *shape);
struct framebuffer *need_framebuffer(struct valid *v, struct random *r, struct pass *pass);
struct pipeline *need_pipeline(struct valid *v, struct random *r, const struct shape *shape,
                               uint32_t subpass);
struct pipeline *need_compute_pipeline(struct valid *v, struct random *r);
struct commands *need_commands(struct valid *v, struct random *r, uint32_t family, bool secondary);

bool shapes_equal(const struct shape *a, const struct shape *b);
VkFormat any_color_format(struct random *r);
VkFormat any_depth_format(struct random *r);
VkImageAspectFlags format_aspects(VkFormat format);
uint32_t format_bytes(VkFormat format); /* of a block */
uint32_t format_block(VkFormat format); /* texels along each side of a block */
VkExtent3D level_extent(const struct image *image, uint32_t level);

void set_destroy(struct valid *v, struct set *set);
void pipeline_destroy(struct valid *v, struct pipeline *pipeline);
void layouts_create(struct valid *v);
void layouts_destroy(struct valid *v);
void objects_destroy(struct valid *v);
/* Destroys something that is not in use; or something that recorded commands use, which makes those
 * invalid. */
void destroy_something(struct valid *v, struct random *r);
void spoil_commands(struct valid *v, struct random *r);
void update_set(struct valid *v, struct random *r, struct set *set, bool all);
void update_some_set(struct valid *v, struct random *r);

/* --- command buffers --- */
void commands_forget(struct valid *v,
                     /* what they used, before they are recorded again or freed */
                     struct commands *commands);

struct recording {
    struct valid *v;
    struct world *w;
    struct random *r;
    struct commands *commands;
    VkCommandBuffer c;
    uint32_t family;
    /* goes to its queue at once: the images are in the layouts that they are known to be in */
    bool direct;
    struct layouts layouts;
    uint32_t label_depth;
};

#define RECORD(name_, ...) CALL(rec->w, name_, rec->c, ##__VA_ARGS__)

void use(struct recording *rec, struct head *head);
void executes(struct recording *rec, struct commands *secondary);
/* Outside of passes: brings all of the image into a layout. False when there is no room to remember
 * it. */
bool to_layout(struct recording *rec, struct image *image, VkImageLayout layout);
void layouts_set(struct layouts *layouts, struct image *image, VkImageLayout layout);
/* Brings the images of a set into their layouts. */
bool set_ready(struct recording *rec, struct set *set);
void begin_commands(struct valid *v, struct random *r, struct recording *rec,
                    struct commands *commands);
void end_commands(struct recording *rec);
/* Records something, from begin to end. NULL when there was no room. */
struct commands *record_primary(struct valid *v, struct random *r, uint32_t family, bool direct);
void record_transfer(struct recording *rec); /* valid_transfer.c */
void record_dispatch(struct recording *rec); /* valid_pass.c */
void record_pass(struct recording *rec);     /* valid_pass.c */
void bind_sets(struct recording *rec, VkPipelineBindPoint point, enum layout_kind kind,
               const struct set *set);
void record_sync(struct recording *rec); /* valid_record.c */
void image_barrier(struct recording *rec, struct image *image, VkImageLayout from,
                   VkImageLayout to);

/* --- queues (valid_queue.c) --- */
void submit_something(struct valid *v, struct random *r);
void submit_direct(struct valid *v, struct random *r);
void wait_before_signal(struct valid *v, struct random *r);
void wait_for_something(struct valid *v, struct random *r);
void wait_for_everything(struct valid *v);
void show_frame(struct valid *v, struct random *r);
void host_step(struct valid *v, struct random *r);
bool serial_over(const struct valid *v, uint64_t serial);

#endif
