/* Reports what a program had submitted before it died. */
#include "assay/aftermath/aftermath.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/aftermath.h"
#include "assay/report/report.h"
#include "assay/run/run.h"

/* How many submissions that were done are shown for a queue: the last one shows how far the queue
 * came. */
#define DONE_SHOWN 1

/* --- where the records are --- */

/* Chooses a directory in memory for the records, if the system has one. A record is written at
 * every submit, and drivers cannot import memory of a file on a disk. */
void aftermath_choose(struct run *run)
{
    const char *name = strrchr(run->directory, '/');
    if (access("/dev/shm", W_OK) == 0 && name)
        snprintf(run->aftermath, sizeof(run->aftermath), "/dev/shm%s", name);
    else
        snprintf(run->aftermath, sizeof(run->aftermath), "%s/aftermath", run->directory);
}

void aftermath_enable(const struct run *run)
{
    setenv(AFTERMATH_VARIABLE, run->aftermath, 1);
}

/* Finds the paths of the run's records. The caller frees `found` with globfree(). Returns false if
 * the run keeps no records, or there are none. */
static bool find_files(const struct run *run, glob_t *found)
{
    char pattern[sizeof(run->aftermath) + 8];
    snprintf(pattern, sizeof(pattern), "%s.*", run->aftermath);
    return run->aftermath[0] && glob(pattern, GLOB_NOSORT, NULL, found) == 0;
}

void aftermath_end(struct run *run)
{
    glob_t found;
    for (size_t i = 0; i < run->aftermath_count; i++) {
        munmap((void *)(uintptr_t)run->aftermath_files[i].record, sizeof(struct aftermath));
        free(run->aftermath_files[i].path);
    }
    free(run->aftermath_files);
    run->aftermath_files = NULL;
    run->aftermath_count = 0;
    if (!find_files(run, &found))
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        unlink(found.gl_pathv[i]);
    globfree(&found);
}

/* --- reading --- */

/* Maps a record as a private copy, which the tool may change; NULL: the file is not a record of
 * this layer. */
static const struct aftermath *map_record(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    void *memory = MAP_FAILED;
    if (file < 0)
        return NULL;
    if (fstat(file, &status) == 0 && status.st_size == (off_t)sizeof(struct aftermath))
        memory = mmap(NULL, sizeof(struct aftermath), PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return NULL;
    const struct aftermath *record = memory;
    if (record->layout == AFTERMATH_LAYOUT)
        return record;
    munmap(memory, sizeof(struct aftermath));
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && !strcmp(text + length - size, end);
}

/* True if the record's process has ended. One that still runs may still report its findings
 * itself. */
static bool is_gone(const struct aftermath *record)
{
    return kill((pid_t)record->process, 0) != 0 && errno == ESRCH;
}

/* Maps a record whose process has ended, and keeps it for the run. Skips files that belong to a
 * record, records of running processes, and other files. */
static void add_file(struct run *run, const char *path)
{
    const bool beside = ends_with(path, AFTERMATH_RING) || ends_with(path, AFTERMATH_SHADERS) ||
                        ends_with(path, AFTERMATH_COMMANDS);
    const struct aftermath *record = beside ? NULL : map_record(path);
    struct aftermath_file *files =
        record && is_gone(record)
            ? realloc(run->aftermath_files, (run->aftermath_count + 1) * sizeof(*files))
            : NULL;
    char *copy = files ? strdup(path) : NULL;
    if (files)
        run->aftermath_files = files;
    if (copy)
        files[run->aftermath_count++] = (struct aftermath_file){copy, record};
    else if (record)
        munmap((void *)(uintptr_t)record, sizeof(struct aftermath));
}

/* Compares two records, for qsort(): by the process's number, then by the order in which devices
 * were made. */
static int by_process(const void *a, const void *b)
{
    const struct aftermath *first = ((const struct aftermath_file *)a)->record,
                           *second = ((const struct aftermath_file *)b)->record;
    if (first->process != second->process)
        return first->process < second->process ? -1 : 1;
    return first->number < second->number ? -1 : first->number > second->number;
}

/* Returns the time in nanoseconds, by the clock that the layer uses for submissions. */
static uint64_t aftermath_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

void aftermath_read(struct run *run, void (*take)(struct run *run, char *line, size_t length))
{
    glob_t found;
    run->aftermath_time = aftermath_now();
    if (!find_files(run, &found))
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_file(run, found.gl_pathv[i]);
    globfree(&found);
    if (run->aftermath_count)
        qsort(run->aftermath_files, run->aftermath_count, sizeof(*run->aftermath_files),
              by_process);
    for (size_t i = 0; i < run->aftermath_count; i++)
        run->aftermath_found += aftermath_read_ring(&run->aftermath_files[i], run, take);
}

/* --- writing --- */

/* Finds the record's entry of an object; NULL: there is none, as the table was full, or the program
 * never named the object. */
static const struct aftermath_object *aftermath_find_object(const struct aftermath *record,
                                                            uint64_t handle)
{
    for (size_t i = 0; handle && i < AFTERMATH_OBJECTS; i++) {
        if (record->objects[i].handle == handle)
            return &record->objects[i];
    }
    return NULL;
}

/* Writes at most `most` bytes of a name, without control characters: it may have escape
 * sequences. */
static void aftermath_write_text(FILE *to, const char *text, size_t most)
{
    for (size_t i = 0; i < most && text[i]; i++) {
        const unsigned char byte = (unsigned char)text[i];
        fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, to);
    }
}

/* Writes the type with the object's name in quotation marks, or with its handle if it has no
 * name. */
static void write_named(FILE *to, const struct aftermath *record, const char *type, uint64_t handle)
{
    const struct aftermath_object *object = aftermath_find_object(record, handle);
    fprintf(to, "%s ", type);
    if (!object || !object->name[0]) {
        fprintf(to, "0x%" PRIx64, handle);
        return;
    }
    fputc('"', to);
    aftermath_write_text(to, object->name, AFTERMATH_NAME);
    fputc('"', to);
}

/* Writes the command buffers of a submission with their labels, and the number of those that were
 * not kept. */
static void write_command_buffers(FILE *to, const struct aftermath *record,
                                  const struct aftermath_submission *submission)
{
    const uint32_t count = submission->command_buffer_count;
    const uint32_t shown = count < AFTERMATH_COMMAND_BUFFERS ? count : AFTERMATH_COMMAND_BUFFERS;
    for (uint32_t i = 0; i < shown; i++) {
        const struct aftermath_object *object =
            aftermath_find_object(record, submission->command_buffers[i]);
        fputs(i ? ",\n                " : "\n                ", to);
        write_named(to, record, "VkCommandBuffer", submission->command_buffers[i]);
        if (!object || !object->labels.length)
            continue;
        fputs(": ", to);
        aftermath_write_text(to, object->labels.text, AFTERMATH_LABELS);
    }
    if (shown < count) {
        fputs(",\n                and ", to);
        write_plural(to, count - shown, "more command buffer");
    }
}

/* Writes a line for the submission, with its time before the end of the run, and then its command
 * buffers. */
static void write_submission(FILE *to, const struct run *run, const struct aftermath *record,
                             const struct aftermath_submission *submission, bool done)
{
    static const char *const kinds[] = {"", "sparse binding, ", "present, "};
    const uint64_t ago =
        run->aftermath_time > submission->time ? run->aftermath_time - submission->time : 0;
    fprintf(to, "        %-6" PRIu64 "  %s%s, submitted ", submission->number,
            submission->kind <= AFTERMATH_PRESENT ? kinds[submission->kind] : "",
            done ? "known to be done" : "not known to be done");
    if (ago < UINT64_C(10000000000))
        fprintf(to, "%" PRIu64 " ms before the end", ago / 1000000);
    else
        fprintf(to, "%" PRIu64 " s before the end", ago / UINT64_C(1000000000));
    if (submission->labels[0]) {
        fputs(", under ", to);
        aftermath_write_text(to, submission->labels, AFTERMATH_LABELS);
    }
    write_command_buffers(to, record, submission);
    fputc('\n', to);
}

/* True if the submission was known to be done when the program ended. The device may have done
 * more. */
static bool is_done(const struct aftermath_queue *queue,
                    const struct aftermath_submission *submission)
{
    return submission->sequence <= queue->completed;
}

/* Writes the queue's submissions from the last one back: all that are pending, and DONE_SHOWN of
 * those that were done. */
static void write_queue(FILE *to, const struct run *run, const struct aftermath *record,
                        const struct aftermath_queue *queue)
{
    const uint64_t kept =
        queue->count < AFTERMATH_SUBMISSIONS ? queue->count : AFTERMATH_SUBMISSIONS;
    uint64_t pending = 0, done_shown = 0;
    for (uint64_t i = 0; i < kept; i++)
        pending += !is_done(queue, &queue->submissions[(queue->count - i) % AFTERMATH_SUBMISSIONS]);
    fputs("    ", to);
    write_named(to, record, "VkQueue", queue->handle);
    fprintf(to, " of family %u: ", queue->family);
    write_plural(to, queue->count, "submission");
    if (!pending)
        fputs(", all known to be done\n", to);
    else if (pending == kept && kept < queue->count)
        fprintf(to, ", the last %" PRIu64 " (at least) not known to be done\n", pending);
    else
        fprintf(to, ", %" PRIu64 " not known to be done\n", pending);
    for (uint64_t i = 0; i < kept; i++) {
        const struct aftermath_submission *submission =
            &queue->submissions[(queue->count - i) % AFTERMATH_SUBMISSIONS];
        const bool done = is_done(queue, submission);
        if (submission->sequence && (!done || done_shown < DONE_SHOWN))
            write_submission(to, run, record, submission, done);
        done_shown += done;
    }
}

/* Returns the number of submissions of all queues, including those that the ring does not have any
 * more. */
static uint64_t submissions_of(const struct aftermath *record)
{
    uint64_t count = 0;
    for (size_t i = 0; i < AFTERMATH_QUEUES; i++)
        count += record->queues[i].count;
    return count;
}

/* Writes what a process had submitted to one device. */
static void write_device(FILE *to, const struct run *run, const struct aftermath *record)
{
    fprintf(to, "%sassay:%s ", run->color ? "\033[1m" : "", run->color ? "\033[0m" : "");
    fprintf(to, "What process %u had submitted to VkDevice ", record->process);
    if (record->device_name[0]) {
        fputc('"', to);
        aftermath_write_text(to, record->device_name, AFTERMATH_NAME);
        fputs("\"", to);
    } else {
        fprintf(to, "0x%" PRIx64, record->device);
    }
    fputs(record->lost ? ", which was lost:\n" : " when it ended:\n", to);
    for (size_t i = 0; i < AFTERMATH_QUEUES; i++) {
        if (record->queues[i].handle && record->queues[i].count)
            write_queue(to, run, record, &record->queues[i]);
    }
}

/* Writes which options find more: with --safe, accesses at which a driver or GPU crashes are
 * skipped and reported. */
static void write_advice(FILE *to, const struct run *run, bool gpu, bool safe)
{
    if (safe)
        return;
    fprintf(to, "%sassay:%s ", run->color ? "\033[1m" : "", run->color ? "\033[0m" : "");
    fprintf(to, gpu ? "Run again with --gpu --safe: shaders then leave out the accesses that are "
                      "wrong, and the program\n"
                      "       lives to tell of all of them.\n"
                    : "Run again with --gpu --safe, in case the GPU was what failed: shaders are "
                      "checked then, and leave\n"
                      "       out the accesses that are wrong, so that the program lives to tell "
                      "of them.\n");
}

void aftermath_write(const struct run *run, FILE *to)
{
    bool any = false, gpu = false, safe = false, lost = false;
    if (!run->ending.signal && !run->ending.status)
        return;
    for (size_t i = 0; i < run->aftermath_count; i++) {
        const struct aftermath *record = run->aftermath_files[i].record;
        if (!submissions_of(record))
            continue;
        write_device(to, run, record);
        any = true;
        gpu |= record->gpu;
        safe |= record->safe;
        lost |= record->lost;
    }
    const int number = run->ending.signal;
    const bool asked_to_end =
        number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
    if (any && (lost || (number && !asked_to_end)))
        write_advice(to, run, gpu, safe);
}
