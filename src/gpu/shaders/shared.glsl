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
uint assay_shared_word(const in uint at, const in uint mine, const in uint known, const in uint who, const in bool is_load)
{
    uint kind = mine & 3u, old = assay_shadow(at, 0u, 0u);
    // Others may come in between, but not for ever.
    for (uint tries = 0u; tries < 64u; tries++) {
        uint had = old & 3u, now = mine;
        if (((old ^ mine) & known) == 0u) {
            bool others = ((old ^ mine) & who) != 0u || had == SHARED_READ_MANY;
            bool both_atomic = had == SHARED_ATOMIC && kind == SHARED_ATOMIC;
            bool writes = kind == SHARED_WRITE || kind == SHARED_ATOMIC && !is_load;
            if (others && !both_atomic && (writes || had >= SHARED_ATOMIC))
                return old;
            if (kind == SHARED_READ && had == SHARED_READ && others)
                now = mine ^ SHARED_READ ^ SHARED_READ_MANY;
            else if (is_load || kind <= had)
                return 0u; // what is there stands for more
        } else if (is_load) {
            return 0u;
        }
        uint found = assay_shadow(at, old, now);
        if (found == old)
            return 0u;
        old = found;
    }
    return 0u;
}

// `count` scalars from `offset` of a variable's `total` on are used, which begin at `first`. `what`: SHARED_... | is an atomic load << 2 | number of the access << 8. `epoch` counts barriers; it is
// that of `ordered` where others may have been waited for by other means.
void assay_shared(const in uint offset, const in uint count, const in uint total, const in uint first, const in uint cells,
                  const in uint shifts, const in uint invocation, const in uint epoch, const in uint ordered, const in uint what,
                  const in uint variable, const in uint where)
{
    uint place_shift = shifts & 0xffu, site_shift = shifts >> 8 & 0xffu, epoch_shift = shifts >> 16;
    if (offset >= total || count > total - offset || invocation >> place_shift - 2u != 0u || epoch >> 32u - epoch_shift != 0u)
        return;
    uint known = ~((1u << epoch_shift) - 1u) | (1u << site_shift) - (1u << place_shift), who = (1u << place_shift) - 4u;
    uint mine = what & 3u | invocation << 2 | what >> 8 << site_shift | epoch << epoch_shift;
    for (uint i = 0u; i < count; i++) {
        uint at = first + offset + i, place = at / cells;
        uint other = assay_shared_word(at - place * cells, mine | place << place_shift, known, who, (what & 4u) != 0u);
        if (other != 0u && epoch != ordered) {
            bool unknown = ((other ^ mine) & who) == 0u;
            assay_report(where, ERROR_SHARED_RACE, variable, offset + i, what & 7u | (other & 3u) << 8, invocation,
                         unknown ? SHARED_UNKNOWN : (other & who) >> 2,
                         unknown ? 0u : (other & (1u << epoch_shift) - 1u) >> site_shift);
            return;
        }
    }
}
