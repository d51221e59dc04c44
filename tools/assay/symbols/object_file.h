/* Reads a program, library or debug file on disk: its build id, its functions, and the name of its
 * debug file. Everything in the file is checked before it is used; a damaged file has no
 * symbols. */
#ifndef ASSAY_TOOL_OBJECT_FILE_H
#define ASSAY_TOOL_OBJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bytes of the text of a build id of 64 bytes, which is more than linkers write */
#define BUILD_ID_TEXT 130

struct elf;

/* Opens a file, which the caller closes (elf_close). NULL: it cannot be read, or is not an ELF file
 * of 64 bits. */
struct elf *elf_open(const char *path);
void elf_close(struct elf *elf);

/* Returns the build id in hexadecimal; "": the file has none. */
const char *elf_build_id(const struct elf *elf);
/* Returns the lowest linked address of the loaded segments, from which offsets in findings
 * count. */
uint64_t elf_base(const struct elf *elf);
/* True if the file has source lines. */
bool elf_has_lines(const struct elf *elf);
/* True if the file has a table of all functions, and not only of exported ones. (The table in
 * .gnu_debugdata of stripped programs does not count here, but elf_function() finds its
 * functions.) */
bool elf_has_functions(const struct elf *elf);
/* Returns the name of the file with its debug information (.gnu_debuglink), and that file's
 * checksum; NULL: it names none. */
const char *elf_debug_link(const struct elf *elf, uint32_t *checksum);
/* Returns the checksum of the whole file, in the form of a debug link. */
uint32_t elf_checksum(const struct elf *elf);

/* Returns the mangled name of the function at a linked address, and the offset in it. Endings that
 * compilers add to copies (".constprop.0") are removed. NULL: there is none. The name is valid as
 * long as the file is open. */
const char *elf_function(struct elf *elf, uint64_t address, uint64_t *offset);
/* Calls `each` with the name of every function, in the form of elf_function(). A name may come more
 * than once. */
void elf_each_function(struct elf *elf, void (*each)(const char *name, void *user), void *user);

#endif
