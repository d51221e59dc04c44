/* Gives the names that the system and the program have for a thread. For messages. A header of its
 * own, as all includes base/thread.h. Threads: any; the table of numbers is atomic. */
#ifndef ASSAY_BASE_THREAD_NAMES_H
#define ASSAY_BASE_THREAD_NAMES_H

#include "base/base.h"

/* The system's number of the thread that has, or had last, the number `number %
 * THREAD_SYSTEM_NUMBERS`; 0: none. */
#define THREAD_SYSTEM_NUMBERS 16384u
uint32_t thread_system_number(uint32_t number);
/* Its name, as pthread_setname_np() gave it. False: it has ended, or /proc cannot be read. */
#define THREAD_NAME_SIZE 16
bool thread_name_read(uint32_t system_number, char name[THREAD_NAME_SIZE]) COLD;

#endif
