// Checks of what shaders compute, of mesh outputs and of rays: included by checks.glsl.

// --- arithmetic (src/spirv/instrument_sanitizer.c): what is bad was computed by the caller, this tells ---

bool assay_value(const in bool bad, const in uint a, const in uint b, const in uint what, const in uint error, const in uint where)
{
    assay_tell(bad, where, error, what, VALUE_SCALAR, a, b, 0u, 0u);
    return !bad;
}

// The same of vectors: the first component that is bad is told.
bool assay_values(const in bvec4 bad, const in uvec4 a, const in uvec4 b, const in uint what, const in uint error,
                  const in uint where)
{
    // One report and not four: drivers copy it. Without branches, which would be copied, too.
    uint component = mix(mix(mix(3u, 2u, bad.z), 1u, bad.y), 0u, bad.x);
    assay_tell(any(bad), where, error, what, component, a[component], b[component], 0u, 0u);
    return !any(bad);
}

// Do `count` bits from `offset` on lie in the width? `what` is opcode | width << 16.
bool assay_bits(const in uint offset, const in uint count, const in uint what, const in uint where)
{
    uint width = what >> 16;
    bool begins = offset > width, ends = count > width - offset, bad = begins || ends;
    assay_tell(bad, where, ERROR_BIT_FIELD, what, offset, count, 0u, 0u, 0u);
    return !bad;
}

bool assay_limit(const in uint index, const in uint limit, const in uint error, const in uint where)
{
    assay_tell(index >= limit, where, error, index, limit, 0u, 0u, 0u, 0u);
    return index < limit;
}

// --- vertices (src/spirv/instrument_vertex.c) ---

// Are the vertex and the instance ones that the draw's buffers have?
bool assay_vertex(const in uint vertex, const in uint instance, const in uint where)
{
    uvec2 address = assay_address(Words(assay_command()), COMMAND_EXTRA);
    if (address == uvec2(0))
        return true;
    Words limits = Words(address);
    uvec2 most = uvec2(limits.word[VERTICES_LIMIT], limits.word[VERTICES_RATE_WORDS + VERTICES_LIMIT]);
    bool by_vertex = vertex >= most.x && most.x != 0xffffffffu;
    if (!by_vertex && (instance < most.y || most.y == 0xffffffffu))
        return true;
    uint at = by_vertex ? 0u : VERTICES_RATE_WORDS;
    assay_tell_access(true, where, ERROR_VERTEX_FETCH, limits.word[at + VERTICES_PLACE], by_vertex ? vertex : instance,
                 limits.word[at + VERTICES_ELEMENTS], limits.word[at + VERTICES_DIVISOR], limits.word[at + VERTICES_BUFFER],
                 limits.word[at + VERTICES_BUFFER + 1u]);
    return false;
}

// --- mesh outputs (src/spirv/instrument_mesh.c) ---

bool assay_mesh_outputs(const in uint vertices, const in uint most_vertices, const in uint primitives,
                        const in uint most_primitives, const in uint where)
{
    if (vertices <= most_vertices && primitives <= most_primitives)
        return true;
    assay_report(where, ERROR_MESH_OUTPUT, vertices, most_vertices, primitives, most_primitives, 0u, 0u);
    return false;
}

// `set`: the vertices that were set before; 0xffffffff: none were.
bool assay_mesh_once(const in uint set, const in uint where)
{
    if (set == 0xffffffffu)
        return true;
    assay_report(where, ERROR_MESH_AGAIN, set, 0u, 0u, 0u, 0u, 0u);
    return false;
}

bool assay_mesh_primitive(const in uint index, const in uint primitives, const in uint where)
{
    if (index < primitives)
        return true;
    assay_report(where, ERROR_MESH_INDEX, MESH_PER_PRIMITIVE, index, primitives, MESH_NO_VERTEX, 0u, 0u);
    return false;
}

// Vertices of a primitive: `what` is the built-in that they are written to. Where no counts were set, they are the most that there is.
bool assay_mesh_indices(const in uint index, const in uint primitives, const in uvec3 vertex, const in uint vertices,
                        const in uint what, const in uint where)
{
    uint most = max(vertex.x, max(vertex.y, vertex.z));
    if (index < primitives && most < vertices || vertices == 0xffffffffu)
        return true;
    assay_report(where, ERROR_MESH_INDEX, what, index, primitives, index < primitives ? most : MESH_NO_VERTEX, vertices, 0u);
    return false;
}

bool assay_task_groups(const in uint x, const in uint y, const in uint z, const in uint most_x, const in uint most_y,
                       const in uint most_z, const in uint most, const in uint where)
{
    uint high, low, higher;
    umulExtended(x, y, high, low);
    bool above = high != 0u && z != 0u;
    umulExtended(low, z, higher, low);
    uint which = x > most_x ? 0u : y > most_y ? 1u : z > most_z ? 2u : above || higher != 0u || low > most ? 3u : 4u;
    if (which == 4u)
        return true;
    assay_report(where, ERROR_TASK_GROUPS, x, y, z, which, which == 0u ? most_x : which == 1u ? most_y : which == 2u ? most_z : most, 0u);
    return false;
}

// --- rays (src/spirv/instrument_trace.c) ---

// What is wrong with the components, in TRACE_ bits: looked at as bits, since compilers may take it that there is no NaN.
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

bool assay_trace(const in uint opcode, const in uint flags, const in uint forbidden, const in vec3 origin,
                 const in vec3 direction, const in float least, const in float most, const in float time, const in uint where)
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
    assay_report(where, ERROR_TRACE_RAY, opcode, bad, flags, floatBitsToUint(least), floatBitsToUint(most), floatBitsToUint(time));
    return false;
}

bool assay_hit_t(const in float hit, const in float least, const in float most, const in uint where)
{
    if (least <= hit && hit <= most)
        return true;
    assay_report(where, ERROR_HIT_T, floatBitsToUint(hit), floatBitsToUint(least), floatBitsToUint(most), 0u, 0u, 0u);
    return false;
}

bool assay_hit_kind(const in uint kind, const in uint where)
{
    if (kind <= 127u)
        return true;
    assay_report(where, ERROR_HIT_KIND, kind, 0u, 0u, 0u, 0u, 0u);
    return false;
}
