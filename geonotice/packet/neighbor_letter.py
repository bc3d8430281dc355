"""The letter to a neighboring municipality into which the search area reaches past the layers: it asks for those whom no layer here has."""

from msgspec.structs import replace

from geonotice.io.word_pages import Block
from geonotice.model import Municipality
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.pieces import address_lines
from geonotice.packet.word_papers import (
    BLANK,
    CLAUSE_BLOCKS,
    WordPaper,
    common_values,
    fill_paper,
    letter_top,
    print_paper,
    word_paper,
)
from geonotice.recipients.mail_pieces import clerk_recipients

__all__ = ["NEIGHBOR"]

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


def _values(one: Municipality, searched_ft: float | None) -> dict[str, str]:
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


def _wanted(context: PacketContext) -> bool:
    return context.letters and bool(context.beyond)


def _prepare(context: PacketContext) -> PacketContext:
    """Make the letters first, since what they lack is named on the first page."""
    if "letter-neighbor" in context.printed or not _wanted(context):
        return context
    filled = fill_paper(
        NEIGHBOR,
        context.settings,
        shared=common_values(context.notice, context.settings),
        each=[_values(one, context.searched_ft) for one in context.beyond],
    )
    pdf, note = print_paper(filled, name=NEIGHBOR.name)
    files = {NEIGHBOR.file: filled.content} | ({} if pdf is None else {f"{NEIGHBOR.name}.pdf": pdf})
    return replace(
        context,
        notes=(*context.notes, *([note] if note else [])),
        open_fields={**context.open_fields, NEIGHBOR.file: filled.open_fields},
        printed={**context.printed, NEIGHBOR.name: files},
    )


def _step(context: PacketContext) -> str:
    names = [one.name for one in context.beyond if one.name]
    to = f"the clerk of {', '.join(names)}" if names else "the clerk of the municipality there, if it is another one"
    return (
        f"Send {NEIGHBOR.name}.pdf with exhibit.pdf at once to {to}: the area searched reaches past the layers, and owners there are not on the"
        " list. Add that municipality's layer to the town file, or whom they name with --also, and make the packet again."
    )


@paper(
    "letter-neighbor.*",
    purpose="The letter that asks the neighboring municipality for the owners beyond the end of the layers.",
    place=44,
    when=_wanted,
    prepare=_prepare,
    before_mailing=_step,
    progress="Writing the letters …",
)
def _neighbor_letter(context: PacketContext) -> dict[str, bytes]:
    return dict(_prepare(context).printed[NEIGHBOR.name])
