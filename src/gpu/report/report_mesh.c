/* Reports invalid outputs of mesh and task shaders. */
#include "gpu/report/report.h"

#include <spirv/unified1/spirv.h>

/* Reports counts of OpSetMeshOutputsEXT that are too large. */
static void tell_counts(struct gpu_message *message)
{
    const uint32_t vertices = gpu_message_word(message, 0),
                   most_vertices = gpu_message_word(message, 1),
                   primitives = gpu_message_word(message, 2),
                   most_primitives = gpu_message_word(message, 3);
    if (vertices > most_vertices) {
        gpu_message_tell(message, SEVERITY_ERROR, VUID_RuntimeSpirv_MeshEXT_07332,
                         "OpSetMeshOutputsEXT with a Vertex Count of %u: it must be less than or "
                         "equal to OutputVertices, which is %u.",
                         vertices, most_vertices);
    }
    if (primitives > most_primitives) {
        gpu_message_tell(message, SEVERITY_ERROR, VUID_RuntimeSpirv_MeshEXT_07333,
                         "OpSetMeshOutputsEXT with a Primitive Count of %u: it must be less than "
                         "or equal to OutputPrimitivesEXT, which is %u.",
                         primitives, most_primitives);
    }
}

/* --- indices --- */

/* The built-in arrays of indices, with the statements for an index beyond the primitives and for
 * one beyond the vertices. */
static const struct {
    uint32_t builtin;
    const char *name;
    enum vuid primitive, vertex;
} arrays[] = {
    {SpvBuiltInPrimitivePointIndicesEXT, "PrimitivePointIndicesEXT",
     VUID_PrimitivePointIndicesEXT_PrimitivePointIndicesEXT_07045,
     VUID_PrimitivePointIndicesEXT_PrimitivePointIndicesEXT_12335},
    {SpvBuiltInPrimitiveLineIndicesEXT, "PrimitiveLineIndicesEXT",
     VUID_PrimitiveLineIndicesEXT_PrimitiveLineIndicesEXT_07051,
     VUID_PrimitiveLineIndicesEXT_PrimitiveLineIndicesEXT_12336},
    {SpvBuiltInPrimitiveTriangleIndicesEXT, "PrimitiveTriangleIndicesEXT",
     VUID_PrimitiveTriangleIndicesEXT_PrimitiveTriangleIndicesEXT_07057,
     VUID_PrimitiveTriangleIndicesEXT_PrimitiveTriangleIndicesEXT_12337},
    {MESH_PER_PRIMITIVE, "a variable that is decorated PerPrimitiveEXT",
     VUID_RuntimeSpirv_MeshEXT_12333, VUID_RuntimeSpirv_MeshEXT_12333},
};

/* Reports an index or vertex beyond the counts that were set. */
static void report_mesh_index(struct gpu_message *message)
{
    const uint32_t what = gpu_message_word(message, 0), vertex = gpu_message_word(message, 3);
    for (size_t i = 0; i < ARRAY_LENGTH(arrays); i++) {
        if (arrays[i].builtin != what)
            continue;
        if (vertex == MESH_NO_VERTEX)
            gpu_message_tell(message, SEVERITY_ERROR, arrays[i].primitive,
                             "Index of %u into %s: OpSetMeshOutputsEXT was given a Primitive Count "
                             "of %u.",
                             gpu_message_word(message, 1), arrays[i].name,
                             gpu_message_word(message, 2));
        else
            gpu_message_tell(message, SEVERITY_ERROR, arrays[i].vertex,
                             "Vertex %u in primitive %u of %s: OpSetMeshOutputsEXT was given a "
                             "Vertex Count of %u.",
                             vertex, gpu_message_word(message, 1), arrays[i].name,
                             gpu_message_word(message, 4));
    }
}

/* --- tasks --- */

/* Reports group counts of OpEmitMeshTasksEXT that are too large. */
static void tell_groups(struct gpu_message *message)
{
    static const struct {
        const char *limit;
        enum vuid id;
    } limits[] = {
        {"Group Count X must be less than or equal to maxMeshWorkGroupCount[0]",
         VUID_RuntimeSpirv_TaskEXT_07299},
        {"Group Count Y must be less than or equal to maxMeshWorkGroupCount[1]",
         VUID_RuntimeSpirv_TaskEXT_07300},
        {"Group Count Z must be less than or equal to maxMeshWorkGroupCount[2]",
         VUID_RuntimeSpirv_TaskEXT_07301},
        {"their product must be less than or equal to maxMeshWorkGroupTotalCount",
         VUID_RuntimeSpirv_TaskEXT_07302},
    };
    const uint32_t which = gpu_message_word(message, 3);
    if (which >= ARRAY_LENGTH(limits))
        return;
    gpu_message_tell(message, SEVERITY_ERROR, limits[which].id,
                     "OpEmitMeshTasksEXT with Group Counts of (%u, %u, %u): %s, which is %u.",
                     gpu_message_word(message, 0), gpu_message_word(message, 1),
                     gpu_message_word(message, 2), limits[which].limit,
                     gpu_message_word(message, 4));
}

void gpu_tell_mesh(struct gpu_message *message)
{
    switch (message->words[RECORD_ERROR]) {
    case ERROR_MESH_OUTPUT:
        tell_counts(message);
        break;
    case ERROR_MESH_AGAIN:
        gpu_message_tell(message, SEVERITY_ERROR, VUID_RuntimeSpirv_MeshEXT_07118,
                         "OpSetMeshOutputsEXT a second time: it must be called at most once.");
        break;
    case ERROR_MESH_INDEX:
        report_mesh_index(message);
        break;
    default:
        tell_groups(message);
        break;
    }
}
