#version 450
// One array of 16,384 buffers: which one is read is known on the device alone.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint value; } data[16384];
layout(push_constant) uniform Push { uint which; } push;
void main()
{
    data[push.which].value = data[push.which + 1u].value;
}
