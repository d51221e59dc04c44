/* The index holds the symbols that glibc's dladdr() considers. These are in the module's GNU hash
 * table, which names all that the module exports. dladdr() chooses the symbol that begins last
 * among those that have the address; of several that begin there, the first one of the table. */
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
    uint32_t first, end; /* symbols that are exported */
};

/* A search among the loaded modules, under the dynamic linker's lock. */
struct symbol_search {
    uintptr_t address;
    struct symbol_index *index;  /* that is filled in */
    struct symbol_range *ranges; /* NULL: only the room is asked for */
    uint32_t room, count;        /* of ranges */
    bool found;
};

/* The segment of the module that has the address; NULL: none has it. */
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

/* How many bytes a readable segment holds from there to its end, as the file has them. 0: none. */
static uint64_t readable_from(const struct dl_phdr_info *module, uintptr_t address)
{
    const Elf64_Phdr *segment = segment_at(module, address);
    const uint64_t offset = segment ? address - module->dlpi_addr - segment->p_vaddr : 0;
    return segment && segment->p_flags & PF_R && offset < segment->p_filesz
               ? segment->p_filesz - offset
               : 0;
}

/* The address that an entry of the dynamic section means. Most C libraries replace offsets by
 * addresses there, but not in every module. */
static uintptr_t dynamic_address(const struct dl_phdr_info *module, const Elf64_Dyn *entry)
{
    return entry->d_un.d_ptr < module->dlpi_addr ? entry->d_un.d_ptr + module->dlpi_addr
                                                 : entry->d_un.d_ptr;
}

/* Finds the first and last symbol of a GNU hash table, whose bytes must be all there. The lowest
 * bit of a word ends its chain. False: the table is cut. */
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

/* Finds symbols, names and hash in the module's dynamic section. False: one of them does not lie
 * within the module. */
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

/* Finds the module's symbols by its dynamic section. False: the module has no symbols that can be
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

/* Fills in the ranges, the last symbol first. False: one begins before the segment. */
static bool symbols_collect(struct symbol_search *search, const struct symbol_table *table,
                            uintptr_t bias)
{
    const struct symbol_index *index = search->index;
    search->count = 0;
    for (uint32_t i = table->end; i-- > table->first;) {
        const Elf64_Sym *symbol = &table->symbols[i];
        /* A symbol without a size has the address at which it stands. */
        const uint64_t start = bias + symbol->st_value,
                       size = symbol->st_size ? symbol->st_size : 1, behind = index->code - start;
        if (!is_named(table, symbol))
            continue;
        /* Such a symbol reaches into the segment from before it, which ranges cannot say. */
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

/* For dl_iterate_phdr(): reads the symbols of the module that has the address, and ends the search
 * there. */
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
    /* Another, larger module may have taken the place of the module that the room is for. */
    search->found = !search->ranges || (table.end - table.first <= search->room &&
                                        symbols_collect(search, &table, module->dlpi_addr));
    return 1;
}

/* --- sorting --- */

#define DIGIT_BITS 8 /* 1 KB of the program's stack, which may be small; 11 would save a pass */
#define DIGITS     (1 << DIGIT_BITS)

/* Moves ranges to `to` by one digit of their start. Those that have the same keep their order. */
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

/* Sorts the ranges by start. Gives where they are: in `ranges` or in `other`, which has the same
 * room. */
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

/* Links each range with the innermost one around it. Each step leads past ranges that end no later,
 * so that all steps together are fewer than twice the ranges. */
static void link_outer(struct symbol_range *ranges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t outer = i ? i - 1 : SYMBOL_NONE;
        while (outer != SYMBOL_NONE && ranges[outer].end <= ranges[i].end)
            outer = ranges[outer].outer;
        ranges[i].outer = outer;
    }
}

/* Room for as many ranges, which the caller frees; NULL: memory is out. */
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
    /* Two walks, as no memory may be taken under the dynamic linker's lock. */
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
    /* Much of a C++ library's table is data, which is in another segment. */
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
    /* The last range that begins before the address may have ended: then a range around it
     * counts. */
    while (at != SYMBOL_NONE && index->ranges[at].end <= offset)
        at = index->ranges[at].outer;
    return at != SYMBOL_NONE ? &index->ranges[at] : NULL;
}
