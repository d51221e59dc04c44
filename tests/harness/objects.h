/* Valid objects to start from. All that is made here is destroyed when the scenario ends, last made
 * first. A scenario that destroys one itself, or leaks it on purpose, says so with FORGET. */
#ifndef ASSAY_HARNESS_OBJECTS_H
#define ASSAY_HARNESS_OBJECTS_H

/* create_*: the plain call with the given structure. VK_NULL_HANDLE when it failed or was skipped.
 */
#define OBJECT_LIST(X)                                      \
    X(Buffer, buffer)                                       \
    X(Image, image)                                         \
    X(ImageView, image_view)                                \
    X(BufferView, buffer_view)                              \
    X(Sampler, sampler)                                     \
    X(RenderPass, render_pass)                              \
    X(Framebuffer, framebuffer)                             \
    X(DescriptorSetLayout, descriptor_set_layout)           \
    X(DescriptorPool, descriptor_pool)                      \
    X(PipelineLayout, pipeline_layout)                      \
    X(ShaderModule, shader_module)                          \
    X(PipelineCache, pipeline_cache)                        \
    X(CommandPool, command_pool)                            \
    X(Semaphore, semaphore)                                 \
    X(Fence, fence)                                         \
    X(Event, event)                                         \
    X(QueryPool, query_pool)                                \
    X(SamplerYcbcrConversion, sampler_ycbcr_conversion)     \
    X(DescriptorUpdateTemplate, descriptor_update_template) \
    X(PrivateDataSlot, private_data_slot)

#define DECLARE_CREATE(Type_, name_) \
    Vk##Type_ create_##name_(struct baseline *b, const Vk##Type_##CreateInfo *info);
OBJECT_LIST(DECLARE_CREATE)
#undef DECLARE_CREATE
VkDeviceMemory create_memory(struct baseline *b, const VkMemoryAllocateInfo *info);
VkPipeline create_graphics_pipeline(struct baseline *b, const VkGraphicsPipelineCreateInfo *info);
VkPipeline create_compute_pipeline(struct baseline *b, const VkComputePipelineCreateInfo *info);
VkSwapchainKHR create_swapchain(struct baseline *b, const VkSwapchainCreateInfoKHR *info);

/* make_*: valid and whole, or the scenario ends. */
VkBuffer make_unbound_buffer(struct baseline *b);
VkBuffer make_buffer(struct baseline *b, VkDeviceSize size,
                     /* bound to memory of its own, host-visible */
                     VkBufferUsageFlags usage);
VkDeviceMemory buffer_memory(struct baseline *b, VkBuffer buffer); /* of a make_buffer */
VkDeviceMemory make_memory(struct baseline *b, VkDeviceSize size); /* host-visible and coherent */
VkImage make_unbound_image(struct baseline *b);
VkImage make_image(struct baseline *b, VkImageUsageFlags usage); /* bound */
VkImage make_image_of(struct baseline *b,
                      /* bound (to protected memory if it is protected); not for disjoint ones */
                      const VkImageCreateInfo *info);
/* Makes an image of two planes that have memory of their own; that of the second one has been
 * freed. */
VkImage make_image_of_freed_plane(struct baseline *b);
VkBuffer make_protected_buffer(struct baseline *b, VkDeviceSize size,
                               VkBufferUsageFlags usage); /* feature protectedMemory */
VkImageView make_image_view(struct baseline *b);          /* of a new color attachment */
VkBufferView make_buffer_view(struct baseline *b);
VkSampler make_sampler(struct baseline *b);
VkRenderPass make_render_pass(struct baseline *b);
VkFramebuffer make_framebuffer(struct baseline *b, VkRenderPass render_pass, VkImageView view);
VkFramebuffer make_any_framebuffer(struct baseline *b);
VkDescriptorSetLayout make_descriptor_set_layout(struct baseline *b);
VkDescriptorPool make_descriptor_pool(struct baseline *b);
VkDescriptorSet make_descriptor_set(struct baseline *b, VkDescriptorPool pool,
                                    VkDescriptorSetLayout layout);
/* may be VK_NULL_HANDLE */
VkPipelineLayout make_pipeline_layout(struct baseline *b, VkDescriptorSetLayout set_layout);
VkPipelineLayout make_empty_pipeline_layout(struct baseline *b);
VkShaderModule make_shader_module(struct baseline *b); /* fill.comp */
VkPipelineCache make_pipeline_cache(struct baseline *b);
VkPipeline make_compute_pipeline(struct baseline *b,
                                 /* fill.comp: needs the storage buffer layout */
                                 VkPipelineLayout layout);
VkPipeline make_any_compute_pipeline(struct baseline *b);
VkPipeline make_graphics_pipeline(struct baseline *b, VkPipelineLayout layout,
                                  VkRenderPass render_pass);
/* A create info with the modules of triangle.vert and triangle.frag in it; does not create the
 * pipeline. */
void begin_graphics_pipeline(struct baseline *b, struct graphics_pipeline *pipeline,
                             VkPipelineLayout layout, VkRenderPass render_pass);
VkPipeline make_any_graphics_pipeline(struct baseline *b);
VkCommandPool make_command_pool(struct baseline *b);
VkCommandBuffer make_command_buffer(struct baseline *b,
                                    /* in a pool of its own, not begun */
                                    VkCommandBufferLevel level);
VkCommandBuffer make_recording(struct baseline *b); /* primary, begun */
VkCommandBuffer make_recording_of(struct baseline *b, uint32_t queue_family);
/* primary, begun, in a protected pool */
VkCommandBuffer make_protected_recording(struct baseline *b);
VkSemaphore make_semaphore(struct baseline *b);
VkSemaphore make_timeline_semaphore(struct baseline *b, uint64_t value);
VkFence make_fence(struct baseline *b);
VkEvent make_event(struct baseline *b);
VkQueryPool make_query_pool(struct baseline *b);
/* feature samplerYcbcrConversion */
VkSamplerYcbcrConversion make_sampler_ycbcr_conversion(struct baseline *b);
VkDescriptorUpdateTemplate make_descriptor_update_template(struct baseline *b,
                                                           VkDescriptorSetLayout layout);
VkDescriptorUpdateTemplate make_any_descriptor_update_template(struct baseline *b);
VkPrivateDataSlot make_private_data_slot(struct baseline *b); /* feature privateData */
VkSurfaceKHR make_surface(struct baseline *b);                /* VK_EXT_headless_surface */
VkSwapchainKHR make_swapchain(struct baseline *b);

/* Makes what START_DEVICE makes, for a START_NOTHING scenario that has something to do before:
 * `next` is the instance's pNext chain. */
void world_start(struct baseline *b, const void *next);
VkInstance make_instance(struct baseline *b, const void *next); /* not destroyed by the harness */
VkPhysicalDevice first_physical_device(VkInstance instance);
/* not destroyed by the harness */
VkDevice make_device_of(struct baseline *b, VkPhysicalDevice physical_device);
VkDevice make_second_device(struct baseline *b);
uint32_t find_queue_family(VkPhysicalDevice physical_device, VkQueueFlags with,
                           VkQueueFlags without); /* UINT32_MAX: none */
uint32_t scenario_api_version(const struct baseline *b);

/* For cleanup_add(): each destroys the object of its type with this handle. */
void destroy_pipeline(struct baseline *b, uint64_t handle);
void destroy_shader(struct baseline *b, uint64_t handle);
void destroy_acceleration_structure(struct baseline *b, uint64_t handle);
void destroy_commands_layout(struct baseline *b, uint64_t handle);
void destroy_execution_set(struct baseline *b, uint64_t handle);

/* vkSetDebugUtilsObjectNameEXT and vkCmdEndDebugUtilsLabelEXT */
void set_name(struct baseline *b, VkObjectType type, uint64_t handle, const char *name);
void end_label(struct baseline *b, VkCommandBuffer command_buffer);

/* The device address of a buffer with SHADER_DEVICE_ADDRESS_BIT. */
VkDeviceAddress buffer_address(struct baseline *b, VkBuffer buffer);

/* A module of the SPIR-V that the build made of tests/harness/shaders/. */
#define MAKE_SHADER(b_, code_) make_shader_from((b_), (code_), sizeof(code_))
VkShaderModule make_shader_from(struct baseline *b, const uint32_t *code, size_t size);
extern const uint32_t *const shader_fill_code; /* fill.comp, for vkCreateShaderModule by hand */
extern const size_t shader_fill_size;

/* Ends recording, submits, waits. */
void run_commands(struct baseline *b, VkCommandBuffer command_buffer);
/* render pass with one color attachment */
void begin_rendering(struct baseline *b, VkCommandBuffer command_buffer);

/* Valid callbacks that count: allocations minus frees is allocator_balance(). */
const VkAllocationCallbacks *allocator(void);
long allocator_balance(void);

void cleanup_add(struct baseline *b, void (*destroy)(struct baseline *b, uint64_t handle),
                 uint64_t handle);
void forget_handle(struct baseline *b, uint64_t handle);
#define FORGET(b_, handle_) forget_handle((b_), HANDLE(handle_))

#endif
