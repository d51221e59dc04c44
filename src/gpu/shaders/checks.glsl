#version 460
// The functions that are linked into shaders (src/spirv/instrument/instrument.c): the checks, and
// how a record gets into the ring. `const in` parameters are passed by value.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#ifdef MODEL_VULKAN
#pragma use_vulkan_memory_model
#endif
#include "words.glsl"

// The instrumenter replaces these four: what they give is the module's and the command's.
uvec2 assay_command() { return uvec2(0); }      // address: COMMAND_...
uvec4 assay_stage_words() { return uvec4(0); }  // which invocation: three words; and the shader
uint assay_stage() { return 0; }
uint assay_shader() { return 0; }

#include "ring.glsl"

// Like assay_tell_now. In shaders of many checks the invocation only notes it, and reports at its
// end one thing that it noted. The instrumenter replaces this (src/spirv/instrument/instrument_later.c).
void assay_tell(const in bool bad, const in uint site, const in uint a, const in uint b, const in uint c) {}
// The same for accesses past the end of a buffer, which GPUs may not survive.
void assay_tell_access(const in bool bad, const in uint site, const in uint a, const in uint b, const in uint c) {}

// A number that differs between invocations, and commands: which of the things that an invocation noted it tells of.
uint assay_salt()
{
    uvec4 words = assay_stage_words();
    return (((assay_command().x + words.x) * SITE_FACTOR + words.y) * SITE_FACTOR + words.z) * SITE_FACTOR;
}

// --- descriptors ---

// True if the index is one of an array of `count` descriptors.
bool assay_index(const in uint index, const in uint count, const in uint site)
{
    assay_tell_now(index >= count, site, index, count, 0u);
    return index < count;
}

// Address of what is known of the set that is bound; 0: nothing is. `set`: COMMAND_TABLES / 2 more than its number.
uvec2 assay_table(const in uint set) { return Pairs(assay_command()).pair[set]; }

// A check must only read memory that is there, even in a branch that no invocation takes: lavapipe runs a uniform load of a
// small branch all the same. So a table that is none is read as the command, and an index that is none as 0.
uvec2 assay_pair(const in uvec2 table, const in bool none, const in uint at)
{
    return Pairs(mix(table, assay_command(), bvec2(none))).pair[mix(at, 0u, none)];
}

// How many descriptors the binding of variable count has in the set that is bound.
uint assay_variable_count(const in uint set)
{
    uvec2 table = assay_table(set);
    bool none = table == uvec2(0);
    return mix(assay_pair(table, none, TABLE_VARIABLE_COUNT / 2).x, 0xffffffffu, none);
}

// True if the object lives. What has no byte does.
bool assay_lives(const in uvec2 alive, const in uint limit, const in uint object)
{
    uint number = object & (1u << GENERATION_SHIFT) - 1u;
    bool none = number >= limit;
    uint slot = mix(number, 0u, none);
    uint found = Pairs(alive).pair[slot >> 3][slot >> 2 & 1u] >> 8u * (slot & 3u) & 0xffu;
    bool same = found == (object >> GENERATION_SHIFT | ALIVE_BIT);
    return none || same;
}

// Returns what is wrong with this entry of the set's table (ERROR_..., 0: nothing, or nothing is
// known of it), and its class. `entry` counts pairs.
uvec2 assay_entry(const in uint entry, const in uint class_wanted, const in uint set)
{
    Pairs command = Pairs(assay_command());
    uvec2 table = command.pair[set], alive = command.pair[COMMAND_ALIVE / 2];
    bool none = table == uvec2(0);
    uvec2 object = assay_pair(table, none, entry);
    uint limit = command.pair[COMMAND_ALIVE_LIMIT / 2].x, found = object.y;
    bool lives = assay_lives(alive, limit, object.x);
    bool sampled = (class_wanted & CLASS_HAS_SAMPLER) != 0u, combined = (found & CLASS_TAG) == CLASS_COMBINED;
    bool has_sampler = sampled && combined, look = has_sampler && lives;
    if (look)
        lives = assay_lives(alive, limit, assay_pair(table, none, entry + ENTRY_RANGE / 2).x);
    bool fits = (class_wanted & ~found & (CLASS_ANY | CLASS_RESOURCE)) == 0u, good = lives && fits || none;
    uint error = mix(ERROR_DESCRIPTOR_DESTROYED, ERROR_DESCRIPTOR_CLASS, lives);
    error = mix(error, ERROR_DESCRIPTOR_UNINITIALIZED, (found & CLASS_WRITTEN) == 0u);
    return uvec2(mix(error, 0u, good), found);
}

// True if the index is one of `count` descriptors, and that descriptor holds something that lives,
// of the class that the shader wants. `first` is the binding's first entry in the table, in pairs.
bool assay_descriptor(const in uint index, const in uint count, const in uint first, const in uint class_wanted,
                      const in uint set, const in uint site)
{
    uint error = ERROR_DESCRIPTOR_INDEX, found = count;
    bool beyond = index >= count;
    if (!beyond) {
        uvec2 entry = assay_entry(first + ENTRY_WORDS / 2 * index, class_wanted, set);
        error = entry.x;
        found = entry.y;
    }
    bool wrong = error != 0u, bad = beyond || wrong;
    assay_tell_now(bad, site, index, found, error);
    return !bad;
}

#include "touched.glsl"

// --- buffers ---

// The bytes (texels) of a buffer as the set's table has them in this entry; 0xffffffff: unknown. `entry` counts pairs: that of ENTRY_RANGE.
uint assay_bytes(const in uint entry, const in uint set)
{
    uvec2 table = Pairs(assay_command()).pair[set];
    bool none = table == uvec2(0);
    return mix(assay_pair(table, none, entry).x, 0xffffffffu, none);
}

// The same for descriptor `index` of a binding with `count` of them; unknown where there is no such one. `first`: the entry of
// the binding's first descriptor, counted in pairs; 0: it is not known.
uint assay_bound_range(const in uint index, const in uint count, const in uint first, const in uint set)
{
    bool unknown = first == 0u, beyond = index >= count, none = unknown || beyond;
    return mix(assay_bytes(mix(first + ENTRY_WORDS / 2 * index, 0u, none), set), 0xffffffffu, none);
}

// True if `size` bytes at `offset` lie in the `range` that is bound.
bool assay_bound(const in uint offset, const in uint size, const in uint range, const in uint index, const in uint site)
{
    // Without a branch: where nothing is reported at once, compilers then need none.
    bool begins = offset >= range, ends = size > range - offset, known = range != 0xffffffffu;
    bool out_of_range = begins || ends, bad = known && out_of_range;
    assay_tell_access(bad, site, offset, range, index);
    return !bad;
}

// A whole element of the runtime array at the end of a storage buffer's block. Of a descriptor that there is not, another check tells.
bool assay_whole_element(const in uint element, const in uint length, const in uint index, const in uint count, const in uint site)
{
    bool past = element >= length, there = index < count, bad = past && there;
    assay_tell_access(bad, site, element, length, index);
    return !bad;
}

// An access to a part of an element of that array: `element` of `length`, which begin at `base` and
// are `stride` bytes long; the access is `within` the element. The last element may be there in
// part, and accesses to that part are right. So the length alone does not decide, but the `range`
// that is bound.
#define ASSAY_ELEMENT(there_, index_)                                                                          \
    bool past = element >= length, there = there_, known = range != 0xffffffffu;                               \
    uint low = element * stride, offset = low + base + within;                                                 \
    /* True if the offset needs more than 32 bits. */                                                          \
    bool multiplied = element > 0xffffffffu / stride, added = offset < low, wide = multiplied || added;        \
    bool begins = offset >= range, ends = size > range - offset;                                               \
    bool outside = begins || ends, known_outside = known && outside;                                           \
    /* In an array without elements, whose range is unknown, the descriptor is null: it reads as
     * zero. */      \
    bool empty = length == 0u, null = empty && !known, wide_and_there = wide && !null;                         \
    bool wrong = known_outside || wide_and_there, bad_place = past && there, bad = wrong && bad_place;         \
    assay_tell_access(bad, site, wide ? 0xffffffffu : offset, known ? range : base + length * stride, index_); \
    return !bad;

bool assay_element_in(const in uint element, const in uint length, const in uint base, const in uint within, const in uint stride,
                      const in uint size, const in uint index, const in uint count, const in uint range, const in uint site)
{
    ASSAY_ELEMENT(index < count, index)
}

// The same for a binding that is not an array.
bool assay_element_of_one(const in uint element, const in uint length, const in uint base, const in uint within, const in uint stride,
                          const in uint size, const in uint range, const in uint site)
{
    ASSAY_ELEMENT(true, 0u)
}

// The same where what is bound is asked for when the length says no, and not before.
bool assay_element(const in uint element, const in uint length, const in uint base, const in uint within, const in uint stride,
                   const in uint size, const in uint index, const in uint count, const in uint first, const in uint set,
                   const in uint site)
{
    if (element < length || index >= count)
        return true;
    return assay_element_in(element, length, base, within, stride, size, index, count, assay_bound_range(index, count, first, set), site);
}

bool assay_texel(const in uint texel, const in uint texels, const in uint index, const in uint site)
{
    assay_tell_access(texel >= texels, site, texel, texels, index);
    return texel < texels;
}

// --- addresses ---

// Checks of addresses have few branches: compilers copy them to each access, and some take a time
// that grows with the square of a shader's branches.

// True if the bytes lie in the range. Across a multiple of 4 GiB after its beginning only the first
// of them is looked at.
bool assay_in_range(const in uvec4 range, const in uvec2 address, const in uint size)
{
    uint borrow, offset = usubBorrow(address.x, range.x, borrow), upper = address.y - range.y - borrow;
    bool whole = upper < range.w, last = upper == range.w, begins = offset < range.z, ends = size <= range.z - offset;
    bool inside = begins && ends, inside_last = last && inside;
    return whole || inside_last;
}

// Looks for the range that has `size` bytes at the address: it is `range` if it is `found`. The one that is `first` stands in
// `range` already. `keep_` is done with the number of the range that is found, `at`. After a list's end stands one more range,
// which has no bytes.
#define ASSAY_SEARCH(first_, keep_)                                                           \
    bool found = first_, left = low < high;                                                   \
    while (!found && left) { /* the one that it is in, if any, is in [low, high) */           \
        uint at = (low + high) >> 1;                                                          \
        range = List(list.xy).range[at];                                                      \
        bool same = address.y == range.y, lower = address.x < range.x, less = same && lower;  \
        bool below = address.y < range.y;                                                     \
        less = below || less;                                                                 \
        found = assay_in_range(range, address, size);                                         \
        keep_                                                                                 \
        low = mix(at + 1u, low, less);                                                        \
        high = mix(high, at, less);                                                           \
        left = low < high;                                                                    \
    }

#define ASSAY_LIST                                           \
    Ranges ranges = Ranges(COMMAND_ADDRESS(COMMAND_RANGES)); \
    uvec4 list = ranges.list[ranges.current.x];              \
    uint low = 0u, high = list.z;

// Most often the range is the one that this check found the last time, which all invocations look at alike. So llvmpipe loads it
// once; what it must gather in a loop takes several times as long.
#define ASSAY_SEARCH_BY_HINT                                                       \
    ASSAY_LIST                                                                     \
    uint hint = site >> 32 - RANGES_HINT_BITS;                                     \
    uvec4 range = List(list.xy).range[min(ranges.hint[hint], high)];               \
    ASSAY_SEARCH(assay_in_range(range, address, size), if (found) ranges.hint[hint] = at;)

// True if `size` bytes at the address lie in a buffer whose address the program has asked for.
bool assay_in_buffer(const in uvec2 address, const in uint size, const in uint site)
{
    ASSAY_SEARCH_BY_HINT
    return found;
}

// The address that lies `offset` bytes after another one.
uvec2 assay_address(const in uvec2 base, const in uint offset)
{
    uint carry, low = uaddCarry(base.x, offset, carry);
    return uvec2(low, base.y + carry);
}

// One report and not two: drivers copy it.
#define ASSAY_POINTER(there_)                                                                                                      \
    bool aligned = (address.x & (alignment - 1u)) == 0u, there = there_, good = aligned && there;                                  \
    assay_tell_now(!good, site, address.x, address.y, aligned ? ERROR_ADDRESS_RANGE : ERROR_ADDRESS_ALIGNMENT);                    \
    return good;

bool assay_pointer(const in uvec2 address, const in uint size, const in uint alignment, const in uint site)
{
    ASSAY_POINTER(assay_in_buffer(address, size, site))
}

// Where a load is done that must not be done: some drivers load what no invocation asks for, and so the address leads to memory.
uvec2 assay_safe_address(const in uvec2 address, const in bool good) { return mix(assay_command(), address, bvec2(good)); }

// Several accesses as one (src/spirv/instrument/instrument_groups_check.c): the range that has `size` bytes at the address, all zero if there
// is none, or the address is not aligned. The last byte is looked at as well, which leaves nothing out.
uvec4 assay_whole(const in uvec2 base, const in uint offset, const in uint size, const in uint alignment, const in uint site)
{
    uvec2 address = assay_address(base, offset);
    bool aligned = (address.x & (alignment - 1u)) == 0u;
    ASSAY_SEARCH_BY_HINT
    bool last = assay_in_range(range, assay_address(address, size - 1u), 1u), inside = found && last, good = aligned && inside;
    return mix(uvec4(0u), range, bvec4(good));
}

// True if further ones lie in the same range.
bool assay_whole_too(const in uvec4 range, const in uvec2 base, const in uint offset, const in uint size, const in uint alignment)
{
    uvec2 address = assay_address(base, offset);
    bool aligned = (address.x & (alignment - 1u)) == 0u, first = assay_in_range(range, address, size);
    bool last = assay_in_range(range, assay_address(address, size - 1u), 1u), inside = first && last;
    return aligned && inside;
}

// Each of them alone.
#define ASSAY_MEMBER                             \
    uvec2 address = assay_address(base, offset); \
    ASSAY_LIST                                   \
    uvec4 range;                                 \
    ASSAY_SEARCH(false, )

bool assay_member(const in uvec2 base, const in uint offset, const in uint size, const in uint alignment, const in uint site)
{
    ASSAY_MEMBER
    ASSAY_POINTER(found)
}

// Whether it would be good (src/spirv/instrument/instrument_groups_far.c).
bool assay_member_quiet(const in uvec2 base, const in uint offset, const in uint size, const in uint alignment)
{
    ASSAY_MEMBER
    bool aligned = (address.x & (alignment - 1u)) == 0u;
    return aligned && found;
}

// An access of which that was found out: bit `row` of `wrong`.
bool assay_known(const in uint wrong, const in uint row, const in uvec2 address, const in uint alignment, const in uint site)
{
    ASSAY_POINTER((wrong >> row & 1u) == 0u)
}

#include "checks_more.glsl"
#include "printf.glsl"
#include "abort.glsl"
#include "shared.glsl"
