# A library of 76,000 exported functions of 16 bytes each, for bench/callers.c.
    .text
    .globl many_symbols_first
many_symbols_first:
    .altmacro
    .macro function number
    .globl many_symbols_with_a_name_of_some_length_\number
    .type many_symbols_with_a_name_of_some_length_\number, @function
    .size many_symbols_with_a_name_of_some_length_\number, 16
many_symbols_with_a_name_of_some_length_\number:
    ret
    .balign 16, 0x90
    .endm
    .set at, 0
    .rept 76000
    function %at
    .set at, at + 1
    .endr
    .section .note.GNU-stack, "", @progbits
