"""The parameters whose objects the entry of a command looks up once, for all hooks (struct
named_object in objects/call.h)."""

MOST = 2  # CALL_NAMED


def belongs_to_device(m, type_name):
    handle = m.handles.get(type_name)
    while handle is not None and handle.name != 'VkDevice':
        handle = handle.parent
    return handle is not None


def named(m, command):
    """{name: which}. They are passed by value, have ids, and belong to the device. Most commands
    have one at most; of more, the others are looked up where they are needed."""
    if not m.is_device_command(command):
        return {}
    found = [
        p
        for p in command.params[1:]
        if m.is_id(p.type) and '*' not in p.fullType and belongs_to_device(m, p.type)
    ]
    return {p.name: which for which, p in enumerate(found[:MOST])}
