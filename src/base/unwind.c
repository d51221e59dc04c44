/* Reads unwind tables. Their format is that of the Linux Standard Base, "DWARF Extensions", and of
 * DWARF 5, 6.4 "Call Frame Information". They are read where the dynamic linker has mapped them.
 * They are part of a module, and trusted like its code. Reads of an entry stay within the length
 * that the entry states. */
#define _GNU_SOURCE
#include "base/unwind.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

/* --- bytes of a table --- */

/* Encodings of pointers in a table (DW_EH_PE_*): a form, and the address to which offsets are
 * relative. */
enum {
    POINTER_OMITTED = 0xff,
    POINTER_FORM = 0x0f,
    POINTER_BASE = 0x70,
    FORM_ABSOLUTE = 0x00,
    FORM_UNSIGNED_2 = 0x02,
    FORM_UNSIGNED_4 = 0x03,
    FORM_UNSIGNED_8 = 0x04,
    FORM_SIGNED_2 = 0x0a,
    FORM_SIGNED_4 = 0x0b,
    FORM_SIGNED_8 = 0x0c,
    BASE_NONE = 0x00,
    BASE_HERE = 0x10,
    SORTED_TABLE = 0x3b, /* FORM_SIGNED_4, relative to the start of the header */
};

/* The rest of an entry, which is never read beyond its end. */
struct bytes {
    const uint8_t *at, *end;
    bool bad; /* something was read that does not exist, or cannot be read */
};

/* Reads a little-endian number of up to 8 bytes. 0 with `bad` set: not enough bytes are left. */
static uint64_t bytes_take(struct bytes *bytes, size_t size)
{
    uint64_t value = 0;
    if (bytes->bad || (size_t)(bytes->end - bytes->at) < size) {
        bytes->bad = true;
        return 0;
    }
    memcpy(&value, bytes->at, size);
    bytes->at += size;
    return value;
}

/* Reads a number in groups of 7 bits, the lowest first. Bits above 64 are lost. */
static uint64_t take_leb128(struct bytes *bytes, bool is_signed)
{
    uint64_t value = 0;
    for (uint32_t shift = 0; !bytes->bad; shift += 7) {
        uint64_t byte = bytes_take(bytes, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        if (is_signed && (byte & 0x40) && shift + 7 < 64)
            value |= ~(uint64_t)0 << (shift + 7);
        return value;
    }
    return 0;
}

static uint64_t take_unsigned(struct bytes *bytes)
{
    return take_leb128(bytes, false);
}

static int64_t take_signed(struct bytes *bytes)
{
    return (int64_t)take_leb128(bytes, true);
}

/* Skips bytes; `bad` is set if not enough are left. */
static void bytes_skip(struct bytes *bytes, uint64_t size)
{
    if (bytes->bad || (uint64_t)(bytes->end - bytes->at) < size)
        bytes->bad = true;
    else
        bytes->at += size;
}

/* Reads a pointer in the encoding of .eh_frame. An unknown form or base sets `bad`. */
static uint64_t take_pointer(struct bytes *bytes, uint8_t encoding)
{
    uint64_t here = (uint64_t)(uintptr_t)bytes->at, value = 0;
    switch (encoding & POINTER_FORM) {
    case FORM_ABSOLUTE:
    case FORM_UNSIGNED_8:
    case FORM_SIGNED_8:
        value = bytes_take(bytes, 8);
        break;
    case FORM_UNSIGNED_4:
        value = bytes_take(bytes, 4);
        break;
    case FORM_SIGNED_4:
        value = (uint64_t)(int64_t)(int32_t)bytes_take(bytes, 4);
        break;
    case FORM_UNSIGNED_2:
        value = bytes_take(bytes, 2);
        break;
    case FORM_SIGNED_2:
        value = (uint64_t)(int64_t)(int16_t)bytes_take(bytes, 2);
        break;
    default:
        bytes->bad = true;
    }
    switch (encoding & POINTER_BASE) {
    case BASE_NONE:
        return value;
    case BASE_HERE:
        return value + here;
    default:
        bytes->bad = true;
        return 0;
    }
}

/* Reads an entry of .eh_frame without its length. The result is empty if there is no entry. */
static struct bytes entry_at(const uint8_t *at)
{
    struct bytes head = {.at = at, .end = at + 12};
    uint64_t length = bytes_take(&head, 4);
    if (length == UINT32_MAX)
        length = bytes_take(&head, 8);
    return (struct bytes){.at = head.at, .end = head.at + length};
}

/* --- modules --- */

#if defined(DLFO_STRUCT_HAS_EH_DBASE)
/* glibc 2.35 finds objects without a lock. Older systems do not have the function, so it is looked
 * up by name. */
typedef int find_object(void *address, struct dl_find_object *result);
static find_object *_Atomic find_object_found;
static atomic_bool find_object_sought;

/* The dynamic linker's function; NULL: the system is older. Two threads may look it up at once,
 * with the same result. */
static find_object *find_object_of_system(void)
{
    if (atomic_load_explicit(&find_object_sought, memory_order_acquire))
        return atomic_load_explicit(&find_object_found, memory_order_relaxed);
    find_object *found = NULL;
    void *symbol = dlsym(RTLD_DEFAULT, "_dl_find_object");
    /* ISO C has no cast from an object's pointer to a function's */
    memcpy(&found, &symbol, sizeof(found));
    atomic_store_explicit(&find_object_found, found, memory_order_relaxed);
    atomic_store_explicit(&find_object_sought, true, memory_order_release);
    return found;
}
#endif

/* The context of look_at_module(): the address, and the module that was found. */
struct search {
    uintptr_t pc;
    struct unwind_found found;
};

/* Finds the module with `pc`, and ends the search. dl_iterate_phdr() calls it. */
static int look_at_module(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    struct unwind_found module = {0};
    (void)size;
    for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && search->pc - start < segment->p_memsz) {
            module.start = start;
            module.end = start + segment->p_memsz;
        } else if (segment->p_type == PT_GNU_EH_FRAME) {
            module.index = (const uint8_t *)start;
        }
    }
    if (!module.end)
        return 0;
    module.path = info->dlpi_name;
    search->found = module;
    return 1;
}

/* Finds the module with `pc`, with _dl_find_object() if libc has that. False: there is none. */
static bool find_module(uintptr_t pc, struct unwind_found *module)
{
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
    find_object *find = find_object_of_system();
    if (find) {
        struct dl_find_object found;
        if (find((void *)pc, &found) != 0)
            return false;
        *module =
            (struct unwind_found){(uintptr_t)found.dlfo_map_start, (uintptr_t)found.dlfo_map_end,
                                  found.dlfo_eh_frame, found.dlfo_link_map->l_name};
        return true;
    }
#endif
    struct search search = {.pc = pc};
    if (!dl_iterate_phdr(look_at_module, &search))
        return false;
    *module = search.found;
    return true;
}

const char *unwind_module(uintptr_t pc)
{
    struct unwind_found module;
    return find_module(pc, &module) ? module.path : NULL;
}

/* The module with `pc`, from those that this walk has met, or as a new one. NULL: there is none.
 * The next call may overwrite it. */
static const struct unwind_found *find_in_walk(struct unwind_modules *modules, uintptr_t pc)
{
    uint32_t kept = modules->count < UNWIND_MODULES ? modules->count : UNWIND_MODULES;
    for (uint32_t i = 0; i < kept; i++) {
        if (pc - modules->list[i].start < modules->list[i].end - modules->list[i].start)
            return &modules->list[i];
    }
    struct unwind_found found;
    if (!find_module(pc, &found))
        return NULL;
    struct unwind_found *place = &modules->list[modules->count++ % UNWIND_MODULES];
    *place = found;
    return place;
}

uintptr_t unwind_module_start(struct unwind_modules *modules, uintptr_t pc)
{
    const struct unwind_found *found = find_in_walk(modules, pc);
    return found ? found->start : 0;
}

/* --- the entry of a function --- */

/* The description of one function (FDE), and of the part that it shares with other functions
 * (CIE). */
struct function {
    uintptr_t start;
    uint64_t code_unit;       /* factor of an advance, in bytes */
    int64_t data_unit;        /* factor of an offset, in bytes */
    struct bytes common, own; /* instructions of the shared entry, and of the function itself */
};

/* The last entry of the sorted table that begins at `pc` or before it; NULL: there is none. */
static const uint8_t *unwind_find_entry(const uint8_t *index, uintptr_t pc)
{
    struct {
        int32_t start, entry;
    } row;
    struct bytes header = {.at = index, .end = index + 32};
    uint64_t version = bytes_take(&header, 1);
    uint8_t frame_encoding = (uint8_t)bytes_take(&header, 1),
            count_encoding = (uint8_t)bytes_take(&header, 1);
    uint64_t table_encoding = bytes_take(&header, 1);
    if (version != 1 || table_encoding != SORTED_TABLE || count_encoding == POINTER_OMITTED)
        return NULL;
    if (frame_encoding != POINTER_OMITTED)
        (void)take_pointer(&header, frame_encoding);
    uint64_t count = take_pointer(&header, count_encoding);
    if (header.bad || !count)
        return NULL;
    int64_t wanted = (int64_t)(pc - (uintptr_t)index);
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        memcpy(&row, header.at + middle * sizeof(row), sizeof(row));
        if (row.start <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return NULL;
    memcpy(&row, header.at + (low - 1) * sizeof(row), sizeof(row));
    return index + row.entry;
}

/* Reads the common entry (CIE). Returns the encoding of its functions' addresses; POINTER_OMITTED:
 * the entry cannot be used. */
static uint8_t read_common(struct bytes common, struct function *function, bool *has_augmentation)
{
    uint8_t encoding = FORM_ABSOLUTE;
    if (bytes_take(&common, 4) != 0)
        return POINTER_OMITTED;
    uint64_t version = bytes_take(&common, 1);
    const char *augmentation = (const char *)common.at;
    while (bytes_take(&common, 1) && !common.bad)
        continue;
    if (common.bad || (version != 1 && version != 3))
        return POINTER_OMITTED;
    function->code_unit = take_unsigned(&common);
    function->data_unit = take_signed(&common);
    (void)(version == 1 ? bytes_take(&common, 1)
                        /* column of the return address, which is always COLUMN_RETURN */
                        : take_unsigned(&common));
    *has_augmentation = *augmentation == 'z';
    if (*has_augmentation) {
        uint64_t length = take_unsigned(&common);
        struct bytes data = common;
        bytes_skip(&common, length);
        for (augmentation++; *augmentation; augmentation++) {
            switch (*augmentation) {
            case 'R':
                encoding = (uint8_t)bytes_take(&data, 1);
                break;
            case 'L':
                (void)bytes_take(&data, 1);
                break;
            case 'P':
                (void)take_pointer(&data, (uint8_t)bytes_take(&data, 1));
                break;
            case 'S':
                return POINTER_OMITTED; /* a signal handler's frame: its rules are expressions */
            case 'B':
                break;
            default:
                return POINTER_OMITTED;
            }
        }
        if (data.bad)
            return POINTER_OMITTED;
    } else if (*augmentation) {
        return POINTER_OMITTED;
    }
    function->common = common;
    return common.bad ? POINTER_OMITTED : encoding;
}

/* Reads the description of the function of `entry`. False: it is damaged, or `pc` is in another
 * function. */
static bool read_function(const uint8_t *entry, uintptr_t pc, struct function *function)
{
    struct bytes own = entry_at(entry);
    const uint8_t *offset_at = own.at;
    uint64_t offset = bytes_take(&own, 4);
    if (own.bad || !offset)
        return false;
    bool has_augmentation = false;
    uint8_t encoding = read_common(entry_at(offset_at - offset), function, &has_augmentation);
    if (encoding == POINTER_OMITTED)
        return false;
    function->start = take_pointer(&own, encoding);
    uint64_t size = take_pointer(&own, encoding & POINTER_FORM);
    if (has_augmentation)
        bytes_skip(&own, take_unsigned(&own));
    function->own = own;
    return !own.bad && pc - function->start < size;
}

/* --- instructions --- */

enum {
    ADVANCE = 1, /* in the upper two bits */
    OFFSET = 2,
    RESTORE = 3,
    NOP = 0x00, /* numbers in the lower six bits, if the upper two are 0 */
    SET_LOCATION = 0x01,
    ADVANCE_1 = 0x02,
    ADVANCE_2 = 0x03,
    ADVANCE_4 = 0x04,
    OFFSET_EXTENDED = 0x05,
    RESTORE_EXTENDED = 0x06,
    UNDEFINED = 0x07,
    SAME_VALUE = 0x08,
    REMEMBER_STATE = 0x0a,
    RESTORE_STATE = 0x0b,
    DEFINE_FRAME = 0x0c,
    DEFINE_FRAME_REGISTER = 0x0d,
    DEFINE_FRAME_OFFSET = 0x0e,
    OFFSET_EXTENDED_SIGNED = 0x11,
    DEFINE_FRAME_SIGNED = 0x12,
    DEFINE_FRAME_OFFSET_SIGNED = 0x13,
    RETURN_IS_SIGNED = 0x2d, /* DW_CFA_AARCH64_negate_ra_state */
    ARGUMENTS_SIZE = 0x2e,   /* DW_CFA_GNU_args_size */
};

#if defined(__aarch64__)
#define COLUMNS       32 /* x0 to x30 and the stack pointer */
#define COLUMN_RETURN 30 /* x30, the link register */
#else
#define COLUMNS       17 /* of x86-64: 16 registers and the return address */
#define COLUMN_RETURN 16
#endif
/* The most rows that REMEMBER_STATE can save; deeper ones are not supported. */
#define REMEMBERED 8

/* The place of each register of the caller: bytes from the canonical frame address, or one of these
 * two. */
#define VALUE_UNCHANGED INT64_MAX
#define VALUE_UNDEFINED (INT64_MAX - 1)

/* How to find the caller's registers at one address of a function. */
struct row {
    uint64_t frame_column; /* the register to which the canonical frame address is relative */
    int64_t frame_offset;  /* offset from that register, in bytes */
    int64_t values[COLUMNS];
};

/* The state of executing instructions: the row at `location`, the one after the common entry, and
 * those that REMEMBER_STATE has saved. */
struct machine {
    struct row row, initial, remembered[REMEMBERED];
    uint32_t depth;    /* length of `remembered` */
    uint64_t location; /* address up to which `row` holds */
};

/* Sets the place of the caller's register of a column. Columns of other registers are ignored. */
static void set_value(struct machine *machine, struct bytes *code, uint64_t column, int64_t value)
{
    if (column < COLUMNS)
        machine->row.values[column] = value;
    else if (value != VALUE_UNCHANGED && column > 127)
        /* columns up to 127 include the vector registers, whose rules are not needed */
        code->bad = true;
}

/* Executes one instruction of more than a byte. An unknown one sets `bad`, which ends the
 * execution. */
static void step_long(struct machine *machine, struct bytes *code, const struct function *function,
                      uint8_t operation)
{
    struct row *row = &machine->row;
    uint64_t column;
    switch (operation) {
    case NOP:
        break;
    case ADVANCE_1:
        machine->location += bytes_take(code, 1) * function->code_unit;
        break;
    case ADVANCE_2:
        machine->location += bytes_take(code, 2) * function->code_unit;
        break;
    case ADVANCE_4:
        machine->location += bytes_take(code, 4) * function->code_unit;
        break;
    case OFFSET_EXTENDED:
        column = take_unsigned(code);
        set_value(machine, code, column, (int64_t)take_unsigned(code) * function->data_unit);
        break;
    case OFFSET_EXTENDED_SIGNED:
        column = take_unsigned(code);
        set_value(machine, code, column, take_signed(code) * function->data_unit);
        break;
    case RESTORE_EXTENDED:
        column = take_unsigned(code);
        set_value(machine, code, column,
                  column < COLUMNS ? machine->initial.values[column] : VALUE_UNCHANGED);
        break;
    case UNDEFINED:
        set_value(machine, code, take_unsigned(code), VALUE_UNDEFINED);
        break;
    case SAME_VALUE:
        set_value(machine, code, take_unsigned(code), VALUE_UNCHANGED);
        break;
    case REMEMBER_STATE:
        if (machine->depth == REMEMBERED)
            code->bad = true;
        else
            machine->remembered[machine->depth++] = *row;
        break;
    case RESTORE_STATE:
        if (!machine->depth)
            code->bad = true;
        else
            *row = machine->remembered[--machine->depth];
        break;
    case DEFINE_FRAME:
        row->frame_column = take_unsigned(code);
        row->frame_offset = (int64_t)take_unsigned(code);
        break;
    case DEFINE_FRAME_SIGNED:
        row->frame_column = take_unsigned(code);
        row->frame_offset = take_signed(code) * function->data_unit;
        break;
    case DEFINE_FRAME_REGISTER:
        row->frame_column = take_unsigned(code);
        break;
    case DEFINE_FRAME_OFFSET:
        row->frame_offset = (int64_t)take_unsigned(code);
        break;
    case DEFINE_FRAME_OFFSET_SIGNED:
        row->frame_offset = take_signed(code) * function->data_unit;
        break;
    case ARGUMENTS_SIZE:
        (void)take_unsigned(code);
        break;
#if defined(__aarch64__)
    case RETURN_IS_SIGNED: /* walks remove the signature from any address */
        break;
#endif
    default:
        code->bad = true; /* further instructions, such as expressions, are not supported */
    }
}

/* Executes instructions up to the one that moves beyond `pc`. False: one of them is not supported
 * by a rule. */
static bool machine_run(struct machine *machine, struct bytes code, const struct function *function,
                        uintptr_t pc)
{
    while (code.at < code.end && !code.bad && machine->location <= pc) {
        uint8_t byte = (uint8_t)bytes_take(&code, 1), low = byte & 0x3f;
        switch (byte >> 6) {
        case ADVANCE:
            machine->location += low * function->code_unit;
            break;
        case OFFSET:
            set_value(machine, &code, low, (int64_t)take_unsigned(&code) * function->data_unit);
            break;
        case RESTORE:
            set_value(machine, &code, low, low < COLUMNS ? machine->initial.values[low] : 0);
            break;
        default:
            step_long(machine, &code, function, low);
        }
    }
    return !code.bad;
}

/* --- a rule --- */

#if defined(UNWIND_IS_KNOWN)
/* 1 + the register of each column; 0: a walk does not use it. */
static const uint8_t register_of_columns[COLUMNS] = {
#if defined(__aarch64__)
    [19] = UNWIND_X19 + 1, [20] = UNWIND_X20 + 1, [21] = UNWIND_X21 + 1, [22] = UNWIND_X22 + 1,
    [23] = UNWIND_X23 + 1, [24] = UNWIND_X24 + 1, [25] = UNWIND_X25 + 1, [26] = UNWIND_X26 + 1,
    [27] = UNWIND_X27 + 1, [28] = UNWIND_X28 + 1, [29] = UNWIND_FP + 1,  [30] = UNWIND_LR + 1,
    [31] = UNWIND_SP + 1,
#else
    [3] = UNWIND_RBX + 1,  [6] = UNWIND_FP + 1,   [7] = UNWIND_SP + 1,   [12] = UNWIND_R12 + 1,
    [13] = UNWIND_R13 + 1, [14] = UNWIND_R14 + 1, [15] = UNWIND_R15 + 1, [16] = UNWIND_PC + 1,
#endif
};

/* The register of a column; UNWIND_REGISTERS: a walk does not use it. */
static uint32_t register_of_column(uint64_t column)
{
    const uint32_t known = column < COLUMNS ? register_of_columns[column] : 0;
    return known ? known - 1 : UNWIND_REGISTERS;
}

/* Converts an offset in bytes to words for a rule. False: it is not a multiple of a word, or too
 * large. */
static bool in_words(int64_t bytes, int16_t *words)
{
    if (bytes == VALUE_UNCHANGED || bytes == VALUE_UNDEFINED) {
        *words = UNWIND_UNCHANGED; /* a caller's rule never uses an undefined register */
        return true;
    }
    *words = (int16_t)(bytes / 8);
    return bytes % 8 == 0 && bytes / 8 == *words && *words != UNWIND_UNCHANGED;
}

/* Converts a row of the table to a rule. False: a rule cannot express the row. */
static bool rule_of_row(const struct row *row, struct unwind_rule *rule)
{
    *rule = (struct unwind_rule){.frame_offset = (int32_t)row->frame_offset};
    rule->frame_register = (uint8_t)register_of_column(row->frame_column);
    if (rule->frame_register >= UNWIND_REGISTERS || rule->frame_register == UNWIND_PC ||
        rule->frame_offset != row->frame_offset)
        return false;
    for (uint32_t column = 0; column < COLUMN_RETURN; column++) {
        const uint32_t kept = register_of_column(column);
        if (kept < UNWIND_SAVED_REGISTERS && !in_words(row->values[column], &rule->kept[kept]))
            return false;
    }
    rule->outermost = row->values[COLUMN_RETURN] == VALUE_UNDEFINED;
    if (!in_words(row->values[COLUMN_RETURN], &rule->return_address))
        return false;
#if defined(__aarch64__)
    return true;
#else
    return rule->outermost || rule->return_address != UNWIND_UNCHANGED;
#endif
}

/* Reads the rule for `pc` from the module's tables. False: there is none, or one that a walk does
 * not support. */
static bool read_rule(const struct unwind_found *module, uintptr_t pc, struct unwind_rule *rule)
{
    struct function function = {0};
    const uint8_t *entry = module->index ? unwind_find_entry(module->index, pc) : NULL;
    if (!entry || !read_function(entry, pc, &function))
        return false;
    struct machine machine = {.row = {.frame_column = COLUMNS}, .location = function.start};
    for (uint32_t column = 0; column < COLUMNS; column++)
        machine.row.values[column] = VALUE_UNCHANGED;
    if (!machine_run(&machine, function.common, &function, UINTPTR_MAX))
        return false;
    machine.initial = machine.row;
    machine.location = function.start;
    return machine_run(&machine, function.own, &function, pc) && rule_of_row(&machine.row, rule);
}

/* --- rules that were read before --- */

/* A cache of rules: finding a rule takes about 300 ns, and stacks are alike. An entry is found by
 * the address, and is valid as long as the module's table is at the same place, which every lookup
 * checks. A writer makes `version` odd, writes, and makes it even. If a reader finds the same even
 * version before and after, it has read what one writer wrote. The acquiring loads of the words
 * keep the second load of `version` after them. A word of a later writer synchronizes with that
 * writer's odd version, which is then seen. */
#define CACHED_RULES 1024
/* Words of a rule; each word is atomic by itself. */
#define RULE_WORDS ((sizeof(struct unwind_rule) + 7) / 8)

/* An entry of the cache. */
struct cached_rule {
    _Alignas(CACHE_LINE) _Atomic uint32_t version;
    _Atomic uint64_t pc, index; /* index: address of the module's table */
    _Atomic uint64_t words[RULE_WORDS];
};
static struct cached_rule cached_rules[CACHED_RULES];

/* Reads a rule from the cache without a lock. False: the entry is for another `pc` or module, or is
 * being written. */
static bool load_cached(struct cached_rule *cached, uintptr_t pc, const uint8_t *index,
                        struct unwind_rule *rule)
{
    uint64_t words[RULE_WORDS];
    uint32_t version = atomic_load_explicit(&cached->version, memory_order_acquire);
    bool same =
        atomic_load_explicit(&cached->pc, memory_order_acquire) == pc &&
        atomic_load_explicit(&cached->index, memory_order_acquire) == (uint64_t)(uintptr_t)index;
    for (uint32_t i = 0; i < RULE_WORDS; i++)
        words[i] = atomic_load_explicit(&cached->words[i], memory_order_acquire);
    if (!same || version & 1 ||
        atomic_load_explicit(&cached->version, memory_order_relaxed) != version)
        return false;
    memcpy(rule, words, sizeof(*rule));
    return true;
}

/* Writes a rule to the cache. An odd version marks the entry meanwhile; if another thread is
 * writing it, nothing is written. */
static void store_cached(struct cached_rule *cached, uintptr_t pc, const uint8_t *index,
                         const struct unwind_rule *rule)
{
    uint64_t words[RULE_WORDS] = {0};
    uint32_t version = atomic_load_explicit(&cached->version, memory_order_relaxed);
    if (version & 1 ||
        !atomic_compare_exchange_strong_explicit(&cached->version, &version, version + 1,
                                                 memory_order_acquire, memory_order_relaxed))
        return; /* another thread is writing the rule */
    memcpy(words, rule, sizeof(*rule));
    atomic_store_explicit(&cached->pc, pc, memory_order_release);
    atomic_store_explicit(&cached->index, (uint64_t)(uintptr_t)index, memory_order_release);
    for (uint32_t i = 0; i < RULE_WORDS; i++)
        atomic_store_explicit(&cached->words[i], words[i], memory_order_release);
    atomic_store_explicit(&cached->version, version + 2, memory_order_release);
}

bool unwind_rule_in_walk(struct unwind_modules *modules, uintptr_t pc, struct unwind_rule *rule)
{
    const struct unwind_found *module = find_in_walk(modules, pc);
    if (!module || !module->index)
        return false;
    struct cached_rule *cached = &cached_rules[(pc ^ pc >> 10 ^ pc >> 20) % CACHED_RULES];
    if (load_cached(cached, pc, module->index, rule))
        return true;
    if (!read_rule(module, pc, rule))
        return false;
    store_cached(cached, pc, module->index, rule);
    return true;
}
#else
bool unwind_rule_in_walk(struct unwind_modules *modules, uintptr_t pc, struct unwind_rule *rule)
{
    (void)modules;
    (void)pc;
    (void)rule;
    return false;
}
#endif

bool unwind_rule_at(uintptr_t pc, struct unwind_rule *rule)
{
    struct unwind_modules none = {.count = 0};
    return unwind_rule_in_walk(&none, pc, rule);
}
