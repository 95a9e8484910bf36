"""The tests notice deliberate faults. A long run only: each fault runs the quick tests once."""

import pytest

from tests.faults import FAULTS, PATIENCE_S, ROOT, Fault, run


@pytest.mark.long
def test_nothing_is_caught_where_nothing_is_wrong() -> None:
    """The copy holds all that the quick tests need: else every fault would seem to be caught."""
    assert run(None) == (False, "", pytest.approx(0, abs=PATIENCE_S))


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_caught(fault: Fault) -> None:
    """A one-line fault in the rules, the view or the match makes some quick test fail."""
    caught, _, _ = run(fault)
    assert caught


def test_every_fault_is_one() -> None:
    """Each line to be changed stands in its file once, and the change changes it."""
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 16
    for fault in FAULTS:
        text = (ROOT / "server" / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.line) == 1, fault.name
        assert fault.line != fault.made
