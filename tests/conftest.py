"""What every test can ask for."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The layers, cases and law texts kept beside the repository; where they are absent, the test is skipped."""
    place = ROOT.parent / "shared"
    if not place.is_dir():
        pytest.skip("the layers and cases are not kept beside this repository")
    return place
