<%namespace name="structs" file="structs.mako"/>\
${structs.shard(0, 4)}\
