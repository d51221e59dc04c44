"""C of the call that has chosen values: the structures, arrays and objects that it needs."""

from cases.formats import TRAIT_FORMATS
from cases.truth import LEVEL
from language import facts
from language.atoms import Chained, Dynamic, Feature, Named, Part, Some
from language.nouns import nouns
from language.sentence import members_of
from language.sentence_values import OF_FORMAT, FactPath
from language.values import Fact, LevelExtent, Member, Recorded
from model.registry import RegistryError


def operation_of(fact):
    """The fact that the same session's profile is of a codec operation."""
    kept = facts.KINDS['VkVideoSessionKHR'].facts['videoCodecOperation']
    return Fact(fact.holder, fact.handle, FactPath(kept, kept.create), facts.word(kept.name))


class Calls:
    """`owner`: (name) -> a structure or command with its checks (rooms/stateless/checks.py)."""

    def __init__(self, m, rows, owner, truth, choices):
        self.m, self.n, self.rows, self.owner = m, nouns(m), rows, owner
        self.truth, self.choices = truth, choices

    def statements(self, row, variables, choice):
        root = 'a' if row.owner in self.m.commands else 's'
        lines, chained = [], {}
        chosen = [(v.thing, *v.values[i]) for v, i in zip(variables, choice)]
        members = members_of(row.sentence)
        wanted = [x.chain for x in members if x.chain and not x.head] + [
            x.structure for x, on, _ in chosen if isinstance(x, Chained) and on and x.holder is None
        ]
        for name in dict.fromkeys(wanted):
            chained[name] = f'chained{len(chained)}'
            lines.append(
                f'{name} *{chained[name]} = test_chain({root}, new_{name}(), sizeof({name}));'
            )
            lines.append(f'(void){chained[name]};')
        array = next((x.each for x in members if x.each), None)
        if array is not None:
            lines += self._array(root, row, array)
        lines += (
            self._asked_for(row, chosen)
            + self._parts(root, chosen)
            + self._elements(root, row, chosen)
        )
        heads = [
            self.rows.chain_of(x.holder)
            for x, _, _ in chosen
            if isinstance(x, Chained) and x.holder is not None
        ]
        heads += [x.head for x in members if x.head]
        for expression, type_name in dict.fromkeys(
            p
            for x in [y for y in members if not y.head] + heads
            for p in self._pointers(root, row, x, chained)
        ):
            if not any(line.startswith(f'SET({expression}, new_') for line in lines):
                lines.append(f'SET({expression}, new_{type_name}());')
        for x in members:
            if x.head and x.chain not in chained:
                chained[x.chain] = f'other{len(chained)}'
                head = self._place(root, x.head, chained).removesuffix('pNext')
                head = (
                    head.removesuffix('->') if head.endswith('->') else '&' + head.removesuffix('.')
                )
                lines.append(
                    f'{x.chain} *{chained[x.chain]} = test_chain((void '
                    f'*)(uintptr_t){head}, new_{x.chain}(), sizeof({x.chain}));'
                )
        for x, value, text in chosen:
            instead = (
                self.rows.replacing(x.field)
                if isinstance(x, Member) and len(x.path) == 1 and not x.chain and not x.each
                else None
            )
            if (
                instead is not None and value >> 32
            ):  # wider than the member: only the structure that has them in its place holds them
                at = chained.get(instead.chain) or (
                    f'(({instead.chain} *)test_chain({root}, new_{instead.chain}(), '
                    f'sizeof({instead.chain})))'
                )
                lines.append(f'{at}->{instead.path[0]} = {text};')
            elif isinstance(x, Member):
                lines.append(f'SET({self._place(root, x, chained)}, {text});')
        holders = {}
        for x, value, text in chosen:
            if x.is_fact('sections'):
                lines += self._begun(x.kept.path) if value else []
            elif isinstance(x, LevelExtent):
                holders.setdefault(repr(x.image.holder), []).insert(0, (x.image, LEVEL, None))
                lines.append(f'SET({self._place(root, x.layers, chained)}.mipLevel, 0);')
            elif (
                isinstance(x, Fact)
                and x.handle not in ('VkDevice', 'queue family')
                and not x.is_capability
                and x.kept.name != 'queueFlags'
            ):
                holders.setdefault(repr(x.holder), []).append((x, value, text))
        for x in {
            repr(y): y for y in self._capabilities(row.sentence) if y.handle == 'VkVideoSessionKHR'
        }.values():
            of = holders.setdefault(repr(x.holder), [])
            if not any(y.kept.name == 'videoCodecOperation' for y, _, _ in of):
                of.append((operation_of(x), 1, self.choices.operation(row.sentence)))
        for made, facts_of in enumerate(holders.values()):
            lines += self._made(root, chained, made, facts_of)
        guards = {id(a) for clause in row.sentence.guards for a in clause.atoms}
        for x, on, _ in chosen:
            lines += x.put(lambda member: self._place(root, member, chained), on, id(x) in guards)
        return lines

    def _asked_for(self, row, chosen):
        """Asks vkCreateDevice or vkCreateInstance to enable what is on."""
        lines = []
        if not self.rows.of_creation(row.owner):
            return lines
        for x, on, _ in chosen:
            if isinstance(x, Feature) and on:
                structure, member = self.n.features[x.constant].places[0]
                if structure == row.owner:
                    lines.append(f's->{member} = VK_TRUE;')
                elif structure == 'VkPhysicalDeviceFeatures':
                    lines.append(
                        f'test_enable((void *)(uintptr_t)a->pCreateInfo, '
                        f'VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, '
                        f'sizeof(VkPhysicalDeviceFeatures2), '
                        f'offsetof(VkPhysicalDeviceFeatures2, features.{member}));'
                    )
                else:
                    lines.append(
                        f'test_enable((void *)(uintptr_t)a->pCreateInfo, '
                        f'{self.m.structs[structure].sType}, sizeof({structure}), '
                        f'offsetof({structure}, {member}));'
                    )
        names = [f'"{x.name}"' for x, on, _ in chosen if isinstance(x, Named) and on]
        if any(isinstance(x, Named) for x, _, _ in chosen):
            lines.append(
                f'SET(s->ppEnabledExtensionNames, test_names((const char '
                f'*const[]){{{", ".join(names + ["NULL"])}}}));'
            )
            lines.append(f'SET(s->enabledExtensionCount, {len(names)});')
        return lines

    @staticmethod
    def _parts(root, chosen):
        """Makes the graphics pipeline a library of some parts, unless it has all."""
        parts = [(x.names[0], on) for x, on, _ in chosen if isinstance(x, Part)]
        if all(on for _, on in parts):
            return []
        flags = ' | '.join(p for p, on in parts if on) or '0'
        return [
            f'((VkGraphicsPipelineLibraryCreateInfoEXT *)test_chain({root}, '
            f'new_VkGraphicsPipelineLibraryCreateInfoEXT(), '
            f'sizeof(VkGraphicsPipelineLibraryCreateInfoEXT)))->flags = {flags};'
        ]

    def _elements(self, root, row, chosen):
        """Arrays with elements that a sentence speaks of, and no other ones."""
        lines = []
        states = [x.state for x, on, _ in chosen if isinstance(x, Dynamic) and on]
        if states:
            lines.append(
                'VkPipelineDynamicStateCreateInfo *dynamic = '
                'new_VkPipelineDynamicStateCreateInfo();'
            )
            lines.append(
                f'SET(dynamic->pDynamicStates, test_copy((const '
                f'VkDynamicState[]){{{", ".join(states)}}}, {len(states)} * '
                f'sizeof(VkDynamicState)));'
            )
            lines.append(f'SET(dynamic->dynamicStateCount, {len(states)});')
            lines.append(
                f'SET({"way_to_VkGraphicsPipelineCreateInfo(a)" if row.owner != "VkGraphicsPipelineCreateInfo" else root}->pDynamicState, '
                f'dynamic);'
            )
        arrays = {}
        for x, on, _ in chosen:
            if isinstance(x, Some):
                arrays.setdefault(x.each, []).append((x.inner, on))
        for number, (each, inner) in enumerate(arrays.items()):
            owner = (
                self.m.commands[row.owner].params
                if root == 'a'
                else self.m.structs[row.owner].members
            )
            field = next(y for y in owner if y.name == each)
            made = [atom for atom, on in inner if on]
            lines.append(
                f'{field.type} *elements{number} = test_array(new_{field.type}(), '
                f'sizeof({field.type}), {max(len(made), 1)});'
            )
            for i, atom in enumerate(made):
                lines.append(f'elements{number}[{i}].{atom.subject.path[0]} = {atom.constants[0]};')
            if not made:  # one that is none of them
                other = next(
                    f.name
                    for f in self.m.bitmasks[
                        self.n.value_type(inner[0][0].subject.field.type)
                    ].flags
                    if f.name not in {c for atom, _ in inner for c in atom.constants}
                )
                lines.append(f'elements{number}[0].{inner[0][0].subject.path[0]} = {other};')
            lines.append(f'SET({root}->{each}, elements{number});')
            lines.append(f'SET({root}->{field.length}, {max(len(made), 1)});')
        return lines

    def _capabilities(self, sentence):
        return [x for a in sentence.atoms() for x in a.parts() if x.is_capability]

    def _made(self, root, chained, number, chosen):
        """Creates the object that has the facts, and puts it where the sentence speaks of it."""
        fact = chosen[0][0]
        kind, c, i = facts.KINDS[fact.handle], f'c{number}', f'i{number}'
        if fact.handle == 'VkCommandPool':
            return [
                (
                    f'a->commandBuffer = '
                    f'test_command_buffer({" | ".join(text for _, _, text in chosen)});'
                )
            ]
        command, info, out = self._creator(fact.handle, kind)
        args = f'struct args_{command[2:]}'
        lines = [
            f'{args} *{c} = test_allocate(sizeof(*{c}));',
            f'fill_args_{command[2:]}({c});',
            f'{kind.structure} *{i} = ({kind.structure} *)(uintptr_t){c}->{info};',
            f'(void){i};',
        ]
        of_image = {x.kept.path: text for x, _, text in chosen if x.kept.path.startswith('image->')}
        if of_image:
            lines.append(
                f'SET({i}->image, test_image({of_image.get("image->flags", "0")}, '
                f'{of_image.get("image->samples", "VK_SAMPLE_COUNT_1_BIT")}));'
            )
        for x, _, text in chosen:
            path = x.kept.path
            if path in of_image:
                continue
            if text is None:  # an image whose mip levels are spoken of
                lines += (
                    [f'SET({i}->imageType, VK_IMAGE_TYPE_3D);']
                    if not any(y.kept.name == 'imageType' for y, _, _ in chosen)
                    else []
                )
                lines.append(f'SET({i}->extent, ((VkExtent3D){{{LEVEL}, {LEVEL}, {LEVEL}}}));')
            elif x.kept.name == 'format features':  # the driver is told
                lines += (
                    [f'SET({i}->format, {TRAIT_FORMATS[0]});']
                    if not any(y.kept.name == 'format' for y, _, _ in chosen)
                    else []
                )
            elif x.kept.name in OF_FORMAT:
                others = {
                    n
                    for y, v, _ in chosen
                    if y.kept.name in OF_FORMAT
                    for n in [
                        frozenset(
                            n for n in TRAIT_FORMATS if self.truth.formats.fact(n, y.kept.name) == v
                        )
                    ]
                }
                named = {t for y, _, t in chosen if y.kept.name == 'format'}
                fitting = [
                    n
                    for n in TRAIT_FORMATS
                    if all(n in o for o in others) and (not named or n in named)
                ]
                lines.append(f'SET({i}->format, {fitting[0]});')
            elif path == 'videoSession':
                lines.append(f'SET({i}->videoSession, test_video_session({text}));')
            elif '::' in path:
                structure, member = path.split('::')
                lines.append(
                    f'(({structure} *)test_chain({i}, new_{structure}(), '
                    f'sizeof({structure})))->{member} = {text};'
                )
            else:
                lines.append(f'SET({i}->{path}, {text});')
            if x.kept.name == 'sharingMode':  # among those families, if it is shared
                lines.append(f'SET({i}->pQueueFamilyIndices, test_memory());')
        lines += ['test_refuse(false);', f'invoke_{command[2:]}({c});', 'test_refuse(true);']
        if isinstance(fact.holder, Recorded):
            return lines + [f'test_begin_video_coding(a->commandBuffer, *{c}->{out});']
        return lines + [f'SET({self._place(root, fact.holder, chained)}, *{c}->{out});']

    @staticmethod
    def _begun(command):
        """Records a command that begins something before the call."""
        return [
            f'struct args_{command[2:]} *begin = test_allocate(sizeof(*begin));',
            f'fill_args_{command[2:]}(begin);',
            'begin->commandBuffer = a->commandBuffer;',
            'test_refuse(false);',
            f'invoke_{command[2:]}(begin);',
            'test_refuse(true);',
        ]

    def _creator(self, handle, kind):
        """(command, its parameter that describes the object, the one that gets it)."""
        for name, command in self.m.commands.items():
            info = [p for p in command.params if p.type == kind.structure and p.const]
            out = [p for p in command.params if p.type == handle and p.pointer and not p.const]
            if info and out:
                return name, info[0].name, out[0].name
        raise RegistryError(f'no command makes a {handle} of a {kind.structure}')

    @staticmethod
    def _base(root, x, chained):
        return 'element' if x.each else chained[x.chain] if x.chain else root

    def _place(self, root, x, chained):
        if x.each and not x.path:
            return '(*element)'
        text = self._base(root, x, chained)
        for i, name in enumerate(x.path):
            text += ('->' if i == 0 or i - 1 in x.arrows else '.') + name
        return text

    def _pointers(self, root, row, x, chained):
        """Pointers on the way to a member, as (expression, type)."""
        text, out = self._base(root, x, chained), []
        if not x.arrows:
            return out
        if x.each:
            field = (
                self.owner(row.owner).by_name[x.each] if isinstance(x.each, str) else x.each.field
            )
            members = {y.name: y for y in self.n.structure(field.type).members}
        else:
            members = (
                {y.name: y for y in self.m.structs[x.chain].members}
                if x.chain
                else self.owner(row.owner).by_name
            )
        for i, name in enumerate(x.path[:-1]):
            text += ('->' if i == 0 or i - 1 in x.arrows else '.') + name
            structure = self.n.structure(members[name.split('[')[0]].type)
            if i in x.arrows:
                out.append((text, structure.name))
            members = {y.name: y for y in structure.members}
        return out

    def _array(self, root, row, array):
        members = {
            y.name: y
            for y in (
                self.m.commands[row.owner].params
                if root == 'a'
                else self.m.structs[row.owner].members
            )
        }
        lines = []
        if isinstance(array, str):
            field, place, count = (
                members[array],
                f'{root}->{array}',
                f'{root}->{members[array].length.split(",")[0]}',
            )
        else:
            text, at = root, members
            for i, name in enumerate(array.path):
                text += ('->' if i == 0 or i - 1 in array.arrows else '.') + name
                if i + 1 < len(array.path):
                    structure = self.n.structure(at[name.split('[')[0]].type)
                    if i in array.arrows:
                        lines.append(f'SET({text}, new_{structure.name}());')
                    at, last = {y.name: y for y in structure.members}, text
            joint = '->' if len(array.path) - 2 in array.arrows else '.'
            field, place, count = array.field, text, f'{last}{joint}{array.field.length}'
        made = f'new_{field.type}()' if field.type in self.m.structs else 'test_memory()'
        return lines + [
            f'{field.type} *element = {made};',
            f'SET({place}, element);',
            f'SET({count}, 1);',
        ]
