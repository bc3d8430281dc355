"""What the papers take from the town file: its seal, its templates, and what prints them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from dying import files_in, outcomes_when_killed

from geonotice.config.read_town import read_town_file
from geonotice.config.town import PapersSpec, PostageSpec, Town
from geonotice.errors import InputError, TemplateError, TownFileError
from geonotice.ordinance.load import load_profile
from geonotice.packet.word_papers import word_papers
from geonotice.workflow.paper_settings import read_paper_files, read_paper_settings, write_templates


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


class TestAllFaultsAtOnce:
    """Whatever the papers read from the disk is told in one go: nobody fixes the rates only to hear of the seal."""

    @pytest.fixture
    def spoiled(self, town: Town) -> Town:
        (town.folder / "rates.toml").write_text("[[rates]]\nfrom = 2026-01-01\n")
        (town.folder / "templates").mkdir()
        (town.folder / "templates" / "letter-hearing.docx").write_text("no Word file")
        (town.folder / "templates" / "my-own.docx").write_text("of no paper")
        (town.folder / "templates" / "invoice.docx").mkdir()
        return replace(town, postage=PostageSpec(file="rates.toml"), papers=PapersSpec(seal="seal.png", pdf="libreoffice"))

    def test_rates_seal_templates_and_libreoffice_are_told_together(self, spoiled: Town, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("geonotice.workflow.paper_settings.find_libreoffice", lambda: None)
        with pytest.raises(InputError) as raised:
            read_paper_files(spoiled, load_profile("italy"))
        told = [str(fault) for fault in raised.value.faults]
        for part in (
            r"rates\.toml, rates\[0\]\.source: this is missing",
            r"rates\.toml, rates\[0\]\.letter: this is missing",
            r"papers\.seal: the seal cannot be read: No such file",
            r"templates/letter-hearing\.docx: .*Word",
            r"templates/invoice\.docx: the template cannot be read: Is a directory",
            r"no paper has the template my-own\.docx",
            r"LibreOffice is to make the PDFs",
        ):
            assert [line for line in told if re.search(part, line)], (part, told)
        assert len(told) == len(set(told))

    def test_where_the_law_has_nobody_pay_the_rates_are_not_read(self, town: Town) -> None:
        town = replace(town, postage=PostageSpec(file="rates.toml"))
        assert read_paper_files(town, load_profile("southampton")).rates is None
        with pytest.raises(InputError, match="the rate table cannot be read"):
            read_paper_files(town, load_profile("italy"))

    def test_a_folder_of_templates_that_is_named_and_not_there_is_no_reason_for_other_words(self, town: Town) -> None:
        assert read_paper_files(town).templates == {}
        with pytest.raises(TemplateError, match=r"papers\.templates: the folder of templates is not there\. The papers would be"):
            read_paper_files(replace(town, papers=PapersSpec(templates="letters")))
        (town.folder / "templates").write_text("a file")
        with pytest.raises(TemplateError, match="this is a file, not the folder of templates"):
            read_paper_files(town)


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
