"""What the papers of a packet need from the law and the land, beside the list: return receipts, publication, and where signs stand."""

from typing import TYPE_CHECKING

from geonotice.decide.notice import notice_rules
from geonotice.model import Clause
from geonotice.ordinance.profile import SIGN_VALUES
from geonotice.packet.paper import Duties, SignSite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.model import Municipality
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile, Rule
    from geonotice.packet.printed_map import Shown
    from geonotice.workflow.notice import Noticed

__all__ = ["beyond_cover", "duties_of", "rules_of_stage", "sign_map", "sign_sites"]


def rules_of_stage(profile: "Profile", rules: "Sequence[Rule]", kind: str) -> "tuple[Rule, ...]":
    """Return the rules of a kind that go with the notice rules of an occasion: those that apply at the same stage."""
    stages = {rule.applies for rule in rules if rule.notice and rule.occasion}
    return tuple(rule for rule in profile.of_kind(kind) if rule.applies in stages)


def duties_of(profile: "Profile", occasion: str) -> Duties:
    """Return what the law of an occasion asks for."""
    rules = notice_rules(profile, occasion)
    mailing = [rule.notice for rule in rules if rule.notice and not rule.notice.schedule]
    published = next(iter(rules_of_stage(profile, rules, "publication")), None)
    posted = next(iter(rules_of_stage(profile, rules, "posting")), None)
    given = published.values.get("given", ("published",)) if published else ()
    return Duties(
        return_receipts=frozenset(rule.id for rule in rules if rule.notice and rule.notice.return_receipt),
        sent_by=next((notice.sent_by for notice in mailing if notice.sent_by), ""),
        published=_clause(profile, published) if published else None,
        given=tuple(str(one) for one in given) if isinstance(given, list | tuple) else (str(given),),
        signs=_clause(profile, posted) if posted else None,
        sign_values={
            name: value for name, value in posted.values.items() if name in SIGN_VALUES and isinstance(value, int | float)
        }
        if posted
        else {},
    )


def _clause(profile: "Profile", rule: "Rule") -> Clause:
    return Clause(rule.id, f"{profile.chapter}, {rule.citation.section}", " … ".join(rule.citation.words))


def beyond_cover(opened: "Opened", noticed: "Noticed") -> "tuple[Municipality, ...]":
    """Return the municipalities in which somebody may have to be notified whom no layer has."""
    from geonotice.workflow.notice_warnings import municipalities_beyond

    if not any(warning.code == "cover_ends" for warning in noticed.notice.warnings):
        return ()
    return municipalities_beyond(opened, noticed.measured, distance_ft=noticed.search_ft, around=noticed.around)


def sign_sites(opened: "Opened", noticed: "Noticed") -> tuple[SignSite, ...]:
    """Return where the signs stand, in the order of the notice; none where the law asks for none."""
    import shapely

    from geonotice.units.crs import lon_lat_bounds

    if not noticed.notice.signs:
        return ()
    near = noticed.measured.near
    made = []
    for one in near.streets:
        if one.jurisdictions == ("private",):
            continue
        lines = [near.frontages[place].line for place in one.frontages]
        degrees = lon_lat_bounds(one.sign.bounds, opened.crs)
        made.append(
            SignSite(
                street=one.name,
                jurisdiction=one.jurisdiction,
                point=one.sign,
                street_line=shapely.union_all(lines) if lines else None,
                bearing_deg=one.sign_bearing_deg,
                lon_lat=degrees[:2] if degrees else None,
            )
        )
    return tuple(made)


def sign_map(noticed: "Noticed") -> "tuple[Shown, ...]":
    """Return what the maps of the signs show."""
    from geonotice.packet.printed_map import Shown

    measured = noticed.measured
    own = {parcel.fid for parcel in measured.premises}
    others = [fid for fid in measured.records if fid not in own and measured.records[fid].role == "lot"]
    return (
        *(Shown("other", measured.geometries[fid]) for fid in others),
        *(Shown("street", line, name) for line, name in zip(measured.streets.lines, measured.streets.names, strict=True)),
        *(Shown("premises", measured.geometries[parcel.fid], parcel.id) for parcel in measured.premises),
        *(Shown("frontage", one.line) for one in measured.near.frontages),
    )
