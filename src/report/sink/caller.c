/* Finds the module and symbol of a return address. Its GNU extensions are enabled in this file
 * alone, so that other files do not get GNU variants of the C library's functions. */
#define _GNU_SOURCE
#include "report/report.h"
#include "report/names/symbol_index.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* bytes of a page: program headers are only read in the module's first page, which is mapped */
#define HEADERS_END 4096

/* True if a readable segment holds these bytes. `address` is as linked, without the module's load
 * address. */
static bool is_mapped(const Elf64_Phdr *segments, unsigned count, uint64_t address, uint64_t size)
{
    assert(segments || !count);
    for (unsigned i = 0; i < count; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) &&
            address >= segment->p_vaddr && address - segment->p_vaddr <= segment->p_filesz &&
            size <= segment->p_filesz - (address - segment->p_vaddr))
            return true;
    }
    return false;
}

/* Finds the build id among ELF notes of `size` bytes. Each note has a name and a description,
 * padded to words. */
static void find_note(struct caller *caller, const uint8_t *notes, uint64_t size)
{
    assert(caller && notes);
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
            caller->build_id = notes + text;
            caller->build_id_size = note.n_descsz;
            return;
        }
        /* The last description may lack its padding. */
        if (next > size)
            return;
        at = next;
    }
}

/* Finds the build id of the module that begins at `base` in memory, if its ELF header is there. */
static void find_build_id(struct caller *caller, const uint8_t *base)
{
    const Elf64_Ehdr *header = (const void *)base;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff > HEADERS_END ||
        header->e_phoff % 8 || header->e_phoff + header->e_phnum * sizeof(Elf64_Phdr) > HEADERS_END)
        return;
    const Elf64_Phdr *segments = (const void *)(base + header->e_phoff);
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr < first)
            /* Addresses as linked count from the module's first page. */
            first = segments[i].p_vaddr & ~(uint64_t)(HEADERS_END - 1);
    }
    for (unsigned i = 0; i < header->e_phnum && !caller->build_id; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type == PT_NOTE &&
            is_mapped(segments, header->e_phnum, segment->p_vaddr, segment->p_filesz))
            find_note(caller, base + (segment->p_vaddr - first), segment->p_filesz);
    }
}

/* Describes an address by the module that it lies in. Without a module, `offset` is the address
 * itself. */
static struct caller caller_describe_address(const void *return_address)
{
    struct caller caller = {0};
    /* The address one byte before the return address is in the call instruction, and so in the
     * source line of the call. */
    const char *address = (const char *)return_address - 1;
    Dl_info info = {0};
    if (!dladdr(address, &info) || !info.dli_fname) {
        caller.offset = (uint64_t)(uintptr_t)address;
        return caller;
    }
    caller.module = info.dli_fname;
    caller.offset = (uint64_t)(address - (const char *)info.dli_fbase);
    find_build_id(&caller, info.dli_fbase);
    if (info.dli_sname) {
        caller.symbol = info.dli_sname;
        caller.symbol_offset = (uint64_t)(address - (const char *)info.dli_saddr);
    }
    return caller;
}

/* --- the cache of descriptions --- */

/* dladdr() compares all symbols of a module, which are tens of thousands in a large library. So a
 * module's symbols are sorted when the first address in it is described. */
#define DESCRIBED 4096 /* addresses, a power of two; most stacks share many of them */
/* modules that have an index; for further modules dladdr() is used */
#define MODULES      32
#define SYMBOLS_MOST (1 << 20) /* symbols in all indices together: 16 MB */

/* An address and its description. The hash chooses the place; a new address replaces the old one
 * there. */
struct described {
    const void *return_address; /* NULL: free */
    struct caller caller;
};

/* A loaded module and the index of its symbols. */
struct module {
    struct caller caller; /* the parts that all addresses in the module share */
    uintptr_t base;       /* from which offsets count */
    struct symbol_index symbols;
};

/* The cache of all descriptions. Lock: busy. */
struct memory {
    struct described described[DESCRIBED];
    struct module modules[MODULES];
    uint32_t module_count;
    uint32_t symbol_count; /* in all indices */
    /* how many modules the process had unloaded when the cache was made */
    unsigned long long unloaded;
    const void *refused[MODULES]; /* base addresses of modules for which no index could be made */
    uint32_t refused_count;
};

/* One thread at a time uses the cache: it sets `busy` with acquire, and clears it with release.
 * Meanwhile other threads describe their addresses without the cache. In the child of a fork `busy`
 * may stay set, and then no thread uses the cache. */
static _Atomic bool busy;
static struct memory *memory; /* owned; NULL before the first description. Lock: busy */

/* Frees the cache. Lock: busy. */
static void caller_forget_all(void)
{
    for (uint32_t i = 0; memory && i < memory->module_count; i++)
        symbol_index_free(&memory->modules[i].symbols);
    mem_free(memory);
    memory = NULL;
}

/* Stores how many modules were unloaded so far. dl_iterate_phdr() calls it; the first module has
 * the number. */
static int note_unloaded(struct dl_phdr_info *info, size_t size, void *context)
{
    unsigned long long *count = context;
    *count = info->dlpi_subs;
    return 1;
}

/* Makes the cache if there is none; afterwards `memory` may still be NULL. If a module was unloaded
 * since, the cache is emptied first, as descriptions point into modules. */
static void renew_memory(void)
{
    unsigned long long now = 0;
    dl_iterate_phdr(note_unloaded, &now);
    if (memory && memory->unloaded != now)
        caller_forget_all();
    if (!memory)
        memory = mem_alloc_zeroed(sizeof(*memory));
    if (memory)
        memory->unloaded = now;
}

/* Returns the module whose index covers the address; NULL: there is none. Lock: busy. */
static struct module *find_module(const void *address)
{
    for (uint32_t i = 0; i < memory->module_count; i++) {
        if (symbol_index_covers(&memory->modules[i].symbols, address))
            return &memory->modules[i];
    }
    return NULL;
}

/* Describes an address by the module's index. The names lie in the module's memory. */
static struct caller describe_in(const struct module *module, const void *return_address)
{
    const uintptr_t address = (uintptr_t)return_address - 1;
    const struct symbol_index *index = &module->symbols;
    const struct symbol_range *symbol = symbol_index_find(index, (const char *)return_address - 1);
    struct caller caller = module->caller;
    caller.offset = address - module->base;
    if (symbol) {
        caller.symbol = index->names + symbol->name;
        caller.symbol_offset = address - index->code - symbol->start;
    }
    return caller;
}

/* True if the module is known to have no index that can be used. Lock: busy. */
static bool is_refused(const void *base)
{
    for (uint32_t i = 0; i < memory->refused_count; i++) {
        if (memory->refused[i] == base)
            return true;
    }
    return false;
}

/* Makes the index of the module for later addresses. `caller` is what dladdr() found for this one.
 * If the index gives another symbol than dladdr(), as it may with another C library, it is not
 * used. Lock: busy. */
static void keep_module(const void *return_address, const struct caller *caller)
{
    const uintptr_t base = (uintptr_t)return_address - 1 - caller->offset;
    if (memory->module_count == MODULES || is_refused((const void *)base))
        return;
    struct module *module = &memory->modules[memory->module_count];
    *module = (struct module){.caller = *caller, .base = base};
    /* The other members are the same for all addresses of the module. */
    module->caller.symbol = NULL;
    module->caller.symbol_offset = 0;
    if (symbol_index_make(&module->symbols, (const char *)return_address - 1,
                          SYMBOLS_MOST - memory->symbol_count)) {
        const struct caller same = describe_in(module, return_address);
        if (same.symbol == caller->symbol && same.symbol_offset == caller->symbol_offset) {
            memory->symbol_count += module->symbols.count;
            memory->module_count++;
            return;
        }
        symbol_index_free(&module->symbols);
    }
    if (memory->refused_count < MODULES)
        memory->refused[memory->refused_count++] = (const void *)base;
}

/* Describes an address, and adds it and its module to the cache. Lock: busy. */
static struct caller describe_and_keep(const void *return_address)
{
    const uint64_t hash = (uint64_t)(uintptr_t)return_address * 0x9e3779b97f4a7c15ull;
    struct described *entry = &memory->described[(hash >> 32) & (DESCRIBED - 1)];
    if (entry->return_address == return_address)
        return entry->caller;
    const struct module *module = find_module((const char *)return_address - 1);
    const struct caller caller =
        module ? describe_in(module, return_address) : caller_describe_address(return_address);
    if (!caller.module) /* not cached, as a module may be loaded there later */
        return caller;
    if (!module)
        keep_module(return_address, &caller);
    *entry = (struct described){return_address, caller};
    return caller;
}

struct caller caller_describe(const void *return_address)
{
    if (!return_address)
        return (struct caller){0};
    if (atomic_exchange_explicit(&busy, true, memory_order_acquire))
        return caller_describe_address(return_address);
    renew_memory();
    const struct caller caller =
        memory ? describe_and_keep(return_address) : caller_describe_address(return_address);
    atomic_store_explicit(&busy, false, memory_order_release);
    return caller;
}

void caller_forget(void)
{
    if (atomic_exchange_explicit(&busy, true, memory_order_acquire))
        return;
    caller_forget_all();
    atomic_store_explicit(&busy, false, memory_order_release);
}

void caller_note_thread(struct report *report)
{
    struct timespec now;
    report->process = (uint32_t)getpid();
    report->thread = (uint32_t)syscall(SYS_gettid);
    if (prctl(PR_GET_NAME, report->thread_name) != 0)
        report->thread_name[0] = '\0';
    if (clock_gettime(CLOCK_REALTIME, &now) == 0)
        report->time = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
