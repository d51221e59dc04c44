<%namespace name="commands" file="commands.mako"/>\
${commands.shard(2, 3)}\
