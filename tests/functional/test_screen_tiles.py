"""A screen in tiles: the same answer as in one go, interrupted or not, here or on the workers of a cluster."""

import os
import shutil
import signal
import sys
from datetime import date

import geopandas
import numpy as np
import pytest
from program import exit_code

from geonotice.errors import InputError, UsageError
from geonotice.opened_town import open_store
from geonotice.screen.notice_counts import people_of
from geonotice.screen.table import Asked, gather_candidates
from geonotice.workflow import screen_counts, screen_workers
from geonotice.workflow.screen_counts import CACHE, CountedLists
from geonotice.workflow.screen_workers import over_all_cores, over_cluster

DAY = date(2026, 11, 30)


OWN_PARCELS = 240
"""So many make ten of the small tiles."""


@pytest.fixture(scope="module")
def part(root, tmp_path_factory):
    """Return the parcels round the Lake End streets of the demonstration town, imported, with those of the next county."""
    folder = shutil.copytree(root / "data" / "italy", tmp_path_factory.mktemp("part") / "italy")
    parcels = geopandas.read_file(folder / "parcels.gpkg", layer="parcels")
    there = parcels.geometry[parcels["PRINT_KEY"] == "55.11-2-21"].iloc[0]
    nearest = parcels.distance(there).nsmallest(OWN_PARCELS).index
    (folder / "parcels.gpkg").unlink()
    parcels.loc[sorted(nearest)].to_file(folder / "parcels.gpkg", layer="parcels", driver="GPKG")
    assert exit_code("import", folder) == 0
    return folder


@pytest.fixture
def town(part, tmp_path):
    """Return a part of a demonstration town of which nothing was screened yet."""
    return shutil.copytree(part, tmp_path / "italy")


def count(town, *, tell=lambda _text, _share: None, candidates="parcels", over=None):
    """Count the neighbors of every candidate for a hearing; ``over`` makes what does the work of the open town."""
    with open_store(town) as opened:
        asked = Asked(on=DAY, candidates=candidates)
        work = over(opened) if over else over_all_cores
        return CountedLists(opened, gather_candidates(opened, candidates), asked, over=work).at_once("hearing", tell)


def same(one, other):
    return np.array_equal(one.parcels, other.parcels) and np.array_equal(one.pieces, other.pieces)


@pytest.mark.parametrize("candidates", ["parcels", "land"])
def test_tiles_say_what_the_whole_town_says(town, candidates, monkeypatch):
    whole = count(town, candidates=candidates)
    assert whole.parcels.min() >= 0 < whole.parcels.max()
    (town / CACHE).unlink()
    monkeypatch.setattr(screen_counts, "_NEIGHBORS_TILE", 25)
    told = []
    parted = count(town, candidates=candidates, tell=lambda text, share: told.append((text, share)))
    assert same(parted, whole)
    assert len(told) > 5
    assert told[-1][1] == 1.0


def test_parts_hold_each_candidate_once_and_the_last_are_small(part, monkeypatch):
    with open_store(part) as opened:
        shapes = gather_candidates(opened, "parcels").block.geometries
    monkeypatch.setattr(screen_counts, "_TILE", 80)
    parts = [*screen_counts._parts(shapes)]
    assert sorted(np.concatenate(parts).tolist()) == [*range(len(shapes))]
    assert len(parts[0]) > 40
    assert max(len(one) for one in parts[-3:]) <= 20


def test_letters_to_owners_are_the_same_where_residents_are_left_out(part):
    with open_store(part) as opened:
        block = gather_candidates(opened, "parcels").block
        everyone, owners = (people_of(opened, block, combined=True, with_residents=one) for one in (True, False))
    assert np.array_equal(everyone.first_piece, owners.first_piece)
    assert np.array_equal(everyone.pieces, owners.pieces)
    assert everyone.units == owners.units
    assert everyone.at_home.sum() > 0 == owners.residents.sum() == owners.at_home.sum()


class TestInterrupted:
    @pytest.fixture(autouse=True)
    def _small_tiles(self, monkeypatch):
        monkeypatch.setattr(screen_counts, "_NEIGHBORS_TILE", 25)

    @staticmethod
    def stop_after(tiles):
        told = []

        def tell(_text, share):
            told.append(share)
            if len(told) == tiles:
                raise KeyboardInterrupt

        return tell

    def test_it_goes_on_from_the_tiles_that_were_done(self, town):
        with pytest.raises(KeyboardInterrupt):
            count(town, tell=self.stop_after(3))
        again = []
        rest = count(town, tell=lambda text, _: again.append(text))
        of_all = len(rest.parcels)
        left = int(again[-1].rpartition(" of ")[2].split()[0].replace(",", ""))
        assert of_all - 3 * 25 <= left < of_all
        (town / CACHE).unlink()
        assert same(count(town), rest)

    @pytest.mark.parametrize("harm", ["cut off", "of another version"])
    def test_what_was_kept_is_thrown_away_where_it_is_damaged_or_of_another_basis(self, town, harm, monkeypatch):
        with pytest.raises(KeyboardInterrupt):
            count(town, tell=self.stop_after(3))
        if harm == "cut off":
            kept = (town / CACHE).read_bytes()
            (town / CACHE).write_bytes(kept[: len(kept) // 2])
        else:
            monkeypatch.setattr(screen_counts, "__version__", "0.0.9")
        again = []
        whole = count(town, tell=lambda text, _: again.append(text))
        assert f" of {len(whole.parcels):,} " in again[-1]
        assert whole.parcels.min() >= 0


def test_import_with_screen_leaves_nothing_to_count(town):
    assert exit_code("import", town, "--screen", "--on", "2026-11-30") == 0
    told = []
    assert count(town, tell=lambda text, _: told.append(text)).parcels.min() >= 0
    assert told == []


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed: no screen on a Dask cluster")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as made:
        yield made


class TestOnACluster:
    def test_a_worker_that_is_killed_midway_changes_nothing(self, town, cluster, monkeypatch):
        whole = count(town)
        (town / CACHE).unlink()
        monkeypatch.setattr(screen_counts, "_NEIGHBORS_TILE", 25)
        told, killed = [], []
        process = next(iter(cluster.workers.values()))

        def tell(_text, share):
            told.append(share)
            if len(told) == 2:  # most are still to come
                killed.append(process.pid)
                os.kill(process.pid, signal.SIGKILL)

        with open_store(town) as opened, over_cluster(cluster.scheduler_address, opened) as over:
            parted = count(town, tell=tell, over=lambda _: over)
        assert killed
        assert len(told) > 5
        assert same(parted, whole)

    def test_a_worker_with_another_version_is_refused(self, town, cluster, monkeypatch):
        monkeypatch.setattr(screen_workers, "__version__", "0.0.9")
        with (
            open_store(town) as opened,
            over_cluster(cluster.scheduler_address, opened) as over,
            pytest.raises(InputError, match=r"here it is 0\.0\.9"),
        ):
            count(town, over=lambda _: over)

    def test_no_scheduler_at_the_address_is_said(self, town, monkeypatch):
        pytest.importorskip("distributed", reason="the extra 'cluster' is not installed: no screen on a Dask cluster")
        monkeypatch.setattr(screen_workers, "_REACHED_S", 0.5)
        with open_store(town) as opened, pytest.raises(UsageError, match="no Dask scheduler answers"):
            over_cluster("tcp://127.0.0.1:1", opened).__enter__()


def test_without_dask_the_extra_is_named(town, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert exit_code("screen", town, "--dask", "tcp://127.0.0.1:8786", "--on", "2026-11-30") == 2
    assert "geonotice[cluster]" in capsys.readouterr().err
