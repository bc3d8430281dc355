"""LibreOffice as the other way to a PDF: whatever it does, there is a whole PDF with all words, or a sentence that says why not."""

import os
import stat
import sys
import time
from pathlib import Path

import pytest

from geonotice.errors import OutputError
from geonotice.io.libreoffice import find_libreoffice, print_with_libreoffice
from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_pages import Block, build_word_file
from geonotice.io.word_printing import print_word_file


def program(folder: Path, *lines: str) -> Path:
    """Write a program that stands in for LibreOffice; its last argument is the Word file."""
    made = folder / "soffice"
    made.write_text("\n".join(["#!/bin/sh", 'for last; do :; done; out="${last%.docx}.pdf"', *lines, ""]))
    made.chmod(made.stat().st_mode | stat.S_IXUSR)
    return made


posix = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")


@posix
class TestWhatItDoesNotSay:
    def test_no_file_though_it_exits_with_0_is_told_with_what_it_said(self, tmp_path: Path) -> None:
        stand_in = program(
            tmp_path, "echo 'Warning: failed to launch javaldx'; echo 'Error: source file could not be loaded'; exit 0"
        )
        with pytest.raises(OutputError, match="made no whole PDF and said: Error: source file could not be loaded") as refused:
            print_with_libreoffice(b"", name="letters", program=stand_in)
        assert "letters.pdf" in str(refused.value)
        assert "[papers]" in str(refused.value)

    def test_half_a_file_is_none(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError, match="made no whole PDF"):
            print_with_libreoffice(b"", name="letters", program=program(tmp_path, 'printf "%%PDF-1.6 and no end" > "$out"'))

    def test_a_file_without_the_words_is_refused_as_any_printing_is(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = tmp_path / "other.pdf"
        other.write_bytes(print_word_file(build_word_file([Block(kind="text", text="one")]), name="other"))
        monkeypatch.setattr("geonotice.io.libreoffice.find_libreoffice", lambda: program(tmp_path, f'cp "{other}" "$out"'))
        with pytest.raises(OutputError, match="words would be lost in the PDF: two"):
            print_word_file(build_word_file([Block(kind="text", text="one two")]), name="letters", printer="libreoffice")

    def test_each_run_has_a_profile_of_its_own_and_leaves_nothing(self, tmp_path: Path) -> None:
        said = tmp_path / "said"
        stand_in = program(tmp_path, f'echo "$@" >> "{said}"', 'printf "%%PDF-1.6\\n%%%%EOF" > "$out"')
        for _ in range(2):
            print_with_libreoffice(b"", name="letters", program=stand_in)
        profiles = [word.removeprefix("-env:UserInstallation=file://") for word in said.read_text().split() if "profile" in word]
        assert len(set(profiles)) == 2
        assert not any(Path(one).parent.exists() for one in profiles)

    def test_one_that_does_not_end_is_ended_with_what_it_started(self, tmp_path: Path) -> None:
        child = tmp_path / "child"
        stand_in = program(tmp_path, f'sleep 60 & echo $! > "{child}"; wait')
        begun = time.monotonic()
        with pytest.raises(OutputError, match=r"had not made it after 0\.5 seconds"):
            print_with_libreoffice(b"", name="letters", program=stand_in, seconds=0.5)
        assert time.monotonic() - begun < 20
        number = int(child.read_text())
        for _ in range(50):
            if not _runs(number):
                break
            time.sleep(0.1)
        assert not _runs(number)


def _runs(number: int) -> bool:
    """Whether a process runs; one that was ended and that nobody has asked for yet does not."""
    state = Path(f"/proc/{number}/stat")
    if Path("/proc/self").exists():
        return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def test_where_it_is_not_installed_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("geonotice.io.libreoffice.find_libreoffice", lambda: None)
    with pytest.raises(OutputError, match="not installed"):
        print_word_file(build_word_file([Block(kind="text", text="one")]), name="letters", printer="libreoffice")


def _has_writer() -> bool:
    found = find_libreoffice()
    return found is not None and (found.resolve().parent / "libswlo.so").exists()


@pytest.mark.skipif(not _has_writer(), reason="LibreOffice with its Writer is not installed")
def test_it_prints_a_word_file_on_as_many_pages_with_all_words() -> None:
    content = build_word_file(
        [
            Block(kind="letterhead", text="Town of Ovid"),
            Block(kind="address", text="ŁUKASZ O'NEIL-ŽIŽEK\n12 MAIN ST"),
            Block(kind="text", text="words " * 1500),
            Block(kind="table", rows=[("No.", "Name"), *((str(n), "SÖHNE & CO") for n in range(90))], widths_in=(1, 3)),
        ],
        footer="Ovid",
    )
    built_in, other = (print_word_file(content, name="letters", printer=by) for by in ("built_in", "libreoffice"))
    assert len(words_of_pdf(other)) == len(words_of_pdf(built_in)) > 3
