#version 460
// Checks that the indices of draws name vertices that the vertex buffers have.
#extension GL_GOOGLE_include_directive : require
#include "buffers.glsl"

shared uint first; // of the draw's indices: the first that does not

uint read_index(const in uint at)
{
    uvec2 address = job_pointer(JOB_DATA);
    uint shift = job().word[INDICES_SHIFT], carry;
    uint bytes = (at << shift) + (address.x & 3u); // the range may begin in the middle of a word
    uint high = at >> 32u - shift;
    if (shift == 0u)
        high = 0u;
    address.x &= ~3u;
    address.x = uaddCarry(address.x, bytes & ~3u, carry);
    address.y += carry + high;
    uint word = Data(address).word[0];
    return shift == 2u ? word : bitfieldExtract(word, int(8u * (bytes & 3u)), int(8u << shift));
}

bool is_beyond(const in uint index, const in uint vertex_offset)
{
    uint vertex = index + vertex_offset;
    bool wraps = int(vertex_offset) >= 0 ? vertex < index : vertex > index;
    return wraps || vertex >= job().word[INDICES_LIMIT];
}

void check_draw(const in uint draw, const in uvec4 parameters)
{
    uint last = 0xffffffffu >> 32u - (8u << job().word[INDICES_SHIFT]);
    bool restarts = job().word[INDICES_RESTART] != 0u;
    uint count = parameters.x - parameters.x % job().word[INDICES_PRIMITIVE];
    count = parameters.y == 0u || count < job().word[INDICES_LEAST] ? 0u : min(count, job().word[INDICES_MOST]);
    uint in_range = job().word[INDICES_IN_RANGE];
    uint begin = parameters.z;
    if (gl_LocalInvocationIndex == 0u)
        first = 0xffffffffu;
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < count && begin < in_range && i < in_range - begin; i += JOB_INVOCATIONS) {
        uint index = read_index(begin + i);
        if ((!restarts || index != last) && is_beyond(index, parameters.w))
            atomicMin(first, i);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && first != 0xffffffffu) {
        uint at = begin + first;
        assay_tell_more(true, BUFFER_RULE_INDEX * SITE_FACTOR, job().word[INDICES_RULE], draw, at, read_index(at), parameters.w, job().word[INDICES_LIMIT]);
    }
    barrier();
}

void main()
{
    uvec2 parameters = job_pointer(INDICES_PARAMETERS), count_address = job_pointer(INDICES_COUNT_ADDRESS);
    if (parameters == uvec2(0u)) {
        check_draw(0u, uvec4(job().word[INDICES_DRAW], job().word[INDICES_DRAW + 1], job().word[INDICES_DRAW + 2], job().word[INDICES_DRAW + 3]));
        return;
    }
    uint draws = job().word[INDICES_DRAWS], stride = job().word[INDICES_STRIDE];
    // Not a load under a condition: drivers turn such a short branch into a selection, and read
    // from address 0.
    if (count_address == uvec2(0u))
        count_address = job_address() + uvec2(4u * INDICES_DRAWS, 0u);
    draws = min(draws, Data(count_address).word[0]);
    Data data = Data(parameters);
    for (uint i = 0u; i < draws; i++)
        check_draw(i, uvec4(data.word[i * stride], data.word[i * stride + 1u], data.word[i * stride + 2u], data.word[i * stride + 3u]));
}
