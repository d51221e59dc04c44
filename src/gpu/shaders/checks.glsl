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

// The set's table, or null.
uvec2 assay_table(const in Words command, const in uint set)
{
    return set < command.word[COMMAND_SET_COUNT] ? assay_address(command, COMMAND_TABLES + 2u * set) : uvec2(0);
}

// How many descriptors the binding of variable count has in the set that is bound.
uint assay_variable_count(const in uint set)
{
    uvec2 table = assay_table(Words(assay_command()), set);
    return table == uvec2(0) ? 0xffffffffu : Words(table).word[TABLE_VARIABLE_COUNT];
}

// Does the object of this slot and generation live? What has no byte does.
bool assay_lives(const in Words command, const in uint slot, const in uint generation)
{
    if (slot >= command.word[COMMAND_ALIVE_LIMIT])
        return true;
    uint found = Words(assay_address(command, COMMAND_ALIVE)).word[slot >> 2] >> (8u * (slot & 3u)) & 0xffu;
    return found == ((generation & GENERATION_BITS) | ALIVE_BIT);
}

// What a shader expects of a view and what it is differ. Of a view of which nothing is known nothing is said.
bool assay_differs(const in uint class_found, const in uint mask, const in uint wanted)
{
    uint difference = (class_found ^ wanted) & mask;
    if ((class_found & CLASS_NUMERIC) == 0u)
        difference &= ~CLASS_NUMERIC;
    return (class_found & CLASS_DIM) != 0u && difference != 0u;
}

// Is the index one of `count` descriptors, and does that descriptor hold something that lives, of the class that the shader wants? `first` is the binding's first entry in the table.
bool assay_descriptor(const in uint index, const in uint count, const in uint first, const in uint class_mask,
                      const in uint class_wanted, const in uint set, const in uint binding, const in uint where)
{
    if (!assay_index(index, count, set, binding, where))
        return false;
    Words command = Words(assay_command());
    uvec2 address = assay_table(command, set);
    if (address == uvec2(0))
        return true; // nothing is known of this set
    Words table = Words(address);
    uint entry = TABLE_ENTRIES + ENTRY_WORDS * (first + index);
    uint object = table.word[entry + ENTRY_OBJECT];
    uint class_found = table.word[entry + ENTRY_CLASS];
    uint error = ERROR_DESCRIPTOR_UNINITIALIZED;
    if (object == ENTRY_NULL)
        return true;
    if (object != 0u) {
        bool lives = assay_lives(command, object, class_found >> 24);
        uint sampler_word = (class_found & CLASS_TAG) == CLASS_COMBINED ? table.word[entry + ENTRY_RANGE] : 0u;
        if (lives && sampler_word != 0u)
            lives = assay_lives(command, sampler_word & ((1u << SAMPLER_GENERATION_SHIFT) - 1u), sampler_word >> SAMPLER_GENERATION_SHIFT);
        if (lives && !assay_differs(class_found, class_mask, class_wanted))
            return true;
        error = lives ? ERROR_DESCRIPTOR_CLASS : ERROR_DESCRIPTOR_DESTROYED;
    }
    assay_report(where, error, set, binding, index, class_found & 0xffffffu, class_wanted, class_mask);
    return false;
}

#include "touched.glsl"

// --- buffers ---

// The bytes (texels) of a buffer as the set's table has them; 0xffffffff: unknown, as of a descriptor that there is not.
uint assay_bound_range(const in uint index, const in uint count, const in uint first, const in uint set)
{
    uvec2 table = first == 0xffffffffu || index >= count ? uvec2(0) : assay_table(Words(assay_command()), set);
    if (table == uvec2(0))
        return 0xffffffffu;
    uint entry = TABLE_ENTRIES + ENTRY_WORDS * (first + index);
    uint object = Words(table).word[entry + ENTRY_OBJECT];
    return object == 0u || object == ENTRY_NULL ? 0xffffffffu : Words(table).word[entry + ENTRY_RANGE];
}

// Do `size` bytes at `offset` lie in what is bound? `error` says of what kind of buffer.
bool assay_bound(const in uint offset, const in uint size, const in uint index, const in uint count, const in uint first,
                 const in uint set, const in uint binding, const in uint error, const in uint where)
{
    uint range = assay_bound_range(index, count, first, set);
    if (offset < range && size <= range - offset)
        return true;
    if (range == 0xffffffffu)
        return true;
    assay_report(where, error, set, binding, index, offset, size, range);
    return false;
}

// An access in the runtime array at the end of a storage buffer's block: `element` of `length`, which begin at `base` and are `stride` bytes long; the access is `within` the element. The last
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
    if (high + carry == 0u) {
        if (range != 0xffffffffu && offset < range && size <= range - offset)
            return true;
        if (range == 0xffffffffu && size != stride)
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

bool assay_below(const in uvec2 a, const in uvec2 b) { return a.y < b.y || a.y == b.y && a.x < b.x; }

bool assay_in_range(const in uvec4 range, const in uvec2 address, const in uint size)
{
    uint carry;
    uvec2 end;
    end.x = uaddCarry(address.x, size, carry);
    end.y = address.y + carry;
    return !assay_below(address, range.xy) && !assay_below(range.zw, end);
}

// Do `size` bytes at the address lie in a buffer whose address the app has asked for? Most often in the one that this check found the last time: that takes one load, and searching for it many.
bool assay_in_buffer(const in uvec2 address, const in uint size, const in uint where)
{
    Ranges ranges = Ranges(assay_address(Words(assay_command()), COMMAND_RANGES));
    uint current = ranges.word[RANGES_CURRENT];
    if (current == RANGES_UNKNOWN)
        return true;
    List list = List(uvec2(ranges.word[RANGES_LISTS + 2u * current], ranges.word[RANGES_LISTS + 2u * current + 1u]));
    uint hint = (where * 0x9e3779b1u ^ assay_shader() * 0x85ebca6bu) >> 32 - RANGES_HINT_BITS;
    uint low = ranges.hint[hint], high = list.word[LIST_COUNT];
    if (low < high && assay_in_range(list.range[low], address, size))
        return true;
    low = 0u; // the last that begins at or below the address is in [low, high)
    while (high - low > 1u) {
        uint middle = (low + high) >> 1;
        if (assay_below(address, list.range[middle].xy))
            high = middle;
        else
            low = middle;
    }
    if (high == 0u || !assay_in_range(list.range[low], address, size))
        return false;
    ranges.hint[hint] = low;
    return true;
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

// --- vertices ---

bool assay_vertex(const in uint vertex, const in uint instance, const in uint where)
{
    uvec2 address = assay_address(Words(assay_command()), COMMAND_EXTRA);
    if (address == uvec2(0))
        return true;
    Words limits = Words(address);
    if (vertex >= limits.word[VERTICES_COUNT]) {
        assay_report(where, ERROR_VERTEX_FETCH, limits.word[VERTICES_LOCATION], limits.word[VERTICES_BINDING], vertex,
                     limits.word[VERTICES_COUNT], 0u, 0u);
        return false;
    }
    if (instance >= limits.word[INSTANCES_COUNT]) {
        assay_report(where, ERROR_VERTEX_FETCH, limits.word[INSTANCES_LOCATION], limits.word[INSTANCES_BINDING], instance,
                     limits.word[INSTANCES_COUNT], 1u, 0u);
        return false;
    }
    return true;
}
#include "checks_more.glsl"
#include "printf.glsl"
