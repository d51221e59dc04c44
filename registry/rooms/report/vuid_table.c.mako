/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/names/vuid_text.h"

const uint32_t vuid_number[VUID_COUNT] = {
% for id in m.message_ids:
    ${'0x%08x' % rules.number(id)},
% endfor
};

<% unread = [id for id in m.message_ids if id in m.unread] %>\
const uint32_t vuids_unread[] = {
% for id in unread:
    ${m.vuid_constant(id)},
% endfor
    VUID_COUNT,
};
const uint32_t vuids_unread_count = ${len(unread)};

<% frames = rules.frames(m) %>\
const struct vuid_frame vuid_frames[] = {
<% offset = 0 %>\
% for data, length in frames:
    {${offset}, ${len(data)}, ${length}},
<% offset += len(data) %>\
% endfor
};

static_assert(VUID_FRAME_IDS == ${rules.FRAME_IDS}, "as in registry/rooms/report/rules.py");
static_assert(VUID_NUMBER_SEED == ${rules.NUMBER_SEED}, "as in registry/rooms/report/rules.py");

const unsigned char vuid_blob[${offset} + 1] = /* and the zero that ends a C string */
% for line in rules.c_string_lines(b''.join(data for data, _ in frames)):
    ${line}
% endfor
    ;

char vuid_spare[${max(length for _, length in frames)}];
static_assert(VUID_NAME_SIZE > ${max(len(id) for id in m.message_ids)}, "the longest name has room");
