"""Processes that are killed at a point of their work with the register, or with files."""

import os
import shutil
import signal
from pathlib import Path

from sqlalchemy import event


def in_child(work) -> int:
    """Run it in a forked process and give the process's number."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def was_killed(child: int) -> bool:
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def die_at(engine, point: int) -> None:
    """Kill this process at the n-th thing it does in the database: before a statement, after it, or at the commit."""
    seen = 0

    def step(*_args, **_kwargs):
        nonlocal seen
        seen += 1
        if seen == point:
            os.kill(os.getpid(), signal.SIGKILL)

    for moment in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(engine, moment, step)


def die_at_move(point: int, work) -> None:
    """Do the work, and kill this process before the n-th time, counted from 0, that it moves a file or a folder."""
    seen = 0

    def dying(move):
        def step(*args):
            nonlocal seen
            if seen == point:
                os.kill(os.getpid(), signal.SIGKILL)
            seen += 1
            return move(*args)

        return step

    Path.rename, Path.replace = dying(Path.rename), dying(Path.replace)  # of this process alone, which ends here
    work()


def files_in(folder):
    """Return the files of a folder by their place in it, none where it is not there; the register and what SQLite keeps beside it are another matter."""
    return {
        item.relative_to(folder).as_posix(): item.read_bytes()
        for item in folder.rglob("*")
        if item.is_file() and "sqlite" not in item.name
    }


def outcomes_when_killed(folder, command, next_, *, before=None):
    """Kill the command at each move of a file in turn; return what the folder held after the next command, each time from the same start."""
    found, kept = [], folder.with_name("as-it-was")
    if folder.exists():
        shutil.copytree(folder, kept)
    for point in range(60):
        shutil.rmtree(folder, ignore_errors=True)
        if kept.exists():
            shutil.copytree(kept, folder)
        killed = was_killed(in_child(lambda: die_at_move(point, command)))  # noqa: B023  # run at once
        next_()
        found.append(files_in(folder))
        if not killed:
            break
    assert len(found) > 1
    assert before is None or found[0] == before
    return found
