#version 460
// What is linked into shaders (src/spirv/instrument.c): the checks, and how a record gets into the ring. `const in` parameters are passed by value.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#ifdef MODEL_VULKAN
#pragma use_vulkan_memory_model
#endif
#include "words.glsl"

// The instrumenter replaces these four: what they give is the module's and the command's.
uvec2 assay_command() { return uvec2(0); }      // address: COMMAND_...
uvec3 assay_stage_words() { return uvec3(0); }  // which invocation
uint assay_stage() { return 0; }
uint assay_shader() { return 0; }

#include "ring.glsl"

// Tells of what a check found, if it is `bad`. In shaders of many checks the invocation only notes it, and tells of one thing
// that it noted at its end: the instrumenter replaces this (src/spirv/instrument_later.c).
void assay_tell(const in bool bad, const in uint where, const in uint error, const in uint a, const in uint b,
                const in uint c, const in uint d, const in uint e, const in uint f)
{
    if (bad)
        assay_report(where, error, a, b, c, d, e, f);
}
// The same of accesses behind the end of a buffer, which GPUs may not survive.
void assay_tell_access(const in bool bad, const in uint where, const in uint error, const in uint a, const in uint b,
                       const in uint c, const in uint d, const in uint e, const in uint f)
{
    if (bad)
        assay_report(where, error, a, b, c, d, e, f);
}

// A number that differs between invocations, and commands: which of the things that an invocation noted it tells of.
uint assay_salt(const in uvec3 stage_words)
{
    Words command = Words(assay_command());
    uint number = command.word[COMMAND_RECORDING] + command.word[COMMAND_INDEX] * 0x27d4eb2fu;
    return (stage_words.x + stage_words.y * 0x85ebca6bu + stage_words.z * 0xc2b2ae35u + number) * 0x9e3779b1u;
}

// An invocation ends. `key` is LATER_NOTHING, or of a place and error (LATER_KEY).
void assay_end(const in uint key, const in uint salt, const in uint a, const in uint b, const in uint c, const in uint d,
               const in uint e, const in uint f)
{
    uint what = (key ^ salt) * LATER_INVERSE;
    if (key != LATER_NOTHING)
        assay_report(what & (1u << LATER_ERROR_SHIFT) - 1u, what >> LATER_ERROR_SHIFT, a, b, c, d, e, f);
}

// --- descriptors ---

// Is the index one of an array of `count` descriptors?
bool assay_index(const in uint index, const in uint count, const in uint set, const in uint binding, const in uint where)
{
    if (index < count)
        return true;
    assay_report(where, ERROR_DESCRIPTOR_INDEX, set, binding, index, count, 0u, 0u);
    return false;
}

// Address of what is known of the set that is bound; 0: nothing is.
uvec2 assay_table(const in uint set) { return assay_address(Words(assay_command()), COMMAND_TABLES + 2u * set); }

// How many descriptors the binding of variable count has in the set that is bound.
uint assay_variable_count(const in uint set)
{
    uvec2 table = assay_table(set);
    return table == uvec2(0) ? 0xffffffffu : Words(table).word[TABLE_VARIABLE_COUNT];
}

// Does the object live? What has no byte does.
bool assay_lives(const in uvec2 alive, const in uint limit, const in uint object)
{
    uint slot = object & (1u << GENERATION_SHIFT) - 1u;
    if (slot >= limit)
        return true;
    uint found = Words(alive).word[slot >> 2] >> 8u * (slot & 3u) & 0xffu;
    return found == (object >> GENERATION_SHIFT | ALIVE_BIT);
}

// Is the index one of `count` descriptors, and does that descriptor hold something that lives, of the class that the shader wants? `first` is the binding's first entry in the table.
bool assay_descriptor(const in uint index, const in uint count, const in uint first, const in uint class_wanted,
                      const in uint set, const in uint binding, const in uint where)
{
    uint error = ERROR_DESCRIPTOR_INDEX, found = count;
    if (index < count) {
        Words command = Words(assay_command());
        uvec2 table = assay_table(set), alive = assay_address(command, COMMAND_ALIVE);
        uint limit = command.word[COMMAND_ALIVE_LIMIT];
        if (table == uvec2(0))
            return true; // nothing is known of this set
        uint entry = TABLE_ENTRIES + ENTRY_WORDS * (first + index);
        found = Words(table).word[entry + ENTRY_CLASS];
        bool lives = assay_lives(alive, limit, Words(table).word[entry + ENTRY_OBJECT]);
        if ((class_wanted & CLASS_HAS_SAMPLER) != 0u && lives && (found & CLASS_TAG) == CLASS_COMBINED)
            lives = assay_lives(alive, limit, Words(table).word[entry + ENTRY_RANGE]);
        if (lives && (class_wanted & ~found & (CLASS_ANY | CLASS_RESOURCE)) == 0u)
            return true;
        error = (found & CLASS_WRITTEN) == 0u ? ERROR_DESCRIPTOR_UNINITIALIZED : lives ? ERROR_DESCRIPTOR_CLASS : ERROR_DESCRIPTOR_DESTROYED;
    }
    // One report and not two: drivers copy it.
    assay_report(where, error, set, binding, index, found, class_wanted, 0u);
    return false;
}

#include "touched.glsl"

// --- buffers ---

// The bytes (texels) of a buffer as the set's table has them in this entry; 0xffffffff: unknown.
uint assay_bytes(const in uint entry, const in uint set)
{
    uvec2 table = assay_table(set);
    if (table == uvec2(0))
        return 0xffffffffu;
    uint range = Words(table).word[entry + ENTRY_RANGE];
    return Words(table).word[entry + ENTRY_CLASS] == 0u ? 0xffffffffu : range;
}

// The same of a descriptor, which may be one that there is not.
uint assay_bound_range(const in uint index, const in uint count, const in uint first, const in uint set)
{
    if (first == 0xffffffffu || index >= count)
        return 0xffffffffu;
    return assay_bytes(TABLE_ENTRIES + ENTRY_WORDS * (first + index), set);
}

// Do `size` bytes at `offset` lie in the `range` that is bound? `error` says of what kind of buffer.
bool assay_bound(const in uint offset, const in uint size, const in uint range, const in uint index, const in uint set,
                 const in uint binding, const in uint error, const in uint where)
{
    // Without a branch: where nothing is told at once, compilers then need none.
    bool begins = offset >= range, ends = size > range - offset, known = range != 0xffffffffu;
    bool out_of_range = begins || ends, bad = known && out_of_range;
    assay_tell_access(bad, where, error, set, binding, index, offset, size, range);
    return !bad;
}

// A whole element of the runtime array at the end of a storage buffer's block. Of a descriptor that there is not, another check tells.
bool assay_whole_element(const in uint element, const in uint length, const in uint set_and_base, const in uint stride, const in uint index,
                         const in uint count, const in uint binding, const in uint where)
{
    bool past = element >= length, there = index < count, bad = past && there;
    assay_tell_access(bad, where, ERROR_STORAGE_BUFFER_ELEMENT, set_and_base, binding, index, element, length, stride);
    return !bad;
}

// An access to a part of an element of that array: `element` of `length`, which begin at `base` and are `stride` bytes long; the access is `within` the element. The last
// element may be there in part, and accesses to that part are right: the length alone does not tell, but the `range` that is bound.
bool assay_element_in(const in uint element, const in uint length, const in uint base, const in uint within, const in uint stride,
                      const in uint size, const in uint index, const in uint count, const in uint range, const in uint set,
                      const in uint binding, const in uint where)
{
    bool past = element >= length, there = index < count, known = range != 0xffffffffu;
    uint low = element * stride, offset = low + base + within;
    // Does the offset need more than 32 bits?
    bool multiplied = element > 0xffffffffu / stride, added = offset < low, wide = multiplied || added;
    bool begins = offset >= range, ends = size > range - offset;
    bool outside = begins || ends, known_outside = known && outside;
    // Of an array without elements, whose range is unknown, the descriptor is null: it reads as zero.
    bool empty = length == 0u, null = empty && !known, wide_and_there = wide && !null;
    bool wrong = known_outside || wide_and_there, bad_place = past && there, bad = wrong && bad_place;
    assay_tell_access(bad, where, ERROR_STORAGE_BUFFER_RANGE, set, binding, index, wide ? 0xffffffffu : offset, size,
                      known ? range : base + length * stride);
    return !bad;
}

// The same where what is bound is asked for when the length says no, and not before.
bool assay_element(const in uint element, const in uint length, const in uint base, const in uint within, const in uint stride,
                   const in uint size, const in uint index, const in uint count, const in uint first, const in uint set,
                   const in uint binding, const in uint where)
{
    if (element < length || index >= count)
        return true;
    return assay_element_in(element, length, base, within, stride, size, index, count, assay_bound_range(index, count, first, set), set,
                            binding, where);
}

bool assay_texel(const in uint texel, const in uint texels, const in uint index, const in uint set, const in uint binding,
                 const in uint where)
{
    assay_tell_access(texel >= texels, where, ERROR_TEXEL_BUFFER_RANGE, set, binding, index, texel, texels, 0u);
    return texel < texels;
}

// --- addresses ---

// Do the bytes lie in the range? Across a multiple of 4 GiB behind its beginning only the first of them is looked at.
bool assay_in_range(const in uvec4 range, const in uvec2 address, const in uint size)
{
    uint borrow, offset = usubBorrow(address.x, range.x, borrow), upper = address.y - range.y - borrow;
    return upper < range.w || upper == range.w && offset < range.z && size <= range.z - offset;
}

// Do `size` bytes at the address lie in a buffer whose address the app has asked for? Most often in the one that this check found the last time, which all invocations look at alike: llvmpipe then
// loads it once, and what it must gather in a loop takes several times as long. Behind a list's end stands one more range, which has no bytes.
bool assay_in_buffer(const in uvec2 address, const in uint size, const in uint where)
{
    Ranges ranges = Ranges(assay_address(Words(assay_command()), COMMAND_RANGES));
    uvec4 list = ranges.list[ranges.current.x];
    uint hint = (where * 0x9e3779b1u ^ assay_shader() * 0x85ebca6bu) >> 32 - RANGES_HINT_BITS;
    uint low = 0u, high = list.z;
    if (assay_in_range(List(list.xy).range[min(ranges.hint[hint], high)], address, size))
        return true;
    while (low < high) { // the one that it is in, if any, is in [low, high)
        uint at = (low + high) >> 1;
        uvec4 range = List(list.xy).range[at];
        if (assay_in_range(range, address, size)) {
            ranges.hint[hint] = at;
            return true;
        }
        if (address.y < range.y || address.y == range.y && address.x < range.x)
            high = at;
        else
            low = at + 1u;
    }
    return false;
}

bool assay_pointer(const in uvec2 address, const in uint size, const in uint alignment, const in uint is_write, const in uint where)
{
    bool aligned = (address.x & (alignment - 1u)) == 0u;
    if (aligned && assay_in_buffer(address, size, where))
        return true;
    // One report and not two: drivers copy it.
    assay_report(where, aligned ? ERROR_ADDRESS_RANGE : ERROR_ADDRESS_ALIGNMENT, address.x, address.y, aligned ? size : alignment, is_write, 0u, 0u);
    return false;
}

#include "checks_more.glsl"
#include "printf.glsl"
#include "abort.glsl"
#include "shared.glsl"
