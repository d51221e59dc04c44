/* Generated from registry/practices.toml by registry/generate.py with ${template}. Do not edit. */
#include "report/finding/practice.h"

const struct practice practices[VUID_COUNT - VUID_FIRST_PRACTICE] = {
% for p in m.practices:
    /* ${p.id} */
    {SEVERITY_${p.severity.upper()}, ${p.vendor_bits}, SAVES_${p.saves.upper()}},
% endfor
};

const char *const practice_saves_name[SAVES_COUNT] = {
% for name in rules.practices.SAVES:
    [SAVES_${name.upper()}] = "${name}",
% endfor
};

const char *const practice_vendor_name[PRACTICE_VENDORS] = {
% for name in rules.practices.VENDORS:
    "${name}",
% endfor
};
