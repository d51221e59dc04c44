<%namespace name="structs" file="structs.mako"/>\
${structs.shard(1, 4)}\
