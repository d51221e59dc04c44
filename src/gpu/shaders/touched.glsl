// Reports which descriptors a command's shaders access, for hazards (src/sync/touched/touched.c). It is
// included by checks.glsl.

// Not coherent: a slot that is read late is asked for again by the atomic, which never is.
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Touched { uint word[]; };

// The object that the descriptor names, as the layer will know it again.
uint assay_touched_object(const in uint set, const in uint descriptor)
{
    uvec2 table = assay_table(COMMAND_TABLES / 2 + set);
    bool none = table == uvec2(0);
    return mix(assay_pair(table, none, (TABLE_ENTRIES + ENTRY_WORDS * descriptor + ENTRY_OBJECT) / 2u).x, 0u, none);
}

// Descriptor `first` + `index`, of `count` in its binding, is accessed. `kind` is the key (TOUCHED_...) without it. Always true.
bool assay_touched(const in uint index, const in uint count, const in uint first, const in uint kind, const in uint size)
{
    uvec2 address = COMMAND_ADDRESS(COMMAND_TOUCHED);
    if (address == uvec2(0) || index >= count)
        return true;
    Touched touched = Touched(address);
    uint key = kind | ((first + index) & TOUCHED_DESCRIPTOR_MASK);
    uint mask = touched.word[TOUCHED_MASK];
    uint at = (key * 0x9e3779b1u) >> 8;
    // Helper invocations of fragment shaders get nothing defined from an atomic: for them, too, this must come to an end.
    for (uint tries = 0u; tries < TOUCHED_TRIES; tries++) {
        uint slot = TOUCHED_SLOTS + ((at + tries) & mask);
        uint there = touched.word[slot];
        if (there == 0u) {
            // Where the list is full, no more slots are taken: what is asked for meets an empty one soon.
            if (touched.word[TOUCHED_COUNT] > touched.word[TOUCHED_LIMIT])
                return true;
            there = atomicCompSwap(touched.word[slot], 0u, key);
            if (there == 0u) {
                uint place = atomicAdd(touched.word[TOUCHED_COUNT], 1u);
                if (place >= touched.word[TOUCHED_LIMIT])
                    return true;
                uint entry = TOUCHED_SLOTS + mask + 1u + TOUCHED_WORDS * place;
                touched.word[entry + TOUCHED_KEY] = key;
                touched.word[entry + TOUCHED_OBJECT] =
                    assay_touched_object(kind >> TOUCHED_SET_SHIFT & TOUCHED_SET_MASK, first + index);
                touched.word[entry + TOUCHED_SIZE] = size;
                return true;
            }
        }
        if (there == key)
            return true;
    }
    atomicOr(touched.word[TOUCHED_COUNT], 0x10000u); // past every limit: some are lost
    return true;
}
