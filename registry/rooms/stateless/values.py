"""The values that enumerations and bitmasks have, as tables of what the layer looks up."""

from rooms.stateless.requirements import implied


class EnumTable:
    """The values of an enumeration, those that always exist first as an inline range."""

    def __init__(self, rules, enum):
        m = rules.m
        self.name = enum.name
        own = rules.requirements.of(enum, m.vk.aliasTypeRequirements)
        self.values = []
        for field in sorted(enum.fields, key=lambda f: f.value):
            requirement = (
                rules.requirements.of(field, m.vk.aliasFieldRequirements)
                if field.definingRequirements
                else None
            )
            if implied(requirement, own):
                requirement = None
            self.values.append((field.value, field.name, rules.requirements.offset(requirement)))
        free = {v for v, _, r in self.values if r == 0}
        self.range = 0
        while self.range in free:
            self.range += 1
        self.constant = f'enum_{enum.name}'

    def outside(self, value):
        """C condition that sends a value to the table; None when every value goes there."""
        return f'(uint32_t){value} > {self.range - 1}' if self.range else None


class BitsTable:
    def __init__(self, rules, bitmask):
        m = rules.m
        self.name = bitmask.name
        self.wide = bitmask.bitWidth == 64
        own = rules.requirements.of(bitmask, m.vk.aliasTypeRequirements)
        entries = []
        for flag in bitmask.flags:
            requirement = (
                rules.requirements.of(flag, m.vk.aliasFlagRequirements)
                if flag.definingRequirements
                else None
            )
            if implied(requirement, own):
                requirement = None
            entries.append(
                (
                    flag.value,
                    flag.name,
                    rules.requirements.offset(requirement),
                    flag.multiBit,
                    flag.zero,
                )
            )
        # values of several bits first: VK_SHADER_STAGE_ALL holds bits that have no name
        self.entries = sorted(entries, key=lambda e: (not e[3], e[0]))
        self.free = 0
        for value, _, requirement, multi, _ in self.entries:
            if requirement == 0 and not multi:
                self.free |= value
        self.zero_is_value = any(zero for _, _, _, _, zero in entries)
        self.constant = f'bits_{bitmask.name}'

    @property
    def free_literal(self):
        return f'{self.free:#x}{"ull" if self.wide else "u"}'
