"""Writing a generated file so that what depends on it is only made again when it changed."""

import os


def write_if_changed(path, text):
    try:
        with open(path, encoding='utf-8') as f:
            if f.read() == text:
                return
    except FileNotFoundError:
        pass
    temporary = f'{path}.{os.getpid()}'
    with open(temporary, 'w', encoding='utf-8') as f:
        f.write(text)
    os.replace(temporary, path)
