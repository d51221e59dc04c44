"""Nouns know what the names in sentences mean: constants, features, structures and types of one
model of the registry."""

import functools

from model import feature_tables, hand_tables
from model.hand_tables import WHY, WORD

UNSIGNED = {
    'uint8_t',
    'uint16_t',
    'uint32_t',
    'uint64_t',
    'size_t',
    'VkDeviceSize',
    'VkDeviceAddress',
}
INTEGERS = {
    'uint8_t',
    'uint16_t',
    'uint32_t',
    'uint64_t',
    'int8_t',
    'int16_t',
    'int32_t',
    'int64_t',
    'int',
    'size_t',
    'VkDeviceSize',
    'VkDeviceAddress',
    'VkBool32',
    'VkSampleMask',
    'VkFlags',
    'VkFlags64',
}
TABLES = hand_tables.read(
    'registry/language/nouns.toml',
    {
        'feature': {'of': WORD, 'name': WORD, 'why': WHY},
        'member': {'of': WORD, 'name': WORD, 'why': WHY},
        'property': {'of': WORD, 'name': WORD, 'why': WHY},
    },
)
# How sentences spell a name -> the name in the registry.
MISSPELT = {row.of: row.name for row in TABLES['feature']}
MISSPELT_MEMBERS = {row.of: row.name for row in TABLES['member']}
MISSPELT_PROPERTIES = {row.of: row.name for row in TABLES['property']}


class Nouns:
    """The meaning of names in one model of the registry."""

    def __init__(self, m):
        self.m = m
        self.struct_aliases = {a: n for n, s in m.structs.items() for a in s.aliases}
        self.features = {n: f for f in feature_tables.tables(m).features for n in f.names}
        self.constants = {}
        for enum in list(m.enums.values()):
            for field in enum.fields:
                for name in [field.name] + list(field.aliases):
                    self.constants[name] = (field.value, enum.name)
        for bits in m.bitmasks.values():
            for flag in bits.flags:
                for name in [flag.name] + list(flag.aliases):
                    self.constants[name] = (flag.value, bits.name)
        for name, constant in m.vk.constants.items():
            self.constants[name] = (constant.value, None)
        self.constants['VK_SHADER_UNUSED_NV'] = self.constants['VK_SHADER_UNUSED_KHR']
        self.constants['VK_TRUE'], self.constants['VK_FALSE'] = (1, 'VkBool32'), (0, 'VkBool32')
        self.property_structs = {
            n for n, s in m.structs.items() if 'VkPhysicalDeviceProperties2' in s.extends
        }
        self.handle_aliases = {n: h for h, x in m.handles.items() for n in [h] + list(x.aliases)}
        self.bits_of_flags = {}
        for name, flags in m.flags.items():
            for alias in [name] + list(flags.aliases):
                self.bits_of_flags[alias] = m.bitmask_aliases.get(
                    flags.bitmaskName, flags.bitmaskName
                )

    def structure(self, name):
        name = self.struct_aliases.get(name, name)
        return self.m.structs.get(name)

    def value_type(self, type_name):
        """The enumeration or set of bits that a member's type has its values from, or None."""
        type_name = self.bits_of_flags.get(type_name, type_name)
        type_name = self.m.enum_aliases.get(type_name, type_name)
        return self.m.bitmask_aliases.get(type_name, type_name)

    def is_bits(self, field):
        return self.value_type(field.type) in self.m.bitmasks

    def is_enum(self, field):
        return self.value_type(field.type) in self.m.enums

    def is_pointer(self, field):
        return '*' in field.fullType

    def is_handle(self, field):
        return not self.is_pointer(field) and (
            field.type in self.m.handles
            or any(field.type in h.aliases for h in self.m.handles.values())
        )

    def is_number(self, field):
        return (
            not self.is_pointer(field)
            and not field.fixedSizeArray
            and (
                field.type in INTEGERS
                or field.type in ('float', 'double')
                or self.is_bits(field)
                or self.is_enum(field)
            )
        )


@functools.cache
def nouns(m):
    return Nouns(m)
