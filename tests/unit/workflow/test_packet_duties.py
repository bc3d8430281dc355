"""What a packet's papers need from the law: receipts, publication, signs and their numbers."""

from geonotice.ordinance.load import load_profile
from geonotice.workflow.packet import duties_of


# LAW: Southampton 283-9.
def test_an_appeal_is_published_and_signs_face_the_streets():
    duties = duties_of(load_profile("southampton"), "appeal")
    assert duties.return_receipts == {"sh.hearing_mail"}
    assert duties.sent_by == "applicant"
    assert duties.published is not None
    assert duties.given == ("published",)
    assert duties.signs is not None
    assert duties.signs.citation.endswith("283-9")
    assert duties.sign_values == {"length_ft": 2, "width_ft": 1, "set_back_ft": 10, "lowest_ft": 2, "highest_ft": 6, "days": 10}


# LAW: Southampton 283-3.
def test_a_filing_is_neither():
    duties = duties_of(load_profile("southampton"), "filing")
    assert (duties.published, duties.signs) == (None, None)
    assert duties.return_receipts == {"sh.notice_residential"}


# LAW: Italy C: published and posted; who mails is not said, and no sign is asked for.
def test_italys_hearing_is_published_and_posted():
    duties = duties_of(load_profile("italy"), "hearing")
    assert duties.given == ("published", "posted")
    assert duties.signs is None
    assert duties.sent_by == ""
    assert duties.return_receipts == frozenset()
