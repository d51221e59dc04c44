/* Reports vertices or instances that a draw fetches and that are beyond the end of its vertex
 * buffers. */
#include "gpu/report/report.h"

#include <inttypes.h>
#include <stdio.h>

void gpu_tell_vertex(struct gpu_message *message)
{
    const uint32_t place = gpu_message_word(message, 0), index = gpu_message_word(message, 1),
                   elements = gpu_message_word(message, 2), divisor = gpu_message_word(message, 3);
    const uint64_t id = gpu_message_word(message, 4) | (uint64_t)gpu_message_word(message, 5) << 32;
    /* NULL: the buffer was destroyed since the draw was submitted, and its handle is shown as 0. */
    const struct object *buffer = object_find_id(id, HANDLE_BUFFER);
    const bool by_vertex = divisor == VERTICES_BY_VERTEX;
    char how[48] = "";
    if (!by_vertex && divisor != 1)
        snprintf(how, sizeof(how), " (the divisor is %u)", divisor);
    gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 02721),
                     "%s index %u is beyond the vertex buffer: location %u has %u %s%s "
                     "in VkBuffer 0x%" PRIx64 ", which is bound to binding %u%s.",
                     by_vertex ? "Vertex" : "Instance", index, place & 0xffff, elements,
                     by_vertex ? elements == 1 ? "vertex" : "vertices" : "instance",
                     by_vertex || elements == 1 ? "" : "s", buffer ? object_handle(buffer) : 0,
                     place >> 16, how);
}
