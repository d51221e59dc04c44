/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/names/registry_names.h"

<% packed = rules.packed_names(m) %>\
const uint32_t registry_names_length = ${len(rules.names(m).data)};
const uint32_t registry_names_size = ${len(packed)};

const unsigned char registry_names_blob[${len(packed)} + 1] = /* and the zero that ends a C string */
% for line in rules.c_string_lines(packed):
    ${line}
% endfor
    ;
