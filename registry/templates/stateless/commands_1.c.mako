<%namespace name="commands" file="commands.mako"/>\
${commands.shard(1, 3)}\
