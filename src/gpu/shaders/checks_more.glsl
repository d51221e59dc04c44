// Checks of what shaders compute, of mesh outputs and of rays: included by checks.glsl.

// --- arithmetic (src/spirv/instrument/instrument_sanitizer.c): what is bad was computed by the caller, this tells ---

// For vectors, the first component that is bad is reported. One report and not several: drivers
// copy it. Without branches, which would be copied, too.
#define ASSAY_VALUES(count_, component_)                                                                                         \
    bool assay_values##count_(const in bvec##count_ bad, const in uvec##count_ a, const in uvec##count_ b, const in uint site) \
    {                                                                                                                            \
        uint component = component_;                                                                                             \
        assay_tell(any(bad), site, component, a[component], b[component]);                                                       \
        return !any(bad);                                                                                                        \
    }
ASSAY_VALUES(2, mix(1u, 0u, bad.x))
ASSAY_VALUES(3, mix(mix(2u, 1u, bad.y), 0u, bad.x))
ASSAY_VALUES(4, mix(mix(mix(3u, 2u, bad.z), 1u, bad.y), 0u, bad.x))

// Tells of a NaN in `value`, or of an infinity that was made of finite numbers (NAN_... flags). It
// looks at bits, since compilers may take it that there is no NaN. True if one was there.
bool assay_nan(const in uvec4 value, const in uvec4 a, const in uvec4 b, const in uint flags, const in uint site)
{
    uvec4 size = value & 0x7fffffffu, most = max(a & 0x7fffffffu, b & 0x7fffffffu);
    uvec4 infinity = uvec4(0x7f800000u);
    uvec4 nan = uvec4(greaterThan(size, infinity)), by_operand = uvec4(greaterThan(most, infinity));
    uvec4 made = uvec4(equal(size, infinity)) & uvec4(lessThan(most, infinity));
    uvec4 bad = nan & (by_operand | uvec4(flags & NAN_OF_OPERAND ^ NAN_OF_OPERAND) / NAN_OF_OPERAND) | made & uvec4(flags & NAN_INFINITE);
    uint component = mix(mix(mix(3u, 2u, bad.z != 0u), 1u, bad.y != 0u), 0u, bad.x != 0u);
    bool silent = flags == NAN_SILENT, tell = any(notEqual(bad, uvec4(0u))) && !silent;
    assay_tell_more(tell, site, component, value[component], a[component], b[component], 0u, 0u);
    return tell || silent;
}

// True if `count` bits from `offset` on lie in the width.
bool assay_bits(const in uint offset, const in uint count, const in uint width, const in uint site)
{
    bool begins = offset > width, ends = count > width - offset, bad = begins || ends;
    assay_tell(bad, site, offset, count, 0u);
    return !bad;
}

// --- vertices (src/spirv/instrument/instrument_vertex.c) ---

// Checks that the vertex and the instance are ones that the draw's buffers have.
void assay_vertex(const in uint vertex, const in uint instance, const in uint site)
{
    uvec2 address = COMMAND_ADDRESS(COMMAND_EXTRA);
    // One way out, so that the instrumenter can put this in the place of its call.
    if (address != uvec2(0)) {
        Pairs limits = Pairs(address);
        uint vertices = limits.pair[VERTICES_LIMIT / 2].x;
        uint instances = limits.pair[(VERTICES_RATE_WORDS + VERTICES_LIMIT) / 2].x;
        bool past = vertex >= vertices, ends = vertices != 0xffffffffu, by_vertex = past && ends;
        bool past_instance = instance >= instances, ends_instance = instances != 0xffffffffu;
        bool by_instance = past_instance && ends_instance, bad = by_vertex || by_instance;
        uint at = mix(VERTICES_RATE_WORDS / 2u, 0u, by_vertex);
        uvec2 counts = limits.pair[at + VERTICES_ELEMENTS / 2], buffer_id = limits.pair[at + VERTICES_BUFFER / 2];
        uint index = mix(instance, vertex, by_vertex);
        assay_tell_more(bad, site, limits.pair[at].y, index, counts.x, counts.y, buffer_id.x, buffer_id.y);
    }
}

// --- mesh outputs (src/spirv/instrument/instrument_mesh.c) ---

bool assay_mesh_outputs(const in uint vertices, const in uint most_vertices, const in uint primitives,
                        const in uint most_primitives, const in uint site)
{
    bool bad = vertices > most_vertices || primitives > most_primitives;
    assay_tell_now(bad, site, vertices, primitives, 0u);
    return !bad;
}

// `set`: the vertices that were set before; 0xffffffff: none were.
bool assay_mesh_once(const in uint set, const in uint site)
{
    assay_tell_now(set != 0xffffffffu, site, set, 0u, 0u);
    return set == 0xffffffffu;
}

bool assay_mesh_primitive(const in uint index, const in uint primitives, const in uint site)
{
    assay_tell_now(index >= primitives, site, index, primitives, 0u);
    return index < primitives;
}

// Vertices of a primitive. Where no counts were set, they are the most that there is.
bool assay_mesh_indices(const in uint index, const in uint primitives, const in uvec3 vertex, const in uint vertices, const in uint site)
{
    uint most = max(vertex.x, max(vertex.y, vertex.z));
    if (index < primitives && most < vertices || vertices == 0xffffffffu)
        return true;
    assay_tell_more(true, site, index, primitives, index < primitives ? most : MESH_NO_VERTEX, vertices, 0u, 0u);
    return false;
}

bool assay_task_groups(const in uint x, const in uint y, const in uint z, const in uint most_x, const in uint most_y,
                       const in uint most_z, const in uint most, const in uint site)
{
    uint high, low, higher;
    umulExtended(x, y, high, low);
    bool above = high != 0u && z != 0u;
    umulExtended(low, z, higher, low);
    uint which = x > most_x ? 0u : y > most_y ? 1u : z > most_z ? 2u : above || higher != 0u || low > most ? 3u : 4u;
    if (which == 4u)
        return true;
    assay_tell_more(true, site, x, y, z, which, which == 0u ? most_x : which == 1u ? most_y : which == 2u ? most_z : most, 0u);
    return false;
}

// --- rays (src/spirv/instrument/instrument_trace.c) ---

// Returns what is wrong with the components, in TRACE_ bits: looked at as bits, since compilers may
// take it that there is no NaN.
uint assay_not_finite(const in vec3 v)
{
    uvec3 bits = floatBitsToUint(v) & 0x7fffffffu;
    if (any(greaterThan(bits, uvec3(0x7f800000u))))
        return TRACE_NAN;
    return any(equal(bits, uvec3(0x7f800000u))) ? TRACE_INFINITE : 0u;
}

uint assay_ray_flags(const in uint flags, const in uint forbidden)
{
    uint bad = (flags & 0x300u) == 0x300u ? TRACE_SKIPS_BOTH : 0u; // SkipTrianglesKHR, SkipAABBsKHR
    if (bitCount(flags & 0x130u) > 1)                              // SkipTrianglesKHR, CullBackFacingTrianglesKHR, CullFrontFacingTrianglesKHR
        bad |= TRACE_CULLS_TWICE;
    if (bitCount(flags & 0xc3u) > 1)                               // OpaqueKHR, NoOpaqueKHR, CullOpaqueKHR, CullNoOpaqueKHR
        bad |= TRACE_OPAQUE_TWICE;
    if ((flags & forbidden & 0x100u) != 0u)
        bad |= TRACE_SKIPS_TRIANGLES;
    if ((flags & forbidden & 0x200u) != 0u)
        bad |= TRACE_SKIPS_AABBS;
    if ((flags & forbidden & 0x400u) != 0u)
        bad |= TRACE_MICROMAP;
    return bad;
}

bool assay_trace(const in uint flags, const in uint forbidden, const in vec3 origin,
                 const in vec3 direction, const in float least, const in float most, const in float time, const in uint site)
{
    uint bad = assay_not_finite(origin) | assay_not_finite(direction) | assay_ray_flags(flags, forbidden);
    if (((assay_not_finite(vec3(least)) | assay_not_finite(vec3(most))) & TRACE_NAN) != 0u) {
        bad |= TRACE_NAN;
    } else {
        if (least < 0.0 || most < 0.0)
            bad |= TRACE_NEGATIVE;
        if (least > most)
            bad |= TRACE_ORDER;
    }
    if (!(time >= 0.0 && time <= 1.0))
        bad |= TRACE_TIME;
    if (bad == 0u)
        return true;
    assay_tell_more(true, site, bad, flags, floatBitsToUint(least), floatBitsToUint(most), floatBitsToUint(time), 0u);
    return false;
}

bool assay_hit_t(const in float hit, const in float least, const in float most, const in uint site)
{
    bool good = least <= hit && hit <= most;
    assay_tell_now(!good, site, floatBitsToUint(hit), floatBitsToUint(least), floatBitsToUint(most));
    return good;
}

bool assay_ray_query(const in uint ready, const in uint site)
{
    assay_tell_now(ready == 0u, site, 0u, 0u, 0u);
    return ready != 0u;
}

bool assay_hit_kind(const in uint kind, const in uint site)
{
    assay_tell_now(kind > 127u, site, kind, 0u, 0u);
    return kind <= 127u;
}
