<% r = rules.rules(m).rows %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/buffer.h"
#include "state/command/command_buffer.h"
#include "state/object/created.h"
#include "state/descriptor/descriptor.h"
#include "state/descriptor/descriptor_pool.h"
#include "state/memory/formats.h"
#include "state/pipeline/graphics_info.h"
#include "state/memory/image.h"
#include "state/memory/memory.h"
#include "state/pipeline/pipeline.h"
#include "state/query/query.h"
#include "state/submit/queue.h"
#include "state/descriptor/sampler.h"
#include "state/command/sections.h"
#include "state/submit/semaphore.h"
#include "state/pipeline/shader.h"
#include "state/wsi/swapchain.h"
#include "stateless/pipeline.h"
#include "stateless/row_parameters.h"

<% first = 0 %>\
const struct row rows[] = {
% for row in r.rows:
    {${m.vuid_constant(row.vuid.id)}, ${first}, ${row.guards}, ${len(row.atoms)}, ${int(row.stops)}, ${int(row.quiet)}, ${'ROW_NO_ARRAY' if row.each is None else row.each}},
<% first += len(row.atoms) %>\
% endfor
};

const struct row_atom row_atoms[] = {
% for row in r.rows:
    /* ${row.vuid.id} */
% for atom in row.atoms:
    ${r.named(atom)},
% endfor
% endfor
    /* of elements */
% for atom in r.inner:
    ${r.named(atom)},
% endfor
};

const struct row_value row_values[] = {
% for value in r.values:
    ${r.named(value)},
% endfor
};

const struct row_array row_arrays[] = {
% for array in r.arrays:
    ${r.named(array)},
% endfor
};

const struct row_fact row_facts[] = {
% for fact in r.facts:
    ${r.named(fact)},
% endfor
};

const struct row_chain row_chains[] = {
% for constant, name in r.chains:
    {${constant}, ${r.pool.offset(name)}},
% endfor
};

const uint64_t row_numbers[] = {
% for number in r.numbers:
    ${number},
% endfor
};

const uint16_t row_steps[] = {
% for step in r.steps:
    ${step},
% endfor
};

const char row_names[] =
% for text in bytes(r.pool.data).decode('ascii').split('\0')[:-1]:
    "${text}\0"
% endfor
    "";

const struct ignored_member ignored_members[] = {
% for structure, member, state in r.ignored_members:
    {${f'"{structure}"' if structure else 'NULL'}, "${member}", ${state}},
% endfor
};
const uint32_t ignored_member_count = sizeof(ignored_members) / sizeof(ignored_members[0]);
