<% from rooms.report import rules as rules_report
from rooms.sync import usages as sync_usages
t = sync_usages.tables(m)
def words(values):
    return '{{' + ', '.join(f'{v:#x}ull' if v else '0' for v in values) + '}}'
def pseudo(write):
    bits = sum(1 << i for i, (_, w, _) in enumerate(sync_usages.PSEUDO_USAGES) if i and w == write)
    return [x | (bits if i == 0 else 0) for i, x in enumerate(t.usage_words(u for u in t.usages if u.write == write))]
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "sync/usages.h"

const struct sync_usage_info sync_usage_info[SYNC_USAGE_COUNT] = {
% for name, write, present in sync_usages.PSEUDO_USAGES:
    [${name}] = {0, 0, ${'1ull << SYNC_STAGE_PRESENT_ENGINE' if present else 0}, ${t.pool.offset(name)}, ${'SYNC_STAGE_PRESENT_ENGINE' if present else 'SYNC_STAGE_NONE'}, ${'true' if write else 'false'}},
% endfor
% for u in t.usages:
    [${u.name}] = {${u.stage.name}, ${u.access.name}, 1ull << ${u.stage.constant}, ${t.pool.offset(u.name)}, ${u.stage.constant}, ${'true' if u.write else 'false'}},
% endfor
};

const char sync_usage_names[${len(t.pool.data)} + 1] = /* and the zero that ends a C string */
% for line in rules_report.c_string_lines(t.pool.data):
    ${line}
% endfor
    ;

const struct usage_mask sync_reads = ${words(pseudo(False))};
const struct usage_mask sync_writes = ${words(pseudo(True))};

const VkPipelineStageFlags2 sync_stage_bit[SYNC_STAGE_COUNT] = {
% for s in t.stages:
    [${s.constant}] = ${s.name},
% endfor
};

const struct sync_stage_row sync_stage_rows[64] = {
% for number, name, stages, source, destination, usages in t.stage_rows():
    /* ${name} */
    [${number}] = {${f'{stages:#x}ull, {source:#x}ull, {destination:#x}ull'}, ${words(usages)}},
% endfor
};

const struct sync_access_row sync_access_rows[64] = {
% for number, name, accesses, usages in t.access_rows():
    /* ${name} */
    [${number}] = {${f'{accesses:#x}ull'}, ${words(usages)}},
% endfor
};

const struct sync_queue_row sync_queue_rows[SYNC_QUEUE_BITS] = {
% for number, name, stages, usages in t.queue_rows():
    /* ${name} */
    [${number}] = {${f'{stages:#x}ull'}, ${words(usages)}},
% endfor
};
