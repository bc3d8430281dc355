"""How quick the desk is with a town of 51,000 lots: pages one by one, then several people at once; run by hand.

    python tests/bench/desk.py [TOWN] [--people 10] [--seconds 60]

Without TOWN the made-up town of ``tests/big_town.py`` is made in a temporary folder, which takes a minute. Everything is asked on loopback. It prints, for each kind
of page, how many were asked and the median, the 95th percentile and the slowest in milliseconds; then what the desk's memory was before and after.
"""

import argparse
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))

from big_town import COLUMNS, DEEP, LOTS, ROWS, SOUTH, WEST, WIDE, lot_number, make_big_town

FEET_IN_WINDOW = (1_200, 4_000, 12_000)
"""How wide the map is in a window of 1,000 pixels, near and far."""


def panning(dice: random.Random) -> str:
    wide = dice.choice(FEET_IN_WINDOW)
    x = WEST + dice.uniform(0, COLUMNS * WIDE)
    y = SOUTH + dice.uniform(0, ROWS * DEEP)
    return f"/map/view?box={x:.1f},{y:.1f},{x + wide:.1f},{y + wide * 0.7:.1f}&pixel_ft={wide / 1000:.3f}"


def searching(dice: random.Random) -> str:
    return f"/search?q={dice.choice(('main st', 'smith', lot_number(dice.randrange(LOTS))[4:20], '12 oak', 'bigtown'))}"


KINDS = {
    "property page": lambda dice: f"/property?parcel={lot_number(dice.randrange(LOTS))}",
    "panning": panning,
    "search": searching,
    "list": lambda dice: f"/notice?parcel={lot_number(dice.randrange(LOTS))}&for=appeal&hearing=2030-01-15",
}
SHARES = {"panning": 8, "search": 4, "property page": 3, "list": 1}
"""What people do at a desk, in this proportion."""


def ask(client: httpx.Client, kind: str, dice: random.Random) -> tuple[float, int]:
    headers = {"hx-request": "true"} if kind == "search" else {}
    began = time.perf_counter()
    status = client.get(KINDS[kind](dice), headers=headers).status_code
    return time.perf_counter() - began, status


def told(title: str, took: dict[str, list[float]]) -> None:
    print(f"\n{title}")
    for kind, seconds in took.items():
        if not seconds:
            continue
        ms = sorted(1000 * one for one in seconds)
        p95 = ms[min(len(ms) - 1, int(0.95 * len(ms)))]
        print(
            f"  {kind:14} {len(ms):6,} asked   median {statistics.median(ms):7.0f} ms   95 % {p95:7.0f} ms   slowest {ms[-1]:7.0f} ms"
        )


def memory_mb(process: int) -> float:
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) / 1024


def processor_s(process: int) -> float:
    """Return the processor's time of a process: other programs on the machine leave it nearly as it is."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def one_by_one(address: str, process: int) -> None:
    dice = random.Random(1)
    with httpx.Client(base_url=address, timeout=60) as client:
        for kind in KINDS:  # once, so that every library is there
            ask(client, kind, dice)
        took, spent = {}, {}
        for kind in KINDS:
            began = processor_s(process)
            took[kind] = [ask(client, kind, dice)[0] for _ in range(60)]
            spent[kind] = (processor_s(process) - began) / 60
        told("One by one", took)
        print("  of the processor, a piece: " + ", ".join(f"{kind} {1000 * one:.0f} ms" for kind, one in spent.items()))


def together(address: str, people: int, seconds: float) -> int:
    until = time.monotonic() + seconds
    took: dict[str, list[float]] = {kind: [] for kind in KINDS}
    wrong: list[int] = []

    def person(n: int) -> None:
        dice = random.Random(n)
        with httpx.Client(base_url=address, timeout=60) as client:
            while time.monotonic() < until:
                kind = dice.choices(list(SHARES), list(SHARES.values()))[0]
                spent, status = ask(client, kind, dice)
                took[kind].append(spent)
                if status >= 400:
                    wrong.append(status)
                time.sleep(dice.uniform(0.2, 1.8))  # somebody looks at what came

    threads = [threading.Thread(target=person, args=(n,)) for n in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told(f"{people} people for {seconds:g} s", took)
    print(f"  answers that were errors: {len(wrong)}")
    return len(wrong)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("town", nargs="?", type=Path)
    options.add_argument("--people", type=int, default=10)
    options.add_argument("--seconds", type=float, default=60)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as made:
        town = given.town or make_big_town(Path(made))
        began = time.perf_counter()
        command = [sys.executable, "-m", "geonotice", "serve", str(town), "--port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as desk:
            try:
                address = re.search(r"http://127\.0\.0\.1:\d+", desk.stderr.readline())[0]
                ready = httpx.get(f"{address}/api/openapi.json", timeout=60)
                print(
                    f"Ready after {time.perf_counter() - began:.2f} s, {processor_s(desk.pid):.2f} s of the processor (status {ready.status_code})"
                )
                one_by_one(address, desk.pid)
                before = memory_mb(desk.pid)
                errors = together(address, given.people, given.seconds)
                halfway = memory_mb(desk.pid)
                errors += together(address, given.people, given.seconds / 2)
                print(
                    f"\nMemory: {before:.0f} MB before, {halfway:.0f} MB after the first, {memory_mb(desk.pid):.0f} MB after the second"
                )
            finally:
                desk.send_signal(signal.SIGINT)
                desk.communicate(timeout=30)
    return int(errors > 0)


if __name__ == "__main__":
    sys.exit(main())
