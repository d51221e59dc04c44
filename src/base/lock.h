/* Locks that the compiler checks. Each field says which lock guards it, and each function which
 * locks its caller holds. Clang's thread safety analysis (-Wthread-safety, in build-clang/ and
 * build-tsan/) shows accesses without the lock. For other compilers the attributes are empty, and a
 * lock is a pthread_mutex_t: the machine code is the same.
 *
 * The analysis does not see in C which of several structures of one type has the lock that is held.
 * (Functions that name a lock of a parameter are exact.) Nor does it see locks that are chosen by
 * an index, and what a function with NOT_ANALYSED does. Threads: any; that is what it is for. */
#ifndef ASSAY_LOCK_H
#define ASSAY_LOCK_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/base.h"

#if defined(__clang__)
#define LOCK_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define LOCK_ATTRIBUTE(attribute)
#endif

/* Marks a type whose objects are locks. */
#define CAPABILITY(kind) LOCK_ATTRIBUTE(capability(kind))
/* Marks a field or a variable that is only accessed with the lock `name` held: an earlier field of
 * the same structure, or a variable. Because of the address, clang accepts that field of any
 * structure of the type. */
#define GUARDED_BY(name) LOCK_ATTRIBUTE(guarded_by(&name))
/* Marks a pointer: the lock guards the memory that it points to. */
#define PT_GUARDED_BY(name) LOCK_ATTRIBUTE(pt_guarded_by(&name))
/* On a function: REQUIRES: the caller must hold these locks; EXCLUDES: it must not, as the function
 * takes them. */
#define REQUIRES(...) LOCK_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) LOCK_ATTRIBUTE(locks_excluded(__VA_ARGS__))
/* On a function: it returns with the lock held (TRY_ACQUIRE: if it returns `result`), or
 * released. */
#define ACQUIRE(...)             LOCK_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...)      LOCK_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define TRY_ACQUIRE(result, ...) LOCK_ATTRIBUTE(try_acquire_capability(result, __VA_ARGS__))
#define RELEASE(...)             LOCK_ATTRIBUTE(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...)      LOCK_ATTRIBUTE(release_shared_capability(__VA_ARGS__))
/* Marks a function that returns a pointer to this lock. */
#define RETURN_CAPABILITY(lock) LOCK_ATTRIBUTE(lock_returned(lock))
/* Marks a function that the analysis cannot follow. A comment at the function says why. */
#define NOT_ANALYSED LOCK_ATTRIBUTE(no_thread_safety_analysis)

/* A lock on which threads wait. */
struct CAPABILITY("lock") lock {
    pthread_mutex_t mutex;
};

#define LOCK_INITIALIZER {PTHREAD_MUTEX_INITIALIZER}

static inline void lock_init(struct lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
}

/* Initializes a lock that is held for some microseconds: a waiting thread polls for a while before
 * it sleeps. */
static inline void lock_init_adaptive(struct lock *lock)
{
    pthread_mutexattr_t adaptive;
    pthread_mutexattr_init(&adaptive);
    pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&lock->mutex, &adaptive);
    pthread_mutexattr_destroy(&adaptive);
}

static inline void lock_destroy(struct lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

static inline void lock_take(struct lock *lock) ACQUIRE(*lock) NOT_ANALYSED
{
    pthread_mutex_lock(&lock->mutex);
}

static inline void lock_release(struct lock *lock) RELEASE(*lock) NOT_ANALYSED
{
    pthread_mutex_unlock(&lock->mutex);
}

/* Tries to take the lock. False: another thread holds it. */
static inline bool MUST_CHECK lock_try(struct lock *lock) TRY_ACQUIRE(true, *lock) NOT_ANALYSED
{
    return pthread_mutex_trylock(&lock->mutex) == 0;
}

/* Both only inform the analysis. lock_unneeded(): no other thread can access what the lock guards,
 * as that is being created or destroyed, or this is the child of a fork. The other one: the lock is
 * held, under another name. */
static inline void lock_unneeded(const struct lock *lock)
    LOCK_ATTRIBUTE(assert_capability(*lock)) NOT_ANALYSED
{
}

static inline void lock_held(const struct lock *lock)
    LOCK_ATTRIBUTE(assert_capability(*lock)) NOT_ANALYSED
{
}

/* Steps the lock through a fork: the same thread takes it before and releases it after. The
 * analysis does not follow it. */
static inline void lock_fork(struct lock *lock, enum fork_step step) NOT_ANALYSED
{
    if (step == FORK_PREPARE)
        lock_take(lock);
    else
        lock_release(lock);
}

/* A lock that one thread holds for writing, or several for reading. */
struct CAPABILITY("lock") shared_lock {
    pthread_rwlock_t rwlock;
};

static inline void shared_lock_init(struct shared_lock *lock)
{
    pthread_rwlock_init(&lock->rwlock, NULL);
}

static inline void shared_lock_destroy(struct shared_lock *lock)
{
    pthread_rwlock_destroy(&lock->rwlock);
}

static inline void shared_lock_unneeded(const struct shared_lock *lock)
    LOCK_ATTRIBUTE(assert_capability(*lock)) NOT_ANALYSED
{
}

static inline void shared_lock_take(struct shared_lock *lock) ACQUIRE(*lock) NOT_ANALYSED
{
    pthread_rwlock_wrlock(&lock->rwlock);
}

static inline void shared_lock_release(struct shared_lock *lock) RELEASE(*lock) NOT_ANALYSED
{
    pthread_rwlock_unlock(&lock->rwlock);
}

static inline void shared_lock_read(struct shared_lock *lock) ACQUIRE_SHARED(*lock) NOT_ANALYSED
{
    pthread_rwlock_rdlock(&lock->rwlock);
}

static inline void shared_lock_read_end(struct shared_lock *lock) RELEASE_SHARED(*lock) NOT_ANALYSED
{
    pthread_rwlock_unlock(&lock->rwlock);
}

/* A lock of one byte, which is only held for a few instructions. */
struct CAPABILITY("spin lock") spin_lock {
    atomic_flag flag;
};

#define SPIN_LOCK_INITIALIZER {ATOMIC_FLAG_INIT}

/* Tries to take the lock. False: another thread holds it. */
static inline bool MUST_CHECK spin_lock_try(struct spin_lock *lock)
    TRY_ACQUIRE(true, *lock) NOT_ANALYSED
{
    return !atomic_flag_test_and_set_explicit(&lock->flag, memory_order_acquire);
}

static inline void spin_lock_take(struct spin_lock *lock) ACQUIRE(*lock) NOT_ANALYSED
{
    while (!spin_lock_try(lock))
        sched_yield();
}

static inline void spin_lock_release(struct spin_lock *lock) RELEASE(*lock) NOT_ANALYSED
{
    atomic_flag_clear_explicit(&lock->flag, memory_order_release);
}

/* Steps the spin lock through a fork, as lock_fork() does for a lock. */
static inline void spin_lock_fork(struct spin_lock *lock, enum fork_step step) NOT_ANALYSED
{
    if (step == FORK_PREPARE)
        spin_lock_take(lock);
    else
        spin_lock_release(lock);
}

#endif
