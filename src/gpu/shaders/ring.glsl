// Puts a record into the ring. The file that includes this says by assay_command(),
// assay_stage_words(), assay_stage() and assay_shader() whose record it is. For the shaders that
// are changed that is the instrumenter (checks.glsl), else the layer's own shaders (buffers.glsl).

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
    uvec4 stage_words = assay_stage_words();
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

// The record is whole: its reader looks for its size.
void assay_seal(const in Ring ring, const in uint at, const in uint size)
{
    memoryBarrierBuffer();
    atomicExchange(ring.word[RING_WORDS + (at & ring.word[RING_MASK])], size);
}

// Drivers copy all of this to every check: every load, store and multiplication here costs as much time in their compilers as
// a check does. So there is no loop (see RING_SEEN in abi.h), and what is constant is not written, but known by the site.
#define ASSAY_RECORD(bad_, site_, a_, b_, c_, more_)                                                    \
    if (bad_) {                                                                                         \
        uvec4 command = Fours(assay_command()).four[0];                                                 \
        Fours ring = Fours(command.zw);                                                                 \
        uint seen = RING_SEEN_HASH((site_) + command.x);                                                \
        if (atomicAdd(ring.four[RING_COUNTS / 4 + seen].x, 1u) == 0u) {                                 \
            /* RING_STEPS equals RING_COUNTS / 4, which is a constant that code has already. */         \
            uint at = atomicAdd(ring.four[RING_COUNTS / 4].y, RING_STEP) % uint(RING_STEPS);            \
            ring.four[at] = command; /* the ring's address is where CHECK_WHOLE comes to stand */       \
            ring.four[at + 1u] = assay_stage_words();                                                   \
            ring.four[at + 2u] = uvec4((site_), (a_), (b_), (c_));                                      \
            more_                                                                                       \
            /* The record is whole: its reader looks for this word. */                                \
            memoryBarrierBuffer();                                                                      \
            atomicExchange(ring.four[at].z, 1u);                                                        \
        }                                                                                               \
    }

// Tells of what a check found at this site (CHECK_SITE), if it is `bad`: with three words, or with six.
void assay_tell_now(const in bool bad, const in uint site, const in uint a, const in uint b, const in uint c)
{
    ASSAY_RECORD(bad, site, a, b, c, )
}

void assay_tell_more(const in bool bad, const in uint site, const in uint a, const in uint b, const in uint c, const in uint d,
                     const in uint e, const in uint f)
{
    ASSAY_RECORD(bad, site, a, b, c, ring.four[at + 3u] = uvec4(d, e, f, 0u);)
}
