// Races in shared memory (src/spirv/instrument/instrument_shared.c). For each scalar of it there is a shadow
// word that says which invocation used it last, how, and between which barriers: SHARED_... The
// instrumenter replaces the first functions.
uint assay_shadow(const in uint at, const in uint expected, const in uint value) { return 0u; } // compare and swap
void assay_shadow_zero(const in uint at) {}
// Likewise: what is the same of all accesses. Shadow words; the bits of a word by which both are of one place and between the same
// two barriers, and those of the invocation.
uint assay_shared_cells() { return 1u; }
uint assay_shared_known() { return 0u; }
uint assay_shared_who() { return 0u; }
// The invocation in its workgroup. Then barriers that it counts, 0: too many; of those the one at
// which others may have been waited for by other means.
uint assay_shared_invocation() { return 0u; }
uint assay_shared_epoch() { return 0u; }
uint assay_shared_ordered() { return 0u; }
// 0: nothing that this workgroup does is looked at.
uint assay_shared_watched() { return 0u; }

// Workgroup number `group` of `groups` begins. In large dispatches some workgroups are watched, spread over the dispatch. Which
// ones differs between commands. Returns 1 if this is one of them.
uint assay_shared_begin(const in uint invocations, const in uint group, const in uint groups)
{
    // One in a power of two: a division would take longer than a small kernel does.
    uint others = (1u << findMSB(max(groups / SHARED_GROUPS, 1u))) - 1u, spread = (group + assay_command().x) * SITE_FACTOR;
    if ((spread >> 12 & others) != 0u)
        return 0u;
    for (uint at = assay_shared_invocation(); at < assay_shared_cells(); at += invocations)
        assay_shadow_zero(at);
    barrier();
    return 1u;
}

// Returns what another invocation has left in the word that does not go with `mine`; 0: nothing.
// With few branches: compilers copy this to each access.
uint assay_shared_word(const in uint at, const in uint mine)
{
    uint known = assay_shared_known(), who = assay_shared_who(), use = mine & 3u, other = 0u;
    uint old = assay_shadow(at, 0u, 0u);
    // Others may come in between, but not for ever.
    for (uint tries = 0u; tries < 64u; tries++) {
        uint differs = old ^ mine, before = old & 3u;
        bool same = (differs & known) == 0u, many = before == SHARED_READ_MANY, another = (differs & who) != 0u;
        bool others = many || another, both_read = ((old | mine) & 3u) == SHARED_READ;
        bool read = both_read && others, read_again = read && same;
        bool races = (SHARED_RACES >> (use << 2 | before) & 1u) != 0u, others_now = others && same, raced = races && others_now;
        // True if what is there stands for more.
        bool stronger = use <= max(before, SHARED_ATOMIC_LOAD), covered = stronger && !read;
        bool nothing = mix(use == SHARED_ATOMIC_LOAD, covered, same), ends = raced || nothing;
        other = mix(0u, old, raced);
        if (ends)
            break;
        uint now = assay_shadow(at, old, mix(mine, mine | SHARED_READ_MANY, read_again));
        if (now == old)
            break;
        old = now;
    }
    return other;
}

// `count` scalars from `offset` of a variable on, which begins at `first`, are used by what a shadow word says of it. `offset` is `most` at most.
void assay_shared(const in uint offset, const in uint count, const in uint most, const in uint first, const in uint what,
                  const in uint site)
{
    if (assay_shared_watched() == 0u)
        return;
    uint cells = assay_shared_cells(), who = assay_shared_who(), invocation = assay_shared_invocation();
    uint epoch = assay_shared_epoch(), ordered = assay_shared_ordered();
    if (offset > most || epoch == 0u || invocation << 2 > who)
        return;
    for (uint i = offset; i < offset + count; i++) {
        uint mine = what | invocation << 2 | epoch | (first + i) / cells * (who + 4u);
        uint other = assay_shared_word((first + i) % cells, mine);
        if (other != 0u && epoch != ordered) {
            assay_tell(true, site, i, mine, other);
            return;
        }
    }
}
