"""The table that reports and lists are laid out in on a terminal."""

from rich import box
from rich.table import Table

__all__ = ["plain_table"]


def plain_table(title: str, *, head: bool = True) -> Table:
    """Begin a table without lines between its columns, which would take the place of words on a narrow terminal."""
    return Table(
        title=title,
        title_justify="left",
        show_header=head,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
