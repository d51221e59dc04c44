"""Many strings as one: C sources name them by offset, so that tables of names need no relocation
and no pointer."""


class StringPool:
    """Interned strings, each ended by a zero byte; a string that another one ends with lies inside
    that one."""

    def __init__(self, strings):
        unique = sorted(set(strings), key=lambda s: s[::-1])
        self.offsets = {}
        self.data = bytearray()
        for i in range(len(unique) - 1, -1, -1):  # a suffix sorts just before what it ends
            text = unique[i]
            longer = unique[i + 1] if i + 1 < len(unique) else ''
            if longer.endswith(text):
                self.offsets[text] = self.offsets[longer] + len(longer) - len(text)
                continue
            self.offsets[text] = len(self.data)
            self.data += text.encode('ascii') + b'\0'

    def offset(self, text):
        return self.offsets[text]
