"""Parts of the panel that both maps have. Whatever comes from data goes through :func:`escape` here."""

from typing import TYPE_CHECKING

from geonotice.webmap.offline import Basemap, escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from geonotice.model import Caution

__all__ = ["cautions_html", "header_html", "search_html", "sources_html"]


def header_html(town: str, title: str, lines: "Iterable[str]", *, public: bool) -> str:
    """Give the title box."""
    below = "".join(f"<p>{escape(line)}</p>" for line in lines if line)
    staff = "" if public else '<p class="staff">For the office only: shows owners</p>'
    return f'<header><p class="town">{escape(town)}</p><h1>{escape(title)}</h1>{below}{staff}</header>'


def cautions_html(cautions: "Sequence[Caution]") -> tuple[str, str]:
    """Give the warnings, folded for the screen and spelled out for paper; both empty where there are none."""
    if not cautions:
        return "", ""
    items = "".join(
        f"<li>{escape(caution.text)}{escape(': ' + ', '.join(caution.parcels)) if caution.parcels else ''}</li>"
        for caution in cautions
    )
    n = len(cautions)
    folded = f'<details class="cautions"><summary>{n} warning{"s" if n != 1 else ""}: read before use</summary><ul>{items}</ul></details>'
    return folded, f'<div class="paper-only"><h2>Warnings</h2><ul>{items}</ul></div>'


def search_html(searched: str) -> str:
    """Give the search box; ``searched`` says by what."""
    return (
        f'<div class="search screen"><label for="search">Find by {escape(searched)}</label>'
        '<input id="search" type="search" autocomplete="off" spellcheck="false">'
        '<ul class="hits" id="hits"></ul><p class="said" id="said" role="status"></p></div>'
    )


def sources_html(sources: "Iterable[str]", *, basemap: Basemap | None) -> str:
    """Give the sources and what to know about the drawing."""
    items = "".join(f"<li>{escape(line)}</li>" for line in sources) or "<li>not stated</li>"
    background = " Background map from the internet." if basemap is not None else ""
    return (
        f'<section class="sources"><h2>Sources</h2><ul class="plain">{items}</ul></section>'
        f'<p class="credit">Lot lines are those of the tax map, not a survey. Drawn with Leaflet.{background}</p>'
        "<noscript>This map needs JavaScript, which is switched off in this browser.</noscript>"
    )
