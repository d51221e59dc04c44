<%namespace name="structs" file="structs.mako"/>\
${structs.shard(2, 4)}\
