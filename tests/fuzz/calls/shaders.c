/* The SPIR-V that the fuzzer uses. */
#include "shaders.h"

#include "fuzz_attachment_frag.h"
#include "fuzz_everything_comp.h"
#include "fuzz_inputs_vert.h"
#include "fuzz_plain_frag.h"
#include "fuzz_plain_vert.h"
#include "fuzz_textured_frag.h"
#include "fuzz_triangle_mesh.h"

#define CODE(name_, stage_) {name_, sizeof(name_), stage_}

const struct shader_code shader_codes[SHADER_COUNT] = {
    [SHADER_EVERYTHING_COMPUTE] = CODE(fuzz_everything_comp, VK_SHADER_STAGE_COMPUTE_BIT),
    [SHADER_INPUTS_VERTEX] = CODE(fuzz_inputs_vert, VK_SHADER_STAGE_VERTEX_BIT),
    [SHADER_PLAIN_VERTEX] = CODE(fuzz_plain_vert, VK_SHADER_STAGE_VERTEX_BIT),
    [SHADER_TEXTURED_FRAGMENT] = CODE(fuzz_textured_frag, VK_SHADER_STAGE_FRAGMENT_BIT),
    [SHADER_PLAIN_FRAGMENT] = CODE(fuzz_plain_frag, VK_SHADER_STAGE_FRAGMENT_BIT),
    [SHADER_ATTACHMENT_FRAGMENT] = CODE(fuzz_attachment_frag, VK_SHADER_STAGE_FRAGMENT_BIT),
    [SHADER_TRIANGLE_MESH] = CODE(fuzz_triangle_mesh, VK_SHADER_STAGE_MESH_BIT_EXT),
};
