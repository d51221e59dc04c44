/* Remembers shader modules that were found valid before, in this process or an earlier one. */
#define _GNU_SOURCE
#include "core/shader/spirv_known.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lock.h"

/* Keys of modules that are known to be valid. Threads: if a write is lost, a module is validated
 * twice. */
#define KNOWN_SETS 4096u
#define KNOWN_WAYS 4u
static _Atomic uint64_t known_good[KNOWN_SETS][KNOWN_WAYS];

/* The head of the file. After it, the file has keys. */
struct file_head {
    char magic[8];      /* MAGIC, with the format's number at its end */
    uint64_t validator; /* a hash of everything that decides whether code is valid */
};
#define MAGIC     "ASSAY\0\0\1"
#define FILE_KEYS 65536u /* the most keys of a file; a full file is started from empty */

static pthread_once_t read_once = PTHREAD_ONCE_INIT;
/* the validator of this process. Every writer writes the same value. Relaxed */
static _Atomic uint64_t file_validator;
/* written once, by read_file(); empty if there is no file */
static char file_path[4096];

/* Keys that were found valid after the file was last written. A key that finds no room is dropped.
 * A place is 0 when it is free; a compare-exchange from 0 fills it. */
#define NEW_KEYS 256u
/* When there are this many new keys, they are written to the file. */
#define NEW_MANY 64u
static _Atomic uint64_t new_keys[NEW_KEYS];
static _Atomic uint32_t new_count; /* about the number of new keys */

bool spirv_is_known_good(uint64_t key)
{
    for (uint32_t i = 0; i < KNOWN_WAYS; i++) {
        if (atomic_load_explicit(&known_good[key % KNOWN_SETS][i], memory_order_relaxed) == key)
            return true;
    }
    return false;
}

/* Stores that a module is valid. If two threads choose the same place, one of the keys is lost. */
static void known_remember(uint64_t key)
{
    _Atomic uint64_t *set = known_good[key % KNOWN_SETS];
    uint32_t way = (uint32_t)(key >> 32) % KNOWN_WAYS;
    for (uint32_t i = 0; i < KNOWN_WAYS; i++) {
        if (atomic_load_explicit(&set[i], memory_order_relaxed) == 0)
            way = i;
    }
    atomic_store_explicit(&set[way], key, memory_order_relaxed);
}

void spirv_remember_good(uint64_t key, bool keep)
{
    known_remember(key);
    if (!keep || !file_path[0])
        return;
    uint32_t count = atomic_fetch_add_explicit(&new_count, 1, memory_order_relaxed);
    for (uint32_t i = 0; i < NEW_KEYS; i++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong_explicit(&new_keys[(count + i) % NEW_KEYS], &none, key,
                                                    memory_order_relaxed, memory_order_relaxed))
            break;
    }
    if (count >= NEW_MANY) /* a program that crashes later keeps most keys */
        spirv_known_write();
}

/* Finds the directory of the file, and creates it if it does not exist. */
static bool find_directory(char *path, size_t size)
{
    assert(path && size);
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int length = 0;
    if (cache && cache[0] == '/')
        length = snprintf(path, size, "%s", cache);
    else if (home && home[0] == '/')
        length = snprintf(path, size, "%s/.cache", home);
    if (length <= 0 || (size_t)length + sizeof("/assay/valid-spirv") > size)
        return false;
    (void)mkdir(path, 0700);
    memcpy(path + length, "/assay", sizeof("/assay"));
    (void)mkdir(path, 0700);
    return access(path, W_OK) == 0;
}

/* True if the file was written by this format and this validator. */
static bool head_is_right(int file)
{
    struct file_head head;
    return pread(file, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
           memcmp(head.magic, MAGIC, sizeof(head.magic)) == 0 &&
           head.validator == atomic_load_explicit(&file_validator, memory_order_relaxed);
}

/* Reads all keys of the file. A key that is incomplete, at the end of the file, is ignored. */
static void read_keys(int file)
{
    uint64_t keys[512];
    off_t at = sizeof(struct file_head);
    for (ssize_t got; (got = pread(file, keys, sizeof(keys), at)) >= (ssize_t)sizeof(keys[0]);
         at += got) {
        got -= got % (ssize_t)sizeof(keys[0]);
        for (ssize_t i = 0; i < got / (ssize_t)sizeof(keys[0]); i++) {
            if (keys[i])
                known_remember(keys[i]);
        }
    }
}

/* Reads the keys of earlier processes, once. A file that cannot be read is ignored. */
static void read_file(void)
{
    char directory[sizeof(file_path) - 32];
    if (!find_directory(directory, sizeof(directory)))
        return;
    snprintf(file_path, sizeof(file_path), "%s/valid-spirv", directory);
    int file = open(file_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return;
    if (head_is_right(file))
        read_keys(file);
    close(file);
}

void spirv_known_read(uint64_t validator)
{
    atomic_store_explicit(&file_validator, validator, memory_order_relaxed);
    pthread_once(&read_once, read_file);
}

/* Starts the file from empty if it is of another validator, broken or full. */
static bool file_begin(int file)
{
    struct stat now;
    if (fstat(file, &now) || !S_ISREG(now.st_mode))
        return false;
    off_t part = now.st_size % (off_t)sizeof(uint64_t); /* an incomplete key, from a full disk */
    if (head_is_right(file) &&
        now.st_size < (off_t)(sizeof(struct file_head) + FILE_KEYS * sizeof(uint64_t)))
        return !part || ftruncate(file, now.st_size - part) == 0;
    struct file_head head = {.validator =
                                 atomic_load_explicit(&file_validator, memory_order_relaxed)};
    memcpy(head.magic, MAGIC, sizeof(head.magic));
    return ftruncate(file, 0) == 0 && write(file, &head, sizeof(head)) == (ssize_t)sizeof(head);
}

void spirv_known_write(void)
{
    static struct spin_lock busy = SPIN_LOCK_INITIALIZER;
    if (!atomic_load_explicit(&new_count, memory_order_relaxed) || !spin_lock_try(&busy))
        return;
    uint64_t keys[NEW_KEYS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < NEW_KEYS; i++) {
        keys[count] = atomic_exchange_explicit(&new_keys[i], 0, memory_order_relaxed);
        count += keys[count] != 0;
    }
    atomic_store_explicit(&new_count, 0, memory_order_relaxed);
    /* The keys are appended in one piece, under a lock between processes. A thread that does not
     * get the lock leaves its keys to a later run. */
    int file =
        count ? open(file_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    if (file >= 0) {
        if (flock(file, LOCK_EX | LOCK_NB) == 0 && file_begin(file)) {
            ssize_t written = write(file, keys, count * sizeof(keys[0]));
            (void)written; /* the disk may be full: read_keys() ignores an incomplete key */
        }
        close(file);
    }
    spin_lock_release(&busy);
}
