/* Keeps the layer working in the child of a fork, whatever other threads of the parent were doing
 * in it. The process's locks are taken around the fork. Other locks are initialized again in the
 * child. They are those of an instance, which another thread may be destroying at this moment, and
 * those of single objects, of which there are many. */
#include <pthread.h>

#include "base/thread.h"
#include "chassis/create.h"
#include "report/finding/reporter.h"
#include "report/sink/sink.h"
#include "report/names/vuid_text.h"

/* Takes or releases all locks of the process, in this order: a thread that holds one of them takes
 * no lock of an earlier line. */
static void step_all(enum fork_step step)
{
    validators_fork(step);
    object_fork(step);
    thread_fork(step);
    retire_fork(step);
    validators_fork_leaves(step);
    sink_fork(step);
    vuid_text_fork(step);
}

/* Takes the process's locks. in_parent() or in_child() releases them. */
static void before_fork(void)
{
    step_all(FORK_PREPARE);
}

static void in_parent(void)
{
    step_all(FORK_PARENT);
}

/* Releases the locks in the child, and initializes the locks of instances again. */
static void in_child(void)
{
    step_all(FORK_CHILD);
    uint32_t end = owner_end();
    for (uint32_t i = 1; i < end; i++) {
        struct instance *instance = owner_device((uint16_t)i) ? NULL : owner_instance((uint16_t)i);
        if (instance)
            reporter_fork_child(instance->reporter);
    }
}

static void register_once(void)
{
    /* If this fails for lack of memory, forks are only as safe as POSIX promises. That is not worth
     * failing an instance for. */
    (void)pthread_atfork(before_fork, in_parent, in_child);
}

void fork_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_once);
}
