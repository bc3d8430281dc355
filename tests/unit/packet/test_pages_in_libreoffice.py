"""Every Word file of a packet opens in LibreOffice, which prints it on as many pages as the PDF beside it has, with the same words."""

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from geonotice.config.town import Clerk
from geonotice.io.libreoffice import find_libreoffice
from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_printing import lost_words
from geonotice.packet.paper import PacketContext, assemble, prepare
from geonotice.packet.word_papers import PaperSettings, template_bytes, word_papers


def _writer() -> Path | None:
    found = find_libreoffice()
    return found if found is not None and (found.resolve().parent / "libswlo.so").exists() else None


@pytest.mark.skipif(_writer() is None, reason="LibreOffice with its Writer is not installed")
def test_the_pages_are_the_same(notice, recipient, tmp_path):
    long = recipient(5, " ".join(["ESTATE OF ŁUKASZ O'NEIL-ŽIŽEK"] * 4)[:120], address=tuple(f"LINE {n}" for n in range(5)))
    clerk = Clerk(name="R. Doe", title="Town Clerk", office="Italy Town Hall", address=("1 Main St", "Naples NY 14512"))
    context = PacketContext(notice=replace(notice, recipients=(*notice.recipients, long)), settings=PaperSettings(clerk=clerk))
    made = {name: content for name, content in assemble(prepare(context)).items() if name.endswith((".docx", ".pdf"))}
    made |= {paper.file: template_bytes(paper) for paper in word_papers()}
    documents = [name for name in made if name.endswith(".docx")]
    for name in documents:
        (tmp_path / name).write_bytes(made[name])
    subprocess.run(
        [
            _writer(), "--headless", "--norestore", f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}",
            "--convert-to", "pdf:writer_pdf_Export", "--outdir", tmp_path, *(tmp_path / name for name in documents),
        ],
        check=True, capture_output=True, timeout=180,
    )  # fmt: skip
    compared = 0
    for name in documents:
        pdf = (tmp_path / name).with_suffix(".pdf").read_bytes()
        assert lost_words(made[name], pdf) == (), name
        beside = made.get(f"{name.removesuffix('.docx')}.pdf")
        if beside is not None:
            compared += 1
            assert len(words_of_pdf(pdf)) == len(words_of_pdf(beside)), name
    assert compared >= 3
