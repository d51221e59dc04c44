// OpAbortKHR (src/spirv/abort/abort_flow.c): the message's record, which is written a few words at a time, and whether somebody has aborted.

layout(buffer_reference, std430, buffer_reference_align = 16) volatile buffer Aborts { uint before[RING_ABORT_COUNT]; uint count, pad[31], used; };

// The device is aborted from here on. Room for a message of `words` words: the ring's address, where its words begin, and whether there is room.
uvec4 assay_abort_begin(const in uint where, const in uint site, const in uint words)
{
    Words command = Words(assay_command());
    uvec2 address = COMMAND_ADDRESS(COMMAND_RING);
    Ring ring = Ring(address);
    uint units = (ABORT_MESSAGE + words + ABORT_UNIT - 1u) / ABORT_UNIT, used = Aborts(address).used;
    // An invocation that has taken room has counted before that. An atomic goes to host memory: a
    // million of them take a second.
    if (used == 0u)
        atomicAdd(ring.word[RING_ABORT_COUNT], 1u);
    // An invocation that finds it full takes nothing. So it could come around only if a million
    // invocations with the largest messages had looked before that, and all of them had added then.
    // There is no loop. Helper invocations of fragment shaders get nothing defined from an atomic,
    // and lavapipe's compiler has been seen to make something wrong of one.
    if (used < ABORT_UNITS)
        used = atomicAdd(ring.word[RING_ABORT_USED], units);
    if (used >= ABORT_UNITS || units > ABORT_UNITS - used) {
        atomicAdd(ring.word[RING_ABORT_LOST], 1u);
        return uvec4(0u);
    }
    uint at = RING_ABORT + used * ABORT_UNIT;
    uvec4 stage_words = assay_stage_words();
    ring.word[at + ABORT_SHADER] = assay_shader();
    ring.word[at + ABORT_INSTRUCTION] = where;
    ring.word[at + ABORT_STAGE] = assay_stage();
    ring.word[at + ABORT_STAGE_WORDS] = stage_words.x;
    ring.word[at + ABORT_STAGE_WORDS + 1] = stage_words.y;
    ring.word[at + ABORT_STAGE_WORDS + 2] = stage_words.z;
    ring.word[at + ABORT_RECORDING] = command.word[COMMAND_RECORDING];
    ring.word[at + ABORT_COMMAND] = command.word[COMMAND_INDEX];
    ring.word[at + ABORT_SITE] = site;
    return uvec4(address, at, 1u);
}

void assay_abort_word(const in uvec4 record, const in uint number, const in uint word)
{
    if (record.w != 0u)
        Ring(record.xy).word[record.z + ABORT_MESSAGE + number] = word;
}

// Four words, from this number on.
void assay_abort_words(const in uvec4 record, const in uint number, const in uvec4 words)
{
    if (record.w == 0u)
        return;
    Ring ring = Ring(record.xy);
    uint at = record.z + ABORT_MESSAGE + number;
    ring.word[at] = words.x;
    ring.word[at + 1u] = words.y;
    ring.word[at + 2u] = words.z;
    ring.word[at + 3u] = words.w;
}

// The message is whole: its reader looks for its size.
void assay_abort_end(const in uvec4 record, const in uint words)
{
    if (record.w == 0u)
        return;
    memoryBarrierBuffer();
    atomicExchange(Ring(record.xy).word[record.z + ABORT_SIZE], ABORT_MESSAGE + words);
}

// True if any invocation has aborted.
bool assay_aborted() { return Aborts(COMMAND_ADDRESS(COMMAND_RING)).count != 0u; }
