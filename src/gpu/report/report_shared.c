/* Reports two invocations of a workgroup that race in its shared memory. */
#include "gpu/report/report.h"

#include <stdio.h>

#include "spirv/module/shared.h"
#include "spirv/module/source.h"

/* Returns the id for a race between two accesses, each of which is one of SHARED_.... An atomic
 * access of this invocation takes precedence. */
static enum vuid shared_race_vuid(uint32_t mine, uint32_t other)
{
    if (mine == SHARED_ATOMIC || mine == SHARED_ATOMIC_LOAD)
        return SharedMemoryDataRace_RaceOnAtomic;
    if (other == SHARED_ATOMIC)
        return SharedMemoryDataRace_RaceOnLoadStoreVsAtomic;
    return mine == SHARED_WRITE ? SharedMemoryDataRace_RaceOnStore
                                : SharedMemoryDataRace_RaceOnLoad;
}

/* Writes the place of the other invocation's access: " (a.comp, line 12)". */
static void write_place(const struct gpu_message *message, uint32_t site, char *to, size_t size)
{
    struct spirv_source_line line;
    uint32_t instruction = site ? spirv_shared_site(&message->module, site) : SPIRV_NONE;
    if (instruction == SPIRV_NONE)
        return;
    if (!spirv_source_find(&message->module, instruction, &line) || !line.line)
        snprintf(to, size, " (instruction %u)", instruction);
    else
        snprintf(to, size, " (%.200s%sline %u)", line.file, line.file[0] ? ", " : "", line.line);
    spirv_source_line_free(&line);
}

void gpu_tell_shared(struct gpu_message *message)
{
    static const char *const does[] = {"read", "read atomically", "changed atomically", "written"};
    static const char *const did[] = {"read", "read", "changed atomically", "written"};
    const uint32_t mine = gpu_message_word(message, 2), other = gpu_message_word(message, 3),
                   who = gpu_message_word(message, 5),
                   /* A word of an access has three parts: its kind, the invocation, and the site.
                    * The masks of the parts depend on the workgroup's size. */
        sites = ~(gpu_message_word(message, 4) | who | 3u);
    /* Several invocations have read the word. It stores only one reader, which is this
     * invocation. */
    bool unknown = ((mine ^ other) & who) == 0;
    char place[256] = "", whom[64] = "other invocations", buffer[256];
    struct string_builder name;
    string_builder_begin(&name, buffer, sizeof(buffer));
    spirv_shared_name(&message->module, gpu_message_word(message, 0), gpu_message_word(message, 1),
                      &name);
    if (!unknown) {
        snprintf(whom, sizeof(whom), "local invocation %u", (other & who) >> 2);
        write_place(message, sites ? (other & sites) / (sites & -sites) : 0, place, sizeof(place));
    }
    gpu_message_tell(message, SEVERITY_ERROR, shared_race_vuid(mine & 3u, other & 3u),
                     "Data race in shared memory: \"%s\" is %s by local invocation %u, and was %s "
                     "by %s%s of the same workgroup, with no barrier in between that "
                     "orders the two.",
                     name.text, does[mine & 3u], (mine & who) >> 2, did[other & 3u], whom, place);
    string_builder_end(&name);
}
