/* Indexes the symbols that glibc's dladdr() considers: those of the module's GNU hash table, which
 * are all that the module exports. Among the symbols that contain an address, dladdr() chooses the
 * one that begins last. Among several that begin at the same address, it chooses the first of the
 * table. */
#define _GNU_SOURCE
#include "report/names/symbol_index.h"

#include <link.h>
#include <string.h>

/* Words at the beginning of a GNU hash table. */
enum { HASH_BUCKETS, HASH_FIRST_SYMBOL, HASH_BLOOM_WORDS, HASH_BLOOM_SHIFT, HASH_HEADER };

/* A module's table of symbols, as the dynamic linker has it in memory. */
struct symbol_table {
    const Elf64_Sym *symbols;
    const char *names;
    uint64_t names_size; /* bytes */
    uint32_t first, end; /* the exported symbols: indices from `first` to before `end` */
};

/* A search among the loaded modules. It runs under the dynamic linker's lock. */
struct symbol_search {
    uintptr_t address;
    struct symbol_index *index;  /* the index that is filled in */
    struct symbol_range *ranges; /* array that is filled in; NULL: the search only finds `room` */
    /* elements that `ranges` needs or has, and those that are filled in */
    uint32_t room, count;
    bool found;
};

/* Returns the module's segment that contains the address; NULL: none does. */
static const Elf64_Phdr *segment_at(const struct dl_phdr_info *module, uintptr_t address)
{
    for (uint32_t i = 0; i < module->dlpi_phnum; i++) {
        const Elf64_Phdr *segment = &module->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD &&
            address - module->dlpi_addr - segment->p_vaddr < segment->p_memsz)
            return segment;
    }
    return NULL;
}

/* Returns how many bytes of the file a readable segment has from the address to its end; 0: no
 * segment contains the address. */
static uint64_t readable_from(const struct dl_phdr_info *module, uintptr_t address)
{
    const Elf64_Phdr *segment = segment_at(module, address);
    const uint64_t offset = segment ? address - module->dlpi_addr - segment->p_vaddr : 0;
    return segment && segment->p_flags & PF_R && offset < segment->p_filesz
               ? segment->p_filesz - offset
               : 0;
}

/* Returns the address that an entry of the dynamic section gives. In most modules the C library has
 * replaced the offset by an address, but not in all. */
static uintptr_t dynamic_address(const struct dl_phdr_info *module, const Elf64_Dyn *entry)
{
    return entry->d_un.d_ptr < module->dlpi_addr ? entry->d_un.d_ptr + module->dlpi_addr
                                                 : entry->d_un.d_ptr;
}

/* Finds the first and last symbol of a GNU hash table. In a word of a chain the lowest bit marks
 * the chain's end. Returns false if `size` bytes are too few for the table. */
static bool read_hash(struct symbol_table *table, const uint32_t *hash, uint64_t size)
{
    uint64_t words = size / sizeof(uint32_t);
    if ((uintptr_t)hash % sizeof(uint64_t) || words < HASH_HEADER)
        return false;
    /* Words of the Bloom filter have 8 bytes, all others 4. */
    const uint64_t buckets = HASH_HEADER + (uint64_t)hash[HASH_BLOOM_WORDS] * 2,
                   chain = buckets + hash[HASH_BUCKETS];
    if (words <= chain)
        return false;
    uint32_t last = 0;
    for (uint64_t i = buckets; i < chain; i++)
        last = hash[i] > last ? hash[i] : last;
    table->first = hash[HASH_FIRST_SYMBOL];
    if (last < table->first)
        return false;
    for (uint64_t i = chain + (last - table->first); i < words; i++, last++) {
        table->end = last + 1;
        if (hash[i] & 1)
            return true;
    }
    return false;
}

/* Finds the symbols, their names and the hash table in the module's dynamic section. Returns false
 * if one of them is not within the module. */
static bool read_dynamic(struct symbol_table *table, const struct dl_phdr_info *module,
                         const Elf64_Dyn *entry, const Elf64_Dyn *end)
{
    uintptr_t symbols = 0, names = 0, hash = 0;
    for (; entry < end && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB)
            symbols = dynamic_address(module, entry);
        else if (entry->d_tag == DT_STRTAB)
            names = dynamic_address(module, entry);
        else if (entry->d_tag == DT_GNU_HASH)
            hash = dynamic_address(module, entry);
        else if (entry->d_tag == DT_STRSZ)
            /* The size is in bytes. */
            table->names_size = entry->d_un.d_val;
    }
    table->symbols = (const void *)symbols;
    table->names = (const void *)names;
    /* The file may be damaged: each table must lie in what is mapped of the module. */
    return symbols % sizeof(uint64_t) == 0 &&
           read_hash(table, (const void *)hash, readable_from(module, hash)) &&
           (uint64_t)table->end * sizeof(Elf64_Sym) <= readable_from(module, symbols) &&
           table->names_size <= readable_from(module, names);
}

/* Finds the module's symbols by its dynamic section. Returns false if it has none that can be
 * read. */
static bool find_table(struct symbol_table *table, const struct dl_phdr_info *module)
{
    for (uint32_t i = 0; i < module->dlpi_phnum; i++) {
        const Elf64_Phdr *segment = &module->dlpi_phdr[i];
        const uintptr_t at = module->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC)
            return segment->p_memsz <= readable_from(module, at) &&
                   read_dynamic(table, module, (const void *)at,
                                (const void *)(at + segment->p_memsz));
    }
    return false;
}

/* True for symbols that dladdr() considers, and whose names lie within the table. */
static bool is_named(const struct symbol_table *table, const Elf64_Sym *symbol)
{
    return (symbol->st_shndx != SHN_UNDEF || symbol->st_value != 0) &&
           symbol->st_shndx != SHN_ABS && ELF64_ST_TYPE(symbol->st_info) != STT_TLS &&
           symbol->st_name < table->names_size && symbol->st_name < UINT32_MAX;
}

/* Fills in the ranges, beginning with the last symbol. Returns false if a symbol reaches into the
 * segment from before it, which a range cannot express. */
static bool symbols_collect(struct symbol_search *search, const struct symbol_table *table,
                            uintptr_t bias)
{
    const struct symbol_index *index = search->index;
    search->count = 0;
    for (uint32_t i = table->end; i-- > table->first;) {
        const Elf64_Sym *symbol = &table->symbols[i];
        /* A symbol without a size counts as one byte. */
        const uint64_t start = bias + symbol->st_value,
                       size = symbol->st_size ? symbol->st_size : 1, behind = index->code - start;
        if (!is_named(table, symbol))
            continue;
        /* This symbol begins before the segment and ends in it. */
        if (start < index->code && size > behind)
            return false;
        if (start - index->code >= index->size)
            continue;
        const uint64_t offset = start - index->code;
        search->ranges[search->count++] = (struct symbol_range){
            .start = (uint32_t)offset,
            .end = size < index->size - offset ? (uint32_t)(offset + size) : index->size,
            .name = symbol->st_name};
    }
    return true;
}

/* Reads the symbols of the module that contains the address. dl_iterate_phdr() calls it for each
 * module; 1 ends the search. */
static int look_at_module(struct dl_phdr_info *module, size_t size, void *context)
{
    struct symbol_search *search = context;
    struct symbol_index *index = search->index;
    const Elf64_Phdr *segment = segment_at(module, search->address);
    struct symbol_table table = {0};
    if (!segment)
        return 0;
    if (segment->p_memsz >= UINT32_MAX || !find_table(&table, module))
        return 1;
    index->code = module->dlpi_addr + segment->p_vaddr;
    index->size = (uint32_t)segment->p_memsz;
    index->names = table.names;
    if (!search->ranges)
        search->room = table.end - table.first;
    /* Between the two walks another, larger module may have taken the place of the first one. */
    search->found = !search->ranges || (table.end - table.first <= search->room &&
                                        symbols_collect(search, &table, module->dlpi_addr));
    return 1;
}

/* --- sorting --- */

/* 8 bits take 1 KB of the program's stack, which may be small; 11 bits would save a pass */
#define DIGIT_BITS 8
#define DIGITS     (1 << DIGIT_BITS)

/* Copies the ranges to `to`, sorted by one digit of their start. Ranges with the same digit keep
 * their order. */
static void sort_by_digit(struct symbol_range *to, const struct symbol_range *from, uint32_t count,
                          uint32_t shift)
{
    uint32_t places[DIGITS] = {0}, next = 0;
    for (uint32_t i = 0; i < count; i++)
        places[from[i].start >> shift & (DIGITS - 1)]++;
    for (uint32_t i = 0; i < DIGITS; i++) {
        const uint32_t same = places[i];
        places[i] = next;
        next += same;
    }
    for (uint32_t i = 0; i < count; i++)
        to[places[from[i].start >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts the ranges by start. `other` is an array of the same size; the result is the one of the two
 * that has the sorted ranges. */
static struct symbol_range *symbols_sort(struct symbol_range *ranges, struct symbol_range *other,
                                         uint32_t count)
{
    for (uint32_t shift = 0; shift < 32; shift += DIGIT_BITS) {
        struct symbol_range *sorted = other;
        sort_by_digit(sorted, ranges, count, shift);
        other = ranges;
        ranges = sorted;
    }
    return ranges;
}

/* Links each range with the innermost range around it. Each step skips ranges that end no later, so
 * that all steps together are fewer than twice the number of ranges. */
static void link_outer(struct symbol_range *ranges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t outer = i ? i - 1 : SYMBOL_NONE;
        while (outer != SYMBOL_NONE && ranges[outer].end <= ranges[i].end)
            outer = ranges[outer].outer;
        ranges[i].outer = outer;
    }
}

/* Allocates an array of `count` ranges, which the caller frees; NULL: memory is out. */
static struct symbol_range *ranges_new(uint32_t count)
{
    return mem_alloc((size_t)count * sizeof(struct symbol_range));
}

bool symbol_index_make(struct symbol_index *index, const void *address, uint32_t most)
{
    struct symbol_search search = {.address = (uintptr_t)address, .index = index};
    *index = (struct symbol_index){0};
    dl_iterate_phdr(look_at_module, &search);
    if (!search.found || search.room > most)
        return false;
    /* There are two walks, since nothing may be allocated under the dynamic linker's lock. */
    search.found = false;
    search.ranges = ranges_new(search.room);
    struct symbol_range *other = search.ranges ? ranges_new(search.room) : NULL;
    if (other)
        dl_iterate_phdr(look_at_module, &search);
    if (!search.found) {
        mem_free(search.ranges);
        mem_free(other);
        return false;
    }
    index->count = search.count;
    index->ranges = symbols_sort(search.ranges, other, search.count);
    mem_free(index->ranges == other ? search.ranges : other);
    link_outer(index->ranges, index->count);
    /* Many symbols of a C++ library are data, which is in another segment: the array can shrink. */
    struct symbol_range *smaller =
        mem_resize(index->ranges, (size_t)index->count * sizeof(struct symbol_range) + 1);
    index->ranges = smaller ? smaller : index->ranges;
    return true;
}

void symbol_index_free(struct symbol_index *index)
{
    mem_free(index->ranges);
    *index = (struct symbol_index){0};
}

const struct symbol_range *symbol_index_find(const struct symbol_index *index, const void *address)
{
    assert(symbol_index_covers(index, address));
    const uint32_t offset = (uint32_t)((uintptr_t)address - index->code);
    uint32_t low = 0, high = index->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (index->ranges[middle].start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t at = low ? low - 1 : SYMBOL_NONE;
    /* If the last range that begins before the address has ended, the ranges around it are tried.
     */
    while (at != SYMBOL_NONE && index->ranges[at].end <= offset)
        at = index->ranges[at].outer;
    return at != SYMBOL_NONE ? &index->ranges[at] : NULL;
}
