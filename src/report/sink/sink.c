/* Writes findings to the log and the JSON lines file. */
#include "report/sink/sink.h"

#include "base/environment.h"
#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct lock opened_lock = LOCK_INITIALIZER;
/* the log file that this process emptied last; NULL: none yet */
static char *opened_path GUARDED_BY(opened_lock);

/* True if this file is not the one that the process emptied last, and notes that it is now. So the
 * instances of a process write to one log. */
static bool is_first_opening(const char *path)
{
    assert(path);
    lock_take(&opened_lock);
    bool first = !opened_path || strcmp(opened_path, path) != 0;
    if (first) {
        mem_free(opened_path);
        opened_path = mem_copy_string(path);
    }
    lock_release(&opened_lock);
    return first;
}

/* True if the output gets colors. By default these are for terminals; `file` is the descriptor. */
static bool wants_color(enum log_color color, int file)
{
    const char *no_color = secure_getenv("NO_COLOR"); /* https://no-color.org: set and not empty */
    if (color != LOG_COLOR_AUTO)
        return color == LOG_COLOR_ALWAYS;
    return isatty(file) && !(no_color && *no_color);
}

/* --- file names that are not trusted --- */

/* Copies `path` without its last part: "." if it has one part, "/" for the root. Returns false if
 * the result does not fit. */
static bool directory_of(const char *path, char directory[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= PATH_MAX)
        return false;
    memcpy(directory, slash ? path : ".", slash ? length : 1);
    directory[slash ? length : 1] = '\0';
    if (slash == path)
        memcpy(directory, "/", 2);
    return true;
}

/* True if the file would lie in the working directory, or in a directory below it, after all links
 * are followed. */
static bool is_below_working_directory(const char *path)
{
    char directory[PATH_MAX], real[PATH_MAX], working[PATH_MAX];
    if (!directory_of(path, directory) || !realpath(directory, real) || !realpath(".", working))
        return false;
    const size_t length = strlen(working);
    return strncmp(real, working, length) == 0 && (real[length] == '\0' || real[length] == '/') &&
           (length > 1 || real[1] == '\0');
}

/* Reasons for a refusal; docs/settings.md, "What the layer trusts", explains them. */
#define LOCAL_OUTSIDE                                                                          \
    "the settings file of the working directory may name regular files below that directory "  \
    "only, "                                                                                   \
    "without links (VK_LAYER_SETTINGS_PATH=. says that the settings file is yours, and lifts " \
    "that)"
#define LOCAL_OTHER                                                                                \
    "it is not a log of this layer, and only the settings file of the working directory names it " \
    "(VK_LAYER_SETTINGS_PATH=. says that the settings file is yours, and lifts that)"

/* True if the file is empty, or begins as the layer's logs and JSON lines do. */
static bool is_own_file(int file)
{
    char start[24];
    const ssize_t length = pread(file, start, sizeof(start), 0);
    static const char *const beginnings[] = {"Assay ", "\033[1;", "{\"vuid\":\"",
                                             "{\n\t\"Severity\" : \""};
    for (size_t i = 0; i < ARRAY_LENGTH(beginnings) && length > 0; i++) {
        const size_t wanted = strlen(beginnings[i]);
        if ((size_t)length >= wanted && !memcmp(start, beginnings[i], wanted))
            return true;
    }
    return length == 0;
}

/* Opens a file whose name comes from the settings file of the working directory. Returns its
 * descriptor; -1: it was not opened, and `*why` is the reason. */
static int open_local(const char *path, const char **why)
{
    *why = LOCAL_OUTSIDE;
    if (!is_below_working_directory(path))
        return -1;
    /* O_NONBLOCK keeps a fifo of this name from stopping the program. O_NOFOLLOW refuses a link,
     * which may lead outside. */
    const int file =
        open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
             0666);
    struct stat status;
    if (file < 0 && errno != ELOOP)
        *why = strerror(errno);
    if (file < 0)
        return -1;
    /* A file with a second hard link may belong to another directory, so it is refused. */
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1)
        *why = is_own_file(file) ? NULL : LOCAL_OTHER;
    if (!*why)
        return file;
    (void)close(file);
    return -1;
}

/* --- opening --- */

const char *sink_open_log(struct sink *sink, const char *filename, bool local, enum log_color color)
{
    const char *why = NULL;
    *sink = (struct sink){.file = -1};
    if (!filename || !*filename || !strcmp(filename, "stdout"))
        sink->stream = stdout;
    else if (!strcmp(filename, "stderr"))
        sink->stream = stderr;
    if (sink->stream) {
        sink->color = wants_color(color, fileno(sink->stream));
        return NULL;
    }
    /* A second instance of the process appends to the log of the first one. */
    const bool empty = is_first_opening(filename);
    if (local) {
        sink->file = open_local(filename, &why);
        if (sink->file >= 0 && empty)
            (void)!ftruncate(sink->file, 0);
    } else {
        sink->file =
            open(filename, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (empty ? O_TRUNC : 0), 0666);
        why = sink->file < 0 ? strerror(errno) : NULL;
    }
    sink->color = sink->file >= 0 && wants_color(color, sink->file);
    return why;
}

const char *sink_open_json(struct sink *sink, const char *filename, bool local)
{
    assert(filename);
    const char *why = NULL;
    *sink = (struct sink){.file = -1};
    if (local) {
        sink->file = open_local(filename, &why);
        return why;
    }
    sink->file = open(filename, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return sink->file < 0 ? strerror(errno) : NULL;
}

bool sink_open_existing(struct sink *sink, const char *filename)
{
    assert(filename);
    *sink = (struct sink){.file = open(filename, O_WRONLY | O_APPEND | O_CLOEXEC)};
    return sink->file >= 0;
}

void sink_fork(enum fork_step step)
{
    lock_fork(&opened_lock, step);
}

void sink_close(struct sink *sink)
{
    if (sink->file >= 0)
        close(sink->file);
    *sink = (struct sink){.file = -1};
}

void sink_write(const struct sink *sink, const char *bytes, size_t length)
{
    assert(bytes || !length);
    if (sink->stream) {
        (void)fwrite(bytes, 1, length, sink->stream);
        /* The program may crash in the call that the finding is about. */
        (void)fflush(sink->stream);
        return;
    }
    while (sink->file >= 0 && length) {
        ssize_t written = write(sink->file, bytes, length);
        if (written < 0 && errno != EINTR)
            return; /* a full disk, say: the program goes on */
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
}
