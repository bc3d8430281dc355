"""Letters to those who are notified: one source of words for each occasion, a Word file and the PDF made of it, in the order of the list; and to a neighboring municipality."""

from collections.abc import Sequence

from geonotice.io.word_pages import LETTERHEAD_MOST_IN, LETTERHEAD_WIDTH_IN, SEAL_IN, Block
from geonotice.model import Municipality, Recipient
from geonotice.packet.addresses_and_mailing_order import address_lines, mailed
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.pdf_text import LEADING, unprintable, wrapped
from geonotice.packet.word_papers import (
    BLANK,
    CLAUSE_BLOCKS,
    EVENT_BLOCKS,
    Filled,
    WordPaper,
    common_values,
    fill_paper,
    letter_top,
    print_paper,
    word_paper,
)
from geonotice.recipients.mail_pieces import clerk_recipients

__all__ = [
    "NEIGHBOR",
    "letter_values",
    "letter_words",
]


_EACH = {
    "recipient": "name and address of the one who is notified, a line each",
    "list_number": "the recipient's number on the list",
    "parcels": "the tax map numbers for which this recipient is notified",
    "relation": "how these parcels stand to the premises",
    "why": "why this recipient is notified, as a sentence",
}
_NEEDED = ("recipient", "premises")
_FOOT = "{{ town }}: notice about {{ premises_numbers }}"
_TOP = letter_top("recipient")
_REASON = Block(
    kind="small",
    text="No. {{ list_number }} on the notice list. {{ why }}",
)
_SIGNED = (Block(kind="sign", text="{{ signature }}"), _REASON)

# LAW: Italy C: the notice states the location, dates and times of the event, its type, and that the application may be reviewed at the Town
# Clerk's office during regular business hours.
HEARING = word_paper(
    WordPaper(
        name="letter-hearing",
        purpose="the letter on a public hearing, to owners and residents",
        each=_EACH,
        needed=(*_NEEDED, "hearing_day"),
        footer=_FOOT,
        blocks=(
            *_TOP,
            Block(kind="heading", text="NOTICE OF PUBLIC HEARING"),
            Block(
                kind="text",
                text="{{ town }} will hold a public hearing on {{ hearing_day }} at {{ hearing_time }}, at {{ hearing_place }}, on the application of"
                " {{ applicant_name }} for a permit.",
            ),
            *EVENT_BLOCKS,
            Block(
                kind="text",
                text="The application may be reviewed at the Town Clerk's office, {{ clerk_address }}, during regular business hours"
                " ({{ clerk_hours }}). Anyone may speak at the hearing or write to the Town Clerk before it.",
            ),
            *CLAUSE_BLOCKS,
            *_SIGNED,
        ),
    )
)

# LAW: Southampton 283-3: date, time and location of the event.
FILING = word_paper(
    WordPaper(
        name="letter-filing",
        purpose="the letter on an application that was filed, to owners of abutting and opposite parcels",
        each=_EACH,
        needed=(*_NEEDED, "event_when"),
        footer=_FOOT,
        blocks=(
            *_TOP,
            Block(kind="heading", text="NOTICE OF AN APPLICATION FOR A SPECIAL EVENT PERMIT"),
            Block(
                kind="text",
                text="{{ applicant_name }} has filed an application with {{ town }} for a permit to hold a special event.",
            ),
            Block(kind="text", text="Event: {{ event_title }}\nType of event: {{ event_kind }}\nDate and time: {{ event_when }}"),
            Block(kind="text", text="Location: {{ premises }}"),
            Block(
                kind="text",
                text="The assessment roll names you as an owner of land that abuts these premises or lies directly opposite them. Questions go to"
                " the applicant ({{ applicant_contact }}) or to the town ({{ clerk_phone }}).",
            ),
            *CLAUSE_BLOCKS,
            Block(kind="sign", text="{{ applicant_name }}, applicant"),
            _REASON,
        ),
    )
)

# LAW: Southampton 283-9: notice of the hearing on the appeal.
APPEAL = word_paper(
    WordPaper(
        name="letter-appeal",
        purpose="the letter on the hearing of an appeal, to owners of abutting and opposite parcels",
        each=_EACH,
        needed=(*_NEEDED, "hearing_day"),
        footer=_FOOT,
        blocks=(
            *_TOP,
            Block(kind="heading", text="NOTICE OF HEARING ON AN APPEAL"),
            Block(
                kind="text",
                text="The appeal of {{ applicant_name }} from the denial of a permit will be heard on {{ hearing_day }} at {{ hearing_time }}, at"
                " {{ hearing_place }}.",
            ),
            *EVENT_BLOCKS,
            *CLAUSE_BLOCKS,
            *_SIGNED,
        ),
    )
)

CLERK = word_paper(
    WordPaper(
        name="letter-clerk",
        purpose="the letter to the clerk of another municipality, by title",
        each=_EACH,
        needed=_NEEDED,
        footer=_FOOT,
        blocks=(
            *_TOP,
            Block(kind="heading", text="NOTICE TO A NEIGHBORING MUNICIPALITY"),
            Block(
                kind="text",
                text="The premises named below lie within the distance of your municipality's boundary at which the law asks that you be notified."
                " The occasion is {{ occasion }}.",
            ),
            Block(kind="text", text="Hearing: {{ hearing }}"),
            EVENT_BLOCKS[0],
            Block(kind="text", text="Location: {{ premises }}\nApplicant: {{ applicant_name }}"),
            *CLAUSE_BLOCKS,
            *_SIGNED,
        ),
    )
)

OTHER = word_paper(
    WordPaper(
        name="letter-notice",
        purpose="the letter on any other occasion that a town's ordinance names",
        each=_EACH,
        needed=_NEEDED,
        footer=_FOOT,
        blocks=(
            *_TOP,
            Block(kind="heading", text="NOTICE"),
            Block(kind="text", text="This is notice of {{ occasion }}."),
            EVENT_BLOCKS[0],
            Block(kind="text", text="Location: {{ premises }}\nApplicant: {{ applicant_name }}"),
            *CLAUSE_BLOCKS,
            *_SIGNED,
        ),
    )
)

_BY_OCCASION = {"hearing": HEARING, "filing": FILING, "appeal": APPEAL}


def letter_words(occasion: str) -> WordPaper:
    """Return the words of the letter on an occasion; the general ones where a town's ordinance calls it by another name."""
    return _BY_OCCASION.get(occasion, OTHER)


def letter_values(recipient: Recipient) -> dict[str, str]:
    """Return the values of one letter; the lines of the address are the roll's, as on the label."""
    return {
        "recipient": "\n".join(address_lines(recipient)),
        "list_number": str(recipient.number),
        "parcels": ", ".join(recipient.parcels),
        "relation": recipient.relation.replace("_", " ") or recipient.role,
        "why": _why(recipient),
    }


def _why(recipient: Recipient) -> str:
    if recipient.role == "other":
        return f"You receive this notice as {'; '.join(recipient.reasons)}."
    relation = recipient.relation.replace("_", " ") or recipient.role
    return f"You receive this notice for tax map number {', '.join(recipient.parcels)} ({relation})."


def _groups(context: PacketContext) -> dict[str, tuple[WordPaper, Sequence[Recipient]]]:
    """Return who is written to, by the name of the file without its ending: clerks of other municipalities get words of their own."""
    pieces = mailed(context)
    clerks = tuple(one for one in pieces if one.role == "clerk")
    others = tuple(one for one in pieces if one.role != "clerk")
    named = {"letters": (letter_words(context.notice.occasion), others), "letters-clerks": (CLERK, clerks)}
    return {name: group for name, group in named.items() if group[1]}


def _wanted(context: PacketContext) -> bool:
    return context.letters and bool(_groups(context))


def _prepare(context: PacketContext) -> PacketContext:
    """Make the letters first, since what they lack is named on its first page and where it is written."""
    if "letters" in context.printed or not _wanted(context):
        return context
    files: dict[str, bytes] = {}
    notes = []
    blank: dict[str, tuple[str, ...]] = {}
    for name, (words, recipients) in _groups(context).items():
        rule = recipients[0].reasons[0] if recipients[0].reasons else ""
        made, note, blank[f"{name}.docx"] = _letters(words, recipients, context, name=name, rule=rule)
        files |= made
        notes.append(note)
    return context.with_made("letters", files, notes=notes, open_fields=blank)


def _letters(
    words: WordPaper, recipients: Sequence[Recipient], context: PacketContext, *, name: str, rule: str
) -> tuple[dict[str, bytes], str, tuple[str, ...]]:
    """Return the letters of one group by file name, a sentence on what could not be printed, and the fields that stand open."""
    shared = common_values(context.notice, context.settings, rule=rule)

    def filled(those: Sequence[Recipient]) -> Filled:
        return fill_paper(words, context.settings, shared=shared, each=[letter_values(one) for one in those])

    whole = filled(recipients)
    # The PDF is set in the type that goes with the file. A name that it cannot print would be printed by any font of this machine, or lost.
    printed = [one for one in recipients if not unprintable("\n".join(address_lines(one)))]
    if not printed:
        return {f"{name}.docx": whole.content}, "", whole.open_fields
    files, note = print_paper(whole, name=name, printed=None if len(printed) == len(recipients) else filled(printed))
    return files, note, whole.open_fields


def _letterhead_fits(context: PacketContext) -> bool:
    """Whether the letterhead ends above the window of an envelope, which shows the address alone. A template of the town's own is the town's to try."""
    settings = context.settings
    if any(words.file in settings.templates for words, _ in _groups(context).values()):
        return True
    letterhead = common_values(context.notice, settings, rule="")["letterhead"]
    lines = [line for text in letterhead.split("\n") for line in wrapped(text, width_pt=LETTERHEAD_WIDTH_IN * 72, size_pt=10)]
    height_in = len(lines) * 10 * LEADING / 72 + (SEAL_IN if settings.seal else 0)
    return height_in <= LETTERHEAD_MOST_IN


def _step(context: PacketContext) -> str:
    text = "Read letters.docx once in Word, print letters.pdf, fold each letter in three"
    if _letterhead_fits(context):
        text += ": the address shows in the window of a #10 envelope."
    else:
        text += (
            ". The letterhead is so long that it reaches into the window of a #10 envelope: use labels.pdf or #10 envelopes, or shorten"
            " office and address of [clerk] in the town file."
        )
    by_hand = [one.number for one in mailed(context) if unprintable("\n".join(address_lines(one)))]
    if by_hand:
        text += f" Print the letters of No. {', '.join(map(str, by_hand))} from letters.docx: their names have letters that the PDF's type lacks."
    return text


@paper(
    "letters*",
    purpose="The letters, in the order of the labels: to change in Word, and ready to print.",
    place=45,
    when=_wanted,
    prepare=_prepare,
    before_mailing=_step,
    progress="Writing the letters …",
)
def _letters_paper(context: PacketContext) -> dict[str, bytes]:
    return dict(_prepare(context).printed["letters"])


# ---- to a neighboring municipality into which the search area reaches past the layers: it asks for those whom no layer here has


NEIGHBOR = word_paper(
    WordPaper(
        name="letter-neighbor",
        purpose="the letter that asks a neighboring municipality for the owners beyond the end of the parcel layers",
        each={
            "recipient": "the clerk of that municipality by title, and the address, a line each",
            "municipality": "the municipality's name",
            "searched": "who must be notified, by the distance that the law names",
        },
        needed=("recipient", "premises"),
        footer="{{ town }}: request about {{ premises_numbers }}",
        blocks=(
            *letter_top("recipient"),
            Block(kind="heading", text="REQUEST FOR THE NAMES OF OWNERS TO BE NOTIFIED"),
            Block(
                kind="text",
                text="{{ town }} must give notice. The occasion is {{ occasion }}. The law asks that {{ searched }} be notified. Part of that land"
                " lies beyond the parcel records of {{ town }}, and may lie in {{ municipality }}.",
            ),
            Block(kind="text", text="Premises: {{ premises }}\nHearing: {{ hearing }}"),
            Block(
                kind="text",
                text="Please send us, for each property of yours there, the tax map number, the property's address, and name and mailing address of the owner"
                " of record. Whoever is left out may contest the hearing, so please answer in time for the notice to be mailed. A map is enclosed.",
            ),
            *CLAUSE_BLOCKS,
            Block(kind="sign", text="{{ signature }}"),
        ),
    )
)


def _neighbor_values(one: Municipality, searched_ft: float | None) -> dict[str, str]:
    """Return the values of one letter; lines to fill in for what the municipalities layer does not know."""
    if one.name:
        (clerk,), _ = clerk_recipients([one], first=1, mail="first_class")
        known = clerk.address and (clerk.city or clerk.zip)
        lines = address_lines(clerk) if known else [*clerk.names, *clerk.address, BLANK, BLANK]
    else:
        lines = ["Municipal Clerk", BLANK, BLANK, BLANK]
    return {
        "recipient": "\n".join(lines),
        "municipality": one.name or BLANK,
        "searched": f"those within {searched_ft:,.0f} feet of the premises"
        if searched_ft
        else "the owners of land that abuts the premises or lies directly opposite",
    }


def _neighbor_wanted(context: PacketContext) -> bool:
    return context.letters and bool(context.beyond)


def _neighbor_prepare(context: PacketContext) -> PacketContext:
    """Make the letters first, since what they lack is named on the first page."""
    if "letter-neighbor" in context.printed or not _neighbor_wanted(context):
        return context
    filled = fill_paper(
        NEIGHBOR,
        context.settings,
        shared=common_values(context.notice, context.settings),
        each=[_neighbor_values(one, context.searched_ft) for one in context.beyond],
    )
    files, note = print_paper(filled, name=NEIGHBOR.name)
    return context.with_made(NEIGHBOR.name, files, notes=[note], open_fields={NEIGHBOR.file: filled.open_fields})


def _neighbor_step(context: PacketContext) -> str:
    names = [one.name for one in context.beyond if one.name]
    to = f"the clerk of {', '.join(names)}" if names else "the clerk of the municipality there, if it is another one"
    return (
        f"Send {NEIGHBOR.name}.pdf with exhibit.pdf at once to {to}: the area searched reaches past the layers, and owners there are not on the"
        " list. Add that municipality's layer to the town file, or name those owners as others to notify, and make the packet again."
    )


@paper(
    "letter-neighbor.*",
    purpose="The letter that asks the neighboring municipality for the owners beyond the end of the layers.",
    place=44,
    when=_neighbor_wanted,
    prepare=_neighbor_prepare,
    before_mailing=_neighbor_step,
    progress="Writing the letters …",
)
def _neighbor_letter(context: PacketContext) -> dict[str, bytes]:
    return dict(_neighbor_prepare(context).printed[NEIGHBOR.name])
