#version 460
// What the sanitizer looks at in a fragment shader: in a function, behind a loop.
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) flat in int which;
layout(location = 1) in vec2 place;
layout(location = 0) out vec4 color;

vec4 gather(vec2 at) { return textureGather(picture, at, 2) / float(which); }

void main()
{
    color = vec4(0);
    for (int i = 0; i < which; i++)
        color += gather(place / float(i)) * float(which % (i - 3));
    color.x = pow(color.x, place.y) > 0.5 ? mod(place.x, place.y) : 0.0;
}
