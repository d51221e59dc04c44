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

// --- descriptors ---

// Is the index one of an array of `count` descriptors?
bool assay_index(const in uint index, const in uint count, const in uint set, const in uint binding, const in uint where)
{
    if (index < count)
        return true;
    assay_report(where, ERROR_DESCRIPTOR_INDEX, set, binding, index, count, 0u, 0u);
    return false;
}

// How many descriptors the binding of variable count has in the set that is bound.
uint assay_variable_count(const in uint set)
{
    uvec2 table = Command(assay_command()).tables[set];
    return table == uvec2(0) ? 0xffffffffu : Words(table).word[TABLE_VARIABLE_COUNT];
}

// Does the object live? What has no byte does.
bool assay_lives(const in uvec4 alive, const in uint object)
{
    uint slot = object & (1u << GENERATION_SHIFT) - 1u;
    if (slot >= alive.z)
        return true;
    uint found = Words(alive.xy).word[slot >> 2] >> 8u * (slot & 3u) & 0xffu;
    return found == (object >> GENERATION_SHIFT | ALIVE_BIT);
}

// Is the index one of `count` descriptors, and does that descriptor hold something that lives, of the class that the shader wants? `first` is the binding's first entry in the table.
bool assay_descriptor(const in uint index, const in uint count, const in uint first, const in uint class_wanted,
                      const in uint set, const in uint binding, const in uint where)
{
    uint error = ERROR_DESCRIPTOR_INDEX, found = count;
    if (index < count) {
        Command command = Command(assay_command());
        uvec2 table = command.tables[set];
        if (table == uvec2(0))
            return true; // nothing is known of this set
        uint entry = TABLE_ENTRIES + ENTRY_WORDS * (first + index);
        found = Words(table).word[entry + ENTRY_CLASS];
        bool lives = assay_lives(command.alive, Words(table).word[entry + ENTRY_OBJECT]);
        if ((class_wanted & CLASS_HAS_SAMPLER) != 0u && lives && (found & CLASS_TAG) == CLASS_COMBINED)
            lives = assay_lives(command.alive, Words(table).word[entry + ENTRY_RANGE]);
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

// The bytes (texels) of a buffer as the set's table has them; 0xffffffff: unknown, as of a descriptor that there is not.
uint assay_bound_range(const in uint index, const in uint count, const in uint first, const in uint set)
{
    if (first == 0xffffffffu || index >= count)
        return 0xffffffffu;
    uvec2 table = Command(assay_command()).tables[set];
    if (table == uvec2(0))
        return 0xffffffffu;
    uint entry = TABLE_ENTRIES + ENTRY_WORDS * (first + index);
    return Words(table).word[entry + ENTRY_CLASS] == 0u ? 0xffffffffu : Words(table).word[entry + ENTRY_RANGE];
}

// Do `size` bytes at `offset` lie in what is bound? `error` says of what kind of buffer.
bool assay_bound(const in uint offset, const in uint size, const in uint index, const in uint count, const in uint first,
                 const in uint set, const in uint binding, const in uint error, const in uint where)
{
    uint range = assay_bound_range(index, count, first, set);
    if (range == 0xffffffffu || offset < range && size <= range - offset)
        return true;
    assay_report(where, error, set, binding, index, offset, size, range);
    return false;
}

// A whole element of the runtime array at the end of a storage buffer's block. Of a descriptor that there is not, another check tells.
bool assay_whole_element(const in uint element, const in uint length, const in uint set_and_base, const in uint stride, const in uint index,
                         const in uint count, const in uint binding, const in uint where)
{
    if (element < length || index >= count)
        return true;
    assay_report(where, ERROR_STORAGE_BUFFER_ELEMENT, set_and_base, binding, index, element, length, stride);
    return false;
}

// An access to a part of an element of that array: `element` of `length`, which begin at `base` and are `stride` bytes long; the access is `within` the element. The last
// element may be there in part, and accesses to that part are right: the length alone does not tell.
bool assay_element(const in uint element, const in uint length, const in uint base, const in uint within, const in uint stride,
                   const in uint size, const in uint index, const in uint count, const in uint first, const in uint set,
                   const in uint binding, const in uint where)
{
    if (element < length || index >= count)
        return true;
    uint high, low, carry;
    umulExtended(element, stride, high, low);
    uint offset = uaddCarry(low, base + within, carry);
    uint range = assay_bound_range(index, count, first, set);
    if (length == 0u && range == 0xffffffffu)
        return true; // a null descriptor: it reads as zero
    if (high + carry == 0u) {
        if (range == 0xffffffffu || offset < range && size <= range - offset)
            return true;
    } else {
        offset = 0xffffffffu;
    }
    assay_report(where, ERROR_STORAGE_BUFFER_RANGE, set, binding, index, offset, size,
                 range != 0xffffffffu ? range : base + length * stride);
    return false;
}

bool assay_texel(const in uint texel, const in uint texels, const in uint index, const in uint set, const in uint binding,
                 const in uint where)
{
    if (texel < texels)
        return true;
    assay_report(where, ERROR_TEXEL_BUFFER_RANGE, set, binding, index, texel, texels, 0u);
    return false;
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
    Ranges ranges = Ranges(Command(assay_command()).ranges.xy);
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
