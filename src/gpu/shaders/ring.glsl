// How a record gets into the ring. Who includes this says by assay_command(), assay_stage_words(), assay_stage() and assay_shader() whose record it is: the instrumenter for the shaders that
// it changes (checks.glsl), and the layer's own shaders (buffers.glsl).

// More than records can come in between before the ring is full.
#define RESERVE_TRIES 65536u

// Room for `size` words: where they begin. False: there is none, and one more record is lost. Words are taken as a whole or not at all.
bool assay_reserve(const in Ring ring, const in uint size, out uint at)
{
    uint head = atomicOr(ring.word[RING_HEAD], 0u);
    // Helper invocations of fragment shaders get nothing defined from an atomic: for them, too, this must come to an end.
    for (uint tries = 0u; tries < RESERVE_TRIES; tries++) {
        at = head;
        if (head - ring.word[RING_TAIL] + size > ring.word[RING_MASK] + 1u) {
            atomicAdd(ring.word[RING_LOST], 1u);
            return false;
        }
        head = atomicCompSwap(ring.word[RING_HEAD], at, at + size);
        if (head == at)
            return true;
    }
    atomicAdd(ring.word[RING_LOST], 1u);
    return false;
}

void assay_put(const in Ring ring, const in uint at, const in uint value)
{
    ring.word[RING_WORDS + (at & ring.word[RING_MASK])] = value;
}

// The words that all records have, but the first.
void assay_head(const in Ring ring, const in Words command, const in uint at, const in uint where, const in uint error)
{
    uvec3 stage_words = assay_stage_words();
    assay_put(ring, at + RECORD_SHADER, assay_shader());
    assay_put(ring, at + RECORD_INSTRUCTION, where);
    assay_put(ring, at + RECORD_STAGE, assay_stage());
    assay_put(ring, at + RECORD_STAGE_WORDS, stage_words.x);
    assay_put(ring, at + RECORD_STAGE_WORDS + 1, stage_words.y);
    assay_put(ring, at + RECORD_STAGE_WORDS + 2, stage_words.z);
    assay_put(ring, at + RECORD_RECORDING, command.word[COMMAND_RECORDING]);
    assay_put(ring, at + RECORD_COMMAND, command.word[COMMAND_INDEX]);
    assay_put(ring, at + RECORD_ERROR, error);
}

// The record is whole: who reads it looks for its size.
void assay_seal(const in Ring ring, const in uint at, const in uint size)
{
    memoryBarrierBuffer();
    atomicExchange(ring.word[RING_WORDS + (at & ring.word[RING_MASK])], size);
}

// Drivers copy all of this to every check: every load, store and multiplication here costs as much time in their compilers as a check does. So there is no loop (see RING_SEEN in abi.h).
void assay_report(const in uint where, const in uint error, const in uint a, const in uint b, const in uint c,
                  const in uint d, const in uint e, const in uint f)
{
    Words command = Words(assay_command());
    uint recording = command.word[COMMAND_RECORDING], number = command.word[COMMAND_INDEX];
    Records ring = Records(assay_address(command, COMMAND_RING));
    uint site = (where ^ error << 24) * 0x9e3779b1u + assay_shader();
    uint seen = site + recording * 0x27d4eb2fu + number * 0x165667b1u >> 32 - RING_SEEN_BITS;
    if (atomicAdd(ring.before[RING_SEEN + seen], 1u) != 0u)
        return;
    uint at = atomicAdd(ring.before[RING_CHECKS], 1u) & RING_SEEN_WORDS - 1;
    ring.record[at].words[0] = uvec4(0u, assay_shader(), where, assay_stage());
    ring.record[at].words[1] = uvec4(assay_stage_words(), recording);
    ring.record[at].words[2] = uvec4(number, error, a, b);
    ring.record[at].words[3] = uvec4(c, d, e, f);
    // The record is whole: who reads it looks for its size.
    memoryBarrierBuffer();
    atomicExchange(ring.record[at].words[0].x, seen << 8 | RECORD_CHECK_LENGTH);
}
