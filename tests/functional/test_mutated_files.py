"""Layers and rolls with damage of every kind: each is read whole, or refused in words; nothing is lost in silence, and nothing is written beside it."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import mutated
import pytest

WORKERS = max(2, min(4, os.cpu_count() or 2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("mutated")
    (made / "base").mkdir()
    mutated.write_base(made / "base")
    return made


@pytest.mark.parametrize("name", mutated.KINDS)
def test_the_sound_file_of_each_format_is_read_whole(folder, tmp_path, name):
    """What is mutated is sound: otherwise the cases below would show nothing."""
    town = tmp_path / "town"
    file = mutated.make_case(folder / "base", town, 0, mutated.KINDS.index(name))
    for part in town.iterdir():
        if (folder / "base" / part.name).exists():
            part.write_bytes((folder / "base" / part.name).read_bytes())
    from geonotice.workflow.importing import import_layers

    report = import_layers(town)
    source = next(one for one in report.sources if one.path == name)
    assert source.features == mutated.counted(file) == mutated.RECORDS
    assert report.counts["owners"] == mutated.RECORDS


def test_no_mutated_file_ends_in_a_traceback_or_loses_a_record_in_silence(folder, fuzz):
    step = -(-fuzz.count // WORKERS)  # a process more costs as much as a dozen files
    parts = [(first, min(first + step, fuzz.count)) for first in range(0, fuzz.count, step)]

    def run(part):
        command = [sys.executable, mutated.__file__, str(folder), str(fuzz.seed), *map(str, part)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3600)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if len(lines) < part[1] - part[0]:
            lines.append({"case": part[0] + len(lines), "file": "", "wrong": f"the program died: {done.stderr[-2000:]}"})
        return lines

    with ThreadPoolExecutor(WORKERS) as workers:
        ended = [line for lines in workers.map(run, parts) for line in lines]
    wrong = [line for line in ended if line["wrong"]]
    listed = "\n".join(f"case {line['case']} ({line['file']}): {line['wrong']}" for line in wrong)
    assert not wrong, f"seed {fuzz.seed}, kept in {folder}:\n{listed}"
    assert len(ended) == fuzz.count
