/* Checks what name_of_form() leaves of a function's name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assay/symbols/names.h"

static const struct {
    const char *symbol, *whole, *instance, *plain;
} names[] = {
    {"vkCreateBuffer", "vkCreateBuffer", "vkCreateBuffer", "vkCreateBuffer"},
    {"_ZN6engine4drawEi", "engine::draw(int)", "engine::draw", "engine::draw"},
    {"_ZN6engine4PoolI4MeshE4growEm", "engine::Pool<Mesh>::grow(unsigned long)",
     "engine::Pool<Mesh>::grow", "engine::Pool::grow"},
    /* A return type, with brackets and blanks. */
    {"_ZN3eng1fIiEEDTplfp_Li1EET_", "decltype ({parm#1}+(1)) eng::f<int>(int)", "eng::f<int>",
     "eng::f"},
    {"_ZN3eng4PoolI4MeshE3putIPiEEiT_", "int eng::Pool<Mesh>::put<int*>(int*)",
     "eng::Pool<Mesh>::put<int*>", "eng::Pool::put"},
    {"_ZNK3eng4PoolI4MeshE4growEv", "eng::Pool<Mesh>::grow() const", "eng::Pool<Mesh>::grow",
     "eng::Pool::grow"},
    /* One that is a pointer to a function stands around the name. */
    {"_ZN3eng1gIiEEPFvfET_", "void (*eng::g<int>(int))(float)", "void (*eng::g<int>(int))(float)",
     "void (*eng::g<int>(int))(float)"},
    /* Operators, and those whose names have blanks and brackets. */
    {"_ZN3eng4PoolI4MeshEclEi", "eng::Pool<Mesh>::operator()(int)", "eng::Pool<Mesh>::operator()",
     "eng::Pool::operator()"},
    {"_ZN3eng4PoolI4MeshEltIiEEbT_", "bool eng::Pool<Mesh>::operator< <int>(int)",
     "eng::Pool<Mesh>::operator< <int>", "eng::Pool::operator<"},
    {"_ZN3eng4PoolI4MeshElsIiEERS2_T_", "eng::Pool<Mesh>& eng::Pool<Mesh>::operator<< <int>(int)",
     "eng::Pool<Mesh>::operator<< <int>", "eng::Pool::operator<<"},
    {"_ZN3eng4PoolI4MeshEptEv", "eng::Pool<Mesh>::operator->()", "eng::Pool<Mesh>::operator->",
     "eng::Pool::operator->"},
    {"_ZNK3eng4PoolI4MeshEcvmEv", "eng::Pool<Mesh>::operator unsigned long() const",
     "eng::Pool<Mesh>::operator unsigned long", "eng::Pool::operator unsigned long"},
    {"_Znwm", "operator new(unsigned long)", "operator new", "operator new"},
    {"_ZN3engli3_kmEy", "eng::operator\"\" _km(unsigned long long)", "eng::operator\"\" _km",
     "eng::operator\"\" _km"},
    /* Functions in functions. */
    {"_ZN3eng12_GLOBAL__N_16hiddenEPKcPFifE",
     "eng::(anonymous namespace)::hidden(char const*, int (*)(float))",
     "eng::(anonymous namespace)::hidden", "eng::(anonymous namespace)::hidden"},
    {"_ZZN3eng5outerEiENKUliE_clEi", "eng::outer(int)::{lambda(int)#1}::operator()(int) const",
     "eng::outer::{lambda(int)#1}::operator()", "eng::outer::{lambda}::operator()"},
    {"_ZZN3eng5outerEiEN1L1mEi", "eng::outer(int)::L::m(int)", "eng::outer::L::m",
     "eng::outer::L::m"},
    {"_ZN3eng4nameB5cxx11Ei", "eng::name[abi:cxx11](int)", "eng::name[abi:cxx11]",
     "eng::name[abi:cxx11]"},
    /* A thunk, and Rust. */
    {"_ZThn8_N3Foo3barEv", "non-virtual thunk to Foo::bar()", "Foo::bar", "Foo::bar"},
    {"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
     "core::fmt::Formatter::pad::h0123456789abcdef", "core::fmt::Formatter::pad",
     "core::fmt::Formatter::pad"},
    /* No names, and brackets without an end. */
    {"_Zwhat", "_Zwhat", "_Zwhat", "_Zwhat"},
    {"f(", "f(", "f(", "f("},
    {"f<(", "f<(", "f<(", "f<("},
    {"{", "{", "{", "{"},
    {"", "", "", ""},
};

static void forms_of_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char whole[NAME_SIZE], room[NAME_SIZE];
        const char *shown = name_shown(names[i].symbol, whole);
        assert_string_equal(shown, names[i].whole);
        assert_string_equal(name_of_form(shown, NAME_WHOLE, room), names[i].whole);
        assert_string_equal(name_of_form(shown, NAME_INSTANCE, room), names[i].instance);
        assert_string_equal(name_of_form(shown, NAME_PLAIN, room), names[i].plain);
    }
    assert_null(name_shown(NULL, NULL));
}

/* Each pair has the one before it twice. */
static void bounds_of_names(void **state)
{
    (void)state;
    char symbol[2048] = "_Z1fSt4pairIiiE", room[NAME_SIZE];
    for (const char *digit = "02468ACEGIKMOQSUWY"; *digit; digit++)
        sprintf(symbol + strlen(symbol), "St4pairIS%c_S%c_E", *digit, *digit);
    assert_ptr_equal(name_shown(symbol, room), symbol);
    char longest[NAME_SIZE + 16];
    memset(longest, 'a', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = 0;
    assert_ptr_equal(name_of_form(longest, NAME_PLAIN, room), longest);
    memcpy(longest, "_Z8000", 6);
    assert_ptr_equal(name_shown(longest, room), longest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms_of_names),
                                       cmocka_unit_test(bounds_of_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
