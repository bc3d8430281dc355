"""``user``: who may sign in at the desk."""

import getpass
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from geonotice.cli.app import By, JsonOption, TownArgument, app, clock, print_json, stands, who
from geonotice.errors import Fault, UsageError

if TYPE_CHECKING:
    from geonotice.register.users import User

__all__ = ["user"]

user = typer.Typer(help="Users of the desk: add, list, disable; their roles and passwords.", no_args_is_help=True)
app.add_typer(user, name="user")

Role = Literal["viewer", "clerk", "administrator"]

Name = Annotated[str, typer.Argument(metavar="NAME", help="What is typed to sign in, such as j.doe.")]
RoleOption = Annotated[
    Role,
    typer.Option("--role", help="viewer looks; clerk writes too; administrator keeps users, layers and backup too."),
]


@user.command()
def add(
    town: TownArgument,
    name: Name,
    *,
    role: RoleOption,
    log_name: Annotated[
        str, typer.Option("--log-name", metavar="TEXT", help="The name for the log and on papers; NAME by itself.")
    ] = "",
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Let them in only through the town's own sign-in (serve --trusted-header).")
    ] = False,
    by: By = None,
    json_: JsonOption = False,
) -> None:
    """Add a user. The password is asked twice on the terminal, or read from standard input."""
    from geonotice.config.read_town import read_town_file
    from geonotice.workflow.users import create

    found = read_town_file(town)
    password = None if no_password else _password()
    made = create(found, name=name, log_name=log_name, role=role, password=password, now=clock(), by=who(by))
    _tell(made, json_=json_, said=f"User {made.name} was added as {made.role}, {made.log_name} in the log")


@user.command("list")
def list_(town: TownArgument, *, json_: JsonOption = False) -> None:
    """List the users with their roles."""
    from geonotice.workflow.users import list_users

    found = list_users(town)
    if json_:
        print_json({"users": [_shown(one) for one in found.values()]})
        return
    if not found:
        typer.echo("There are no users: the desk asks for a name only, and is for this computer alone.")
    for one in found.values():
        notes = [one.role, f"{one.log_name} in the log", f"since {one.created.date().isoformat()}"]
        notes += ["disabled"] * one.disabled + ["no password"] * (not one.hash)
        typer.echo(f"{one.name}: {', '.join(notes)}")


@user.command()
def disable(
    town: TownArgument,
    name: Name,
    *,
    undo: Annotated[bool, typer.Option("--undo", help="Let them in again.")] = False,
    by: By = None,
    json_: JsonOption = False,
) -> None:
    """Let a user in no more; who is signed in is signed out at once. The log keeps what they wrote."""
    from geonotice.workflow.users import change

    done = change(town, name, disabled=not undo, now=clock(), by=who(by))
    _tell(done, json_=json_, said=f"User {done.name} is {'disabled' if done.disabled else 'let in again'}")


@user.command()
def role(
    town: TownArgument,
    name: Name,
    role: Annotated[Role, typer.Argument(metavar="ROLE", help="viewer, clerk or administrator.")],
    *,
    by: By = None,
    json_: JsonOption = False,
) -> None:
    """Change the role of a user."""
    from geonotice.workflow.users import change

    done = change(town, name, role=role, now=clock(), by=who(by))
    _tell(done, json_=json_, said=f"User {done.name} is now {done.role}")


@user.command()
def password(town: TownArgument, name: Name, *, by: By = None, json_: JsonOption = False) -> None:
    """Set a user's password, asked twice on the terminal or read from standard input; open sessions end."""
    from geonotice.workflow.users import change

    done = change(town, name, password=_password(), now=clock(), by=who(by))
    _tell(done, json_=json_, said=f"User {done.name} has another password")


def _password() -> str:
    """Ask for a password twice without showing it; read one line where no terminal asks: never from an argument, which the machine's list of programs shows."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("Password: ")
    if getpass.getpass("The same once more: ") != first:
        raise UsageError(Fault(what="the two passwords differ, and nothing was written", remedy="run the command again"))
    return first


def _tell(done: "User", *, json_: bool, said: str) -> None:
    stands(said)
    if json_:
        print_json(_shown(done))
    else:
        typer.echo(f"{said}.")


def _shown(one: "User") -> dict[str, object]:
    return {
        "name": one.name,
        "log_name": one.log_name,
        "role": one.role,
        "disabled": one.disabled,
        "password": bool(one.hash),
        "created": one.created.isoformat(),
    }
