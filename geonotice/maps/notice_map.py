"""The notice map: who is notified, why, and what the findings rest on."""

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import shapely
from msgspec.structs import replace
from shapely import Polygon

from geonotice.errors import Fault, OutputError
from geonotice.io.palette import DISTRICT_FILLS
from geonotice.maps.label_places import Label
from geonotice.maps.map_data import MapLayers, MapNotice, MapParcel
from geonotice.maps.map_layers import Projector, Shape, Sheet, refuse_empty
from geonotice.maps.page import Basemap, attach, escape, offline_map, panel_html, search_html
from geonotice.maps.titles_and_badges import EVIDENCE_LOOKS, LOOKS, other_evidence
from geonotice.recipients import numbers_label, numbers_text, recipients_by_parcel

if TYPE_CHECKING:
    from collections.abc import Sequence

    import folium

    from geonotice.maps.map_data import EvidenceLine, MapFeature
    from geonotice.model import Recipient


__all__ = [
    "RELATION_WORDS",
    "draw_background",
    "layer_of",
    "notice_map",
]


def draw_background(sheet: "Sheet", layers: "MapLayers") -> None:
    """Draw the layers that there are, each with its words and labels."""
    if layers.zoning:
        codes = sorted({feature.label for feature in layers.zoning})
        fills = {code: DISTRICT_FILLS[n % len(DISTRICT_FILLS)] for n, code in enumerate(codes)}
        styles = {n: {"fillColor": fills[feature.label]} for n, feature in enumerate(layers.zoning)}
        sheet.add_features("zoning", LOOKS["zoning"], layers.zoning, pane="ground", styles=styles)
    for kind, pane in (("water", "ground"), ("municipalities", "municipal"), ("streets", "ways"), ("railroads", "ways")):
        features: tuple[MapFeature, ...] = getattr(layers, kind)
        if features:
            sheet.add_features(kind, LOOKS[kind], features, pane=pane)


QUAD_SEGMENTS = 64
"""Of the ring's quarter circles: its edge is then within 0.1 ft of 1,000. It is a picture only; nothing is selected by it."""

LEAST_MARGIN_FT = 250.0
PUBLIC_MARGIN_FT = 300.0
"""Around the premises: what the public map opens on, and how far it draws neighbours, whatever the law's distance."""

RELATION_WORDS = {
    "abutting": "Abuts the premises",
    "corner": "Touches at a corner",
    "opposite": "Directly opposite",
    "within": "Within the distance",
    "common_land": "Owns common land on the list",
}
STATUS_WORDS = {
    "premises": "Premises",
    "notified": "Notified",
    "near_miss": "Near miss, not notified",
    "context": "Not on the list",
}
ROLE_WORDS = {"right_of_way": "Street or right-of-way", "railroad": "Railroad", "water": "Under water"}
REVIEW_WORDS = {
    "borderline": "just beyond the distance, or met over less than 2 ft of frontage: within what a tax map is accurate to",
    "boundary_accuracy": "the municipal boundary is near the limit: verify the distance",
    "street_or_lot": "on the list because a lot may be a street",
    "straight_across": "straight across, but the extended lot lines do not meet it",
    "methods_differ": "the two ways of finding what is opposite disagree",
    "narrow_gap": "a gap so narrow that it may be a fault of the drawing",
    "across_water": "across water",
    "stacked": "drawn on the same ground as another parcel",
    "added_by_hand": "added by hand",
    "units_unknown": "the number of dwellings is not known",
}
NOBODY = "none"
"""On the map and in its list: a parcel that nobody is notified for, such as a street without an owner."""
PUBLIC_EVIDENCE = frozenset({"sign", "area"})
"""What the public map keeps of the evidence: the rest would give the list away."""

ORDER = (
    "premises",
    "abutting",
    "corner",
    "opposite",
    "within",
    "common_land",
    "near_miss",
    "right_of_way",
    "railroad",
    "water_parcel",
    "context",
)
"""Of the layers in the legend; what lies over what is the panes' matter."""
PANE_OF = {
    "premises": "premises",
    "near_miss": "near",
    "context": "context",
    "water_parcel": "context",
    "right_of_way": "context",
    "railroad": "context",
}


def notice_map(
    notice: MapNotice, layers: MapLayers | None = None, *, public: bool = False, basemap: Basemap | None = None
) -> "folium.Map":
    """Draw a notice list.

    Parameters
    ----------
    notice
        The list, its parcels and what they rest on.
    layers
        The town's other layers, near the premises.
    public
        Draw the version anyone may see: the premises, streets, districts and boundaries, without owners, ring, list, near misses or
        warnings. The nearest neighbours are drawn, all alike, only if ``notice.parcels`` has some of status ``context`` as well: drawn
        alone, the notified would be the list.
    basemap
        A tile provider from the internet to draw below (``OpenStreetMap.Mapnik``); none unless asked for.

    Returns
    -------
        A folium map; :func:`geonotice.maps.render` makes the file of it.

    Raises
    ------
    OutputError
        There are no premises to draw, or parcels have no geometry: all of them are named.
    """
    layers = layers or MapLayers()
    parcels = _public(notice) if public else _ordered(notice.parcels)
    premises = [parcel for parcel in parcels if parcel.status == "premises"]
    if not premises:
        raise OutputError(
            Fault(what="the map has no premises to draw", remedy="give the premises' own parcels with the status premises")
        )
    refuse_empty([(f"parcel {parcel.id}", parcel.geometry) for parcel in parcels])
    refuse_empty([(f"evidence {line.label or line.kind}", line.geometry) for line in notice.evidence])
    projector = Projector(notice.crs)
    ground = shapely.union_all([parcel.geometry for parcel in premises])
    ring = None if public or notice.radius_ft is None else ground.buffer(notice.radius_ft, quad_segs=QUAD_SEGMENTS)

    made = offline_map(
        title=f"{notice.title}, {notice.town}",
        panel=_panel(notice, public=public, basemap=basemap),
        scripts=("notice.js",),
        basemap=basemap,
    )
    around = ring if ring is not None else ground.buffer(_margin(notice, public=public))
    ways = [] if public else [line.geometry for line in notice.evidence if line.kind == "boundary"]
    # the units of a condominium may lie beyond the ring that its common land reaches into
    ways += [] if public else [parcel.geometry for parcel in parcels if parcel.relation == "common_land"]
    view = Polygon.from_bounds(*shapely.union_all([around, *ways]).bounds)
    sheet = Sheet(made, projector, view)
    _draw_parcels(sheet, parcels, notice, public=public, clear=bool(layers.zoning))
    if ring is not None:
        title = f"{notice.radius_ft:,.0f} ft from the premises"
        sheet.add("others", "radius", LOOKS["radius"], [(0, ring, "the ring")], pane="ring", title=title)
        sheet.data["others"]["radius"] = []
    _draw_evidence(sheet, notice, public=public)
    draw_background(sheet, layers)
    attach(made, start="geonotice.notice", data=sheet.data, names=sheet.names)
    return made


def _margin(notice: MapNotice, *, public: bool) -> float:
    """Feet around the premises that the map opens on where no ring is drawn: enough for a wide street and the lots across."""
    if public:  # the public map's extent must not tell how far the list reaches
        return PUBLIC_MARGIN_FT
    reach = [parcel.distance_ft for parcel in notice.parcels if parcel.status == "notified" and parcel.distance_ft is not None]
    return max([LEAST_MARGIN_FT, *(distance + LEAST_MARGIN_FT for distance in reach)])


def _ordered(parcels: tuple[MapParcel, ...]) -> list[MapParcel]:
    return sorted(
        parcels, key=lambda parcel: (parcel.distance_ft if parcel.distance_ft is not None else 0.0, parcel.id, parcel.fid)
    )


def _public(notice: MapNotice) -> list[MapParcel]:
    """Return the parcels that anyone may see, bare of all that the list says; how far they reach does not depend on the list."""
    neighbours = any(parcel.status == "context" for parcel in notice.parcels)
    ground = shapely.union_all([parcel.geometry for parcel in notice.parcels if parcel.status == "premises"])
    kept = [
        MapParcel(
            fid=parcel.fid,
            id=parcel.id,
            geometry=parcel.geometry,
            situs=parcel.situs,
            status="premises" if parcel.status == "premises" else "context",
            role=parcel.role,
        )
        for parcel in notice.parcels
        if parcel.status == "premises" or (neighbours and shapely.dwithin(parcel.geometry, ground, PUBLIC_MARGIN_FT))
    ]
    return sorted(kept, key=lambda parcel: (parcel.id, parcel.fid))


def layer_of(parcel: MapParcel) -> str:
    """Return the layer that a parcel is drawn in, one of :data:`ORDER`."""
    if parcel.status == "notified":
        return parcel.relation if parcel.relation in RELATION_WORDS else "within"
    if parcel.status in {"premises", "near_miss"}:
        return parcel.status
    return {"right_of_way": "right_of_way", "railroad": "railroad", "water": "water_parcel"}.get(parcel.role, "context")


def _draw_parcels(sheet: Sheet, parcels: list[MapParcel], notice: MapNotice, *, public: bool, clear: bool) -> None:
    """Draw the parcels; ``clear`` lets the districts below show through those that are there for orientation."""
    grouped: dict[str, list[Shape]] = defaultdict(list)
    sheet.data |= {"parcels": [], "list": []}
    listed = {} if public else recipients_by_parcel(notice.recipients)
    labels = []
    for number, (parcel, at) in enumerate(zip(parcels, sheet.points_seen([parcel.geometry for parcel in parcels]), strict=True)):
        kind = layer_of(parcel)
        grouped[kind].append((number, parcel.geometry, f"parcel {parcel.id}"))
        sheet.data["parcels"].append(
            {
                "id": parcel.id,
                "situs": parcel.situs,
                "role": ROLE_WORDS.get(parcel.role, ""),
                "at": at,
                "status": STATUS_WORDS["premises"] if parcel.status == "premises" else "",
                **({} if public else _staff_words(parcel, listed.get(parcel.id, ()))),
            }
        )
        if parcel.status == "notified":
            sheet.data["list"].append(number)
        check = " ?" if parcel.review else ""
        if parcel.status == "premises":
            labels.append(Label(geometry=parcel.geometry, text="Premises", kind="premises", of=kind, always=True))
        elif parcel.status == "notified":
            numbers = [one.number for one in listed.get(parcel.id, ())]
            of_list = numbers_label(numbers) or NOBODY
            first = of_list if len(numbers) < 2 else f"{numbers[0]}+"  # noqa: PLR2004  # one number has nothing to shorten
            labels.append(
                Label(
                    geometry=parcel.geometry,
                    text=parcel.id,
                    kind="notified",
                    of=kind,
                    first=f"{of_list}{check}",
                    short=f"{first}{check}",
                )
            )
        else:
            style = "parcel" if parcel.status == "context" else "notified"
            labels.append(Label(geometry=parcel.geometry, text=parcel.id + check, kind=style, of=kind))
    sheet.label(*labels)
    within = f"Notified: within {notice.radius_ft:,.0f} ft" if notice.radius_ft is not None else ""
    for kind in ORDER:
        if kind in grouped:
            title = within if kind == "within" else ""
            look = replace(LOOKS[kind], fill_opacity=0.0) if clear and kind == "context" else LOOKS[kind]
            sheet.add("parcels", kind, look, grouped[kind], pane=PANE_OF.get(kind, "notified"), title=title)


def _staff_words(parcel: MapParcel, recipients: "Sequence[Recipient]") -> dict[str, Any]:
    status = STATUS_WORDS[parcel.status]
    relation = RELATION_WORDS.get(parcel.relation, parcel.relation)
    if parcel.status == "notified" and relation:
        status = f"{status}: {relation[0].lower()}{relation[1:]}"
    return {
        "status": status,
        "numbers": [one.number for one in recipients],
        "row": numbers_text(one.number for one in recipients) or NOBODY,
        "letters": [_recipient_line(one) for one in recipients],
        "owners": list(parcel.owners),
        "relation": relation,
        "also": [RELATION_WORDS.get(one, one) for one in parcel.also],
        "feet": None if parcel.distance_ft is None or parcel.status == "premises" else round(parcel.distance_ft, 2),
        "reasons": list(parcel.reasons),
        "review": [REVIEW_WORDS.get(code, code.replace("_", " ")) for code in parcel.review],
    }


def _recipient_line(recipient: "Recipient") -> str:
    """Return a recipient in a line: number, name, role, and where no letter goes out, why."""
    fate = "not mailed" if recipient.mail == "none" else "" if recipient.mailable else "cannot be mailed"
    if "held" in recipient.review:
        fate = "held back"
    name = " / ".join(recipient.names) or "name not known"
    return f"{recipient.number} {name} ({', '.join(part for part in (recipient.role, fate) if part)})"


def _elsewhere(notice: MapNotice) -> list[str]:
    """List the recipients whom the rows of the map's list do not have: clerks, the applicant, residents of the premises."""
    rows = {parcel.id for parcel in notice.parcels if parcel.status == "notified"}
    return [_recipient_line(one) for one in notice.recipients if not rows.intersection(one.parcels)]


def _draw_evidence(sheet: Sheet, notice: MapNotice, *, public: bool) -> None:
    grouped: dict[str, list[EvidenceLine]] = defaultdict(list)
    for line in notice.evidence:
        if not public or line.kind in PUBLIC_EVIDENCE:
            grouped[line.kind].append(line)
    for kind in [*(known for known in EVIDENCE_LOOKS if known in grouped), *sorted(set(grouped) - set(EVIDENCE_LOOKS))]:
        look = EVIDENCE_LOOKS.get(kind) or other_evidence(kind)
        lines = grouped[kind]
        key = f"evidence {kind}"
        sheet.add(
            "others",
            key,
            look,
            [(n, line.geometry, f"evidence {line.label or kind}") for n, line in enumerate(lines)],
            pane="evidence",
        )
        sheet.data["others"][key] = [[line.label or look.title, ""] for line in lines]
        if kind == "sign":
            sheet.label(*(Label(geometry=line.geometry, text="Sign", kind="evidence", of=key, always=True) for line in lines))


def _elsewhere_html(notice: MapNotice) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in _elsewhere(notice))
    return f'<h3>Also on the mailing list</h3><ul class="plain also">{items}</ul>' if items else ""


def _number_marks(notice: MapNotice) -> list[tuple[str, str]]:
    """Explain the numbers on the lots, as far as this map has them."""
    listed = recipients_by_parcel(notice.recipients)
    numbers = [[one.number for one in listed.get(parcel.id, ())] for parcel in notice.parcels if parcel.status == "notified"]
    marks = [("7", "number of the recipient on the mailing list, labels and record")] if any(numbers) else []
    if any(len(those) > 1 for those in numbers):
        marks += [("3, 7", "several recipients for one lot"), ("3+", "3 and more: click the lot, or see the list")]
    if any("-" in numbers_text(those) for those in numbers):
        marks.append(("3-7", "recipients 3 to 7"))
    if not all(numbers):
        marks.append((NOBODY, "nobody is notified for this lot: see the warnings"))
    return marks


def _panel(notice: MapNotice, *, public: bool, basemap: Basemap | None) -> str:
    rows = '<h2>Notified parcels</h2><table class="list"><thead><tr><th scope="col" class="row">No.</th><th scope="col">Parcel</th><th scope="col">Relation</th><th scope="col" class="ft">Distance</th></tr></thead><tbody id="rows"></tbody></table>'
    checked = any(parcel.review for parcel in notice.parcels) and not public
    marks = [] if public else _number_marks(notice)
    marks += [("?", "after a number: a person should check it")] if checked else []
    lines = "".join(f"<strong>{sign}</strong><span>{words}</span>" for sign, words in marks)
    return panel_html(
        town=notice.town,
        title=notice.title,
        lines=(notice.premises, *notice.subtitle),
        public=public,
        warnings=() if public else notice.warnings,
        sources=notice.sources,
        above=(search_html(public=public),),
        marks=f'<div class="marks">{lines}</div>' if marks else "",
        listed=None if public else f"{rows}{_elsewhere_html(notice)}",
        basemap=basemap,
    )
