/* A program, library or debug file on disk: which build it is, its functions, and where the rest of
 * its symbols may be. Everything in the file is checked before it is used: what is damaged has no
 * symbols. */
#ifndef ASSAY_TOOL_OBJECT_FILE_H
#define ASSAY_TOOL_OBJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_TEXT 130 /* of 64 bytes, which is more than linkers write */

struct elf;

/* NULL: it cannot be read, or is not an ELF file of 64 bits. Owned by the caller (elf_close). */
struct elf *elf_open(const char *path);
void elf_close(struct elf *elf);

/* Hexadecimal; "" where the linker wrote none. */
const char *elf_build_id(const struct elf *elf);
/* The lowest address of what is loaded, as it was linked: offsets in findings count from it. */
uint64_t elf_base(const struct elf *elf);
/* True if it knows lines of source. */
bool elf_has_lines(const struct elf *elf);
/* True if it has a table of all functions, and not of those alone that it exports. (.gnu_debugdata,
 * which is such a table of programs that are stripped, does not count here: elf_function has those
 * functions all the same.) */
bool elf_has_functions(const struct elf *elf);
/* The file that has its debug information (.gnu_debuglink), and the checksum of that; NULL: it
 * names none. */
const char *elf_debug_link(const struct elf *elf, uint32_t *checksum);
/* The checksum of the whole file, as a debug link has it. */
uint32_t elf_checksum(const struct elf *elf);

/* The function that the address (as it was linked) is in, and the bytes from its begin. It is
 * mangled, without what compilers add to copies of it (".constprop.0"). NULL: none. The text lives
 * as long as the elf. */
const char *elf_function(struct elf *elf, uint64_t address, uint64_t *offset);
/* Calls `each` with the name of every function, as elf_function gives it; a name may come more than
 * once. */
void elf_each_function(struct elf *elf, void (*each)(const char *name, void *user), void *user);

#endif
