"""The causes of ledger lines are read as they were written."""

import pytest

from app.domain import ledger
from app.domain.ledger import Cause, CauseCode
from engine.types.enhancements import Enhancement

JOB, PHOTO, PURCHASE = "job_" + "0" * 22, "pho_" + "0" * 22, "pur_" + "0" * 22
STEP = Enhancement.RENOVATION


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (ledger.purchase_cause(PURCHASE), Cause(CauseCode.PURCHASE)),
        (ledger.reversal_cause(PURCHASE, 2), Cause(CauseCode.PURCHASE_REVERSED)),
        (ledger.grant_cause("acc_1", "token"), Cause(CauseCode.ADJUSTMENT)),
        ("adjustment:0b9c6f9e-5a56-4c38-9d4b-0f4d3c7e3a11", Cause(CauseCode.ADJUSTMENT)),
        (ledger.welcome_cause("jo@example.com"), Cause(CauseCode.WELCOME)),
        (ledger.order_cause(JOB), Cause(CauseCode.ORDER)),
        (ledger.job_refund_cause(JOB), Cause(CauseCode.JOB_REFUND)),
        (ledger.property_refund_cause(JOB), Cause(CauseCode.PROPERTY_REFUND)),
        (ledger.photo_refund_cause(PHOTO), Cause(CauseCode.PHOTO_REFUND, PHOTO)),
        (ledger.step_refund_cause(PHOTO, STEP), Cause(CauseCode.STEP_REFUND, PHOTO, STEP)),
        (ledger.change_refund_cause(PHOTO, STEP, 3), Cause(CauseCode.CHANGE_REFUND, PHOTO, STEP, 3)),
    ],
)
def test_a_cause_is_read_as_it_was_written(written: str, read: Cause) -> None:
    assert ledger.read_cause(written) == read
