"""The page of what was measured: tables, a plot, what is held to, and what a State and the nation would take."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from measured import DRAWN, DUCK, JOINS, SIZES, WIDE_FT

NATION = 150_000_000
"""Parcels of the United States, about."""

PEERS = ("geopandas read", "naive geopandas", "filtered geopandas", "DuckDB")
OWN = (
    "import", "notice", "appeal list", "list, town open", "check", "permit check", "packet", "packet of 1,000", "list and labels of 1,000", "event map", "screen, first", "screen, again",
)  # fmt: skip
PLOTTED = ("naive geopandas", "filtered geopandas", "DuckDB", "import", "notice", "packet", "screen, first")
HELD = {
    "notice / naive geopandas": 1 / 15,
    "notice / DuckDB": 1.4,
    "import / geopandas read": 1.2,
    "notice, peak MB": 60,
    "check, s": 0.8,
    "permit check, s": 0.5,
    "packet, s": 2.0,
    "packet of 1,000 / its list and labels": 4,
    "packet of 1,000, peak MB": 400,
    "list, town open, ms": 40,
    f"notice map of {DRAWN:,} / folium.GeoJson": 2.0,
    "event map, s": 4.0,
    "screen, first, s on the clock": 60.0,
    "screen, again, s on the clock": 3.0,
    "join / geopandas, by the clock": 1 / 20,
    "join / DuckDB, by the clock": 1 / 8,
    "join, peak MB": 4000,
}
"""The most of each measure."""
HELD_AT_MOST = {"event map, s": 60_000, "screen, first, s on the clock": 60_000, "screen, again, s on the clock": 60_000}
"""Those that are promised for a town, with the most parcels of one."""


def measures(found):
    """Return what is held to a most, of one size."""
    rows, joins = found["rows"], found["joins"]
    seconds = {name: row[0] for name, row in rows.items()}
    made = {
        "notice / naive geopandas": seconds["notice"] / seconds["naive geopandas"],
        "import / geopandas read": seconds["import"] / seconds["geopandas read"],
        "notice, peak MB": rows["notice"][1],
        "list, town open, ms": seconds["list, town open"] * 1000,
        f"notice map of {DRAWN:,} / folium.GeoJson": found["maps"]["notice map"] / found["maps"]["folium.GeoJson"],
        "join, peak MB": joins["geonotice"]["peak_mb"],
        "packet of 1,000 / its list and labels": seconds["packet of 1,000"] / seconds["list and labels of 1,000"],
        "packet of 1,000, peak MB": rows["packet of 1,000"][1],
    }
    made |= {
        f"{name}, s": seconds[name]
        for name in (
            "check",
            "permit check",
            "packet",
            "packet of 1,000",
            "list and labels of 1,000",
            "event map",
        )
    }
    # a screen uses all cores; runs of before have no time on the clock
    made |= {
        f"{name}, s on the clock": rows[name][2]
        for name in ("screen, first", "screen, again")
        if len(rows[name]) > len(("processor", "peak"))
    }
    if "DuckDB" in seconds:
        made["notice / DuckDB"] = seconds["notice"] / seconds["DuckDB"]
    for peer in ("geopandas", "DuckDB"):
        if peer in joins:
            made[f"join / {peer}, by the clock"] = joins["geonotice"]["clock_s"] / joins[peer]["clock_s"]
    return made


def judged(results):
    """Return a line for each measure, of the largest size that has it, and whether all hold."""
    found, at = {}, {}
    for size, one in results.items():
        for name, value in measures(one).items():
            if SIZES[size] <= HELD_AT_MOST.get(name, SIZES[size]):
                found[name], at[name] = value, SIZES[size]
    lines, good = [], True
    for name, most in HELD.items():
        if name in found:
            held = found[name] <= most
            good &= held
            lines.append(f"| {name} | {at[name]:,} | {found[name]:.3g} | {most:.3g} | {'yes' if held else '**no**'} |")
    head = ["| measure | parcels | found | at most | holds |", "| --- | ---: | ---: | ---: | --- |"]
    return "\n".join([*head, *lines]), good


def machine():
    """Return the machine and the versions, in one paragraph."""
    info = Path("/proc/cpuinfo")
    names = (
        [line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
        if info.is_file()
        else []
    )
    libraries = ", ".join(
        f"{name} {_version(name)}" for name in ("numpy", "shapely", "numba", "pyarrow", "pyogrio", "geopandas", "folium")
    )
    duck = "import duckdb; print('DuckDB ' + duckdb.__version__)"
    told = (
        subprocess.run([DUCK, "-c", duck], capture_output=True, text=True, check=True).stdout.strip()
        if DUCK
        else "DuckDB not measured"
    )
    processor = f"{os.cpu_count()} cores ({names[0] if names else platform.machine()})"
    return f"{datetime.now(UTC):%B %-d, %Y}: {processor}, {platform.system()}, Python {platform.python_version()}, {libraries}, {told}."


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _heads(results, first):
    heads = [f"{SIZES[size]:,} parcels" for size in results]
    return [f"| {first} | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(heads)]


def table(results):
    """Return the table: a row for each thing measured, a column for each size."""
    lines = _heads(results, "processor time in s (peak MB)")
    for name in (*PEERS, *OWN):
        cells = []
        for found in results.values():
            taken, peak, *_ = found["rows"].get(name, (None, 0))
            cells.append("not measured" if taken is None else f"{taken:.3f}" + (f" ({peak:,.0f})" if peak else ""))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    for name in ("folium.GeoJson", "notice map"):
        cells = [f"{found['maps'][name]:.3f}" for found in results.values()]
        lines.append(f"| {name}, {DRAWN:,} parcels of them | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def joins(results):
    """Return the table of the joins."""
    lines = _heads(results, "join: s by the clock (processor; peak MB)")
    for name in JOINS:
        cells = []
        for found in results.values():
            one = found["joins"].get(name)
            cells.append(f"{one['clock_s']:.2f} ({one['processor_s']:.2f}; {one['peak_mb']:,.0f})" if one else "not measured")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    pairs = [f"{found['joins']['geonotice']['pairs']:,}" for found in results.values()]
    return "\n".join([*lines, "| pairs, the same by each | " + " | ".join(pairs) + " |"])


def plot(results):
    """Return the plot as SVG: the processor's time over the size of the layer, both by tens."""
    from reportlab.graphics import renderSVG
    from reportlab.graphics.charts.axes import LogXValueAxis, LogYValueAxis
    from reportlab.graphics.charts.legends import LineLegend
    from reportlab.graphics.charts.lineplots import LinePlot
    from reportlab.graphics.shapes import Drawing, String
    from reportlab.lib.colors import HexColor

    colors = [HexColor(code) for code in ("#8a8a8a", "#5a6473", "#b8860b", "#9c2f00", "#00664a", "#3366cc", "#6a3d8a")]
    lines = {
        name: [(SIZES[size], found["rows"][name][0]) for size, found in results.items() if name in found["rows"]]
        for name in PLOTTED
    }
    lines = {name: points for name, points in lines.items() if points}
    drawing, chart = Drawing(640, 360), LinePlot()
    chart.x, chart.y, chart.width, chart.height = 55, 45, 400, 280
    chart.data = list(lines.values())
    chart.xValueAxis, chart.yValueAxis = LogXValueAxis(), LogYValueAxis()
    chart.xValueAxis.labelTextFormat = lambda value: f"{value:,.0f}"
    chart.yValueAxis.labelTextFormat = lambda value: f"{value:g}"
    for n in range(len(lines)):
        chart.lines[n].strokeColor, chart.lines[n].strokeWidth = colors[n], 2
    drawing.add(chart)
    legend = LineLegend()
    legend.x, legend.y, legend.boxAnchor, legend.fontSize, legend.alignment = 470, 325, "nw", 10, "right"
    legend.columnMaximum, legend.deltay = len(lines), 18
    legend.colorNamePairs = [(colors[n], name) for n, name in enumerate(lines)]
    drawing.add(legend)
    drawing.add(String(55, 340, "Processor time in seconds, from a cold start", fontSize=11))
    drawing.add(String(255, 10, "parcels in the layer", fontSize=10, textAnchor="middle"))
    return renderSVG.drawToString(drawing)


def computed(results):
    """Return what a State and the nation would take, computed from the largest size that was measured."""
    size, found = list(results.items())[-1]
    taken, peak, *_ = found["rows"]["import"]
    screen, screen_peak, *_ = found["rows"]["screen, first"]
    join = found["joins"]["geonotice"]
    lines = [
        f"Computed from the {SIZES[size]:,} parcels, not measured; a store for each county, one after another on one core. No county waits for another.",
        "",
        "| | import, hours | stores, GB | join at 1,000 ft, hours | screen for the first time, hours | memory at a time, GB |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, count in (("a State of 5.4 million parcels", SIZES["state"]), ("the nation's 150 million", NATION)):
        share = count / SIZES[size]
        hours = [seconds * share / 3600 for seconds in (taken, join["processor_s"], screen)]
        lines.append(
            f"| {name} | {hours[0]:.2f} | {found['store_mb'] * share / 1000:,.0f} | {hours[1]:.2f} | {hours[2]:.2f} |"
            f" {max(peak, screen_peak, join['peak_mb']) / 1000:.1f} |"
        )
    return "\n".join(lines)


BY_HAND = "\n## Measured by themselves\n"
"""Begins the part of the page that a person writes."""


def page(results, *, earlier=""):
    """Return docs/performance.md, with what a person wrote at the end of the earlier one."""
    first, last = (f"{found['listed']:.0f}" for found in (next(iter(results.values())), list(results.values())[-1]))
    listed = first if first == last else f"{first} to {last}"
    return f"""# Speed

`make bench` measures this and writes this page (`BENCH=--write`), but for its last part. The layers are synthetic
({", ".join(f"{SIZES[size]:,}" for size in results)} parcels with owners). Each number is the processor's time, user and system, of a process that starts
cold, the median of its runs; what is compared runs in turn. The clock is only read for joins and screens, which use all cores.

{machine()}

{table(results)}

![Processor time over the size of the layer](performance.svg)

- *geopandas read*: `geopandas.read_file` of the layer, which every script of one's own begins with.
- *naive geopandas*: read, `intersects(buffer)`, `distance`. *Filtered*: two reads, by the number and by the box. *DuckDB*: its spatial extension
  on GeoParquet. These three list parcels within 1,000 ft, and nothing else.
- *notice*: `geonotice notice TOWN PARCEL --for hearing --json`: the same parcels, with relations, owners and residents as mail pieces, and what
  the list could not see. *appeal list*: who abuts and who is opposite. *packet*: all papers but the letters.
- *packet of 1,000*: all papers, letters too, of a town whose law reaches {WIDE_FT:,} ft: about 1,000 letters. *List and labels of 1,000*: the same command with
  no paper but the list (CSV, XLSX, PDF), its record and the labels.
- *list, town open*: `open_town` once, then many lists of about 275 parcels (here {listed} on average).
- *event map*: every lot of the town, 64 zoning districts and 300 permits. *screen*: every parcel judged for 800 persons under the law of Italy, the first
  time and once more; beyond 150,000 parcels lot lines and streets are left out, as the program does by itself.
- *folium.GeoJson*: the same {DRAWN:,} parcels drawn by one `folium.GeoJson` with a tooltip; *notice map*: with labels, list, legend and search.

## Every parcel with every other

All pairs of parcels within 1,000 ft, from polygons in memory to pairs in memory, indexes included. The answers of all methods are compared: the same
pairs. Where the layer is larger than 60,000, the peers are left out: they take half an hour.

{joins(results)}

## What is held to

{judged(results)[0]}

## A State, the nation

{computed(results)}
{"".join(earlier.partition(BY_HAND)[1:])}"""
