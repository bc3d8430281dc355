"""What the papers take from the town file: its seal, its templates, and what prints them."""

from dataclasses import replace
from pathlib import Path

import pytest
from dying import files_in, outcomes_when_killed

from geonotice.config.read_town import read_town_file
from geonotice.config.town import PapersSpec, Town
from geonotice.errors import TemplateError, TownFileError
from geonotice.packet.word_papers import word_papers
from geonotice.workflow.paper_settings import read_paper_settings, write_templates


@pytest.fixture
def town(tmp_path: Path) -> Town:
    (tmp_path / "town.toml").write_text(
        '[town]\nname = "Town of Ovid"\nordinance = "italy"\ncrs = "EPSG:2261"\n[[layers.parcels]]\npath = "parcels.gpkg"\n'
    )
    (tmp_path / "parcels.gpkg").touch()
    return read_town_file(tmp_path)


class TestLibreOffice:
    def test_the_program_prints_by_itself_where_nothing_else_is_asked_for(self, town: Town) -> None:
        assert read_paper_settings(town, occasion="a hearing").printer == "built_in"

    def test_where_it_is_asked_for_and_absent_nothing_else_prints_in_its_place(
        self, town: Town, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        town = replace(town, papers=PapersSpec(pdf="libreoffice"))
        monkeypatch.setattr("geonotice.workflow.paper_settings.find_libreoffice", lambda: None)
        with pytest.raises(TownFileError, match=r"papers\.pdf: LibreOffice is to make the PDFs, and it is not installed"):
            read_paper_settings(town, occasion="a hearing")
        monkeypatch.setattr("geonotice.workflow.paper_settings.find_libreoffice", lambda: Path("/usr/bin/soffice"))
        assert read_paper_settings(town, occasion="a hearing").printer == "libreoffice"


def test_a_seal_that_cannot_be_printed_is_named_with_its_file(town: Town) -> None:
    (town.folder / "seal.svg").write_text("<svg")
    with pytest.raises(TemplateError, match=r"seal\.svg, papers\.seal: the seal cannot be printed: the SVG is damaged"):
        read_paper_settings(replace(town, papers=PapersSpec(seal="seal.svg")), occasion="a hearing")


def test_killed_at_any_move_the_templates_are_those_that_were_there_or_all_of_them(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = word_papers()[:4]  # as many moves as tell all of them
    monkeypatch.setattr("geonotice.workflow.paper_settings.word_papers", lambda: few)
    folder, names = write_templates(town)
    for name in names[2:]:
        (folder / name).unlink()
    (folder / "fields.txt").write_text("as an earlier version had it")
    before = files_in(folder)
    found = outcomes_when_killed(
        folder, lambda: write_templates(town), lambda: read_paper_settings(town, occasion="a hearing"), before=before
    )
    assert found[-1].keys() == set(names)
    assert [one for one in found if one not in (before, found[-1])] == []
