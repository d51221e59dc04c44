#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer A { uint first[]; };
layout(set = 1, binding = 3) uniform U { uvec4 offset; };
layout(set = 2, binding = 1) buffer B { uint last[]; };
layout(push_constant) uniform P { layout(offset = 16) uvec4 pushed; };
void main() { first[0] = pushed.x + offset.y; last[gl_LocalInvocationIndex] = pushed.w; }
