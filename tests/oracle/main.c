/* Checks that the oracle and the model agree on random programs. If they do not, it prints the
 * smallest program on which they differ. usage: oracle [--programs N] [--seed S] [--features MASK]
 * [--seconds N] [--differences N] [--print] | --table */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model.h"
#include "oracle.h"
#include "table.h"

enum outcome { AGREE, HAZARD, TOO_LARGE, DIFFER };

struct difference {
    unsigned list;
    int oracle, model;
    struct model_hazard told;
    bool told_is_ordered;
};

/* Lists from the first to the last; a program is dropped at its first hazard: what comes after one
 * is not compared. */
static enum outcome compare_models(const struct program *program, struct difference *difference)
{
    for (unsigned list = 0; list < LISTS; list++) {
        if (!program->lists[list].op_count)
            continue;
        const struct oracle *oracle = oracle_of(program, list);
        if (!oracle)
            return TOO_LARGE;
        struct model_hazard told = model_of(program, list);
        int found = oracle_first_hazard(oracle);
        *difference = (struct difference){list, found, told.op, told, false};
        if (found != told.op)
            return DIFFER;
        if (found < 0)
            continue;
        difference->told_is_ordered =
            !oracle_finds_unordered(oracle, told.earlier, told.later, told.place);
        return difference->told_is_ordered ? DIFFER : HAZARD;
    }
    return AGREE;
}

/* --- shrinking --- */

static bool still_differs(const struct program *program)
{
    struct difference difference;
    return compare_models(program, &difference) == DIFFER;
}

/* Takes the change if the program differs with it. */
static bool try_change(struct program *program, struct program *changed)
{
    program_repair(changed);
    if (!memcmp(program, changed, sizeof *program) || !still_differs(changed))
        return false;
    *program = *changed;
    return true;
}

static bool drop_ops(struct program *program)
{
    bool dropped = false;
    struct program changed;
    for (unsigned l = 0; l < LISTS; l++) {
        for (unsigned width = 4; width; width--) {
            for (unsigned i = program->lists[l].op_count; i-- > 0;) {
                if (i + width > program->lists[l].op_count)
                    continue;
                changed = *program;
                struct list *list = &changed.lists[l];
                memmove(&list->ops[i], &list->ops[i + width],
                        (list->op_count - i - width) * sizeof *list->ops);
                list->op_count = (uint8_t)(list->op_count - width);
                memset(&list->ops[list->op_count], 0, width * sizeof *list->ops);
                dropped |= try_change(program, &changed);
            }
        }
    }
    return dropped;
}

/* Takes one bit after the other out of a mask in `changed`. */
static bool drop_bits(struct program *program, struct program *changed, uint64_t *mask)
{
    bool dropped = false;
    for (uint64_t left = *mask; left; left &= left - 1) {
        uint64_t before = *mask;
        *mask &= ~(left & -left);
        struct program kept = *changed;
        if (try_change(program, changed)) {
            dropped = true;
        } else {
            *changed = kept;
            *mask = before;
        }
    }
    return dropped;
}

static bool drop_scopes(struct program *program, struct program *changed, struct scopes *scopes)
{
    bool dropped = drop_bits(program, changed, &scopes->src_stages);
    dropped |= drop_bits(program, changed, &scopes->src_accesses);
    dropped |= drop_bits(program, changed, &scopes->dst_stages);
    return drop_bits(program, changed, &scopes->dst_accesses) || dropped;
}

static bool drop_parts(struct program *program)
{
    bool dropped = false;
    struct program changed;
    for (unsigned l = 0; l < LISTS; l++) {
        for (unsigned i = 0; i < program->lists[l].op_count; i++) {
            for (unsigned part = 0; part < 7; part++) {
                changed = *program;
                struct op *op = &changed.lists[l].ops[i];
                if (part == 0 && op->range_count)
                    op->range_count--;
                else if (part == 1 && op->global_count)
                    op->global_count--;
                else if (part == 1 && op->kind == OP_SET_EVENT && op->barrier_count > 1)
                    op->barrier_count--;
                else if (part == 2 && op->event_count > 1)
                    op->event_count--;
                else if (part == 3 && op->kind == OP_ACCESS)
                    op->place.end = (uint8_t)(op->place.begin + 1);
                else if (part == 4)
                    op->ordering = 0;
                else if (part == 5 && op->range_count)
                    op->ranges[0].transition = false;
                else if (part == 6)
                    op->repeated = false;
                else
                    continue;
                dropped |= try_change(program, &changed);
            }
            for (unsigned b = 0; b < program->lists[l].ops[i].barrier_count; b++) {
                changed = *program;
                if (l < LISTS && i < changed.lists[l].op_count)
                    dropped |= drop_scopes(program, &changed, &changed.lists[l].ops[i].barriers[b]);
            }
        }
    }
    return dropped;
}

static bool drop_dependencies(struct program *program)
{
    bool dropped = false;
    struct program changed;
    for (unsigned g = 0; g < GRAPHS; g++) {
        for (unsigned i = program->graphs[g].dependency_count; i-- > 0;) {
            changed = *program;
            struct graph *graph = &changed.graphs[g];
            graph->dependency_count--;
            memmove(&graph->dependencies[i], &graph->dependencies[i + 1],
                    (graph->dependency_count - i) * sizeof *graph->dependencies);
            if (try_change(program, &changed)) {
                dropped = true;
                continue;
            }
            changed = *program;
            dropped |= drop_scopes(program, &changed, &changed.graphs[g].dependencies[i].scopes);
        }
    }
    return dropped;
}

static void shrink_program(struct program *program)
{
    bool changed = true;
    for (unsigned rounds = 0; changed && rounds < 20; rounds++) {
        changed = drop_ops(program);
        changed |= drop_parts(program);
        changed |= drop_dependencies(program);
    }
}

/* --- the whole --- */

static void tell_difference(struct program *program, uint64_t seed)
{
    struct difference difference;
    shrink_program(program);
    compare_models(program, &difference);
    printf("program %" PRIu64 " differs; the smallest like it:\n", seed);
    program_print(program, stdout);
    printf("list %u: the oracle finds %s%d, the model %s%d\n", difference.list,
           difference.oracle < 0 ? "no hazard " : "the first hazard at ", difference.oracle,
           difference.model < 0 ? "no hazard " : "the first hazard at ", difference.model);
    if (difference.model >= 0)
        printf("the model tells of %" PRIx64 " after %" PRIx64 " at %c[%u,%u)%s\n",
               difference.told.later, difference.told.earlier, 'A' + difference.told.place.space,
               difference.told.place.begin, difference.told.place.end,
               difference.told_is_ordered ? ", which the oracle finds ordered" : "");
}

/* Compares a program; where it has a hazard that both find, a few more that get further. */
#define MENDS 8
static enum outcome compare_mended(struct program *program, uint64_t seed,
                                   struct difference *difference)
{
    enum outcome outcome = compare_models(program, difference);
    for (uint64_t mend = 0; outcome == HAZARD && mend < MENDS; mend++) {
        program_mend(program, difference->list, (unsigned)difference->oracle, seed * MENDS + mend);
        outcome = compare_models(program, difference);
    }
    return outcome;
}

static double oracle_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    uint64_t programs = 1000, first = 1, limit = 0, most = 1;
    unsigned features = FEATURES_ALL;
    bool print = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (!strcmp(argv[i], "--print")) {
            print = true;
            continue;
        }
        if (!strcmp(argv[i], "--table"))
            return print_table(), 0;
        if (!strcmp(argv[i], "--programs"))
            programs = strtoull(value, NULL, 0);
        else if (!strcmp(argv[i], "--seed"))
            first = strtoull(value, NULL, 0);
        else if (!strcmp(argv[i], "--features"))
            features = (unsigned)strtoul(value, NULL, 0);
        else if (!strcmp(argv[i], "--seconds"))
            limit = strtoull(value, NULL, 0);
        else if (!strcmp(argv[i], "--differences"))
            most = strtoull(value, NULL, 0);
        else
            return fprintf(stderr,
                           "usage: %s [--programs N] [--seed S] [--features MASK] [--seconds N] "
                           "[--differences N] [--print]\n",
                           argv[0]),
                   2;
        i++;
    }
    uint64_t counts[4] = {0}, done = 0;
    double began = oracle_seconds();
    static struct program program;
    for (; done < programs && counts[DIFFER] < most &&
           (!limit || oracle_seconds() - began < (double)limit);
         done++) {
        struct difference difference;
        program_generate(&program, first + done, features);
        if (print)
            program_print(&program, stdout);
        enum outcome outcome = compare_mended(&program, first + done, &difference);
        counts[outcome]++;
        if (outcome == DIFFER)
            tell_difference(&program, first + done);
    }
    model_free();
    printf("%" PRIu64 " programs: %" PRIu64 " without a hazard, %" PRIu64
           " with one that both find, %" PRIu64 " too large, %" PRIu64 " differ; %.1f s\n",
           done, counts[AGREE], counts[HAZARD], counts[TOO_LARGE], counts[DIFFER],
           oracle_seconds() - began);
    return counts[DIFFER] != 0;
}
