"""Forms of sentences about queries: what their pool was created with, and what a queue family
counts."""

import re

from language import form
from language.atoms import Among, Bits, Compare
from language.sentence import Any
from language.sentence_values import CONSTANT, CONSTANTS, PLACE
from language.values import Limit, NotUnderstood, Number, Recorded

GRAPHICS = [
    'INPUT_ASSEMBLY_VERTICES',
    'INPUT_ASSEMBLY_PRIMITIVES',
    'VERTEX_SHADER_INVOCATIONS',
    'GEOMETRY_SHADER_INVOCATIONS',
    'GEOMETRY_SHADER_PRIMITIVES',
    'CLIPPING_INVOCATIONS',
    'CLIPPING_PRIMITIVES',
    'FRAGMENT_SHADER_INVOCATIONS',
    'TESSELLATION_CONTROL_SHADER_PATCHES',
    'TESSELLATION_EVALUATION_SHADER_INVOCATIONS',
]


class QueryForms:
    @form.must(
        rf'the (?P<name>queryType) used to create (?P<holder>{PLACE}) must (?P<no>not )?be '
        rf'(?P<values>{CONSTANTS})'
    )
    def must_type(self, g):
        """`The queryType used to create queryPool must not be A or B`."""
        fact = self.fact_named(self.handle(g['holder']), g['name'])
        if not self.n.is_enum(fact.field):
            raise NotUnderstood(g[0])
        constants = self.constants(g['values'], fact)
        if None in constants or ' and ' in g['values']:
            raise NotUnderstood(g[0])
        return [Any([Among(fact, constants, not g['no'])])]

    @form.atom(
        rf'the (?P<name>queryType) used to create (?P<holder>{PLACE}) was not '
        rf'(?P<first>{CONSTANT}) and not (?P<second>{CONSTANT})'
    )
    def on_neither_type(self, g):
        """`the queryType used to create queryPool was not A and not B`"""
        fact = self.fact_named(self.handle(g['holder']), g['name'])
        return [Among(fact, self.constants(f'{g["first"]}, {g["second"]}', fact), False)]

    @form.atom(r'any of the pipelineStatistics indicate (?P<kind>graphics|compute) operations')
    def on_statistics(self, g):
        """Section 18.4 lists the statistics of graphics operations: all but those of compute
        shaders, and of no stage."""
        fact = self.fact_named(self.handle(self.query_pool()), 'pipelineStatistics')
        names = GRAPHICS if g['kind'] == 'graphics' else ['COMPUTE_SHADER_INVOCATIONS']
        return [Bits(fact, [f'VK_QUERY_PIPELINE_STATISTIC_{x}_BIT' for x in names], 'any')]

    def query_pool(self):
        if 'queryPool' not in self.members:
            raise NotUnderstood('queryPool')
        return 'queryPool'

    @form.must(r'(?P<name>VkPhysicalDevice\w+Properties\w*::\w+) must be supported')
    def must_supported(self, g):
        """`VkFooProperties::bar must be supported`"""
        limit = self.place(g['name'])
        if not isinstance(limit, Limit) or limit.field.type != 'VkBool32':
            raise NotUnderstood(g[0])
        return [Any([Compare(limit, '==', Number('VK_TRUE', 1))])]

    @form.must(r'(?P<command>vk\w+) must not be called if (?P<condition>.+)')
    def must_not_call_if(self, g):
        """`vkCmdFoo must not be called if ...`"""
        if not self.is_command or g['command'] != self.owner.name:
            raise NotUnderstood(g[0])
        clauses = self.condition(g['condition'])
        if len(clauses) != 1 or len(clauses[0].atoms) != 1:
            raise NotUnderstood(g[0])
        return [Any([clauses[0].atoms[0].negated()])]

    @form.must(r"the command pool's queue family must support a non-zero timestampValidBits")
    def must_have_timestamps(self, g):
        fact = self.fact_named(Recorded('queue family'), 'timestampValidBits of the queue family')
        return [Any([Compare(fact, '!=', Number('0', 0))])]


def normal(text):
    """Puts the comma that some sentences lack after their condition."""
    return re.sub(
        r'(was VK_QUERY_TYPE_\w+) (the (?:VkCommandPool|index parameter) )', r'\1, \2', text
    )
