"""What a numbered statement's sentence is made of, once sentences.py has read it: guards and
demands, of atoms and values."""


class Member:
    """A value in the structure (or among the parameters) that the statement belongs to, or in one
    of its pNext chain.

    chain  name of the chained structure that has it, or None
    each   name of the array, of whose elements each is meant, or None
    path   names of the members that lead to it, each inside the one before; `arrows` has the
           indices of those that are pointers to what follows
    field  the registry's Member or Param of the last one
    head   the Member that is the pNext of the chain that `chain` is in, where that is another one
           than the statement's own"""

    def __init__(self, path, field, chain=None, each=None, arrows=(), head=None):
        self.head = head
        self.path, self.field, self.chain, self.each, self.arrows = (
            tuple(path),
            field,
            chain,
            each,
            tuple(arrows),
        )

    def __repr__(self):
        return (
            (f'{self.chain}::' if self.chain else '')
            + (f'{self.each}[].' if self.each else '')
            + '.'.join(self.path)
        )


class Elements:
    """The elements of an array of structures, or of the array of pointers to them that may be given
    instead: what a Member's `each` is.

    outer  name of the array of whose elements each has those arrays, or None
    field  the registry's member that is the array, `other` the one that is the array of pointers"""

    def __init__(self, outer, field, other):
        self.outer, self.field, self.other = outer, field, other

    def __repr__(self):
        return (f'{self.outer}[].' if self.outer else '') + f'{self.field.name}|{self.other.name}'


class HasPrimitives:
    """The geometry that an element is has primitives, as far as the call says how many: else
    nothing of it is read."""

    def __repr__(self):
        return '(it has primitives)'


class Limit:
    """A member of VkPhysicalDeviceLimits, or of another structure of a device's properties."""

    def __init__(self, structure, path, field):
        self.structure, self.path, self.field = structure, path, field

    def __repr__(self):
        return f'{self.structure}::{self.path}'


class Number:
    """A constant: a number, or one that the registry names. `text` is how the sentence spells
    it."""

    def __init__(self, text, value):
        self.text, self.value = text, value

    def __repr__(self):
        return self.text


class Sum:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def __repr__(self):
        return f'{self.left} + {self.right}'


class Difference(Sum):
    def __repr__(self):
        return f'{self.left} - {self.right}'


class HighestBit:
    """The index of the most significant bit of a value; not known of 0."""

    def __init__(self, of):
        self.of, self.field = of, of.field

    def __repr__(self):
        return f'the highest bit of {self.of}'


class Product(Sum):
    def __repr__(self):
        return f'{self.left} * {self.right}'


class Count:
    """How many elements of an array have a member that is one of the constants. `array`: its name
    in the statement's structure. `unsaid`: no message needs to speak of it."""

    def __init__(self, array, field, constants):
        self.array, self.field, self.constants, self.unsaid = array, field, constants, False

    def __repr__(self):
        return f'the elements of {self.array} with {self.field.name} in {self.constants}'


class Index:
    """The index of the element that each is meant of."""

    def __init__(self, each):
        self.each = each

    def __repr__(self):
        return f'the index in {self.each}'


class Recorded:
    """An object that no member names: `handle` VkCommandBuffer is the one that is recorded,
    VkCommandPool what it is of, and VkVideoSessionKHR what is bound in it."""

    def __init__(self, handle):
        self.handle = handle

    def __repr__(self):
        return f'the recorded {self.handle}'


class LevelExtent:
    """A side of the mip level that a region lies in, of an image or of one of its planes. Where the
    image's type has no such side, or the level is none of the image's, it is not known: other
    statements speak of that.

    image   a Fact of the image
    layers  the Member that is a VkImageSubresourceLayers
    axis    0, 1, 2: width, height, depth"""

    def __init__(self, image, layers, axis):
        self.image, self.layers, self.axis = image, layers, axis
        self.field = image.field

    def __repr__(self):
        return f'{("width", "height", "depth")[self.axis]} of {self.layers} of {self.image.holder}'


class QueueFlags:
    """The flags of all queue families of the device's physical device."""

    def __init__(self, m):
        self.field = next(
            x for x in m.structs['VkQueueFamilyProperties'].members if x.name == 'queueFlags'
        )

    def __repr__(self):
        return 'the queue families'


class Fact:
    """What an object was created with.

    holder  the Member (a handle) or Recorded whose object it is
    handle  the registry's type of that object
    kept    a facts.Kept
    field   the registry's Member of that name"""

    def __init__(self, holder, handle, kept, field):
        self.holder, self.handle, self.kept, self.field = holder, handle, kept, field

    def __repr__(self):
        return f'{self.kept.name} of {self.holder}'


# Atoms: each is true or false of a call. `subject` of the first three is a Member.


class Compare:
    """`operator`: == != < <= > >= or `multiple`."""

    def __init__(self, subject, operator, operand):
        self.subject, self.operator, self.operand = subject, operator, operand

    def __repr__(self):
        return f'({self.subject} {self.operator} {self.operand})'


class FormatTraits:
    """The subject, a format, is of one of these kinds (facts.FORMAT_KINDS), or (positive False) of
    none of them."""

    def __init__(self, subject, kinds, positive):
        self.subject, self.kinds, self.positive = subject, kinds, positive

    def __repr__(self):
        return f'({self.subject} {"is" if self.positive else "is not"} {self.kinds})'


class Among:
    """The subject is one of the constants, or (positive False) none of them."""

    def __init__(self, subject, constants, positive):
        self.subject, self.constants, self.positive = subject, constants, positive

    def __repr__(self):
        return f'({self.subject} {"in" if self.positive else "not in"} {self.constants})'


class Bits:
    """`how`: the subject has 'any', 'all' or 'none' of the bits, 'not all' of them, 'only' these,
    or exactly 'one' bit whatever it is."""

    def __init__(self, subject, constants, how):
        self.subject, self.constants, self.how = subject, constants, how

    def __repr__(self):
        return f'({self.subject} has {self.how} of {self.constants})'


class BitsOfLimit:
    """`how`: the subject's bits are all 'within' those of a limit, or it has 'any' of them."""

    def __init__(self, subject, operand, how):
        self.subject, self.operand, self.how = subject, operand, how

    def __repr__(self):
        return f'({self.subject} has {self.how} of {self.operand})'


class Null:
    """The subject, a pointer or handle, is NULL, or (positive False) it is not."""

    def __init__(self, subject, positive):
        self.subject, self.positive = subject, positive

    def __repr__(self):
        return f'({self.subject} {"is" if self.positive else "is not"} NULL)'


class PowerOfTwo:
    def __init__(self, subject):
        self.subject = subject

    def __repr__(self):
        return f'({self.subject} is a power of two)'


class Chained:
    """The pNext chain has a structure of that name, or (positive False) it does not. `holder`: the
    Member that is the head of another chain than the statement's own, or that points to it."""

    def __init__(self, structure, positive, holder=None):
        self.structure, self.positive, self.holder = structure, positive, holder

    def __repr__(self):
        return f'({self.holder or ""}{"has" if self.positive else "lacks"} {self.structure})'


class Bound:
    """The subject is a buffer's handle, or that of an object in a buffer. `how`: the buffer is
    bound to memory, or sparse ('ANY'), to memory that is HOST_VISIBLE, that has a SINGLE instance;
    NAMED: the object was created with the buffer's name, not by an address."""

    def __init__(self, subject, handle, how='ANY'):
        self.subject, self.handle, self.how = subject, handle, how

    def __repr__(self):
        return f'({self.subject} is bound: {self.how})'


class FormatIs:
    """The subject, a VkFormat, is of a kind (one of FORMAT_KINDS), or (positive False) it is
    not."""

    def __init__(self, subject, kind, positive):
        self.subject, self.kind, self.positive = subject, kind, positive

    def __repr__(self):
        return f'({self.subject} {"is" if self.positive else "is not"} {self.kind})'


# Kinds of formats: what messages call them, of the enum row_format_kind in src/stateless/rows.h.
FORMAT_KINDS = {
    'COLOR': 'a color format',
    'DEPTH': 'a format with depth',
    'STENCIL': 'a format with stencil',
    'COLOR_OR_DEPTH': 'a format with color or depth',
    'DEPTH_OR_STENCIL': 'a depth/stencil format',
    'DEPTH_AND_STENCIL': 'a format with depth and stencil',
    'DEPTH_ALONE': 'a depth format without stencil',
    'STENCIL_ALONE': 'a stencil format without depth',
    'INTEGER_COLOR': 'an integer color format',
    'OTHER_COLOR': 'a color format that is not an integer format',
    'SRGB': 'an sRGB format',
}


class AddressUsage:
    """The subject, a device address, is of a buffer that was created with one of the usages (none:
    with any). `valid`: an address that is in no buffer is wrong, too. `positive` False: no buffer
    that has the address was."""

    def __init__(self, subject, constants, valid=False, positive=True):
        self.subject, self.constants, self.valid, self.positive = (
            subject,
            constants,
            valid,
            positive,
        )

    def __repr__(self):
        return (
            f'({self.subject} is of {"a" if self.positive else "no"} buffer with {self.constants})'
        )


class AddressFlags:
    """The subject, a device address, is of a buffer that was created with one of the flags, or
    (positive False) with none of them."""

    def __init__(self, subject, constants, positive):
        self.subject, self.constants, self.positive = subject, constants, positive

    def __repr__(self):
        return (
            f'({self.subject} is of a buffer with{"" if self.positive else "out"} {self.constants})'
        )


class AddressBound(AddressFlags):
    """The subject, a device address, is of a buffer that is bound to memory or sparse; or (positive
    False) of none, though a buffer has it."""

    def __init__(self, subject, constants=(), positive=True):
        super().__init__(subject, [], positive)

    def __repr__(self):
        return f'({self.subject} is {"" if self.positive else "not "}bound to memory)'


class ValidPointer:
    """The subject, a pointer, leads to memory that a program can have."""

    def __init__(self, subject):
        self.subject = subject

    def __repr__(self):
        return f'({self.subject} is a valid pointer)'


class Feature:
    def __init__(self, constant, positive):
        self.constant, self.positive = constant, positive

    def __repr__(self):
        return f'({"" if self.positive else "not "}{self.constant})'


class Extension:
    """`named`: the program has enabled it by its name, which a version that brings it does not
    do."""

    def __init__(self, name, positive, named=False):
        self.name, self.positive, self.named = name, positive, named

    def __repr__(self):
        return f'({"" if self.positive else "not "}{self.name}{" by name" if self.named else ""})'


class Part:
    """The graphics pipeline has state of one of the parts (VK_GRAPHICS_PIPELINE_LIBRARY_*_BIT_EXT)
    of its own."""

    def __init__(self, parts, positive):
        self.parts, self.positive = tuple(parts), positive

    def __repr__(self):
        return f'({"" if self.positive else "not "}{" or ".join(self.parts)})'


class Dynamic:
    """The graphics pipeline has that dynamic state (VK_DYNAMIC_STATE_*)."""

    def __init__(self, state, positive):
        self.state, self.positive = state, positive

    def __repr__(self):
        return f'({"" if self.positive else "not "}dynamic {self.state})'


class Read:
    """The graphics pipeline reads what one of its pointers leads to: `name` is the member of struct
    graphics_info that has it."""

    def __init__(self, name):
        self.name, self.positive = name, True

    def __repr__(self):
        return f'(reads {self.name})'


class Some:
    """An element of an array (or, positive False, none of them) is as the atom `inner` says, which
    is about a Member of the element."""

    def __init__(self, inner, positive):
        self.inner, self.positive, self.each = inner, positive, inner.subject.each

    def __repr__(self):
        return f'({"some" if self.positive else "no"} {self.inner!r})'


class Named:
    """ppEnabledExtensionNames, of what vkCreateInstance or vkCreateDevice gets, has the
    extension."""

    def __init__(self, name, positive):
        self.name, self.positive = name, positive

    def __repr__(self):
        return f'({"" if self.positive else "not "}named {self.name})'


class Any:
    """One of the atoms holds. `sure`: the sentence says "either", so that it cannot be read
    otherwise. `unsaid`: the sentence does not say it, and no message does."""

    def __init__(self, atoms, sure=False, unsaid=False):
        self.atoms, self.sure, self.unsaid = list(atoms), sure, unsaid

    def __repr__(self):
        return ' or '.join(map(repr, self.atoms))


class Sentence:
    """If each of `guards` holds, each of `must` must. Both are lists of Any. `unsaid`: how many
    guards, the last ones, no message speaks of."""

    def __init__(self, guards, must, unsaid=0):
        self.guards, self.must, self.unsaid = guards, must, unsaid

    def atoms(self):
        return [a for clause in self.guards + self.must for a in clause.atoms]

    def __repr__(self):
        return (
            f'{" and ".join(map(repr, self.guards)) or "always"} => '
            f'{" and ".join(map(repr, self.must))}'
        )


class NotUnderstood(Exception):
    pass


def members_in(x):
    """The Members that a value is made of."""
    if isinstance(x, Sum):
        return members_in(x.left) + members_in(x.right)
    if isinstance(x, Fact):
        return members_in(x.holder)
    if isinstance(x, HighestBit):
        return members_in(x.of)
    if isinstance(x, LevelExtent):
        return members_in(x.image) + [x.layers]
    if isinstance(x, Member) and x.head is not None and isinstance(x.head.each, Elements):
        return [x, x.head]
    return [x] if isinstance(x, Member) else []


def members_of(sentence):
    """All Members that a sentence names; of what it says of some element of an array, none."""
    return [
        y
        for atom in sentence.atoms()
        for x in (
            getattr(atom, 'subject', None),
            getattr(atom, 'operand', None),
            getattr(atom, 'holder', None),
        )
        for y in members_in(x)
    ]


def pnext_of(n, holder):
    """The Member that is the pNext of a structure, or of one that a pointer leads to."""
    field = next(x for x in n.structure(holder.field.type).members if x.name == 'pNext')
    arrows = holder.arrows + ((len(holder.path) - 1,) if n.is_pointer(holder.field) else ())
    return Member(holder.path + ('pNext',), field, holder.chain, holder.each, arrows)


NEGATED = {'==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<'}


def negated(atom):
    """What holds where the atom does not."""
    if isinstance(atom, (Feature, Extension)):
        return type(atom)(
            atom.constant if isinstance(atom, Feature) else atom.name, not atom.positive
        )
    if isinstance(atom, Part):
        return Part(atom.parts, not atom.positive)
    if isinstance(atom, Dynamic):
        return Dynamic(atom.state, not atom.positive)
    if isinstance(atom, Some):
        return Some(atom.inner, not atom.positive)
    if isinstance(atom, Named):
        return Named(atom.name, not atom.positive)
    if isinstance(atom, Null):
        return Null(atom.subject, not atom.positive)
    if isinstance(atom, FormatIs):
        return FormatIs(atom.subject, atom.kind, not atom.positive)
    if isinstance(atom, FormatTraits):
        return FormatTraits(atom.subject, atom.kinds, not atom.positive)
    if isinstance(atom, Among):
        return Among(atom.subject, atom.constants, not atom.positive)
    if isinstance(atom, AddressFlags):
        return type(atom)(atom.subject, atom.constants, not atom.positive)
    if isinstance(atom, Chained):
        return Chained(atom.structure, not atom.positive, atom.holder)
    if isinstance(atom, Compare) and atom.operator in NEGATED:
        return Compare(atom.subject, NEGATED[atom.operator], atom.operand)
    if isinstance(atom, Bits) and atom.how in ('any', 'none', 'all', 'not all'):
        return Bits(
            atom.subject,
            atom.constants,
            {'any': 'none', 'none': 'any', 'all': 'not all', 'not all': 'all'}[atom.how],
        )
    raise NotUnderstood(repr(atom))
