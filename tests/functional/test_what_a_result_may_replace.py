"""A result takes the place of an earlier one of its kind. It never takes the place of a layer, the town file, or somebody's papers."""

import shutil

import pytest
from program import run_here

from geonotice.errors import OutputError, UsageError

TODAY = ["--on", "2026-09-01"]


@pytest.fixture
def town(southampton, tmp_path):
    """A town of the test's own: here files are at stake."""
    return shutil.copytree(southampton, tmp_path / "southampton")


def papers(town, file, kind):
    """Return the command that writes a paper of a kind to a file."""
    return {
        "--pdf": ["check", town, town / "events" / "allowed.toml", *TODAY, "--pdf", file],
        "--map": ["check", town, town / "events" / "allowed.toml", *TODAY, "--map", file],
        "--ics": ["deadlines", town, "--hearing", "2026-10-20", "--about", "the appeal", *TODAY, "--ics", file],
        "--out": ["map", town, "--year", "2026", *TODAY, "--out", file],
    }[kind]


KINDS = [("--pdf", "report.pdf"), ("--map", "site.html"), ("--ics", "deadlines.ics"), ("--out", "events.html")]


class TestAPaper:
    @pytest.mark.parametrize(("kind", "name"), KINDS)
    def test_takes_the_place_of_an_earlier_one(self, town, tmp_path, kind, name):
        file = tmp_path / name
        run_here(*papers(town, file, kind))
        made = file.read_bytes()
        run_here(*papers(town, file, kind))
        assert file.read_bytes() == made

    @pytest.mark.parametrize(("kind", "name"), KINDS)
    def test_does_not_take_the_place_of_somebody_elses(self, town, tmp_path, kind, name):
        file = tmp_path / name
        file.write_bytes(b"what the applicant handed in")
        error = run_here(*papers(town, file, kind), expect=1).exception
        assert isinstance(error, OutputError)
        assert "a file is there that was not made by geonotice" in str(error)
        assert file.read_bytes() == b"what the applicant handed in"

    @pytest.mark.parametrize(("kind", "name"), KINDS)
    def test_is_not_written_under_the_ending_of_another_kind(self, town, kind, name):
        file, before = town / "town.toml", (town / "town.toml").read_bytes()
        error = run_here(*papers(town, file, kind), expect=1).exception
        assert isinstance(error, UsageError)
        assert f"name it town{name[name.index('.') :]}" in str(error).lower()
        assert file.read_bytes() == before

    def test_takes_the_place_of_an_empty_file(self, town, tmp_path):
        (tmp_path / "events.html").touch()
        run_here(*papers(town, tmp_path / "events.html", "--out"))
        assert (tmp_path / "events.html").stat().st_size > 10_000


class TestAnExportOfThePermits:
    @pytest.mark.parametrize("name", ["parcels.gpkg", "store.gpkg", "../southampton/parcels.gpkg"])
    def test_does_not_take_the_place_of_what_the_town_is_read_from(self, town, name):
        before = (town / name).read_bytes()
        error = run_here("permit", "export", town, town / name, expect=1).exception
        assert isinstance(error, OutputError)
        assert "one of the town's own" in str(error)
        assert (town / name).read_bytes() == before

    @pytest.mark.parametrize("name", ["permits.csv", "old.xlsx", "old.gpkg"])
    def test_keeps_what_was_there_under_another_name(self, town, name):
        file = town / name
        file.write_bytes(b"the spreadsheet of the years before")
        said = run_here("permit", "export", town, file).stderr
        kept = file.with_name(f"{file.stem}-before-1{file.suffix}")
        assert kept.read_bytes() == b"the spreadsheet of the years before"
        assert f"kept as {kept}" in said
        assert file.stat().st_size > 1000

    def test_the_same_again_leaves_one_file(self, town, tmp_path):
        for _ in range(2):
            run_here("permit", "export", town, tmp_path / "again.csv")
        assert [file.name for file in tmp_path.glob("again*")] == ["again.csv"]
