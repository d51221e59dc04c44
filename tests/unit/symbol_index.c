/* Checks that an address is described as dladdr() describes it. The module has an index of its
 * symbols, has none as memory is out, or has gone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "report/report.h"
#include "report/names/symbol_index.h"

static unsigned allocations, failing; /* `failing`: the one that fails, from 1; 0: none */

bool memory_is_out(void)
{
    allocations++;
    return failing && allocations >= failing;
}

/* Symbols in each other, beside each other, with gaps, with two names, and without a size. */
__asm__(".text\n"
        ".macro symbol name, start, size\n"
        ".globl \\name\n"
        ".type \\name, @function\n"
        ".set \\name, symbols_code + \\start\n"
        ".size \\name, \\size\n"
        ".endm\n"
        ".balign 16\n"
        ".globl symbols_code\n"
        ".hidden symbols_code\n"
        "symbols_code:\n"
        ".fill 256, 1, 0x90\n"
        "symbol symbols_outer, 16, 160\n"
        "symbol symbols_inner, 32, 64\n"
        "symbol symbols_innermost, 48, 8\n"
        "symbol symbols_long_alias, 64, 24\n"
        "symbol symbols_short_alias, 64, 8\n"
        "symbol symbols_same_alias, 64, 24\n"
        "symbol symbols_crossing, 90, 40\n"
        "symbol symbols_point, 100, 0\n"
        "symbol symbols_point_in_gap, 200, 0\n"
        "symbol symbols_after_gap, 220, 36\n");

extern const char symbols_code[] __attribute__((visibility("hidden")));
extern const char symbols_outer[], symbols_after_gap[];

static void assert_as_dladdr(const char *address)
{
    const struct caller caller = caller_describe(address + 1);
    Dl_info info = {0};
    if (!dladdr(address, &info)) {
        assert_null(caller.module);
        assert_int_equal(caller.offset, (uintptr_t)address);
        return;
    }
    assert_ptr_equal(caller.module, info.dli_fname);
    assert_int_equal(caller.offset, address - (const char *)info.dli_fbase);
    assert_ptr_equal(caller.symbol, info.dli_sname);
    assert_int_equal(caller.symbol_offset,
                     info.dli_sname ? address - (const char *)info.dli_saddr : 0);
}

static void symbols_are_chosen_as_dladdr_does(void **state)
{
    struct symbol_index index;
    const char *begin = symbols_code;
    caller_forget();
    for (uint32_t i = 0; i < 256; i++)
        assert_as_dladdr(begin + i);
    assert_true(symbol_index_make(&index, begin, UINT32_MAX));
    for (uint32_t i = 0; i < 256; i++) {
        Dl_info info = {0};
        const struct symbol_range *symbol = symbol_index_find(&index, begin + i);
        assert_true(symbol_index_covers(&index, begin + i));
        assert_int_not_equal(dladdr(begin + i, &info), 0);
        assert_ptr_equal(symbol ? index.names + symbol->name : NULL, info.dli_sname);
        if (symbol)
            assert_ptr_equal(index.code + symbol->start, info.dli_saddr);
    }
    assert_string_equal(index.names + symbol_index_find(&index, begin + 50)->name,
                        "symbols_innermost");
    assert_null(symbol_index_find(&index, begin + 190));
    symbol_index_free(&index);
    caller_forget();
}

static void all_of_libc_is_described_as_before(void **state)
{
    Dl_info info;
    struct symbol_index index;
    assert_int_not_equal(dladdr((const void *)(uintptr_t)qsort, &info), 0);
    assert_true(symbol_index_make(&index, info.dli_saddr, UINT32_MAX));
    assert_true(index.count > 1000);
    for (uint32_t offset = 0; offset < index.size; offset += 97)
        assert_as_dladdr((const char *)index.code + offset);
    assert_as_dladdr((const char *)index.code - 1);
    assert_as_dladdr((const char *)index.code + index.size);
    symbol_index_free(&index);
    caller_forget();
}

static void an_index_has_a_bound(void **state)
{
    struct symbol_index index;
    assert_true(symbol_index_make(&index, symbols_outer, UINT32_MAX));
    assert_true(index.count >= 10);
    symbol_index_free(&index);
    assert_null(index.ranges);
    assert_false(symbol_index_make(&index, symbols_outer, 9));
    assert_null(index.ranges);
}

static void what_is_in_no_module_has_no_index(void **state)
{
    struct symbol_index index;
    char *memory = calloc(1, 16);
    assert_false(symbol_index_make(&index, memory, UINT32_MAX));
    assert_as_dladdr(memory);
    assert_as_dladdr(memory);
    free(memory);
    assert_null(caller_describe(NULL).module);
    caller_forget();
}

static void without_memory_the_description_is_the_same(void **state)
{
    for (failing = 1; failing < 6; failing++) {
        caller_forget();
        allocations = 0;
        assert_as_dladdr(symbols_after_gap);
        assert_as_dladdr(symbols_after_gap + 1);
        assert_as_dladdr((const char *)(uintptr_t)qsort);
    }
    failing = 0;
    caller_forget();
}

static void an_unloaded_module_is_forgotten(void **state)
{
    static const char name[] = "libBrokenLocale.so.1";
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            skip(); /* another C library */
        const char *code = dlsym(library, "__ctype_get_mb_cur_max");
        assert_non_null(code);
        assert_as_dladdr(code);
        assert_as_dladdr(code + 1);
        assert_string_equal(caller_describe(code + 1).symbol, "__ctype_get_mb_cur_max");
        dlclose(library);
        assert_as_dladdr(code);
    }
    caller_forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_are_chosen_as_dladdr_does),
        cmocka_unit_test(all_of_libc_is_described_as_before),
        cmocka_unit_test(an_index_has_a_bound),
        cmocka_unit_test(what_is_in_no_module_has_no_index),
        cmocka_unit_test(without_memory_the_description_is_the_same),
        cmocka_unit_test(an_unloaded_module_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
