// Races in shared memory (src/spirv/instrument_shared.c). For each scalar of it there is a shadow word that says who used it last, how, and between which barriers: SHARED_... The instrumenter
// replaces the first two functions.
uint assay_shadow(const in uint at, const in uint expected, const in uint value) { return 0u; } // compare and swap
void assay_shadow_zero(const in uint at) {}

void assay_shared_begin(const in uint invocation, const in uint invocations, const in uint cells)
{
    for (uint at = invocation; at < cells; at += invocations)
        assay_shadow_zero(at);
    barrier();
}

// What another invocation has left in the word that does not go with `mine`; 0: nothing. `known` are the bits by which both are of one place and between the same two barriers, `who` those of the
// invocation.
uint assay_shared_word(const in uint at, const in uint mine, const in uint known, const in uint who)
{
    uint old = assay_shadow(at, 0u, 0u);
    // Others may come in between, but not for ever.
    for (uint tries = 0u; tries < 64u; tries++) {
        uint now = mine;
        if (((old ^ mine) & known) == 0u) {
            bool others = (old & 3u) == SHARED_READ_MANY || ((old ^ mine) & who) != 0u;
            if (others && (SHARED_RACES >> ((mine & 3u) << 2 | old & 3u) & 1u) != 0u)
                return old;
            if (others && ((old | mine) & 3u) == SHARED_READ)
                now |= SHARED_READ_MANY;
            else if ((mine & 3u) <= max(old & 3u, SHARED_ATOMIC_LOAD))
                return 0u; // what is there stands for more
        } else if ((mine & 3u) == SHARED_ATOMIC_LOAD) {
            return 0u;
        }
        now = assay_shadow(at, old, now);
        if (now == old)
            return 0u;
        old = now;
    }
    return 0u;
}

// `count` scalars from `offset` of a variable on, which begins at `first`, are used by what a shadow word says of it. `offset` is `most` at most. `epoch` counts barriers, 0: too many; it is that of
// `ordered` where others may have been waited for by other means.
void assay_shared(const in uint offset, const in uint count, const in uint most, const in uint first, const in uint cells,
                  const in uint what, const in uint known, const in uint who, const in uint invocation, const in uint epoch,
                  const in uint ordered, const in uint variable, const in uint where)
{
    if (offset > most || epoch == 0u || invocation << 2 > who)
        return;
    for (uint i = offset; i < offset + count; i++) {
        uint mine = what | invocation << 2 | epoch | (first + i) / cells * (who + 4u);
        uint other = assay_shared_word((first + i) % cells, mine, known, who);
        if (other != 0u && epoch != ordered) {
            assay_tell(true, where, ERROR_SHARED_RACE, variable, i, mine, other, known, who);
            return;
        }
    }
}
