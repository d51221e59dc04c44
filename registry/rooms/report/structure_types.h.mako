/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_REPORT_STRUCTURE_TYPES_H
#define ASSAY_REPORT_STRUCTURE_TYPES_H

<% t = rules.structures(m) %>\
/* Every structure and union of the registry. */
enum structure {
% for s in t.structures:
    STRUCTURE_${s.name},
% endfor
    STRUCTURE_COUNT
};

#endif
