#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint values[]; } all[4];
layout(push_constant) uniform P { uint number; };
void main() { all[number].values[0] = 7; }
