<%namespace name="structs" file="structs.mako"/>\
${structs.shard(3, 4)}\
