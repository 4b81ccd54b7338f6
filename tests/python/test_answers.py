"""What a study expects to gain, what it says while it knows nothing, and what problems have for it."""

import numpy as np
import pytest
import salvo


def test_what_is_left_to_gain(box):
    study = salvo.Study(box, direction="minimize", batch=5, num_initial=5, seed=1)
    assert study.expected_gain() is None
    left = []
    for _ in range(6):
        trials = study.ask(5)
        study.tell(trials, [(p["a"] - 0.3) ** 2 + (p["b"] - 0.6) ** 2 for p in trials.to_dicts()])
        left.append(study.expected_gain())
    assert 0 <= left[-1] < 1e-3 < left[0]
    study = salvo.minimize(lambda p: (p["a"] - 0.3) ** 2 + (p["b"] - 0.6) ** 2, box, 200, batch=5, gain=1e-3, seed=1)
    assert study.counts.done < 100 and "less than 0.001" in study.stopped
    several = salvo.Study(box, outputs={"cost": "minimize", "ok": "passed"})
    with pytest.raises(ValueError, match="one output"):
        several.expected_gain()
    with pytest.raises(ValueError, match="no trial has a value yet"):
        several.best
    several.tell(several.ask(1), [{"ok": 1.0}])
    with pytest.raises(ValueError, match="no trial has a value of 'cost' yet"):
        several.best


def test_a_problem_with_several_outputs_says_what_each_is_for():
    problem = salvo.problem("welded_beam")
    assert len(problem.outputs) > 1
    study = salvo.Study(problem.space, outputs=problem.outputs, batch=4, seed=0)
    trials = study.ask(4)
    study.tell(trials, [problem(p) for p in trials.to_dicts()])
    assert all(each is not None for each in study.trials[0].values.values())
    assert set(problem(trials[0].params)) == set(problem.outputs)
    front = salvo.problem("dtlz2_10")
    assert np.isnan(front.optimum) and front.hypervolume > 0 and isinstance(salvo.problem("hartmann6")(salvo.problem("hartmann6").space.sample(1, 0)[0]), float)
