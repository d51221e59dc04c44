/* Finds the access of a program that comes too early. It does so by brute force from the
 * specification's words (7.1 "Execution and Memory Dependencies"). It has a graph of all accesses
 * and all dependencies, and searches it for a chain for each pair of accesses to the same byte.
 * Shares no code with src/sync.
 *
 * What is not compared, as src/sync means to say less there, or it cannot be known:
 * - After a program's first hazard: most recent accesses assume that what came before was reported.
 * - More than 63 events and semaphores at a time, 16 barriers over everything in a command, 48
 *   reads since a write. So much room src/sync has, and programs are smaller.
 * - The second half of a queue family ownership transfer, which src/sync does not check, and
 * presentation.
 * - Barriers in dynamic rendering (local read): their scopes are the instance only, src/sync lets
 * them have all of the command buffer.
 * - Layout transitions in a subpass: they are those of attachments, whose scopes are the
 * dependencies' (sync/access/access_context.c, apply_in_subpass()).
 * - Range barriers are taken as limited to their range in all their scopes, though the
 *   specification limits access scopes only. Code that records a command says the execution
 *   dependency as one more barrier, over everything and without accesses. Likewise the memory
 *   barriers of one vkCmdPipelineBarrier are each taken by themselves.
 * - That a semaphore signal happens after earlier ones of its queue, which only a note says (7.2).
 *   Where its stages are limited, neither side counts on it. */
#ifndef ASSAY_ORACLE_ORACLE_H
#define ASSAY_ORACLE_ORACLE_H

#include "program.h"

/* Tags of the accesses, alike in oracle and model: of operation i of a list. */
#define TAG_IN_SECONDARY(i) ((uint64_t)(i) + 1)
#define TAG_IN_LIST(i)      (((uint64_t)(i) + 1) << 8)
#define BASE_OF_SUBMIT(i)   (((uint64_t)(i) + 1) << 32)

struct oracle;

/* Looks at what happens when a list is recorded (or, TOP_LIST, is carried out). NULL: too large.
 * One at a time. */
const struct oracle *oracle_of(const struct program *program, unsigned list);

/* Number of the list's first operation with a hazard; -1: there is none. */
int oracle_first_hazard(const struct oracle *oracle);

/* True if there is no order between these two, at any of the bytes. */
bool oracle_finds_unordered(const struct oracle *oracle, uint64_t earlier, uint64_t later,
                            struct place place);

#endif
