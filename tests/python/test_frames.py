"""Frames with columns of their owner's own."""

import pytest
import salvo


def test_columns_of_ones_own_are_kept_beside_the_values(box):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"a": [0.1, 0.2], "b": [0.5, 0.5], "operator": ["Ann", None], "seconds": [2.5, float("nan")], "mixed": [1, "two"], "value": [1.0, 2.0]}
    for frame in (pandas.DataFrame(columns), polars.DataFrame({**columns, "mixed": ["1", "two"]})):
        study = salvo.Study(box, direction="minimize")
        study.add(frame, frame["value"], sd=0.1)
        first, second = study.trials
        assert first.said == {"operator": "Ann", "mixed": "1"} and first.measured == {"seconds": 2.5, "sd": 0.1}
        assert second.said == {"mixed": "two"} and second.measured == {"sd": 0.1} and second.value == 2
    with pytest.raises(ValueError, match="b"):
        study.add(pandas.DataFrame({"a": [0.1], "bb": [0.5]}), [1.0])
    several = salvo.Study(box, outputs={"cost": "minimize", "ok": "passed"})
    several.add(pandas.DataFrame({"a": [0.1], "b": [0.5], "operator": ["Ann"], "cost": [9.0]}), [{"cost": 1.0}])
    assert several.trials[0].said == {"operator": "Ann"} and several.trials[0].values == {"cost": 1.0, "ok": None}
