"""What a result says beside its findings: what could not be seen, what is contradictory, which readings it rests on."""

from collections.abc import Iterable, Iterator

from geonotice.decide.contradictions import answer_cautions
from geonotice.decide.facts import Case
from geonotice.decide.night import suggested_night
from geonotice.decide.reach import Reach
from geonotice.decide.standing import standing_cautions
from geonotice.model import Caution, Finding

__all__ = ["remarks"]

DISCRETION = ("italy.discretion", "sh.privilege")


def remarks(case: Case, found: Reach, findings: Iterable[Finding]) -> tuple[Caution, ...]:
    """Give the warnings of a check, in a fixed order."""
    return (
        *_on_the_profile(case, found),
        *_on_the_place(case),
        *_on_the_answers(case),
        *_on_readings(case, found, findings),
    )


def _on_the_profile(case: Case, found: Reach) -> Iterator[Caution]:
    profile = case.profile
    yield from standing_cautions(profile)
    if not found.has_permit_rule:
        yield Caution("no_permit_rule", "The profile does not say when a permit is needed: that must be decided.")
    if found.permit_required is not False:
        for rule in profile.rules:
            if rule.id in DISCRETION:
                yield Caution("discretionary", f"The permit stays discretionary: {rule.text} ({rule.citation.place})")
        # Those of a partial profile are said above, whatever the event.
        for gap in profile.gaps if profile.status == "complete" else ():
            yield Caution("text_gap", gap)


def _on_the_place(case: Case) -> Iterator[Caution]:
    facts = case.facts
    if facts.in_village:
        text = f"The premises lie in the {facts.in_village}: the town's chapter may not reach it; ask the village."
        yield Caution("in_village", text)
    residential = sorted({item.code for item in facts.districts if item.district_class == "residential"})
    if len(residential) > 1:
        text = (
            f"The premises lie in two residential districts ({', '.join(residential)}): read as residential, not as split-zoned."
        )
        yield Caution("two_residential", text)
    unknown = sorted({item.code for item in facts.districts if item.district_class == "undetermined"})
    if unknown:
        text = f"The profile does not class the district {', '.join(unknown)}: whether it is residential must be determined."
        yield Caution("unknown_district", text)
    if facts.zone == "split":
        yield Caution("split_zoned", "The premises are split-zoned: residential with something else.")


def _on_the_answers(case: Case) -> Iterator[Caution]:
    about, site = case.event.event, case.event.site
    yield from answer_cautions(case.event, case.facts)
    for name in site.waived:
        if not case.profile.has(name) or not case.profile.rule(name).waivable:
            yield Caution("waiver_ignored", f"{name} is stated as waived, but it cannot be waived; it is applied all the same.")
    asked = any(rule.check == "cap_other" for rule in case.profile.rules)  # the one check that asks about the night
    if asked and about.night is None and case.facts.lon_lat is not None:
        longitude, latitude = case.facts.lon_lat
        if text := suggested_night(about, latitude, longitude):
            yield Caution("night_suggested", text)


def _on_readings(case: Case, found: Reach, findings: Iterable[Finding]) -> Iterator[Caution]:
    codes = [code for item in findings for code in item.review]
    codes += [code for item in found.thresholds.values() for code in item.review]
    if "fire_company_of_another_town" in codes:
        local = case.event.event.sponsor_local
        said = "The fire company is not this town's" if local is False else "Whether the fire company is this town's is not said"
        text = f"{said}; a company “within a Town” is read as exempt."
        yield Caution("fire_company_of_another_town", text)
    for code in dict.fromkeys(codes):
        name = code.removeprefix("reading:")
        if name != code and name in case.profile.settings:
            reading = case.profile.settings[name]
            value = str(reading.value).replace("_", " ")
            yield Caution("reading", f"{reading.question} Read here as: {value}. {reading.why}")
