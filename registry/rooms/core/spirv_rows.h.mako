<%
from rows.spirv_rows import SUBJECTS, rows as spirv_rows
t = spirv_rows(m)
opcodes = sorted({constant for kind, constant, _, _ in t.subjects if SUBJECTS[kind] == 'OPCODE'})
bits = [sum(1 << (o % 8) for o in opcodes if o // 8 == i) for i in range(opcodes[-1] // 8 + 1)]
pattern = lambda p: f'{{SPIRV_NUMERIC_{dict(INT="SINT", FLOAT="FLOAT", BOOL="BOOL")[p[0]]}, {p[1]}, {p[2]}, {len(p[3])}, {p[3][0] if p[3] else 0}}}'
%>\
/* Generated from the Vulkan registry and SPIR-V's grammar by registry/generate.py with ${template}. Do not edit.
 *
 * Statements about what a module says, as data (registry/spirv_rows.txt, registry/rows/spirv_rows.py). core/shader/spirv_rows.c interprets them; it alone
 * includes this file. */
#ifndef ASSAY_CORE_SPIRV_ROWS_H
#define ASSAY_CORE_SPIRV_ROWS_H

#include "objects/device.h"
#include "report/finding/finding.h"
#include "spirv/module/reflect.h"

enum spirv_subject_kind {
% for kind in SUBJECTS:
    SPIRV_SUBJECT_${kind},
% endfor
};

enum spirv_atom_kind {
    SPIRV_ATOM_MODEL,           /* the entry point's execution model is one of `count` values */
    SPIRV_ATOM_ENTRY_MODE,      /* it has this execution mode */
    SPIRV_ATOM_STORAGE,         /* the variable's storage class is one of the values */
    SPIRV_ATOM_TYPE,            /* its type is of the pattern; `data`: text that says so */
    SPIRV_ATOM_DECORATED,       /* it has the decoration `first` as well */
    SPIRV_ATOM_LITERAL,         /* the operand is one of the values */
    SPIRV_ATOM_CONSTANT,        /* the operand is a constant, whose value is one of them */
    SPIRV_ATOM_OPERAND_TYPE,    /* the operand is a type of the pattern */
    SPIRV_ATOM_RESULT_TYPE,     /* the result's type is */
    SPIRV_ATOM_RESULT_TYPES,    /* it is of one of the patterns */
    SPIRV_ATOM_RESULT_STORAGE,  /* the result points to one of these storage classes */
    SPIRV_ATOM_POINTS_TO_IMAGE, /* it points to an image whose Dim is `first` */
    SPIRV_ATOM_POINTS_TO_IMAGES, /* or to an array of such images */
    SPIRV_ATOM_CAPABILITY,      /* the module declares the capability `first` */
    SPIRV_ATOM_ATOMIC_TYPE,     /* what the operand, a pointer, points to is */
    SPIRV_ATOM_ATOMIC_VECTOR,   /* it is a vector of two or four of the pattern */
    SPIRV_ATOM_POINTER,         /* the operand is a pointer, whose storage class is one of the values */
    SPIRV_ATOM_HAS_OPERAND,     /* the operand is there; `data`: what it is called */
    SPIRV_ATOM_NEXT_HAS_BITS,   /* the operand after it is a constant with all of these bits (`first`); `data`: text of them */
    SPIRV_ATOM_LITERAL_AT_MOST, /* the operand is at most the limit */
    SPIRV_ATOM_LITERAL_BELOW,
    SPIRV_ATOM_CONSTANT_AT_MOST,
    SPIRV_ATOM_CONSTANT_BELOW,
    SPIRV_ATOM_OFFSETS_AT_LEAST, /* so are the numbers in the offsets among image operands; `data`: bits of the operands */
    SPIRV_ATOM_OFFSETS_AT_MOST,
    SPIRV_ATOM_DEVICE,          /* the device has one of `count` requirements */
    SPIRV_ATOM_DENIED = 64      /* the opposite */
};

/* `first` of the values, patterns or requirements. */
struct spirv_atom {
    uint8_t kind, count;
    uint16_t first, data;
};

/* The last atom must hold where the others do. */
struct spirv_row {
    uint16_t vuid, first, count;
};

/* `word`: the operand's place in the instruction. */
struct spirv_row_subject {
    uint16_t constant, row;
    uint8_t word;
};

/* `numeric`: enum spirv_numeric, SINT for any integer. A width of 0: any; components 0: any number; `length` of each array, 0: any. */
struct spirv_type_pattern {
    uint8_t numeric, width, components, arrays, length;
};

enum spirv_requirement_kind { SPIRV_REQUIREMENT_FEATURE, SPIRV_REQUIREMENT_PROPERTY, SPIRV_REQUIREMENT_LIMIT };

/* `what`: enum feature, or an offset in struct device; `head`: offset of the structure, which is known where it has its type; 0: always. */
struct spirv_requirement {
    uint16_t kind, name;
    uint32_t what, head;
};

#define SPIRV_ROW_COUNT ${len(t.rows)}

static const struct spirv_row spirv_rows[] = {
% for v, row in t.rows:
    {${m.vuid_constant(v.id)}, ${t.first[v.id]}, ${len(row.atoms)}},
% endfor
};

static const struct spirv_atom spirv_atoms[] = {
% for kind, count, first, data, atom in t.atoms:
    {${kind}, ${count}, ${first}, ${data}}, /* ${repr(atom)[:90].replace('*/', '')} */
% endfor
};

static const uint16_t spirv_row_values[] = {${', '.join(map(str, t.values))}};

static const struct spirv_type_pattern spirv_row_types[] = {
% for p in t.types:
    ${pattern(p)},
% endfor
};

static const struct spirv_requirement spirv_requirements[] = {
% for kind, what, head, name in t.requirements:
    {SPIRV_REQUIREMENT_${kind}, ${name}, ${what}, ${head}},
% endfor
};

/* By constant. */
% for k, kind in enumerate(SUBJECTS):
static const struct spirv_row_subject spirv_subjects_${kind.lower()}[] = {
%     for _, constant, row, word in [s for s in t.subjects if s[0] == k]:
    {${constant}, ${row}, ${word}},
%     endfor
};
% endfor

/* A bit for each opcode that a row speaks of. */
static const uint8_t spirv_row_opcodes[] = {${', '.join(map(str, bits))}};

static const char spirv_row_texts[] = {${', '.join(map(str, t.pool.data))}};

#endif
