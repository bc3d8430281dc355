"""What every test can ask for."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of layers, cases and law texts kept beside the repository; skip the test where it is absent."""
    place = ROOT.parent / "shared"
    if not place.is_dir():
        pytest.skip("the layers and cases are not kept beside this repository")
    return place
