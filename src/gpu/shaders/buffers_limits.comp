#version 460
// Checks that the members of structures that a command reads from a buffer are within their limits,
// and that the number of structures is.
#extension GL_GOOGLE_include_directive : require
#include "buffers.glsl"

// The first structure that breaks each rule: what is reported does not depend on which invocation
// was faster.
shared uint first[LIMITS_RULES_MOST];

layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Copied { uint word[]; };

bool above(const in uvec2 value, const in uvec2 limit) { return value.y > limit.y || value.y == limit.y && value.x > limit.x; }

uvec2 word_pair(const in Words words, const in uint at) { return uvec2(words.word[at], words.word[at + 1u]); }

// Multiplies three words; all ones where the product has more than 64 bits.
uvec2 product(const in uint a, const in uint b, const in uint c)
{
    uint ab_high, ab_low, high, middle, low, carry, ignored;
    umulExtended(a, b, ab_high, ab_low);
    umulExtended(ab_low, c, middle, low);
    umulExtended(ab_high, c, high, ignored);
    middle = uaddCarry(middle, ignored, carry);
    return high + carry == 0u ? uvec2(low, middle) : uvec2(0xffffffffu);
}

uvec2 word64(const in Data data, const in uint at) { return uvec2(data.word[at], data.word[at + 1u]); }

// The value that the rule looks at in the structure at `base`, in 64 bits.
uvec2 rule_value(const in Data data, const in uint base, const in uint rule)
{
    uint at = base + (rule >> 8 & 0xffu);
    switch (rule >> 24) {
    case LIMIT_WORD64:
    case LIMIT_MULTIPLE:
    case LIMIT_REFERENCE:
    case LIMIT_RANGE:
    case LIMIT_APART:
        return word64(data, at);
    case LIMIT_PRODUCT:
        return product(data.word[at], data.word[at + 1u], data.word[at + 2u]);
    case LIMIT_ORDERED:
        return uvec2(data.word[at], data.word[at + 3u]);
    case LIMIT_SUM: {
        uint carry;
        uint low = uaddCarry(data.word[at], data.word[base + (rule >> 16 & 0xffu)], carry);
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

uvec2 add(const in uvec2 a, const in uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

// True if all the bytes lie in one range of the table; without bytes: if a range begins there.
bool in_table(const in uvec2 address, const in uvec2 bytes)
{
    Words header = Words(job_pointer(LIMITS_TABLE));
    uint current = header.word[RANGES_CURRENT], at = RANGES_LISTS + 4u * current;
    if (current == RANGES_UNKNOWN)
        return true;
    Words list = Words(word_pair(header, at));
    uint low = 0u, high = header.word[at + 2u]; // the last that begins at or below the address is in [low, high)
    while (high - low > 1u) {
        uint middle = (low + high) >> 1;
        if (above(word_pair(list, 4u * middle), address))
            high = middle;
        else
            low = middle;
    }
    if (high == 0u)
        return false;
    uvec2 begin = word_pair(list, 4u * low), end = add(address, bytes);
    if (bytes == uvec2(0u))
        return begin == address;
    return !above(begin, address) && !above(address, end) && !above(end, add(begin, word_pair(list, 4u * low + 2u)));
}

// Keeps what the command reads instead of the structure.
void keep_safe(const in Data data, const in uint which, const in uint base, const in bool broken)
{
    uint how = job().word[LIMITS_SAFE_WORDS], words = how & 0xffu, first_zero = how >> 8 & 0xffu, zeros = how >> 16;
    Copied to = Copied(job_pointer(LIMITS_SAFE));
    for (uint i = 0u; i < words; i++)
        to.word[which * words + i] = broken && i - first_zero < zeros ? 0u : data.word[base + i];
}

bool overlap(const in uvec2 a, const in uvec2 a_end, const in uvec2 b, const in uvec2 b_end) { return above(b_end, a) && above(a_end, b); }

// Finds the structure whose bytes, of the two words before or of these, are also this one's; ones:
// no structure's.
uint met(const in Data data, const in uint base, const in uint at)
{
    uint count = job().word[LIMITS_COUNT], stride = job().word[LIMITS_STRIDE];
    uvec2 mine = word64(data, base + at), end = add(mine, word64(data, base + 4u));
    for (uint i = 0u; i < count; i++) {
        uint other = i * stride;
        uvec2 bytes = word64(data, other + 4u), from = word64(data, other), to = word64(data, other + at);
        if (overlap(mine, end, from, add(from, bytes)))
            return 2u * i;
        if (other != base && overlap(mine, end, to, add(to, bytes)))
            return 2u * i + 1u;
    }
    return 0xffffffffu;
}

// The value that the rule has the structure compared with: where that is another of its words, that
// word.
uvec2 rule_limit(const in Data data, const in uint base, const in uint rule, const in uvec2 limit)
{
    uint other = rule >> 16 & 0xffu;
    switch (rule >> 24) {
    case LIMIT_RANGE:
        return other == LIMIT_ONE ? uvec2(1u, 0u) : word64(data, base + (other == LIMIT_ONE ? 0u : other));
    case LIMIT_APART:
        return uvec2(met(data, base, rule >> 8 & 0xffu), 0u);
    case LIMIT_LEAST:
        return uvec2(data.word[base + other], 0u);
    default:
        return limit;
    }
}

bool breaks(const in Data data, const in uint base, const in uint rule, const in uvec2 given)
{
    uvec2 value = rule_value(data, base, rule), limit = rule_limit(data, base, rule, given);
    switch (rule >> 24) {
    case LIMIT_MULTIPLE:
        return (value.x & (limit.x - 1u)) != 0u;
    case LIMIT_ORDERED:
        return uintBitsToFloat(value.x) > uintBitsToFloat(value.y);
    case LIMIT_INVERTIBLE:
        return singular(data, base + (rule >> 8 & 0xffu));
    case LIMIT_INSTANCE:
        return word64(data, base + 14u) != uvec2(0u) && singular(data, base);
    case LIMIT_REFERENCE:
        return value != uvec2(0u) && !in_table(value, uvec2(0u));
    case LIMIT_RANGE:
        return limit != uvec2(0u) && !in_table(value, limit);
    case LIMIT_APART:
        return limit.x != 0xffffffffu;
    case LIMIT_EQUAL:
        return value != limit;
    case LIMIT_LEAST:
        return value.x != 0u && value.x < limit.x;
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
    bool safe = job_pointer(LIMITS_SAFE) != uvec2(0u);
    for (uint i = gl_LocalInvocationIndex; i < count; i += JOB_INVOCATIONS) {
        bool broken = false;
        for (uint k = 0u; k < rules; k++) {
            uint at = LIMITS_RULES + LIMITS_RULE_WORDS * k;
            uint rule = job().word[at];
            if (breaks(data, i * stride, rule, job_pointer(at + 1u))) {
                atomicMin(first[k], i);
                broken = true;
            }
        }
        if (safe)
            keep_safe(data, i, i * stride, broken);
    }
    barrier();
    uint mine = gl_LocalInvocationIndex;
    if (mine >= rules || first[mine] == 0xffffffffu)
        return;
    uint at = LIMITS_RULES + LIMITS_RULE_WORDS * mine;
    uint rule = job().word[at];
    uint base = first[mine] * stride;
    job_report(rule & 0xffu, first[mine], rule_value(data, base, rule), rule_limit(data, base, rule, job_pointer(at + 1u)));
}
