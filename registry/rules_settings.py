"""The table of settings (registry/settings.toml) as templates need it, and the layer manifests made from it."""

import json
import os
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
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
        return {'BOOL': 'bool ', 'INT': 'uint32_t ', 'STRING': 'char *', 'LIST': 'struct setting_list ', 'FLAGS': 'uint32_t ',
                'ENUM': 'uint32_t '}[self.type]

    def value_constant(self, value):
        return f'{self.name.upper()}_{value.upper()}'

    def value_bit(self, value):
        """FLAGS are bits, ENUM counts from 0; an ignored value is no bit."""
        names = [v[0] for v in self.values]
        if value not in names:
            return 0
        return 1 << names.index(value) if self.type == 'FLAGS' else names.index(value)


def _load():
    with open(os.path.join(HERE, 'settings.toml'), 'rb') as f:
        table = tomllib.load(f)
    settings = [Setting(entry) for entry in table['setting']]
    names = [s.name for s in settings] + list(table['planned'])
    if len(set(names)) != len(names):
        raise SettingsError('a setting is listed twice')
    for setting in settings:
        for target in [setting.under, *sum(setting.means.values(), [])]:
            if target is not None and target not in names:
                raise SettingsError(f'{setting.name}: no such setting: {target}')
    return settings, table['planned']


settings, planned = _load()


# --- manifests ---------------------------------------------------------------------------------------------------------

INSTANCE_EXTENSIONS = ['VK_EXT_debug_report', 'VK_EXT_debug_utils', 'VK_EXT_layer_settings', 'VK_EXT_validation_features',
                       'VK_EXT_validation_flags']
DEVICE_EXTENSIONS = {
    'VK_EXT_debug_marker': ['vkCmdDebugMarkerBeginEXT', 'vkCmdDebugMarkerEndEXT', 'vkCmdDebugMarkerInsertEXT',
                            'vkDebugMarkerSetObjectNameEXT', 'vkDebugMarkerSetObjectTagEXT'],
    'VK_EXT_tooling_info': ['vkGetPhysicalDeviceToolPropertiesEXT'],
    'VK_EXT_validation_cache': ['vkCreateValidationCacheEXT', 'vkDestroyValidationCacheEXT', 'vkGetValidationCacheDataEXT', 'vkMergeValidationCachesEXT'],
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


def _describe(setting, prefix):
    entry = {
        'key': setting.name,
        'env': f'{prefix}{setting.name.upper()}',
        'label': setting.label,
        'description': setting.description,
        'type': MANIFEST_TYPES.get(setting.type, setting.type),
        'default': _default_value(setting),
    }
    if setting.deprecated:
        entry['status'] = 'DEPRECATED'
    if setting.range:
        entry['range'] = {'min': setting.range[0], 'max': setting.range[1]}
    if setting.values:
        value_prefix = setting.prefixes[0] if setting.prefixes else ''
        entry['flags'] = [{'key': value_prefix + key, 'label': label, 'description': description}
                          for key, label, description in setting.values]
    if setting.under:
        parent = next(s for s in settings if s.name == setting.under)
        value = True if parent.type == 'BOOL' else [parent.prefixes[0] + parent.values[0][0]]
        entry['dependence'] = {'mode': 'ALL', 'settings': [{'key': parent.name, 'value': value}]}
    children = [_describe(s, prefix) for s in settings if s.under == setting.name]
    if children:
        entry['settings'] = children
    return entry


CHECKS = ('validate_core', 'unique_handles', 'object_lifetime', 'stateless_param', 'thread_safety')
SWITCHES = CHECKS + ('gpuav_enable', 'printf_enable')
PRESETS = [
    ('Standard', 'All checks that are on by default.', set(CHECKS)),
    ('Reduced overhead', 'Parameters only: no object lifetimes, no ids, no threads.', {'stateless_param'}),
    ('GPU-assisted', 'What can only be known while shaders run, and all checks that are on by default.', {*CHECKS, 'gpuav_enable'}),
    ('Debug printf', 'Shows what shaders print, and checks nothing.', {'printf_enable'}),
]


def manifest(m, layer, env_prefix, description, library_path):
    """The text of a layer manifest that presents the library under the name `layer`; `library_path` as seen from the manifest."""
    presets = [{'label': label, 'description': text, 'platforms': ['LINUX'], 'status': 'STABLE',
                'settings': [{'key': check, 'value': check in on} for check in SWITCHES]} for label, text, on in PRESETS]
    return json.dumps({
        'file_format_version': '1.2.1',
        'layer': {
            'name': layer,
            'type': 'GLOBAL',
            'library_path': library_path,
            'api_version': m.api_version,
            'implementation_version': '1',
            'description': description,
            'introduction': 'Assay checks every Vulkan call of a program against the specification, and names the line of code '
                            'that broke a rule.',
            'platforms': ['LINUX'],
            'instance_extensions': [{'name': name, 'spec_version': str(m.extensions[name].specVersionValue)}
                                    for name in INSTANCE_EXTENSIONS],
            'device_extensions': [{'name': name, 'spec_version': str(m.extensions[name].specVersionValue), 'entrypoints': commands}
                                  for name, commands in DEVICE_EXTENSIONS.items()],
            'features': {
                'presets': presets,
                'settings': [_describe(s, env_prefix) for s in settings if not s.under],
            },
        },
    }, indent=4) + '\n'
