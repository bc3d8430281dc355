"""The examples in the documentation of select are run."""

import doctest
import importlib

import pytest

MODULES = [
    "abutting", "adjacency", "adjacency_answer", "adjacency_facts", "boundary", "extended_lines", "bends_and_rounded_corners", "frontage", "lot_lines", "opposite", "opposite_distance", "ride_site", "right_of_way", "streets",
    "zoning",
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    failed, _ = doctest.testmod(importlib.import_module(f"geonotice.select.{name}"))
    assert failed == 0


@pytest.mark.parametrize(
    "name",
    [
        "abutting.abutting",
        "boundary.boundary",
        "frontage.faces",
        "adjacency.neighbours",
        "opposite.opposite",
        "opposite_distance.ways_across",
        "zoning.zoning",
    ],
)
def test_every_measure_has_an_example(name):
    module, function = name.split(".")
    assert ">>> " in getattr(importlib.import_module(f"geonotice.select.{module}"), function).__doc__
