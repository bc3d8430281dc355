"""Cases of the Town of Southampton's chapter 283, for the tests of its sections."""

from law_toys import ask

ISSUED = {"night": False, "charitable": False, "status": "issued"}


def southampton(*, facts=None, history=(), on="2026-06-01", **answers):
    changes = {key.replace("__", "."): value for key, value in answers.items()}
    return ask("southampton", changes, facts=facts, history=history, on=on)


def persons(number, **more):
    return {"event__persons_at_once": number, "event__persons_total": number, "event__persons_outdoors": number, **more}


def permit(issued, starts, **more):
    return {**ISSUED, "issued": issued, "starts": starts, **more}


TWO = (permit("2026-02-01", "2026-06-06"), permit("2026-03-01", "2026-07-04"))
PRIVATE = {"applicant__charitable": False, "benefit__primarily_benefits_applicant": False}
YARD_SALE = {
    "event__kind": "yard_sale",
    "yard_sale__days": ["2026-06-05", "2026-06-06", "2026-06-07"],
    "yard_sale__hours": ["07:00", "18:00"],
    "yard_sale__own_goods_only": True,
    "yard_sale__on_dwelling_lot": True,
}
