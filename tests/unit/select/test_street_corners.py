"""Bends, corners, bulbs: a street corner needs two streets. The blocks and their answers are in ``bend_toys``."""

import numpy as np
import pytest
from adjacency_toys import WAYS, answers, ask
from bend_toys import BENDS, BLOCKS


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", BLOCKS)
def test_block(name, way):
    block = BLOCKS[name]
    found = answers(block.lots, block.premises, block.roles, streets=list(block.streets), moved=WAYS[way])
    assert found == block.answer(), block.says


@pytest.mark.parametrize("name", BLOCKS)
def test_in_any_order(name):
    block = BLOCKS[name]
    order = np.random.default_rng(3).permutation(list(block.lots))
    lots = {str(key): block.lots[str(key)] for key in order}
    assert answers(lots, block.premises[::-1], block.roles, streets=list(block.streets)[::-1]) == block.answer(), block.says


@pytest.mark.parametrize(
    "name", [name for name, block in BENDS.items() if name != "two_names_at_the_bend" and "outside" not in name]
)
def test_a_bend_is_one_frontage(name):
    block = BENDS[name]
    found, named = ask(block.lots, block.premises, block.roles, streets=list(block.streets))
    assert sum("OUT" in named(front.answered_by) for front in found.frontages) == 1
    assert len([front for front in found.frontages if front.answered_by]) == 1


def test_two_names_make_two_frontages():
    block = BENDS["two_names_at_the_bend"]
    found, _ = ask(block.lots, block.premises, streets=list(block.streets))
    assert {front.name for front in found.frontages if front.answered_by} == {"Elm Street", "Oak Street"}
