#!/usr/bin/env python3
"""Checks that the manifests say what configurators and users of the Khronos layer expect.

  manifest.py peer OURS PEER SETTINGS_TOML     each key and value of the peer's manifest is known
  here manifest.py shape OURS PEER                  ours is written as the peer's is: members,
  types, keys that refer to each other

The peer's manifest is what users and configurators see of it; where it has a key that is new,
`peer` fails, and registry/settings.toml gets it: as a setting, or as a known one that does nothing,
with the reason."""

import json
import pathlib
import sys
import tomllib

TYPES = {'GROUP', 'BOOL', 'INT', 'FLAGS', 'ENUM', 'LIST', 'SAVE_FILE', 'LOAD_FILE'}
# Types of ours that take what the peer's takes.
WIDER = {('SAVE_FILE', 'LOAD_FILE')}
failures: list[str] = []


def check(condition, text):
    if not condition:
        failures.append(text)


def load(path):
    return json.loads(pathlib.Path(path).read_text())['layer']


def walk(settings):
    """Each setting and group, also those that belong to one value of FLAGS."""
    for setting in settings:
        yield setting
        yield from walk(setting.get('settings', []))
        for flag in setting.get('flags', []):
            yield from walk(flag.get('settings', []))


def by_key(layer):
    return {setting['key']: setting for setting in walk(layer['features']['settings'])}


def compare_with_peer(ours, peer, table):
    mine, theirs = by_key(ours), by_key(peer)
    known = {entry['name']: entry for entry in table['known']}
    groups = {entry['name'] for entry in table['group']}
    values = {entry['name']: entry for entry in table['setting']}
    for key, setting in theirs.items():
        if setting['type'] == 'GROUP':
            check(
                key in groups,
                (
                    f'the Khronos layer has a group {key}; [[group]] in registry/settings.toml '
                    f'does not'
                ),
            )
            continue
        check(
            key in mine or key in known,
            (
                f'the Khronos layer has a setting {key} ({setting["type"]}: '
                f'{setting["label"]}) that is not known here'
            ),
        )
        if key in known:
            check(
                len(known[key]['reason'].split()) > 3,
                f'{key} does nothing here, and there is no reason for it',
            )
        if key not in mine:
            continue
        check(
            mine[key]['type'] == setting['type'] or (setting['type'], mine[key]['type']) in WIDER,
            f'{key} is {setting["type"]} there and {mine[key]["type"]} here',
        )
        prefixes = values[key].get('prefixes', [])
        words = {flag[0] for flag in values[key].get('values', [])} | {
            alias[0] for alias in values[key].get('aliases', [])
        }
        words |= set(values[key].get('ignored_values', []))
        for flag in setting.get('flags', []):
            short = next(
                (
                    flag['key'][len(prefix) :]
                    for prefix in prefixes
                    if flag['key'].startswith(prefix)
                ),
                flag['key'],
            )
            check(short in words, f'{key} has a value {flag["key"]} there that is not known here')
        if 'range' in setting and 'range' in mine[key]:
            check(
                mine[key]['range']['min'] <= setting['range']['min'],
                f'{key} may be {setting["range"]["min"]} there',
            )
            check(
                mine[key]['range']['max'] >= setting['range'].get('max', 0),
                f'{key} may be {setting["range"].get("max")} there',
            )
    for key in list(known) + list(mine):
        check(key not in known or key not in mine, f'{key} is a setting, and does nothing')


def fits(setting, value):
    kind = setting['type']
    if kind == 'BOOL':
        return isinstance(value, bool)
    if kind == 'INT':
        return (
            isinstance(value, int)
            and not isinstance(value, bool)
            and setting['range']['min'] <= value <= setting['range']['max']
        )
    flags = {flag['key'] for flag in setting.get('flags', [])}
    if kind == 'FLAGS':
        return isinstance(value, list) and set(value) <= flags
    if kind == 'LIST':
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, str) and (kind != 'ENUM' or value in flags)


def members_of(layer, pick):
    """The names of members, and the Python types of what they hold, in all that `pick` gives."""
    found = {}
    for entry in pick(layer):
        for name, value in entry.items():
            found.setdefault(name, set()).add(type(value))
    return found


def flags_of(layer):
    return [
        flag for setting in walk(layer['features']['settings']) for flag in setting.get('flags', [])
    ]


def compare_shape(ours, peer):
    for what, pick in {
        'a layer': lambda layer: [layer],
        'a setting': lambda layer: walk(layer['features']['settings']),
        'a value': flags_of,
        'a preset': lambda layer: layer['features']['presets'],
    }.items():
        known = members_of(peer, pick)
        for name, types in members_of(ours, pick).items():
            check(
                name in known and types <= known[name],
                (
                    f'{what} has a member {name} of {[t.__name__ for t in types]}, which no '
                    f'configurator knows'
                ),
            )
    keys = [setting['key'] for setting in walk(ours['features']['settings'])]
    check(len(keys) == len(set(keys)), 'a key is there twice')
    settings = by_key(ours)
    views = {setting.get('view') for setting in walk(peer['features']['settings'])}
    for key, setting in settings.items():
        check(setting['type'] in TYPES, f'{key} is of no type: {setting["type"]}')
        check(
            setting['label'] and setting['description'].endswith(('.', '?')),
            f'{key} has no label, or its description no end',
        )
        check(
            setting.get('view') in views,
            f'{key} has a view that no configurator knows: {setting.get("view")}',
        )
        check(setting.get('url', 'https://').startswith('https://'), f'{key} has no url of the web')
        if setting['type'] == 'GROUP':
            check(setting['settings'], f'{key} is an empty group')
            continue
        check(fits(setting, setting['default']), f'{key} cannot hold its default')
        for condition in setting.get('dependence', {}).get('settings', []):
            check(
                condition['key'] in settings
                and fits(settings[condition['key']], condition['value']),
                f'{key} depends on what cannot be',
            )
        for flag in setting.get('flags', []):
            check(
                flag.get('deprecated_by_key', key) in settings,
                f'{key} has a value that no setting stands in for: {flag["key"]}',
            )
    presets = ours['features']['presets']
    check(
        [preset['label'] for preset in presets][:4]
        == ['Standard', 'Reduced overhead', 'Synchronization', 'Best practices'],
        'presets are missing',
    )
    for preset in presets:
        said = {entry['key']: entry['value'] for entry in preset['settings']}
        check(
            said.keys() == {entry['key'] for entry in presets[0]['settings']},
            f'{preset["label"]} leaves something as another preset has set it',
        )
        for key, value in said.items():
            check(
                key in settings and fits(settings[key], value),
                f'{preset["label"]} sets {key} to {value}, which it cannot hold',
            )
    standard = {entry['key']: entry['value'] for entry in presets[0]['settings']}
    for key, value in standard.items():
        check(settings[key]['default'] == value, f'Standard has {key} otherwise than its default')


def main():
    what, ours, peer = sys.argv[1], load(sys.argv[2]), pathlib.Path(sys.argv[3])
    if not peer.exists():
        print(f'{peer} is not there: nothing to compare with')
        sys.exit(77)
    if what == 'peer':
        compare_with_peer(ours, load(peer), tomllib.loads(pathlib.Path(sys.argv[4]).read_text()))
    else:
        compare_shape(ours, load(peer))
    for text in failures:
        print(text)
    print(f'{len(by_key(ours))} settings and groups here, {len(by_key(load(peer)))} there')
    sys.exit(1 if failures else 0)


main()
