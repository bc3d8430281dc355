"""TOML that a clerk has written: what is said where it is none."""

import pytest
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.errors import EventFileError, TownFileError
from geonotice.io.toml import NotToml, read_toml
from geonotice.opened_town import may_have_permits


def said(content):
    with pytest.raises(NotToml) as caught:
        read_toml(content if isinstance(content, bytes) else content.encode())
    return caught.value.what, caught.value.remedy


class TestAFileThatWindowsWrote:
    def test_a_mark_before_it_and_its_line_ends_are_read(self):
        assert read_toml(b'\xef\xbb\xbf[town]\r\nname = "Ch\xc3\xa2teau"\r\n') == {"town": {"name": "Château"}}

    @pytest.mark.parametrize("kind", ["utf-16-le", "utf-16-be"])
    def test_one_that_powershell_wrote_is_read(self, kind):
        assert read_toml('\ufefftitle = "Fête"\r\n'.encode(kind)) == {"title": "Fête"}

    def test_one_that_is_cut_off_is_not(self):
        what, remedy = said('\ufefftitle = "x"'.encode("utf-16-le")[:-1])
        assert what == "the file begins as UTF-16 and does not go on so"
        assert "Encoding: UTF-8" in remedy

    def test_one_saved_as_ansi_names_the_line(self):
        what, remedy = said('a = 1\nname = "Fête"\n'.encode("cp1252"))
        assert what == "line 2 has a letter that is not UTF-8"
        assert "Encoding: UTF-8" in remedy

    @pytest.mark.parametrize("path", [r"C:\Data\parcels.shp", r"C:\Users\clerk\parcels.shp", r"..\parcels.shp"])
    def test_a_path_with_backslashes_is_told_how_it_is_written(self, path):
        what, remedy = said(f'[a]\npath = "{path}"\n')
        assert what.endswith(f'path = "{path}"')
        assert what.startswith("line 2 has a \\")
        assert "C:/Data/parcels.shp" in remedy


class TestALineThatIsNone:
    @pytest.mark.parametrize(
        ("line", "remedy"),
        [
            ("final = yes", "write yes as true and no as false"),
            ("final = No  # so", "write yes as true and no as false"),
            ("starts = 8/8/2027", "write a date as 2026-08-08, without quotation marks"),
            ("starts = 8.8.2027", "write a date as 2026-08-08, without quotation marks"),
            ("title = Harvest concert", "fix that line: text stands in quotation marks"),
            ('title = "Harvest', "fix that line: text stands in quotation marks"),
        ],
    )
    def test_it_is_repeated_and_what_is_meant_is_said(self, line, remedy):
        what, meant = said(f"[event]\n{line}\n")
        assert what == f"line 2 is not TOML: {' '.join(line.split())}"
        assert meant.startswith(remedy)

    def test_a_table_or_a_key_that_stands_twice_is_named(self):
        assert said("[town]\n[town]\n")[0] == "line 2 is not TOML: [town] (cannot declare town twice)"
        assert "cannot overwrite a value" in said("a = 1\na = 2\n")[0]

    def test_a_bracket_that_is_never_closed(self):
        what, remedy = said('parcels = ["1-1"\n')
        assert "line" in what or "end" in what
        assert remedy

    def test_a_long_line_is_shown_from_its_beginning(self):
        what, _ = said(f"title = {'x y ' * 200}")
        assert len(what) < 150


def test_values_nested_without_end_are_refused_in_words():
    with pytest.raises(NotToml, match="too deeply"):
        read_toml(b"a = " + b"[" * 100_000)


@pytest.mark.parametrize("content", [b'name = "Jos\xe9"', b"final = yes", b"a = " + b"[" * 100_000])
def test_a_town_file_that_is_not_toml_is_refused_before_its_register_is_looked_for(tmp_path, content):
    (tmp_path / "town.toml").write_bytes(content)
    with pytest.raises(TownFileError):
        may_have_permits(tmp_path)


def test_a_case_nested_without_end_is_refused_in_words(tmp_path):
    file = tmp_path / "case.json"
    file.write_text("[" * 200_000)
    done = CliRunner().invoke(every_command(), ["check", "--case", str(file)])
    assert isinstance(done.exception, EventFileError)
    assert "too deeply" in str(done.exception)
