#version 460
// Are the members of structures that a command reads from a buffer within their limits, and is the number of structures?
#extension GL_GOOGLE_include_directive : require
#include "buffers.glsl"

// The first structure that breaks each rule: what is told does not depend on which invocation was faster.
shared uint first[LIMITS_RULES_MOST];

bool above(const in uvec2 value, const in uvec2 limit) { return value.y > limit.y || value.y == limit.y && value.x > limit.x; }

// Of three words; all ones where it has more than 64 bits.
uvec2 product(const in uint a, const in uint b, const in uint c)
{
    uint ab_high, ab_low, high, middle, low, carry, ignored;
    umulExtended(a, b, ab_high, ab_low);
    umulExtended(ab_low, c, middle, low);
    umulExtended(ab_high, c, high, ignored);
    middle = uaddCarry(middle, ignored, carry);
    return high + carry == 0u ? uvec2(low, middle) : uvec2(0xffffffffu);
}

// What the rule says of the structure at `base`, in 64 bits.
uvec2 rule_value(const in Data data, const in uint base, const in uint rule)
{
    uint at = base + (rule >> 8 & 0xffffu);
    switch (rule >> 24) {
    case LIMIT_WORD64:
    case LIMIT_MULTIPLE:
        return uvec2(data.word[at], data.word[at + 1u]);
    case LIMIT_PRODUCT:
        return product(data.word[at], data.word[at + 1u], data.word[at + 2u]);
    case LIMIT_ORDERED:
        return uvec2(data.word[at], data.word[at + 3u]);
    case LIMIT_SUM: {
        uint carry;
        uint low = uaddCarry(data.word[at], data.word[base], carry);
        return uvec2(low, carry);
    }
    default:
        return uvec2(data.word[at], 0u);
    }
}

// By their bits, of which zero has two kinds.
bool is_zero(const in uint a, const in uint b, const in uint c) { return ((a | b | c) & 0x7fffffffu) == 0u; }

bool singular(const in Data data, const in uint at)
{
    for (uint i = 0u; i < 3u; i++) {
        if (is_zero(data.word[at + 4u * i], data.word[at + 4u * i + 1u], data.word[at + 4u * i + 2u]) ||
            is_zero(data.word[at + i], data.word[at + 4u + i], data.word[at + 8u + i]))
            return true;
    }
    return false;
}

bool breaks(const in Data data, const in uint base, const in uint rule, const in uvec2 limit)
{
    uvec2 value = rule_value(data, base, rule);
    switch (rule >> 24) {
    case LIMIT_MULTIPLE:
        return (value.x & (limit.x - 1u)) != 0u;
    case LIMIT_ORDERED:
        return uintBitsToFloat(value.x) > uintBitsToFloat(value.y);
    case LIMIT_INVERTIBLE:
        return singular(data, base + (rule >> 8 & 0xffffu));
    default:
        return above(value, limit);
    }
}

void main()
{
    uint count = job().word[LIMITS_COUNT], rules = job().word[LIMITS_RULE_COUNT], stride = job().word[LIMITS_STRIDE];
    uvec2 count_address = job_pointer(LIMITS_COUNT_ADDRESS);
    Data data = Data(job_pointer(JOB_DATA));
    if (count_address != uvec2(0u)) {
        uint said = Data(count_address).word[0], limit = job().word[LIMITS_COUNT_LIMIT];
        if (gl_LocalInvocationIndex == 0u && said > limit)
            job_report(BUFFER_RULE_COUNT, 0u, uvec2(said, 0u), uvec2(limit, 0u));
        count = min(count, said);
    }
    if (gl_LocalInvocationIndex < LIMITS_RULES_MOST)
        first[gl_LocalInvocationIndex] = 0xffffffffu;
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < count; i += JOB_INVOCATIONS) {
        for (uint k = 0u; k < rules; k++) {
            uint at = LIMITS_RULES + LIMITS_RULE_WORDS * k;
            uint rule = job().word[at];
            if (breaks(data, i * stride, rule, job_pointer(at + 1u)))
                atomicMin(first[k], i);
        }
    }
    barrier();
    uint mine = gl_LocalInvocationIndex;
    if (mine >= rules || first[mine] == 0xffffffffu)
        return;
    uint at = LIMITS_RULES + LIMITS_RULE_WORDS * mine;
    uint rule = job().word[at];
    job_report(rule & 0xffu, first[mine], rule_value(data, first[mine] * stride, rule), job_pointer(at + 1u));
}
