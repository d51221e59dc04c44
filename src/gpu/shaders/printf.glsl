// Debug printf: a record of its own length, which is written a few words at a time. Every call gets one: what is printed twice was meant to be.

// Room for a record of `size` words, of which it writes all but those of the arguments. The ring's address, where the record begins, and whether there is room.
uvec4 assay_printf_begin(const in uint where, const in uint format, const in uint size)
{
    Words command = Words(assay_command());
    uvec2 ring = COMMAND_ADDRESS(COMMAND_RING);
    uint at;
    if (!assay_reserve(Ring(ring), size, at))
        return uvec4(0u);
    assay_head(Ring(ring), command, at, where, ERROR_PRINTF);
    assay_put(Ring(ring), at + RECORD_ERROR_WORDS, format);
    return uvec4(ring, at, 1u);
}

// Words of arguments, from number `first` on.
void assay_printf_words(const in uvec4 record, const in uint first, const in uvec4 words)
{
    if (record.w == 0u)
        return;
    Ring ring = Ring(record.xy);
    uint at = record.z + RECORD_ERROR_WORDS + 1u + first;
    assay_put(ring, at, words.x);
    assay_put(ring, at + 1u, words.y);
    assay_put(ring, at + 2u, words.z);
    assay_put(ring, at + 3u, words.w);
}

void assay_printf_end(const in uvec4 record, const in uint size)
{
    if (record.w != 0u)
        assay_seal(Ring(record.xy), record.z, size);
}
