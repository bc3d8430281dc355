"""Files that go out: whole or not at all, nothing left behind, nothing of somebody else's replaced."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from dying import die_at_move, in_child, was_killed

import geonotice
from geonotice.errors import OutputError
from geonotice.io.output_files import (
    in_the_making,
    is_packet,
    marked,
    origin,
    remove_leftovers,
    write_file,
    write_files,
    write_folder,
)

PAGE = b"<!DOCTYPE html>\n<html>\n<head>\n<title>Map</title></head><body>geonotice</body></html>"
REPORT = b"%PDF-1.4\n% ReportLab Generated PDF document\n1 0 obj\n<< /Creator (geonotice) >>\nendobj\n%%EOF\n"
CALENDAR = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//geonotice//deadlines//EN\r\nEND:VCALENDAR\r\n"
PAPERS = [("map.html", PAGE), ("map.HTM", PAGE), ("report.pdf", REPORT), ("days.ics", CALENDAR)]

HOLDS = """
import sys, time
from pathlib import Path
from geonotice.io.output_files import in_the_making
with in_the_making(Path(sys.argv[1])) as made:
    made.write_text("owners' names")
    print("writing", flush=True)
    time.sleep(60)
"""


@contextmanager
def writing(target):
    """Let another process write a file, and not come to an end."""
    environment = {**os.environ, "PYTHONPATH": str(Path(geonotice.__file__).parent.parent)}
    with subprocess.Popen([sys.executable, "-c", HOLDS, target], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout.readline() == b"writing\n"
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def full_disk(most_bytes):
    """Let no file grow beyond a size, as a disk does that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def names(folder):
    return sorted(item.name for item in folder.iterdir())


class TestWholeOrNot:
    def test_a_file_is_written_and_nothing_else_is_left(self, tmp_path):
        write_file(tmp_path / "new" / "list.csv", b"a,b")
        assert (tmp_path / "new" / "list.csv").read_bytes() == b"a,b"
        assert names(tmp_path / "new") == ["list.csv"]

    def test_on_a_full_disk_the_file_that_was_there_stays(self, tmp_path):
        write_file(tmp_path / "list.csv", b"before")
        with (
            full_disk(1000),
            pytest.raises(OutputError, match="Make room on the disk, and try again; what was there is as it was"),
        ):
            write_file(tmp_path / "list.csv", b"x" * 2000)
        assert (tmp_path / "list.csv").read_bytes() == b"before"
        assert names(tmp_path) == ["list.csv"]

    def test_on_a_full_disk_the_packet_that_was_there_stays(self, tmp_path):
        write_folder({"record.json": b"before"}, tmp_path / "packet")
        with full_disk(1000), pytest.raises(OutputError, match="the packet cannot be written"):
            write_folder({"record.json": b"after", "map.html": b"x" * 2000}, tmp_path / "packet")
        assert (tmp_path / "packet" / "record.json").read_bytes() == b"before"
        assert names(tmp_path) == ["packet"]

    def test_a_packet_that_cannot_take_its_place_leaves_the_earlier_one_there(self, tmp_path, monkeypatch):
        write_folder({"record.json": b"before"}, tmp_path / "packet")
        rename = Path.rename

        def refuse(self, target):
            if self.parent.name.startswith(".geonotice-making-") and self.name == "new":
                raise PermissionError(13, "Permission denied")
            return rename(self, target)

        monkeypatch.setattr(Path, "rename", refuse)
        for keep in (True, False):
            with pytest.raises(OutputError, match="Permission denied"):
                write_folder({"record.json": b"after"}, tmp_path / "packet", keep=keep)
            assert (tmp_path / "packet" / "record.json").read_bytes() == b"before"
            assert names(tmp_path) == ["packet"]

    def test_an_earlier_packet_is_kept_and_counted(self, tmp_path):
        kept = [write_folder({"record.json": str(n).encode()}, tmp_path / "packet") for n in range(3)]
        assert kept == [None, tmp_path / "packet-before-1", tmp_path / "packet-before-2"]

    def test_without_keeping_a_packet_with_a_file_of_a_person_is_kept_all_the_same(self, tmp_path):
        write_folder({"record.json": b"1"}, tmp_path / "packet")
        assert write_folder({"record.json": b"2"}, tmp_path / "packet", keep=False) is None
        (tmp_path / "packet" / "certified-mail-receipts.pdf").write_bytes(b"scanned")
        assert write_folder({"record.json": b"3"}, tmp_path / "packet", keep=False) == tmp_path / "packet-before-1"
        assert (tmp_path / "packet-before-1" / "certified-mail-receipts.pdf").read_bytes() == b"scanned"


PAIR = {"affidavit.docx": b"new words", "affidavit.pdf": b"new print"}
OLD = {"affidavit.docx": b"old words", "affidavit.pdf": b"old print", "photo.jpg": b"a person's"}


def contents(folder):
    return {str(item.relative_to(folder)): item.read_bytes() for item in folder.rglob("*") if item.is_file()}


class TestSeveralTogether:
    """A pair of files that say the same is all new or all old, whenever the process is killed."""

    @pytest.mark.parametrize("keep", [True, False])
    def test_killed_at_any_move_the_next_finds_all_old_or_all_new(self, tmp_path, keep):
        seen = set()
        kept = {"affidavit-before-1.docx": b"old words", "affidavit-before-1.pdf": b"old print"} if keep else {}
        for point in range(20):
            folder = tmp_path / str(point)
            folder.mkdir()
            for name, content in OLD.items():
                (folder / name).write_bytes(content)
            killed = was_killed(in_child(lambda: die_at_move(point, lambda: write_files(folder, PAIR, keep=keep))))  # noqa: B023  # run at once
            remove_leftovers(folder)
            found = contents(folder)
            assert found in (OLD, OLD | PAIR | kept), point
            seen.add(found == OLD)
            if not killed:
                assert found != OLD
                break
        assert seen == {True, False}

    @pytest.mark.parametrize("keep", [True, False])
    def test_killed_at_any_move_a_packet_is_the_old_one_or_the_new_one(self, tmp_path, keep):
        seen = set()
        for point in range(20):
            out = tmp_path / str(point) / "packet"
            write_folder({"record.json": b"old", "list.csv": b"old"}, out)
            new = {"record.json": b"new", "list.csv": b"new"}
            killed = was_killed(in_child(lambda: die_at_move(point, lambda: write_folder(new, out, keep=keep))))  # noqa: B023  # run at once
            remove_leftovers(out.parent)
            assert contents(out) in (new, {"record.json": b"old", "list.csv": b"old"}), point
            seen.add(contents(out) == new)
            if not killed:
                assert names(out.parent) == (["packet", "packet-before-1"] if keep else ["packet"])
                break
        assert seen == {True, False}

    @pytest.mark.parametrize("most_bytes", [5, 12])
    def test_on_a_full_disk_all_are_the_old_ones(self, tmp_path, most_bytes):
        for name, content in OLD.items():
            (tmp_path / name).write_bytes(content)
        with full_disk(most_bytes), pytest.raises(OutputError, match="the paper cannot be written"):
            write_files(tmp_path, {"affidavit.docx": b"new words", "affidavit.pdf": b"x" * 20})
        assert contents(tmp_path) == OLD

    def test_a_move_that_fails_undoes_those_before_it(self, tmp_path, monkeypatch):
        for name, content in OLD.items():
            (tmp_path / name).write_bytes(content)
        rename = Path.rename

        def refuse(self, target):
            if self.name == "affidavit.pdf" and self.parent.name == "new":
                raise PermissionError(13, "Permission denied")
            return rename(self, target)

        monkeypatch.setattr(Path, "rename", refuse)
        with pytest.raises(OutputError, match="Permission denied"):
            write_files(tmp_path, PAIR, keep=True)
        assert contents(tmp_path) == OLD

    def test_what_is_there_already_is_left_alone(self, tmp_path):
        assert write_files(tmp_path / "a", PAIR, keep=True) == write_files(tmp_path / "a", PAIR, keep=True)
        assert contents(tmp_path / "a") == PAIR


class TestLeftBehind:
    def test_what_a_killed_process_left_goes_with_the_next_file(self, tmp_path):
        with writing(tmp_path / "store.gpkg") as process:
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert any(item.name == "store.gpkg" for item in tmp_path.rglob("*"))
        write_file(tmp_path / "another.csv", b"a")
        assert names(tmp_path) == ["another.csv"]

    def test_what_a_running_process_is_writing_stays(self, tmp_path):
        with writing(tmp_path / "store.gpkg"):
            write_file(tmp_path / "another.csv", b"a")
            assert [item.read_text() for item in tmp_path.rglob("store.gpkg")] == ["owners' names"]

    def test_nobody_else_may_look_into_what_is_being_written(self, tmp_path):
        with in_the_making(tmp_path / "store.gpkg") as made:
            assert made.parent.stat().st_mode & 0o077 == 0

    def test_a_folder_that_was_never_locked_goes_after_an_hour(self, tmp_path):
        folder = tmp_path / ".geonotice-making-abc"
        folder.mkdir()
        remove_leftovers(tmp_path)
        assert folder.exists()
        os.utime(folder, (time.time() - 7200, time.time() - 7200))
        remove_leftovers(tmp_path)
        assert not folder.exists()

    def test_what_an_earlier_version_left_goes_where_its_process_is_gone(self, tmp_path):
        gone = subprocess.Popen([sys.executable, "-c", ""])
        gone.wait()
        mine = [".store.{}.importing.gpkg", ".store.{}.importing.gpkg-journal", ".event-map.html.{}", ".report.pdf.{}"]
        for process in (gone.pid, os.getpid()):
            for name in mine:
                (tmp_path / name.format(process)).write_text("owners' names")
        others = [".config.pdf", ".store.importing.gpkg", "store.7.importing.gpkg", ".notes.txt.12"]
        for name in others:
            (tmp_path / name).write_text("somebody's")
        remove_leftovers(tmp_path)
        assert names(tmp_path) == sorted([*others, *(name.format(os.getpid()) for name in mine)])

    def test_a_link_to_a_folder_elsewhere_is_not_followed(self, tmp_path):
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / "lock").touch()
        (tmp_path / "here").mkdir()
        (tmp_path / "here" / ".geonotice-making-abc").symlink_to(tmp_path / "elsewhere")
        remove_leftovers(tmp_path / "here")
        assert (tmp_path / "elsewhere" / "lock").exists()


class TestRecognized:
    @pytest.mark.parametrize(("name", "content"), PAPERS)
    def test_a_paper_as_it_was_written_is_its_own(self, tmp_path, name, content):
        write_file(tmp_path / name, content)
        assert origin(tmp_path / name) == "own"
        assert marked(content, Path(name).suffix) == (tmp_path / name).read_bytes() != content

    @pytest.mark.parametrize(("name", "content"), PAPERS)
    def test_a_paper_that_was_changed_since_is_not(self, tmp_path, name, content):
        write_file(tmp_path / name, content)
        made = (tmp_path / name).read_bytes()
        for at in range(0, len(made), 3):
            if b"EONOTICE" in made[max(0, at - 30) : at + 30].upper():
                continue  # without its mark it is what an earlier version wrote
            (tmp_path / name).write_bytes(made[:at] + b"~" + made[at + 1 :])
            assert origin(tmp_path / name) in {"changed", "foreign"}, at
        (tmp_path / name).write_bytes(made.replace(b"geonotice", b"our notes: geonotice", 1))
        assert origin(tmp_path / name) in {"changed", "foreign"}

    def test_a_report_with_a_note_set_on_it_is_not(self, tmp_path):
        """A PDF program adds what is new behind the end, and leaves the rest as it is."""
        for earlier in (REPORT, marked(REPORT, ".pdf")):
            (tmp_path / "report.pdf").write_bytes(earlier + b"5 0 obj\n<< /Type /Annot >>\nendobj\n%%EOF\n")
            assert origin(tmp_path / "report.pdf") in {"changed", "foreign"}

    @pytest.mark.parametrize(("name", "content"), [("report.pdf", REPORT), ("days.ics", CALENDAR)])
    def test_a_paper_of_a_version_that_set_no_mark_is_its_own(self, tmp_path, name, content):
        (tmp_path / name).write_bytes(content)
        assert origin(tmp_path / name) == "own"

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("notes.html", b"<!DOCTYPE html><html><head><title>How we use geonotice</title></head></html>"),
            ("notes.html", b'<html><head><meta name="generator" content="geonotice 1.0"></head></html>'),
            ("notes.html", b'<html><head><meta name="generator" content="geonotice; ' + b"0" * 40 + b'"></head></html>'),
            ("minutes.pdf", b"%PDF-1.4\n% minutes about geonotice\n<< /Creator (Word) /Title (geonotice) >>\n%%EOF\n"),
            ("board.ics", b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Outlook//EN\r\nSUMMARY:geonotice\r\nEND:VCALENDAR\r\n"),
            ("data.html", b"\x00geonotice\x00"),
        ],
    )
    def test_what_only_speaks_of_the_program_is_somebody_elses(self, tmp_path, name, content):
        (tmp_path / name).write_bytes(content)
        assert origin(tmp_path / name) in {"foreign", "changed"}

    def test_nothing_and_an_empty_file_are_nobodys(self, tmp_path):
        (tmp_path / "empty.html").touch()
        assert origin(tmp_path / "empty.html") == origin(tmp_path / "none.html") == "nothing"

    @pytest.mark.parametrize(
        "record", [b"", b"{}", b"[]", b"null", b"geonotice", b'{"version": "geonotice"}', b"[" * 100_000, b"\xff\xfe"]
    )
    def test_a_folder_with_another_programs_record_is_no_packet(self, tmp_path, record):
        (tmp_path / "record.json").write_bytes(record)
        assert not is_packet(tmp_path)

    def test_a_folder_with_a_notices_record_is_one(self, tmp_path):
        keys = (
            "occasion",
            "required",
            "town",
            "ordinance",
            "premises",
            "parcels",
            "recipients",
            "settings",
            "sources",
            "version",
        )
        (tmp_path / "record.json").write_text(json.dumps(dict.fromkeys(keys)))
        assert is_packet(tmp_path)
