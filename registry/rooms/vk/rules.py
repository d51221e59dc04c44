"""Templates of the vk room need these: features and properties of a device; and what
registry/rooms/chassis/rules.py decides of commands."""

from model import feature_tables
from rooms.chassis.rules import REPLACED, only_answers  # noqa: F401, for the templates

features = feature_tables.tables


def property_structs(m):
    """Structures that vkGetPhysicalDeviceProperties2 fills in."""
    return [
        s
        for s in m.structs.values()
        if 'VkPhysicalDeviceProperties2' in s.extends and not s.protect and brought_by(m, s)
    ]


def structure_type(s):
    return s.sType


def brought_by(m, s):
    """Versions and extensions, any of which brings the structure."""
    names = [s.version.name] if s.version else []
    for extension in s.extensions:
        names.append(getattr(extension, 'name', extension))
    return [n for n in names if n in m.versions or n in m.extensions]
