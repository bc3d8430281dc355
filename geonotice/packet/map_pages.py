"""The notice map's pages: each is one file that works with no internet."""

from geonotice.packet.paper import PacketContext, paper

__all__ = ["map_page", "public_map_page"]

_PROGRESS = "Drawing the map …"


def _is_drawn(context: PacketContext) -> bool:
    return context.draw is not None


@paper(
    "map.html",
    purpose="Map of the premises, the distance and every property on the list, with the reason for each. Works without the internet.",
    place=10,
    when=_is_drawn,
    before_mailing=lambda _: "Open map.html and look whether the list is what you expect on the ground.",
    progress=_PROGRESS,
)
def map_page(context: PacketContext) -> bytes:
    """Render the map for the staff: owners, distances, reasons."""
    return _page(context, public=False)


@paper("public-map.html", purpose="Map for the public: no owners, no distance.", place=20, when=_is_drawn, progress=_PROGRESS)
def public_map_page(context: PacketContext) -> bytes:
    """Render the map for the public: without owners and list."""
    return _page(context, public=True)


def _page(context: PacketContext, *, public: bool) -> bytes:
    from geonotice.maps import notice_map, render

    if context.draw is None:
        raise ValueError("no map is to be made")
    drawn, layers = context.draw()
    return render(notice_map(drawn, layers, public=public))
