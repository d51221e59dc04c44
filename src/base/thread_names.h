/* The system's number and the name of a thread, for messages. It is a separate header, as
 * everything includes base/thread.h. Threads: any; the table of numbers is atomic. */
#ifndef ASSAY_BASE_THREAD_NAMES_H
#define ASSAY_BASE_THREAD_NAMES_H

#include "base/base.h"

/* The system's number of the thread that has, or last had, the number `number %
 * THREAD_SYSTEM_NUMBERS`; 0: none. */
#define THREAD_SYSTEM_NUMBERS 16384u
uint32_t thread_system_number(uint32_t number);
/* Reads the name that pthread_setname_np() gave the thread. False: it has ended, or /proc cannot be
 * read. */
#define THREAD_NAME_SIZE 16
bool thread_name_read(uint32_t system_number, char name[THREAD_NAME_SIZE]) COLD;

#endif
