"""A map as one file that needs no internet: its panels, its data, and its scripts."""

import base64
import hashlib
import html as html_module
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from geonotice.errors import Fault, OutputError
from geonotice.maps.titles_and_badges import Look, patterns
from geonotice.search import spellings
from geonotice.warning_ranks import causes, named, worst_first

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import folium

    from geonotice.model import ResultWarning


__all__ = [
    "Basemap",
    "attach",
    "escape",
    "layer_title",
    "offline_map",
    "panel_html",
    "remote_references",
    "render",
    "script_json",
    "search_html",
    "unbroken",
]


Basemap = str
"""The name of a tile provider as xyzservices knows it, such as ``OpenStreetMap.Mapnik``: drawn only when asked for."""


def escape(text: str) -> str:
    """Make a text safe inside HTML and inside the Jinja templates that folium makes of it."""
    return html_module.escape(text, quote=True).replace("{", "&#123;").replace("}", "&#125;").replace("`", "&#96;")


def layer_title(look: Look, count: int | None = None, *, title: str = "") -> str:
    """Return a layer's name for the layer control, which is the legend as well: HTML of a swatch, the name and how many."""
    number = "" if count is None else f'<span class="n">{count:,}</span>'
    return f"{look.swatch()}<span>{escape(title or look.title)}</span>{number}"


_WHOLE = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4}"
    r"|\d{1,2}(?::\d{2})? ?[ap]\.?m\b\.?|\b[A-Z]{2} \d{5}(?:-\d{4})?\b"
    r"|\(\d{3}\) ?\d{3}-\d{4}|(?:\d[\w./]*-)+[\w./]*\w|[\d,.]+ ft\b"
)
"""What must not be broken over two lines: dates, times of day, ZIP Codes, telephone and tax map numbers, lengths."""


def unbroken(text: str) -> str:
    """Return a text as HTML whose dates and numbers are not broken over two lines.

    Examples
    --------
    >>> unbroken("51.00-1-1 <on> May 4, 2026")
    '<span class="whole">51.00-1-1</span> &lt;on&gt; <span class="whole">May 4, 2026</span>'
    >>> unbroken("Sandmere NY 11899, 8:30 a.m. to 4 p.m.").count("whole")
    3
    """
    parts, at = [], 0
    for match in _WHOLE.finditer(text):
        parts += [escape(text[at : match.start()]), f'<span class="whole">{escape(match[0])}</span>']
        at = match.end()
    return "".join([*parts, escape(text[at:])])


def script_json(value: Any) -> str:  # noqa: ANN401  # JSON values are of any type
    r"""Return JSON that can stand inside a ``<script>`` and inside a Jinja template.

    ``<``, ``>``, ``&`` and ``'`` are written as ``\uXXXX``; so is a brace that would open a Jinja expression, statement or comment:
    in JSON without spaces such a pair occurs only inside a string.

    >>> script_json({"owner": "</script>{{ 7 }}"})
    '{"owner":"\\u003c/script\\u003e\\u007b{ 7 }}"}'
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&'":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return re.sub(r"\{(?=[{%#])", r"\\u007b", text)


def asset(name: str) -> str:
    """Return the text of a file of the page's own, from ``maps/assets``."""
    return files("geonotice").joinpath("maps", "assets", name).read_text(encoding="utf-8")


def _leaflet_script() -> str:
    code = files("geonotice").joinpath("vendor", "leaflet", "leaflet.js").read_text(encoding="utf-8")
    return re.sub(r"^//# sourceMappingURL=.*$", "", code, flags=re.MULTILINE)  # the map of the source is not shipped


def _leaflet_style() -> str:
    folder = files("geonotice").joinpath("vendor", "leaflet")
    code = folder.joinpath("leaflet.css").read_text(encoding="utf-8")

    def inline(match: re.Match[str]) -> str:
        data = folder.joinpath("images", match[1]).read_bytes()
        return f"url(data:image/png;base64,{base64.b64encode(data).decode('ascii')})"

    return re.sub(r"url\(images/([\w.-]+)\)", inline, code)


def offline_map(
    *, title: str, panel: str, scripts: tuple[str, ...], styles: tuple[str, ...] = (), basemap: Basemap | None = None
) -> "folium.Map":
    """Make an empty folium map that carries its scripts with it.

    Parameters
    ----------
    title
        The page's title, plain text.
    panel
        HTML beside the map; whatever in it came from data has gone through :func:`escape`.
    scripts, styles
        Names of files in ``maps/assets``, in order, beside those that every page has.
    basemap
        A tile provider to draw below, by the name that xyzservices gives it. The map then needs the internet, and says so.

    Returns
    -------
        A map whose ``default_js`` and ``default_css`` are empty; show it in a notebook, or :func:`render` it.
    """
    import folium
    from branca.element import Element, Figure
    from folium.template import Template

    class Verbatim(Element):
        """Text that is put into the page as it is: branca's own Element would run it through Jinja."""

        _template = Template("{{ this.text }}")

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    made = folium.Map(
        location=(0.0, 0.0),
        tiles=None,
        zoom_start=2,
        font_size="13px",
        zoomSnap=0.25,
        zoomDelta=0.5,
        maxZoom=22,
        attributionControl=basemap is not None,
    )
    made.default_js = []  # leaflet stands in the page; jquery, bootstrap and Font Awesome are not used
    made.default_css = []
    figure = made.get_root()
    if not isinstance(figure, Figure):
        message = "folium puts a map into a figure when it makes it"
        raise TypeError(message)
    figure.title = escape(title)
    for style in (_leaflet_style(), *(asset(name) for name in ("page.css", *styles))):
        figure.header.add_child(Verbatim(f"<style>{style}</style>"))
    table = f"const geonoticeSpellings = {json.dumps(spellings(), ensure_ascii=True, separators=(',', ':'))};"
    for script in (_leaflet_script(), table, *(asset(name) for name in ("page.js", *scripts))):
        figure.header.add_child(Verbatim(f"<script>{script}</script>"))
    figure.html.add_child(Verbatim(panel))
    if basemap is not None:
        made.add_child(_tiles(basemap))
    return made


def _tiles(name: str) -> "folium.TileLayer":
    import folium
    from xyzservices import providers  # type: ignore[import-untyped]  # ships no types

    try:
        provider = providers.query_name(name)
    except ValueError as exc:
        raise OutputError(
            Fault(
                what=f"no background map is known as {name!r}", remedy="give a name such as OpenStreetMap.Mapnik, or leave it out"
            )
        ) from exc
    return folium.TileLayer(
        tiles=provider.build_url(),
        attr=escape(provider.get("attribution", name)),
        name="Background map (from the internet)",
        max_zoom=22,
        max_native_zoom=provider.get("max_zoom", 18),
        overlay=True,
    )


class _References(HTMLParser):
    """Collects what a page would fetch, and its scripts."""

    _FETCHING = frozenset({"src", "srcset", "poster", "data", "action", "formaction", "background", "manifest", "ping", "cite"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self._inside = ""
        self._runs = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            given = (value or "").strip()
            if name in self._FETCHING or (name in {"href", "xlink:href"}):
                if given and not given.startswith(("#", "data:")):
                    self.found.append(f"<{tag} {name}={given[:80]!r}>")
            elif name.startswith("on"):
                self.found.append(f"<{tag} {name}=…>, a script in an attribute")
            elif name == "style":
                self.styles.append(given)
        if tag in {"iframe", "object", "embed", "base", "form"}:
            self.found.append(f"<{tag}>")
        self._inside = tag if tag in {"script", "style"} else self._inside
        if tag == "script":
            self._runs = dict(attrs).get("type") is None  # with a type, it is data to the browser
            if self._runs:
                self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script" and self._runs:
            self.scripts[-1] += data
        elif self._inside == "style":
            self.styles.append(data)


def remote_references(page: str) -> list[str]:
    """List what in a page would make a browser ask for anything, or run a script from an attribute; empty when nothing would."""
    parser = _References()
    parser.feed(page)
    parser.close()
    found = parser.found
    for style in parser.styles:
        found += [
            f"url({target[:80]})"
            for target in re.findall(r"url\(\s*[\"']?([^)\"']*)", style)
            if not target.startswith(("data:", "#"))
        ]
        found += re.findall(r"@import[^;]*", style)
    return found


def render(map_: "folium.Map") -> bytes:
    """Return the map as one HTML file, the same bytes for the same inputs.

    Parameters
    ----------
    map_
        A map made by :func:`geonotice.maps.notice_map` or :func:`geonotice.maps.event_map`.

    Returns
    -------
        UTF-8 HTML.

    Raises
    ------
    OutputError
        The page would fetch something: it would not work with no internet, and would tell others what is looked at.
    """
    root = map_.get_root()
    before = [(element, dict(element._children)) for element in _elements(root)]  # noqa: SLF001  # branca has no public name for it
    page = root.render()
    numbers = {element._id: f"{n:04d}" for n, element in enumerate(_elements(root))}  # noqa: SLF001  # as above
    for element, children in before:  # rendering adds elements: without them, a second rendering gives the same
        element._children.clear()  # noqa: SLF001  # as above
        element._children.update(children)  # noqa: SLF001  # as above
    page = re.sub(r"[0-9a-f]{32}", lambda match: numbers.get(match[0], match[0]), page)
    page = page.replace("<html>", '<html lang="en">', 1)
    page = re.sub(
        r'<meta name="viewport"[^>]*>', '<meta name="viewport" content="width=device-width, initial-scale=1">', page, count=1
    )
    found = remote_references(page)
    if found:
        raise OutputError(
            Fault(
                what=f"the map would fetch from elsewhere: {'; '.join(found[:5])}",
                why="it would not open where there is no internet, and would tell others what is looked at",
                remedy="report this: geonotice should never make such a page",
            )
        )
    return _with_policy(page, _tile_hosts(map_)).encode("utf-8")


def _tile_hosts(map_: "folium.Map") -> tuple[str, ...]:
    """List the hosts of the background maps that were asked for."""
    import folium

    children = map_._children.values()  # noqa: SLF001  # folium gives no other way to list a map's layers
    tiles = [child.tiles for child in children if isinstance(child, folium.TileLayer)]
    return tuple(sorted({address.split("/")[2].replace("{s}", "*") for address in tiles}))


def _elements(root: Any) -> list[Any]:  # noqa: ANN401  # branca ships no types
    """List all elements once, depth first: an order that only the map's own build decides."""
    found: dict[int, Any] = {}
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if id(element) in found:
            continue
        found[id(element)] = element
        parts = [getattr(element, part, None) for part in ("header", "html", "script")]
        below = [part for part in parts if hasattr(part, "_children")]
        waiting += reversed([*element._children.values(), *below])  # noqa: SLF001  # branca has no public name for it
    return list(found.values())


def _with_policy(page: str, tile_hosts: tuple[str, ...]) -> str:
    """Put in a policy that allows the page's own scripts, by their hashes, and no request but for tiles that were asked for."""
    parser = _References()
    parser.feed(page)
    parser.close()
    hashes = sorted({base64.b64encode(hashlib.sha256(code.encode("utf-8")).digest()).decode("ascii") for code in parser.scripts})
    allowed = " ".join(f"'sha256-{one}'" for one in hashes)
    images = " ".join(["data:", *(f"https://{host}" for host in tile_hosts)])
    policy = f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src {images}; base-uri 'none'; form-action 'none'"
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return page.replace("<head>", f"<head>\n    {meta}", 1)


_TOOLS = '<div class="tools screen"><button type="button" id="whole">Whole map</button><button type="button" id="print">Print</button></div>'


def panel_html(
    *,
    town: str,
    title: str,
    lines: "Iterable[str]",
    public: bool,
    warnings: "Sequence[ResultWarning]",
    sources: "Iterable[str]",
    above: "Sequence[str]" = (),
    layers_title: str = "On this map",
    marks: str = "",
    below: "Sequence[str]" = (),
    listed: str | None = "",
    basemap: Basemap | None = None,
) -> str:
    """Return the panel beside a map: the frame that every page has, with what this page puts into it.

    Parameters
    ----------
    town, title, lines
        The title box.
    public
        Whether anyone may see the page.
    warnings, sources
        What is to be read with the map, and what it is drawn from.
    above, below
        HTML above the list of layers, and below it.
    layers_title, marks
        What stands over the list of layers, and the legend's marks under it, as HTML.
    listed
        The list as HTML, below the warnings as they are printed; None where the page has none.
    basemap
        As :func:`offline_map` takes it.
    """
    folded, spelled = _warnings_html(warnings)
    return "\n".join(
        [
            patterns(),
            '<main id="panel">',
            _header_html(town, title, lines, public=public),
            folded,
            *above,
            f'<section><h2>{layers_title}</h2><div id="layers"></div>{marks}</section>',
            _TOOLS,
            *below,
            "" if listed is None else f'<section id="list">{spelled}{listed}</section>',
            _sources_html(sources, basemap=basemap),
            "</main>",
        ]
    )


def _header_html(town: str, title: str, lines: "Iterable[str]", *, public: bool) -> str:
    """Return the title box."""
    below = "".join(f"<p>{unbroken(line)}</p>" for line in lines if line)
    staff = "" if public else '<p class="staff">For the office only: shows owners</p>'
    return f'<header><p class="town">{escape(town)}</p><h1>{unbroken(title)}</h1>{below}{staff}</header>'


def _warnings_html(warnings: "Sequence[ResultWarning]") -> tuple[str, str]:
    """Return the warnings, folded for the screen and spelled out for paper; both empty where there are none."""
    if not warnings:
        return "", ""
    found = causes(worst_first(warnings))
    items = "".join(f"<li>{escape(' '.join(part for part in (cause.text, named(cause)) if part))}</li>" for cause in found)
    n = len(found)
    folded = f'<details class="alerts"><summary>{n} warning{"s" if n != 1 else ""}: read before use</summary><ul>{items}</ul></details>'
    return folded, f'<div class="paper-only"><h2>Warnings</h2><ul>{items}</ul></div>'


def search_html(*, public: bool, permits: bool = False) -> str:
    """Return the search box, for permits as well where the page has any; an owner is not sought in a page that anyone may see."""
    searched = ["number", "address", *([] if public else ["owner"]), *(["permit", "title"] if permits else [])]
    searched += ["applicant"] if permits and not public else []
    return (
        f'<div class="search screen"><label for="search">Find by {", ".join(searched[:-1])} or {searched[-1]}</label>'
        '<input id="search" type="search" autocomplete="off" spellcheck="false">'
        '<ul class="hits" id="hits"></ul><p class="said" id="said" role="status"></p></div>'
    )


def _sources_html(sources: "Iterable[str]", *, basemap: Basemap | None) -> str:
    """Return the sources and what to know about the drawing."""
    items = "".join(f"<li>{escape(line)}</li>" for line in sources) or "<li>not stated</li>"
    background = " Background map from the internet." if basemap is not None else ""
    return (
        f'<section class="sources"><h2>Sources</h2><ul class="plain">{items}</ul></section>'
        f'<p class="credit">Lot lines are those of the tax map, not a survey. Drawn with Leaflet.{background}</p>'
        "<noscript>This map needs JavaScript, which is switched off in this browser.</noscript>"
    )


def attach(map_: "folium.Map", *, start: str, data: dict[str, Any], names: dict[str, dict[str, str]]) -> None:
    """Add the layer control and start the page.

    Parameters
    ----------
    map_
        The map, with all its layers.
    start
        The function of the page's script: ``start(map, control, data, layers)``.
    data
        What the page shows, words included; plain JSON values.
    names
        The layers' names in the script, by group and kind.
    """
    import folium
    from branca.element import MacroElement
    from folium.template import Template

    class Start(MacroElement):
        """Calls the page's script when everything else stands."""

        _template = Template(
            "{% macro script(this, kwargs) %}"
            "{{ this.start }}({{ this.map_name }}, {{ this.control_name }}, {{ this.data }}, {{ this.layers }});"
            "{% endmacro %}"
        )

        def __init__(self, control: folium.LayerControl) -> None:
            super().__init__()  # type: ignore[no-untyped-call]  # branca leaves this one untyped
            self._name = "Start"
            self.start = start
            self.map_name = map_.get_name()
            self.control_name = control.get_name()
            self.data = script_json(data)
            groups = (
                f"{group}:{{{','.join(f'{script_json(kind)}:{name}' for kind, name in layers.items())}}}"
                for group, layers in names.items()
            )
            self.layers = f"{{{','.join(groups)}}}"

    control = folium.LayerControl(collapsed=False, position="topright", autoZIndex=False)
    map_.add_child(control)
    map_.add_child(Start(control))
