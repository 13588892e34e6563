// A lesson with a chart of curves, apart from its test: moc of Qt 6.4 stops at a raw string with a delimiter.
#pragma once

namespace headlight::test_lesson_curve {

inline constexpr const char* kLesson = R"json({
  "headlight_lesson": 1, "minutes": 5,
  "steps": [{"id": "width", "kind": "chart", "chart": {
    "measure": "curve", "x": {"from": 0, "to": 3, "points": 31}, "data": [[0, 1], [1, 3], [2.5, 2]],
    "sliders": [{"name": "width", "from": 0.05, "to": 5, "step": 0.05, "start": "0.5"},
                {"name": "x", "from": 0, "to": 3, "step": 0.1, "start": "1.2"}],
    "y": {"answer": "dot(softmax(0 - (data(\"x\") - x) * (data(\"x\") - x) / (2 * slider(\"width\") * slider(\"width\"))), data(\"y\"))"},
    "bars": {"share": "softmax(0 - (data(\"x\") - x) * (data(\"x\") - x) / (2 * slider(\"width\") * slider(\"width\")))"}},
    "expect": ["abs(slid(\"width\", 0.05, y(\"answer\", 1)) - 3) < 0.001",
               "slid(\"x\", 2.5, y(\"share\", 2)) > y(\"share\", 2)"]}]
})json";

}  // namespace headlight::test_lesson_curve
