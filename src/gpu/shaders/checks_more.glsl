// Checks of what shaders compute, of mesh outputs and of rays: included by checks.glsl.

// --- arithmetic (src/spirv/instrument_sanitizer.c): what is bad was computed by the caller, this tells ---

bool assay_value(const in bool bad, const in uint a, const in uint b, const in uint what, const in uint error, const in uint where)
{
    if (bad)
        assay_report(where, error, what, VALUE_SCALAR, a, b, 0u, 0u);
    return !bad;
}

// The same of vectors: the first component that is bad is told.
bool assay_values(const in bvec4 bad, const in uvec4 a, const in uvec4 b, const in uint what, const in uint error,
                  const in uint where)
{
    if (!any(bad))
        return true;
    if (bad.x)
        assay_report(where, error, what, 0u, a.x, b.x, 0u, 0u);
    else if (bad.y)
        assay_report(where, error, what, 1u, a.y, b.y, 0u, 0u);
    else if (bad.z)
        assay_report(where, error, what, 2u, a.z, b.z, 0u, 0u);
    else
        assay_report(where, error, what, 3u, a.w, b.w, 0u, 0u);
    return false;
}

// Do `count` bits from `offset` on lie in the width? `what` is opcode | width << 16.
bool assay_bits(const in uint offset, const in uint count, const in uint what, const in uint where)
{
    uint width = what >> 16;
    if (offset <= width && count <= width - offset)
        return true;
    assay_report(where, ERROR_BIT_FIELD, what, offset, count, 0u, 0u, 0u);
    return false;
}

bool assay_limit(const in uint index, const in uint limit, const in uint error, const in uint where)
{
    if (index < limit)
        return true;
    assay_report(where, error, index, limit, 0u, 0u, 0u, 0u);
    return false;
}
