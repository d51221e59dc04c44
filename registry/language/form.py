"""A form of a sentence is a method of a class of forms. Its decorator says what the sentence, or a
part of it, looks like:

    @form.atom(rf'{SUBJECT} is (?P<no>not )?(?:NULL|VK_NULL_HANDLE)')
    def on_null(self, g):

`subject` is a noun phrase, `atom` a clause of a condition, `condition` a whole one,
`clauses` one that is several clauses at once, and `must` what is demanded. The method gets the
match and returns what it means, or raises NotUnderstood; then the next form is asked. Forms are
asked class by class, in the order of their methods."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

Method = Callable[..., Any]


def _form(kind: str) -> Callable[[str], Callable[[Method], Method]]:
    def of_pattern(pattern: str) -> Callable[[Method], Method]:
        def decorate(method: Method) -> Method:
            # The decorator that stands lowest is called first.
            forms = [(kind, pattern), *getattr(method, 'forms', ())]
            setattr(method, 'forms', forms)
            return method

        return decorate

    return of_pattern


subject = _form('subject')
atom = _form('atom')
condition = _form('condition')
clauses = _form('clauses')
must = _form('must')


def forms_of(classes: Iterable[type], kind: str) -> list[tuple[re.Pattern[str], Method]]:
    """The forms of a kind that the classes' own methods have."""
    return [
        (re.compile(pattern), method)
        for each in classes
        for method in vars(each).values()
        for which, pattern in getattr(method, 'forms', ())
        if which == kind
    ]


class dict_match(dict):
    """Groups as a match object gives them."""

    def groupdict(self):
        return self
