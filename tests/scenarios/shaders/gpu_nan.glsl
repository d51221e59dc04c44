Shaders of tests/scenarios/gpu/gpu_nan.c. In each, one invocation computes with the two numbers that are pushed, a and b.
;; macro HEAD
layout(push_constant) uniform Push { int index; int other; uvec2 address; } push;
layout(binding = 0) buffer Result { vec4 value; } result;
layout(binding = 2) buffer Things { vec4 value; } things[6];
#define a float(push.index)
#define b float(push.other)
;; macro COMPUTE
layout(local_size_x = 4) in;
@HEAD
;; macro MAIN
void main()
{
    if (gl_GlobalInvocationID.x == 5)
;; nan_divided comp+g
@COMPUTE
@MAIN
        result.value.x = a / b;
}
;; nan_component comp+g
@COMPUTE
@MAIN
        result.value = vec4(1.0, a, b, 2.0) / vec4(1.0, 1.0, a, 2.0);
}
;; nan_constructed comp+g
@COMPUTE
@MAIN
        result.value = vec4(1.0, a + 1.0, a / b, 0.0);
}
;; nan_extracted comp+g
@COMPUTE
@MAIN
        result.value.x = (vec4(a, 1.0, 0.0, b) / vec4(1.0, 1.0, 0.0, b)).w;
}
;; nan_of_a_root comp+g
@COMPUTE
@MAIN
        result.value.x = sqrt(a);
}
;; nan_exponential comp+g
@COMPUTE
@MAIN
        result.value.x = exp(a);
}
;; nan_of_a_variable comp+g
@COMPUTE
@MAIN
    {
        float number = 1.0;
        if (a < 2.0)
            number = a / b;
        result.value.x = number;
    }
}
;; nan_moved comp+g
@COMPUTE
@MAIN
        result.value = things[0].value;
}
;; nan_of_bits comp+g
@COMPUTE
@MAIN
    {
        vec2 packed = vec2(1.0);
        packed.x = uintBitsToFloat(uint(push.index));
        result.value.xy = packed;
    }
}
;; nan_constant comp+g
@COMPUTE
@MAIN
    {
        result.value.x = 1.0 / 0.0;
        result.value.y = uintBitsToFloat(0x7fc00000u);
    }
}
;; nan_of_half comp+g
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { int index; int other; uvec2 address; } push;
layout(binding = 0) buffer Result { float16_t value; } result;
layout(binding = 2) buffer Things { vec4 value; } things[6];
@MAIN
        result.value = float16_t(push.index) * float16_t(push.other);
}
;; nan_in_an_image comp+g
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { int index; int other; uvec2 address; } push;
layout(binding = 2, rgba8) uniform writeonly image2D things[6];
@MAIN
        imageStore(things[0], ivec2(0), vec4(float(push.index) / float(push.other)));
}
;; nan_position vert+g
@HEAD
void main()
{
    gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
    gl_Position.z = 0.5 * (a / b);
}
;; nan_out vert+g
@HEAD
layout(location = 0) out vec2 number;
void main()
{
    gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
    number = vec2(1.0, uintBitsToFloat(uint(push.index)));
}
;; nan_in frag+g
layout(location = 0) in vec2 number;
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(isnan(number.y) ? 0.0 : 0.5);
}
;; nan_color frag+g
@HEAD
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(0.5);
    if (gl_FragCoord.xy == vec2(10.5, 20.5))
        color.rgb = normalize(vec3(a, 0.0, 0.0));
}
