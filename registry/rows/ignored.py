"""Where the layer must not look at a member, as something else says that it is ignored: the
specification's text about the member, not the numbered sentences, says so. A row that speaks of
such a member is asked only where the member is used."""

from language.atoms import Chained
from language.nouns import nouns
from language.sentence import Any, Sentence, members_of
from language.sentences import Parser
from language.values import Member

ATTACHMENT = 'imageView is not VK_NULL_HANDLE'
RESOLVED = f'{ATTACHMENT} and resolveMode is not VK_RESOLVE_MODE_NONE'
REFERENCE = 'attachment is not VK_ATTACHMENT_UNUSED'
NO_BARRIER = 'the pNext chain does not include a VkMemoryBarrier2 structure'

# (structure, member) -> where it is used, as the sentences would say it.
USED_WHERE = {
    # 8.5: "If imageView is VK_NULL_HANDLE ... other members of this structure are ignored", "If
    # resolveMode is VK_RESOLVE_MODE_NONE, resolveImageView is ignored"
    ('VkRenderingAttachmentInfo', 'imageLayout'): ATTACHMENT,
    ('VkRenderingAttachmentInfo', 'resolveMode'): ATTACHMENT,
    ('VkRenderingAttachmentInfo', 'resolveImageView'): RESOLVED,
    ('VkRenderingAttachmentInfo', 'resolveImageLayout'): RESOLVED,
    # 03313 says it of one layout, its sisters do not.
    ('VkAttachmentReference', 'layout'): REFERENCE,
    ('VkAttachmentReference2', 'layout'): REFERENCE,
    # 28.4: "minSampleShading specifies a minimum fraction of sample shading if sampleShadingEnable
    # is VK_TRUE"
    ('VkPipelineMultisampleStateCreateInfo', 'minSampleShading'): 'sampleShadingEnable is VK_TRUE',
    # 8.1: "If a VkMemoryBarrier2 is included in the pNext chain, srcStageMask ... are ignored"
    ('VkSubpassDependency2', 'srcStageMask'): NO_BARRIER,
    ('VkSubpassDependency2', 'dstStageMask'): NO_BARRIER,
    ('VkSubpassDependency2', 'srcAccessMask'): NO_BARRIER,
    ('VkSubpassDependency2', 'dstAccessMask'): NO_BARRIER,
    # 37.4: "If opMode is ..._EXPLICIT_DESTINATIONS_NV or ..._COMPUTE_SIZES_NV, this value is
    # ignored"
    (
        'VkClusterAccelerationStructureCommandsInfoNV',
        'dstImplicitData',
    ): 'input.opMode is VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_IMPLICIT_DESTINATIONS_NV',
}

# (structure, array) -> C that says of the structure `s` that its elements are read. Elsewhere the
# array's pointer may lead anywhere.
READ_WHERE = {
    # 8.3, of pAttachments: "If flags includes VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT, this parameter
    # is ignored"
    (
        'VkFramebufferCreateInfo',
        'pAttachments',
    ): '!(s->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT)',
}


def moved(x, to):
    """The Member `x` of a structure, seen from where the Member `to` is, which lies in such a
    structure."""
    before = to.path[:-1]
    return Member(
        before + x.path,
        x.field,
        to.chain,
        to.each,
        tuple(a for a in to.arrows if a < len(before)) + tuple(a + len(before) for a in x.arrows),
        to.head,
    )


def structure_of(m, owner, member):
    """The name of the structure that a Member lies in; None for a parameter, and for an element
    that is no structure."""
    n = nouns(m)
    if not member.path:
        return None
    item = m.structs.get(member.chain or owner)
    if isinstance(member.each, str):
        each = m.commands.get(owner) or m.structs[owner]
        item = n.structure(
            next(
                x
                for x in (each.params if owner in m.commands else each.members)
                if x.name == member.each
            ).type
        )
    elif member.each is not None:
        item = n.structure(member.each.field.type)
    members = {x.name: x for x in (item.members if item else m.commands[owner].params)}
    for name in member.path[:-1]:
        item = n.structure(members[name.split('[')[0]].type)
        members = {x.name: x for x in item.members}
    return item and item.name


def clauses(m, owner, member):
    """Where a Member that a sentence of `owner` speaks of is used, as clauses from where it stands;
    None: the sentence cannot ask."""
    name = structure_of(m, owner, member)
    condition = USED_WHERE.get((name, member.path[-1] if member.path else None))
    if condition is None:
        return []
    out = []
    for clause in Parser(m, name).condition(condition):
        atoms = []
        for atom in clause.atoms:
            if isinstance(atom, Chained):
                if name != owner or member.chain or member.each or len(member.path) > 1:
                    return None
                atoms.append(atom)
            else:
                atoms.append(
                    type(atom)(
                        moved(atom.subject, member),
                        *[getattr(atom, x) for x in ('constants', 'positive') if hasattr(atom, x)],
                    )
                )
        out.append(Any(atoms))
    return out


def guarded(m, owner, sentence):
    """The sentence, asked only where the members that it speaks of are used; None where that cannot
    be asked."""
    said = len(sentence.guards) - sentence.unsaid
    guards, unsaid, must = sentence.guards[:said], sentence.guards[said:], []
    spoken = [members_of(Sentence([], [clause])) for clause in sentence.must]
    for clause, members in zip(sentence.must, spoken):
        atoms = list(clause.atoms)
        for member in members:
            used = clauses(m, owner, member)
            if used is None:
                return None
            if all(repr(member) in map(repr, others) for others in spoken):
                guards += used
            else:
                atoms += [atom.negated() for x in used for atom in x.atoms]
        must.append(Any(atoms))
    for clause in sentence.guards:
        for member in members_of(Sentence([clause], [])):
            used = clauses(m, owner, member)
            if used is None:
                return None
            guards += used
    unique = {}
    for clause in guards:
        unique.setdefault(repr(clause), clause)
    return Sentence(list(unique.values()) + unsaid, must, len(unsaid))
