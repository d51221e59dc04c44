#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0, rgba8) uniform writeonly image2D target;
layout(push_constant) uniform P { vec4 color; };
void main() { imageStore(target, ivec2(gl_GlobalInvocationID.xy) & 7, color); }
