/* Whole and simple: a correct program passes without a finding, and one mistake gives exactly one.
 */
#include "scenario.h"

SCENARIO(device_only)
{
    EXPECT(b->device != VK_NULL_HANDLE);
}

SCENARIO(every_object_once)
{
    make_unbound_buffer(b);
    make_unbound_image(b);
    make_memory(b, 1024);
    make_any_framebuffer(b);
    make_buffer_view(b);
    make_sampler(b);
    make_any_compute_pipeline(b);
    make_any_graphics_pipeline(b);
    make_pipeline_cache(b);
    make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    make_recording(b);
    make_semaphore(b);
    make_fence(b);
    make_event(b);
    make_query_pool(b);
    make_any_descriptor_update_template(b);
}
