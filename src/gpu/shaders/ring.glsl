// How a record gets into the ring. Who includes this says by assay_command(), assay_stage_words(), assay_stage() and assay_shader() whose record it is: the instrumenter for the shaders that
// it changes (checks.glsl), and the layer's own shaders (buffers.glsl).

uvec2 assay_address(const in Words words, const in uint at) { return uvec2(words.word[at], words.word[at + 1]); }

// Is this the first record of its kind? There is a bit for each hash of what it says.
bool assay_is_new(const in Ring ring, const in uint hash)
{
    uint bit = 1u << (hash & 31u);
    uint word = RING_SEEN + ((hash >> 5) & (RING_SEEN_WORDS - 1u));
    if ((ring.word[word] & bit) == 0u && (atomicOr(ring.word[word], bit) & bit) == 0u)
        return true;
    atomicAdd(ring.word[RING_REPEATED], 1u);
    return false;
}

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

void assay_report(const in uint where, const in uint error, const in uint a, const in uint b, const in uint c,
                  const in uint d, const in uint e, const in uint f)
{
    Words command = Words(assay_command());
    uvec2 ring_address = assay_address(command, COMMAND_RING);
    Ring ring = Ring(ring_address);
    uint hash = (assay_shader() ^ where * 0x9e3779b1u ^ error * 0x85ebca6bu) * 0xc2b2ae35u;
    hash = (hash ^ hash >> 15 ^ command.word[COMMAND_RECORDING] * 0x27d4eb2fu ^ command.word[COMMAND_INDEX] * 0x165667b1u) * 0x9e3779b1u;
    uint at;
    if (!assay_is_new(ring, hash >> 8) || !assay_reserve(ring, RECORD_CHECK_LENGTH, at))
        return;
    // Drivers copy all of this to every check: few stores, and none that must be masked.
    Records records = Records(ring_address);
    uint place = (at & ring.word[RING_MASK]) / RECORD_CHECK_LENGTH;
    records.record[place].shader = assay_shader();
    records.record[place].where = where;
    records.record[place].stage = assay_stage();
    records.record[place].rest[0] = uvec4(assay_stage_words(), command.word[COMMAND_RECORDING]);
    records.record[place].rest[1] = uvec4(command.word[COMMAND_INDEX], error, a, b);
    records.record[place].rest[2] = uvec4(c, d, e, f);
    // The record is whole: who reads it looks for its size.
    memoryBarrierBuffer();
    atomicExchange(records.record[place].size, RECORD_CHECK_LENGTH);
}
