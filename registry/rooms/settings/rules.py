"""The table of settings (registry/settings.toml) as templates need it, and the layer manifests made
from it."""

import json
import os
import tomllib

from model.places import REGISTRY

TYPES = ('BOOL', 'INT', 'STRING', 'LIST', 'FLAGS', 'ENUM')
# Widgets of configurators and types of the manifest; ours that the manifest has under another name.
MANIFEST_TYPES = {'STRING': 'SAVE_FILE'}


class SettingsError(Exception):
    """The table contradicts itself. Fails the generation."""


class Setting:
    def __init__(self, table):
        self.name = table['name']
        self.type = table['type']
        self.default = table['default']
        self.label = table['label']
        self.description = table['description']
        self.under = table.get('under')
        self.group = table.get('group')
        self.flag = table.get('flag')
        self.view = table.get('view')
        self.url = table.get('url')
        self.unit = table.get('unit')
        self.never_empty = table.get('never_empty', False)
        self.range = table.get('range')
        self.values = table.get('values', [])
        self.aliases = table.get('aliases', [])
        self.ignored_values = table.get('ignored_values', [])
        self.prefixes = table.get('prefixes', [])
        self.means = table.get('means', {})
        self.deprecated = table.get('deprecated', False)
        if self.type not in TYPES:
            raise SettingsError(f'{self.name}: no such type: {self.type}')
        if (self.type in ('FLAGS', 'ENUM')) != bool(self.values):
            raise SettingsError(f'{self.name}: FLAGS and ENUM have values, and nothing else has')

    @property
    def constant(self):
        return f'SETTING_{self.name.upper()}'

    @property
    def c_type(self):
        return {
            'BOOL': 'bool ',
            'INT': 'uint32_t ',
            'STRING': 'char *',
            'LIST': 'struct setting_list ',
            'FLAGS': 'uint32_t ',
            'ENUM': 'uint32_t ',
        }[self.type]

    def value_constant(self, value):
        return f'{self.name.upper()}_{value.upper()}'

    def value_bit(self, value):
        """FLAGS are bits, ENUM counts from 0; an ignored value is not a bit."""
        names = [v[0] for v in self.values]
        if value not in names:
            return 0
        return 1 << names.index(value) if self.type == 'FLAGS' else names.index(value)


class Group:
    """A group of settings, as configurators show it."""

    def __init__(self, table):
        self.name = table['name']
        self.label = table['label']
        self.description = table['description']
        self.under = table.get('under')
        self.view = table.get('view')
        self.expanded = table.get('expanded', True)


class Known:
    """A setting that users of the Khronos layer have in their files, and that does nothing here."""

    def __init__(self, table):
        self.name = table['name']
        self.default = table['default']
        self.reason = table['reason']


def _check_place(setting, by_name, groups):
    """Do the names that say where a setting stands exist?"""
    if setting.under is not None and setting.under not in by_name:
        raise SettingsError(f'{setting.name}: no such setting: {setting.under}')
    if setting.group is not None and setting.group not in groups:
        raise SettingsError(f'{setting.name}: no such group: {setting.group}')
    if setting.flag is not None and setting.flag not in [
        value[0] for value in by_name[setting.under].values
    ]:
        raise SettingsError(f'{setting.name}: {setting.under} has no value {setting.flag}')
    for target in sum(setting.means.values(), []):
        if target not in by_name:
            raise SettingsError(f'{setting.name}: no such setting: {target}')


def _load():
    with open(os.path.join(REGISTRY, 'settings.toml'), 'rb') as f:
        table = tomllib.load(f)
    settings = [Setting(entry) for entry in table['setting']]
    known = [Known(entry) for entry in table['known']]
    groups = [Group(entry) for entry in table['group']]
    names = [entry.name for entry in settings + known + groups]
    if len(set(names)) != len(names):
        raise SettingsError('a name is there twice')
    by_name = {setting.name: setting for setting in settings}
    group_names = [group.name for group in groups]
    for setting in settings:
        _check_place(setting, by_name, group_names)
    for group in groups:
        if group.under is not None and group.under not in by_name:
            raise SettingsError(f'{group.name}: no such setting: {group.under}')
    return settings, known, groups, table['preset']


settings, known, groups, presets = _load()
_by_name = {setting.name: setting for setting in settings}


# --- manifests ------------------------------------------------------------------------------------

INSTANCE_EXTENSIONS = [
    'VK_EXT_debug_report',
    'VK_EXT_debug_utils',
    'VK_EXT_layer_settings',
    'VK_EXT_validation_features',
    'VK_EXT_validation_flags',
]
DEVICE_EXTENSIONS = {
    'VK_EXT_debug_marker': [
        'vkCmdDebugMarkerBeginEXT',
        'vkCmdDebugMarkerEndEXT',
        'vkCmdDebugMarkerInsertEXT',
        'vkDebugMarkerSetObjectNameEXT',
        'vkDebugMarkerSetObjectTagEXT',
    ],
    'VK_EXT_tooling_info': ['vkGetPhysicalDeviceToolPropertiesEXT'],
    'VK_EXT_validation_cache': [
        'vkCreateValidationCacheEXT',
        'vkDestroyValidationCacheEXT',
        'vkGetValidationCacheDataEXT',
        'vkMergeValidationCachesEXT',
    ],
}


def _default_value(setting):
    if setting.type == 'BOOL':
        return setting.default == 'true'
    if setting.type == 'INT':
        return int(setting.default)
    if setting.type in ('FLAGS', 'LIST'):
        prefix = setting.prefixes[0] if setting.prefixes else ''
        return [prefix + value for value in setting.default.split(',') if value]
    return setting.default


def _children(above):
    """Returns what stands below a setting or a group, or at the top for None: settings in the order
    of the table, then groups."""
    name = above.name if above else None
    if isinstance(above, Group):
        below = [s for s in settings if s.group == name]
    else:
        below = [s for s in settings if not s.group and not s.flag and s.under == name]
    if isinstance(above, Group):
        return below
    inner = [g for g in groups if g.under == name and any(s.group == g.name for s in settings)]
    return inner + below if above is None else below + inner


def _condition(setting):
    """Under which values of the settings above it does a setting count?"""
    conditions = []
    while setting.under:
        above = _by_name[setting.under]
        value = (
            True
            if above.type == 'BOOL'
            else [above.prefixes[0] + (setting.flag or above.values[0][0])]
        )
        conditions.insert(0, {'key': above.name, 'value': value})
        setting = above
    return conditions


def _describe_group(group, prefix):
    entry = {
        'key': group.name,
        'label': group.label,
        'description': group.description,
        'type': 'GROUP',
        'expanded': group.expanded,
    }
    if group.view:
        entry['view'] = group.view
    return entry | {'settings': [_describe(child, prefix) for child in _children(group)]}


def _describe_values(setting, prefix):
    value_prefix = setting.prefixes[0] if setting.prefixes else ''
    for key, label, description in setting.values:
        entry = {'key': value_prefix + key, 'label': label, 'description': description}
        if setting.deprecated and len(setting.means.get(key, [])) == 1:
            entry['deprecated_by_key'] = setting.means[key][0]
        inner = [
            _describe(s, prefix) for s in settings if s.under == setting.name and s.flag == key
        ]
        yield entry | ({'settings': inner} if inner else {})


def _describe(setting, prefix):
    if isinstance(setting, Group):
        return _describe_group(setting, prefix)
    entry = {
        'key': setting.name,
        'env': f'{prefix}{setting.name.upper()}',
        'label': setting.label,
        'description': setting.description,
        'type': MANIFEST_TYPES.get(setting.type, setting.type),
        'default': _default_value(setting),
    }
    if setting.url:
        entry['url'] = setting.url
    if setting.view:
        entry['view'] = setting.view
    if setting.deprecated:
        entry['status'] = 'DEPRECATED'
    if setting.range:
        entry['range'] = {'min': setting.range[0], 'max': setting.range[1]}
    if setting.unit:
        entry['unit'] = setting.unit
    if setting.values:
        entry['flags'] = list(_describe_values(setting, prefix))
    if setting.under:
        entry['dependence'] = {'mode': 'ALL', 'settings': _condition(setting)}
    children = [_describe(child, prefix) for child in _children(setting)]
    if children:
        entry['expanded'] = setting.default == 'true'
        entry['settings'] = children
    return entry


# The switches that every preset sets.
SWITCHES = (
    'validate_core',
    'validate_sync',
    'stateless_param',
    'object_lifetime',
    'thread_safety',
    'unique_handles',
    'validate_best_practices',
    'gpuav_enable',
    'printf_enable',
    'printf_only_preset',
)


def _preset(preset):
    """A preset says the value of all that any preset changes: another one may have been chosen
    before."""
    others = sorted(
        {key for other in presets for key in other.get('settings', {})}, key=list(_by_name).index
    )
    values = {key: key in preset['on'] for key in SWITCHES}
    values |= {
        key: preset.get('settings', {}).get(key, _default_value(_by_name[key])) for key in others
    }
    return {
        'label': preset['label'],
        'description': preset['description'],
        'platforms': ['LINUX'],
        'status': 'STABLE',
        'settings': [{'key': key, 'value': value} for key, value in values.items()],
    }


def manifest(m, layer, env_prefix, description, library_path):
    """The text of a layer manifest that presents the library under the name `layer`; `library_path`
    as seen from the manifest."""
    return (
        json.dumps(
            {
                'file_format_version': '1.2.1',
                'layer': {
                    'name': layer,
                    'type': 'GLOBAL',
                    'library_path': library_path,
                    'api_version': m.api_version,
                    'implementation_version': '1',
                    'description': description,
                    'introduction': 'Assay checks every Vulkan call of a program against the '
                    'specification, and names the line of code '
                    'that broke a rule.',
                    'platforms': ['LINUX'],
                    'instance_extensions': [
                        {'name': name, 'spec_version': str(m.extensions[name].specVersionValue)}
                        for name in INSTANCE_EXTENSIONS
                    ],
                    'device_extensions': [
                        {
                            'name': name,
                            'spec_version': str(m.extensions[name].specVersionValue),
                            'entrypoints': commands,
                        }
                        for name, commands in DEVICE_EXTENSIONS.items()
                    ],
                    'features': {
                        'presets': [_preset(preset) for preset in presets],
                        'settings': [_describe(child, env_prefix) for child in _children(None)],
                    },
                },
            },
            indent=4,
        )
        + '\n'
    )
