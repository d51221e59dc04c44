/* Defines functions that statically linked libraries from a newer system need, and that glibc 2.34
 * does not have. These definitions bind within the program or library that links this file. */
/* With _GNU_SOURCE, strtol would be __isoc23_strtol of this file, which is an endless loop. */
#undef _GNU_SOURCE
#undef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

/* glibc 2.38 has these for C23, which also accepts the prefix 0b. */
long __isoc23_strtol(const char *restrict text, char **restrict end, int base);
long __isoc23_strtol(const char *restrict text, char **restrict end, int base)
{
    return strtol(text, end, base);
}
long long __isoc23_strtoll(const char *restrict text, char **restrict end, int base);
long long __isoc23_strtoll(const char *restrict text, char **restrict end, int base)
{
    return strtoll(text, end, base);
}
unsigned long __isoc23_strtoul(const char *restrict text, char **restrict end, int base);
unsigned long __isoc23_strtoul(const char *restrict text, char **restrict end, int base)
{
    return strtoul(text, end, base);
}
unsigned long long __isoc23_strtoull(const char *restrict text, char **restrict end, int base);
unsigned long long __isoc23_strtoull(const char *restrict text, char **restrict end, int base)
{
    return strtoull(text, end, base);
}

int __isoc23_sscanf(const char *restrict text, const char *restrict format, ...);
int __isoc23_sscanf(const char *restrict text, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

/* From glibc 2.36. json-c seeds its hash tables with it. A seed of 0 only makes them
 * predictable. */
uint32_t arc4random(void);
uint32_t arc4random(void)
{
    uint32_t number = 0;
    return getrandom(&number, sizeof(number), 0) == sizeof(number) ? number : 0;
}

/* glibc 2.38 has a second version of fmod, which does not set errno. SQLite does not read errno. */
#if defined(__x86_64__)
__asm__(".symver older_fmod, fmod@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver older_fmod, fmod@GLIBC_2.17");
#endif
#if defined(__x86_64__) || defined(__aarch64__)
double older_fmod(double x, double y);
double fmod(double x, double y);
double fmod(double x, double y)
{
    return older_fmod(x, y);
}
#endif
