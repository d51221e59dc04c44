/* Writes findings to the log and the JSON lines file. */
#include "report/sink.h"

#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct lock opened_lock = LOCK_INITIALIZER;
static char *opened_path GUARDED_BY(opened_lock); /* The log file that this process emptied last */

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

static bool wants_color(enum log_color color, int file)
{
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org: set and not empty */
    if (color != LOG_COLOR_AUTO)
        return color == LOG_COLOR_ALWAYS;
    return isatty(file) && !(no_color && *no_color);
}

bool sink_open_log(struct sink *sink, const char *filename, enum log_color color)
{
    *sink = (struct sink){.file = -1};
    if (!filename || !*filename || !strcmp(filename, "stdout"))
        sink->stream = stdout;
    else if (!strcmp(filename, "stderr"))
        sink->stream = stderr;
    if (sink->stream) {
        sink->color = wants_color(color, fileno(sink->stream));
        return true;
    }
    int empty = is_first_opening(filename) ? O_TRUNC : 0;
    sink->file = open(filename, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | empty, 0666);
    sink->color = sink->file >= 0 && wants_color(color, sink->file);
    return sink->file >= 0;
}

bool sink_open_json(struct sink *sink, const char *filename)
{
    assert(filename);
    *sink = (struct sink){.file = open(filename, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
    return sink->file >= 0;
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
