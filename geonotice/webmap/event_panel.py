"""What stands beside the event map: title, search, the weeks, the legend, the lists."""

from typing import TYPE_CHECKING

from geonotice.webmap.drawing import patterns
from geonotice.webmap.offline import Basemap, escape
from geonotice.webmap.panels import cautions_html, header_html, search_html, sources_html
from geonotice.webmap.weeks import days_in_words

if TYPE_CHECKING:
    from geonotice.webmap.event_values import MapYear

__all__ = ["panel"]


def panel(
    year: "MapYear", *, index: str, counts: dict[str, int], public: bool, basemap: Basemap | None, lots_left_out: bool
) -> str:
    """Give the HTML beside the map; ``index`` is the packed list of all parcels, ``counts`` how many parcels are in each state."""
    full = counts["full"] + counts["charity"]
    undated = sum(permit.starts is None for permit in year.permits)
    notes = (
        [f"{undated} permit{'s have' if undated != 1 else ' has'} no date yet: in the list of all permits, in no week."]
        if undated
        else []
    )
    if lots_left_out:
        notes.append("Lots without permits are not drawn: there are too many. The search finds them.")
    aside = "".join(f'<p class="aside">{escape(note)}</p>' for note in notes)
    warned, spelled = cautions_html(year.cautions) if not public else ("", "")
    subtitle = (f"As of {days_in_words(year.on)}", *year.subtitle)
    return f"""{patterns()}
<main id="panel">
{header_html(year.town, f"Events of {year.year}", subtitle, public=public)}
{warned}
{search_html("number or address" if public else "number, address or owner")}
<section class="screen" id="week"><h2>What is on</h2>
<div id="bars" aria-hidden="true"></div>
<input id="slider" type="range" min="0" step="1" aria-label="Week of the year">
<div class="pager"><button type="button" id="before" aria-label="Week before">&#9664;</button><strong id="days" role="status"></strong><button type="button" id="after" aria-label="Week after">&#9654;</button></div>
<label class="only"><input type="checkbox" id="only"> Only parcels with an event in this week</label>
<ul class="plain events" id="on"></ul></section>
<section><h2>What is left on each parcel</h2><div id="layers"></div>
<div class="marks"><span class="ringed" aria-hidden="true"></span><span>an event in the chosen week</span>
<span class="overmark" aria-hidden="true">!</span><span>issued past the cap by an official</span></div></section>
<div class="tools screen"><button type="button" id="whole">Whole map</button><button type="button" id="print">Print</button></div>
{aside}
<section id="list">{spelled}
<div class="paper-only"><h2>On in the chosen week: <span id="paper-days"></span></h2><ul class="plain events" id="paper-on"></ul></div>
<h2>No permit left ({full:,})</h2><div class="scroll"><table class="list"><thead><tr><th scope="col">Parcel</th><th scope="col">Used</th><th scope="col">Next</th></tr></thead><tbody id="full"></tbody></table></div>
<details class="all"><summary>All permits ({len(year.permits) + len(year.parades):,})</summary><table class="list"><thead><tr><th scope="col">Permit</th><th scope="col">Days</th><th scope="col">Parcel</th></tr></thead><tbody id="permits"></tbody></table></details></section>
{sources_html(year.sources, basemap=basemap)}
</main>
<script type="text/plain" id="index">{index}</script>"""
