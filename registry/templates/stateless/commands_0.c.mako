<%namespace name="commands" file="commands.mako"/>\
${commands.shard(0, 3)}\
