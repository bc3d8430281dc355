"""A table of a file is a dataclass that nobody changes, whether it comes from a file, from the store, or from code."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, is_dataclass, replace

import msgspec
import pytest
from pydantic import TypeAdapter

from geonotice.config.constraints import FileTable, only_known_keys


class Hours(FileTable, kw_only=True):
    """Two hours, the second of which must be named."""

    __pydantic_config__ = only_known_keys()

    opens: int = 9
    closes: int


class Office(FileTable):
    """An office with its hours by day."""

    __pydantic_config__ = only_known_keys()

    name: str
    hours: dict[str, Hours] = field(default_factory=dict)
    days: tuple[str, ...] = ()


class Branch(Office, kw_only=True):
    """An office of another one."""

    of: str


def test_built_by_place_by_name_and_by_default():
    assert Office("Clerk", days=("Monday",)) == Office(name="Clerk", hours={}, days=("Monday",))
    assert (Hours(closes=17).opens, Hours(closes=17).closes) == (9, 17)
    assert Branch("Annex", of="Clerk").name == "Annex"
    assert is_dataclass(Branch)
    assert [item.name for item in fields(Branch)] == ["name", "hours", "days", "of"]


def test_a_default_that_is_made_is_made_for_each():
    assert Office("One").hours is not Office("Two").hours


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Office, "Office lacks name"),
        (lambda: Hours(closes=17, lunch=12), "Hours has no lunch"),
        (lambda: Office("Clerk", name="Clerk"), "Office was given twice name"),
        (lambda: Office("Clerk", {}, (), "more"), "Office takes 3 values by place, not 4"),
        (lambda: Hours(9, 17), "Hours takes 0 values by place, not 2"),
    ],
)
def test_what_is_not_a_field_is_refused(made, said):
    with pytest.raises(TypeError, match=said):
        made()


def test_it_is_never_changed():
    table = Hours(closes=17)
    with pytest.raises(FrozenInstanceError, match="'closes'"):
        table.closes = 18
    with pytest.raises(FrozenInstanceError, match="'closes'"):
        del table.closes
    with pytest.raises(FrozenInstanceError, match="'lunch'"):
        table.lunch = 12
    assert replace(table, closes=18) == Hours(closes=18)
    assert table == Hours(closes=17)


def test_it_is_compared_and_hashed_by_its_fields_within_its_class():
    assert {Hours(closes=17): 1}[Hours(opens=9, closes=17)] == 1
    assert Hours(closes=17) != Hours(closes=18)
    assert Office("Clerk") != Branch("Clerk", of="Town")
    assert Office("Clerk") != "Clerk"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Office("Clerk"))  # a dict is among its fields, as in any dataclass


def test_it_is_shown_copied_and_sent_to_another_process():
    office = Branch("Annex", {"Monday": Hours(closes=17)}, of="Clerk")
    assert repr(office) == "Branch(name='Annex', hours={'Monday': Hours(opens=9, closes=17)}, days=(), of='Clerk')"
    assert pickle.loads(pickle.dumps(office)) == copy.deepcopy(office) == office  # noqa: S301  # of this very test
    assert asdict(office)["hours"] == {"Monday": {"opens": 9, "closes": 17}}


def test_a_file_and_the_store_make_the_same():
    data = {"name": "Annex", "hours": {"Monday": {"closes": 17}}, "of": "Clerk"}
    made = Branch("Annex", {"Monday": Hours(closes=17)}, of="Clerk")
    assert TypeAdapter(Branch).validate_python(data) == made
    assert msgspec.convert(data, Branch) == made
    assert msgspec.convert(msgspec.to_builtins(made), Branch) == made
