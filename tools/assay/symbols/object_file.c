/* Reads a program, library or debug file on disk. */
#include "assay/symbols/object_file.h"

#include <elf.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define PAGE 4096u
/* Limits in bytes for unpacking .gnu_debugdata: the first buffer, the largest result (the largest
 * programs have some 20 MB), and the decoder's memory, which depends on its dictionary. */
#define PACKED_FIRST       (1u << 20)
#define PACKED_MOST        (128u << 20)
#define PACKED_MEMORY_MOST (160u << 20)

struct function {
    uint64_t address, size;
    char *name; /* owned */
    bool local;
};

struct elf {
    const uint8_t *bytes; /* mapped */
    size_t length;
    char build_id[BUILD_ID_TEXT];
    uint64_t base;
    struct function *functions; /* owned; by address */
    size_t function_count;
    bool functions_read;
};

/* Returns `size` bytes at an offset; NULL: they are not within the file. */
static const void *bytes_at(const struct elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->length && size <= elf->length - offset ? elf->bytes + offset : NULL;
}

static Elf64_Ehdr header_of(const struct elf *elf)
{
    Elf64_Ehdr header;
    memcpy(&header, elf->bytes, sizeof(header));
    return header;
}

static bool section_at(const struct elf *elf, unsigned index, Elf64_Shdr *section)
{
    const Elf64_Ehdr header = header_of(elf);
    const void *bytes =
        header.e_shentsize == sizeof(*section) && index < header.e_shnum
            ? bytes_at(elf, header.e_shoff + (uint64_t)index * sizeof(*section), sizeof(*section))
            : NULL;
    if (bytes)
        memcpy(section, bytes, sizeof(*section));
    return bytes != NULL;
}

/* Returns a text in a section of texts; NULL: it is not terminated. */
static const char *text_at(const struct elf *elf, const Elf64_Shdr *texts, uint64_t offset)
{
    const char *bytes =
        texts->sh_type == SHT_NOBITS ? NULL : bytes_at(elf, texts->sh_offset, texts->sh_size);
    if (!bytes || offset >= texts->sh_size || !memchr(bytes + offset, 0, texts->sh_size - offset))
        return NULL;
    return bytes + offset;
}

static bool find_section(const struct elf *elf, const char *wanted, Elf64_Shdr *found)
{
    const Elf64_Ehdr header = header_of(elf);
    Elf64_Shdr names;
    if (!section_at(elf, header.e_shstrndx, &names))
        return false;
    for (unsigned i = 0; section_at(elf, i, found); i++) {
        const char *name = text_at(elf, &names, found->sh_name);
        if (name && !strcmp(name, wanted) && found->sh_type != SHT_NOBITS)
            return true;
    }
    return false;
}

/* Reads the build id from a section of notes. */
static void read_notes(struct elf *elf, const uint8_t *notes, uint64_t size)
{
    Elf64_Nhdr note;
    for (uint64_t at = 0; size - at >= sizeof(note);) {
        memcpy(&note, notes + at, sizeof(note));
        uint64_t name = at + sizeof(note),
                 text = name + ((note.n_namesz + (uint64_t)3) & ~(uint64_t)3),
                 next = text + ((note.n_descsz + (uint64_t)3) & ~(uint64_t)3);
        if (text + note.n_descsz > size)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
            !memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
            for (uint32_t i = 0; i < note.n_descsz && 2 * i + 2 < BUILD_ID_TEXT; i++)
                snprintf(elf->build_id + (size_t)2 * i, 3, "%02x", notes[text + i]);
            return;
        }
        if (next > size)
            return;
        at = next;
    }
}

static void read_segments(struct elf *elf)
{
    const Elf64_Ehdr header = header_of(elf);
    Elf64_Phdr segment;
    elf->base = UINT64_MAX;
    for (unsigned i = 0; header.e_phentsize == sizeof(segment) && i < header.e_phnum; i++) {
        const void *bytes =
            bytes_at(elf, header.e_phoff + (uint64_t)i * sizeof(segment), sizeof(segment));
        if (!bytes)
            break;
        memcpy(&segment, bytes, sizeof(segment));
        if (segment.p_type == PT_LOAD && segment.p_vaddr < elf->base)
            elf->base = segment.p_vaddr & ~(uint64_t)(PAGE - 1);
    }
    if (elf->base == UINT64_MAX)
        elf->base = 0;
}

/* Finds the build id in the sections, as debug files do not have the contents of segments. */
static void read_build_id(struct elf *elf)
{
    Elf64_Shdr section;
    for (unsigned i = 0; !elf->build_id[0] && section_at(elf, i, &section); i++) {
        const uint8_t *notes =
            section.sh_type == SHT_NOTE ? bytes_at(elf, section.sh_offset, section.sh_size) : NULL;
        if (notes)
            read_notes(elf, notes, section.sh_size);
    }
}

static bool is_elf(const struct elf *elf)
{
    return elf->length >= sizeof(Elf64_Ehdr) && memcmp(elf->bytes, ELFMAG, SELFMAG) == 0 &&
           elf->bytes[EI_CLASS] == ELFCLASS64;
}

struct elf *elf_open(const char *path)
{
    struct stat status;
    struct elf *elf = calloc(1, sizeof(*elf));
    /* O_NONBLOCK: a FIFO must not block the tool */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    void *bytes = MAP_FAILED;
    if (elf && file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= (off_t)sizeof(Elf64_Ehdr))
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    if (bytes == MAP_FAILED) {
        free(elf);
        return NULL;
    }
    elf->bytes = bytes;
    elf->length = (size_t)status.st_size;
    if (!is_elf(elf)) {
        elf_close(elf);
        return NULL;
    }
    read_segments(elf);
    read_build_id(elf);
    return elf;
}

void elf_close(struct elf *elf)
{
    if (!elf)
        return;
    for (size_t i = 0; i < elf->function_count; i++)
        free(elf->functions[i].name);
    free(elf->functions);
    munmap((void *)(uintptr_t)elf->bytes, elf->length);
    free(elf);
}

const char *elf_build_id(const struct elf *elf)
{
    return elf->build_id;
}

uint64_t elf_base(const struct elf *elf)
{
    return elf->base;
}

bool elf_has_lines(const struct elf *elf)
{
    Elf64_Shdr section;
    return find_section(elf, ".debug_info", &section) ||
           find_section(elf, ".zdebug_info", &section);
}

bool elf_has_functions(const struct elf *elf)
{
    Elf64_Shdr section;
    return find_section(elf, ".symtab", &section);
}

const char *elf_debug_link(const struct elf *elf, uint32_t *checksum)
{
    Elf64_Shdr section;
    const char *name =
        find_section(elf, ".gnu_debuglink", &section) ? text_at(elf, &section, 0) : NULL;
    uint64_t at = name ? (strlen(name) + 4) & ~(uint64_t)3 : 0;
    if (!name || !*name || strchr(name, '/') || at + sizeof(*checksum) > section.sh_size)
        return NULL;
    memcpy(checksum, name + at, sizeof(*checksum));
    return name;
}

uint32_t elf_checksum(const struct elf *elf)
{
    return (uint32_t)crc32_z(0, elf->bytes, elf->length);
}

/* --- functions --- */

/* Copies a function's name without the ending that compilers give to copies and parts of a
 * function. */
static char *plain_name(const char *name)
{
    static const char *const endings[] = {".constprop.", ".isra.", ".part.",      ".cold",
                                          ".lto_priv.",  ".llvm.", ".localalias", ".clone."};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
        const char *ending = strstr(name + (*name != '\0'), endings[i]);
        if (ending && (size_t)(ending - name) < length)
            length = (size_t)(ending - name);
    }
    return strndup(name, length);
}

/* Adds the functions in a table of symbols to `elf`. The table is in `from`, which may be another
 * file. */
static void add_functions(struct elf *elf, const struct elf *from, const Elf64_Shdr *table)
{
    Elf64_Shdr texts;
    uint64_t count = table->sh_size / sizeof(Elf64_Sym);
    const uint8_t *bytes = bytes_at(from, table->sh_offset, table->sh_size);
    struct function *functions = NULL;
    if (bytes && table->sh_entsize == sizeof(Elf64_Sym) && section_at(from, table->sh_link, &texts))
        functions = realloc(elf->functions, (elf->function_count + count + 1) * sizeof(*functions));
    if (!functions)
        return;
    elf->functions = functions;
    for (uint64_t i = 0; i < count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, bytes + i * sizeof(symbol), sizeof(symbol));
        const unsigned type = ELF64_ST_TYPE(symbol.st_info);
        const char *name = text_at(from, &texts, symbol.st_name);
        if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF || !name ||
            !*name)
            continue;
        struct function *function = &functions[elf->function_count];
        *function = (struct function){.address = symbol.st_value,
                                      .size = symbol.st_size,
                                      .name = plain_name(name),
                                      .local = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL};
        elf->function_count += function->name != NULL;
    }
}

/* Compares two functions, for qsort(): by address, then exported names first, then by name, so that
 * the choice among several names is always the same. */
static int compare_functions(const void *a, const void *b)
{
    const struct function *first = a, *second = b;
    if (first->address != second->address)
        return first->address < second->address ? -1 : 1;
    if (first->local != second->local)
        return first->local ? 1 : -1;
    return strcmp(first->name, second->name);
}

/* Unpacks an xz file into memory that the caller frees; NULL: it is damaged, or too large. */
static uint8_t *object_file_unpack(const uint8_t *packed, size_t size, size_t *length)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    uint8_t *bytes = NULL;
    size_t capacity = 0;
    lzma_ret state = lzma_stream_decoder(&stream, PACKED_MEMORY_MOST, 0);
    stream.next_in = packed;
    stream.avail_in = size;
    while (state == LZMA_OK && capacity < PACKED_MOST) {
        size_t larger = capacity ? capacity * 2 : PACKED_FIRST;
        uint8_t *moved = realloc(bytes, larger);
        if (!moved)
            break;
        bytes = moved;
        stream.next_out = bytes + capacity;
        stream.avail_out = larger - capacity;
        capacity = larger;
        state = lzma_code(&stream, LZMA_FINISH);
    }
    *length = capacity - stream.avail_out;
    lzma_end(&stream);
    if (state == LZMA_STREAM_END)
        return bytes;
    free(bytes);
    return NULL;
}

/* Adds the functions in .gnu_debugdata, which programs of Fedora have: a packed ELF file with the
 * functions that are not exported. */
static void add_packed_functions(struct elf *elf)
{
    Elf64_Shdr section;
    struct elf inner = {0};
    const uint8_t *packed = find_section(elf, ".gnu_debugdata", &section)
                                ? bytes_at(elf, section.sh_offset, section.sh_size)
                                : NULL;
    uint8_t *bytes = packed ? object_file_unpack(packed, section.sh_size, &inner.length) : NULL;
    inner.bytes = bytes;
    if (bytes && is_elf(&inner) && find_section(&inner, ".symtab", &section))
        add_functions(elf, &inner, &section);
    free(bytes);
}

static void read_functions(struct elf *elf)
{
    Elf64_Shdr section;
    elf->functions_read = true;
    if (find_section(elf, ".symtab", &section)) {
        add_functions(elf, elf, &section);
    } else {
        if (find_section(elf, ".dynsym", &section))
            add_functions(elf, elf, &section);
        add_packed_functions(elf);
    }
    qsort(elf->functions, elf->function_count, sizeof(*elf->functions), compare_functions);
}

const char *elf_function(struct elf *elf, uint64_t address, uint64_t *offset)
{
    if (!elf->functions_read)
        read_functions(elf);
    size_t first = 0, end = elf->function_count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (elf->functions[middle].address <= address)
            first = middle + 1;
        else
            end = middle;
    }
    if (!first)
        return NULL;
    const struct function *function = &elf->functions[first - 1];
    while (function > elf->functions && function[-1].address == function->address)
        function--;
    *offset = address - function->address;
    return *offset < function->size ? function->name : NULL;
}

void elf_each_function(struct elf *elf, void (*each)(const char *name, void *user), void *user)
{
    if (!elf->functions_read)
        read_functions(elf);
    for (size_t i = 0; i < elf->function_count; i++)
        each(elf->functions[i].name, user);
}
