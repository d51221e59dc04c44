// The layer's own shaders share this: where the job is, and whose records they write.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "words.glsl"
#include "buffers.h"

layout(local_size_x = JOB_INVOCATIONS) in;
// The program's memory, of which only what a word needs is known.
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Data { uint word[]; };

// Descriptors and push constants are the program's: the base of the workgroup alone says where the job is.
uvec2 job_address()
{
    uint low = gl_WorkGroupID.x | gl_WorkGroupID.y << JOB_BITS | gl_WorkGroupID.z << 2 * JOB_BITS;
    uint high = gl_WorkGroupID.z >> 32 - 2 * JOB_BITS;
    return uvec2(low * JOB_GRANULE, high * JOB_GRANULE | low >> 26);
}

Words job() { return Words(job_address()); }
uvec2 job_pointer(const in uint at) { return uvec2(job().word[at], job().word[at + 1]); }

uvec2 assay_command() { return job_pointer(JOB_RECORD); }
uvec4 assay_stage_words() { return uvec4(0u, 0u, 0u, SHADER_OF_LAYER); }
uint assay_stage() { return 5u; } // GLCompute
uint assay_shader() { return SHADER_OF_LAYER; }

#include "ring.glsl"

// A rule is reported once for each command.
void job_report(const in uint rule, const in uint which, const in uvec2 value, const in uvec2 limit)
{
    assay_tell_more(true, rule * SITE_FACTOR, rule, which, value.x, value.y, limit.x, limit.y);
}
