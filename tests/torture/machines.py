"""Runs a state machine of Hypothesis again and again until a budget is over."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.torture.budget import Budget

_STEPS, _SHORT_STEPS = 50, 15  # of a machine, at most
_LONG_S = 60.0  # a budget of fewer seconds is too short to make a failure smaller


def run_machines(machine: type[RuleBasedStateMachine], budget: Budget, *, at_once: int) -> list[str]:
    """What failed, with the steps that led there. at_once: machines of a call to Hypothesis, which learns from each.

    The first one of a call is always the same, and does little.
    """
    is_long = budget.seconds > _LONG_S
    options = settings(
        max_examples=at_once if is_long else 2,
        stateful_step_count=_STEPS if is_long else _SHORT_STEPS,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink] if is_long else [Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    failures: list[str] = []
    while True:  # at least once
        drawn = seed(budget.draw.randrange(2**32))(type(machine.__name__, (machine,), {}))
        try:
            run_state_machine_as_test(drawn, settings=options)
        except Exception as exc:  # noqa: BLE001  whatever it is, it is counted
            steps = "\n".join(getattr(exc, "__notes__", ()))
            failures.append(f"{type(exc).__name__}: {exc}\n{steps}")
            print(failures[-1], flush=True)
        if budget.is_over:
            return failures
