"""The record: everything that one notice says, as plain JSON; what ``notice --json`` prints and ``record.json`` holds."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from geonotice.model import Notice, NoticeParcel, OtherRecipient, Recipient
from geonotice.packet.paper import LabelOptions, PacketContext, paper

__all__ = ["RECORD_FILE", "record", "record_json"]

RECORD_FILE = "record.json"
"""What the record is called in a packet; other papers name it where they cannot hold everything."""


def record(notice: Notice) -> dict[str, Any]:
    """Return a notice as plain JSON values, always with the same keys in the same order.

    Distances and lengths are in feet to 0.01, areas in whole square feet, shares to 0.0001. A key that stands with ``?`` in the plan's
    scheme (``shared_ft``, ``street``) is left out where there is nothing to say; ``name_2`` comes where a recipient has more than one name line.
    """
    return {
        "occasion": notice.occasion,
        "required": notice.required,
        "town": notice.town,
        "ordinance": {
            "id": notice.ordinance.id,
            "effective": notice.ordinance.effective and notice.ordinance.effective.isoformat(),
            "sha256": notice.ordinance.sha256,
        },
        "premises": list(notice.premises),
        "parcels": [_parcel(parcel) for parcel in notice.parcels],
        "near_misses": [
            {"id": miss.id, "distance_ft": round(miss.distance_ft, 2)} | _given(reason=miss.reason) for miss in notice.near_misses
        ],
        "recipients": [_recipient(recipient) for recipient in notice.recipients],
        "municipalities": [
            {"name": other.name, "swis": other.swis, "distance_ft": round(other.distance_ft, 2)}
            | _given(review=list(other.review))
            for other in notice.municipalities
        ],
        "districts": [
            {
                "code": district.code,
                "class": district.district_class,
                "area_sq_ft": round(district.area_sq_ft),
                "share": round(district.share, 4),
            }
            for district in notice.districts
        ],
        "frontages": [
            {"n": frontage.n}
            | _given(street=frontage.street, jurisdiction=frontage.jurisdiction)
            | {"length_ft": round(frontage.length_ft, 2), "status": frontage.status}
            for frontage in notice.frontages
        ],
        "signs": [
            {"street": sign.street, "jurisdiction": sign.jurisdiction, "frontage_ft": round(sign.frontage_ft, 2)}
            for sign in notice.signs
        ],
        "schedule": [{"id": line.id, "owner": line.owner} for line in notice.schedule],
        "overrides": [
            {"id": override.id, "action": override.action, "reason": override.reason}
            | _given(by=override.by, on=override.on and override.on.isoformat())
            for override in notice.overrides
        ],
        **_given(also=[_other(one) for one in notice.also], around=notice.around and asdict(notice.around)),
        **_given(supplement=notice.supplement and asdict(notice.supplement)),
        "corrections": [
            {
                "parcel": one.parcel,
                "field": one.field,
                "value": one.value,
                "before": one.before,
                "by": one.by,
                "on": one.on.isoformat(),
                "why": one.why,
            }
            for one in notice.corrections
        ],
        "warnings": [warning.to_json() for warning in notice.warnings],
        "settings": notice.settings
        | _given(
            on=notice.on.isoformat(),
            hearing=notice.hearing and notice.hearing.isoformat(),
            event=notice.event and notice.event.isoformat(),
            filed=notice.filed and notice.filed.isoformat(),
        ),
        "sources": [
            {
                "layer": source.layer,
                "path": source.path,
                "sha256": source.sha256,
                "as_of": source.as_of and source.as_of.isoformat(),
                "features": source.features,
            }
            | _known(roll_year=source.roll_year, final=source.final)
            for source in notice.sources
        ],
        "version": notice.version,
    }


def record_json(
    notice: Notice, *, stated: Mapping[str, str] | None = None, labels: LabelOptions | None = None, prepared_by: str = ""
) -> bytes:
    """Return the record as UTF-8 JSON, the same bytes for the same notice.

    ``stated`` is what the packet's papers say of the event and the hearing beside it; a letter that is written later says the same. ``labels`` is how the
    labels were printed: of it the record has what is not the default, such as whose letters are addressed by hand. ``prepared_by`` is who made the list.
    """
    usual = asdict(LabelOptions())
    chosen = {name: value for name, value in asdict(labels or LabelOptions()).items() if value != usual[name]}
    made = record(notice) | _given(stated=dict(stated or {}), labels=chosen, prepared_by=prepared_by)
    return (json.dumps(made, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


@paper(
    RECORD_FILE,
    purpose="Everything this packet is made of, for the file: sources, settings, reasons, warnings. It lets the list be made again.",
    place=160,
    after_mailing=lambda _: f"Keep this folder in the file as it is. {RECORD_FILE} shows later how the list was made.",
)
def _record_paper(context: PacketContext) -> bytes:
    return record_json(context.notice, stated=context.settings.of_packet, labels=context.labels, prepared_by=context.prepared_by)


def _parcel(parcel: NoticeParcel) -> dict[str, Any]:
    return (
        {
            "id": parcel.id,
            "swis": parcel.swis,
            "relation": parcel.relation,
            "also": list(parcel.also),
            "distance_ft": round(parcel.distance_ft, 2),
        }
        | _known(
            shared_ft=_feet(parcel.shared_ft),
            opposite_ft=_feet(parcel.opposite_ft),
            across_ft=_feet(parcel.across_ft),
            around_ft=_feet(parcel.around_ft),
        )
        | {
            "rule": parcel.rule,
            "citation": parcel.citation,
            "review": list(parcel.review),
            "owners": parcel.owners,
            "residents": parcel.residents,
            "situs": parcel.situs,
        }
        | _given(common_lots=list(parcel.common_lots), reason=parcel.reason)
    )


def _recipient(recipient: Recipient) -> dict[str, Any]:
    first, *others = recipient.names or ("",)
    return (
        {"number": recipient.number, "role": recipient.role, "name": first}
        | _given(name_2="; ".join(others))
        | {
            "address": list(recipient.address),
            "city": recipient.city,
            "state": recipient.state,
            "zip": recipient.zip,
            "country": recipient.country,
            "mail": recipient.mail,
            "mailable": recipient.mailable,
            "parcels": list(recipient.parcels),
            "reasons": list(recipient.reasons),
        }
        | _given(review=list(recipient.review), also_residents=recipient.also_residents or None)
    )


def _other(one: OtherRecipient) -> dict[str, Any]:
    return {
        "name": list(one.names),
        "address": list(one.address),
        "city": one.city,
        "state": one.state,
        "zip": one.zip,
        "country": one.country,
        "mail": one.mail,
        "why": one.why,
    }


def _feet(length_ft: float | None) -> float | None:
    return None if length_ft is None else round(length_ft, 2)


def _given(**values: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON values are of any type
    """Leave out what is empty."""
    return {name: value for name, value in values.items() if value}


def _known(**values: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON values are of any type
    """Leave out what is not known; a zero or a no is known."""
    return {name: value for name, value in values.items() if value is not None}
