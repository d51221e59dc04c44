"""The features of a device, each counted once: a member of VkPhysicalDeviceVulkan12Features and the
same member of the structure that was promoted into it are one feature with two places."""

import functools
import re

from model import changes

BASE = 'VkPhysicalDeviceFeatures'
VERSIONED = re.compile(r'VkPhysicalDeviceVulkan1\d+Features$')
PREFIX = 'VkPhysicalDevice'


class Feature:
    """`places`: (structure, member), the one that the registry spells it under first; `extensions`:
    enabling one of them enables it."""

    def __init__(self, places):
        self.places = places
        self.extensions = []
        self.names = []

    @property
    def member(self):
        return self.places[0][1]


class FeatureTables:
    """features    every feature, in the registry's order
    structures  name -> [(member, number of its feature)] of every structure that holds features,
                VkPhysicalDeviceFeatures first"""

    def __init__(self, m):
        owners = [m.structs[BASE]] + [
            s
            for s in m.structs.values()
            if 'VkPhysicalDeviceFeatures2' in s.extends and 'VkDeviceCreateInfo' in s.extends
        ]
        members = {s.name: [x for x in s.members if x.type == 'VkBool32'] for s in owners}
        self.features = []
        self.of_place = {}
        for owner in owners:
            if VERSIONED.match(owner.name):
                continue
            for x in members[owner.name]:
                self._add((owner.name, x.name))
        for owner in owners:
            if VERSIONED.match(owner.name):
                for x in members[owner.name]:
                    self._add_versioned(m, owner, x)
        self.structures = {
            s.name: [(x.name, self.of_place[s.name, x.name]) for x in members[s.name]]
            for s in owners
        }
        self._name(m)

    def _add(self, place):
        self.of_place[place] = len(self.features)
        self.features.append(Feature([place]))

    def _add_versioned(self, m, owner, x):
        """A member of VkPhysicalDeviceVulkan1xFeatures: the feature of the structure that it names,
        else that of the structure of this version which has a member of the name, else one of its
        own."""
        alias = x.capabilityAlias
        same = None
        if alias is not None and hasattr(alias, 'struct'):
            same = (alias.struct, alias.member)
            if same not in self.of_place:
                changes.note(
                    'registry/model/feature_tables.py:1',
                    f'{owner.name}.{x.name} is an alias of {same}, which is no feature',
                )
                same = None
        else:
            promoted = [
                p
                for p in self.of_place
                if p[1] == x.name
                and m.structs[p[0]].version is not None
                and not VERSIONED.match(p[0])
            ]
            if len(promoted) > 1:
                changes.note(
                    'registry/model/feature_tables.py:1',
                    f'{owner.name}.{x.name} could be any of {promoted}',
                )
            same = promoted[0] if len(promoted) == 1 else None
        place = (owner.name, x.name)
        if same:
            self.of_place[place] = self.of_place[same]
            self.features[self.of_place[same]].places.append(place)
        else:
            self._add(place)
        if alias is not None and not hasattr(alias, 'struct') and alias.name in m.extensions:
            self.features[self.of_place[place]].extensions.append(alias.name)

    def _name(self, m):
        """Every place gives a name; the member's alone too where only one feature has it, or only
        one of core does."""
        taken = set()

        def core(feature):
            return any(s == BASE or m.structs[s].version is not None for s, _ in feature.places)

        by_member = {}
        for feature in self.features:
            for member in dict.fromkeys(member for _, member in feature.places):
                by_member.setdefault(member, []).append(feature)
        for feature in self.features:
            for member in dict.fromkeys(member for _, member in feature.places):
                rivals = by_member[member]
                if len(rivals) > 1:
                    rivals = [f for f in rivals if core(f)]
                if rivals == [feature]:
                    feature.names.append(f'FEATURE_{member}')
            feature.names += [
                f'FEATURE_{s.removeprefix(PREFIX)}_{member}' for s, member in feature.places
            ]
            for name in [name for name in feature.names if name in taken]:
                changes.note(
                    'registry/model/feature_tables.py:1', f'two features are called {name}'
                )
                feature.names.remove(name)
            taken.update(feature.names)


@functools.cache
def tables(m):
    return FeatureTables(m)
