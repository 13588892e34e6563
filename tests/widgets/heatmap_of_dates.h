// A heatmap of what a model of dates could look at.
#pragma once

#include <cmath>
#include <vector>

#include "widgets/matrix/heatmap.h"

namespace headlight::sample {

inline const QString kDateSource = QStringLiteral("september 27, 1994           ");
inline const QString kDateOutput = QStringLiteral("1994-09-27");

inline std::vector<AxisLabel> labels_of(const QString& text) {
  std::vector<AxisLabel> labels;
  for (const QChar c : text) {
    if (c == ' ')
      labels.push_back({QStringLiteral("␣"), true, QStringLiteral("space")});
    else
      labels.push_back({QString(c), false, {}});
  }
  return labels;
}

inline std::vector<float> date_weights(float shift = 0) {
  constexpr int kLooked[] = {14, 15, 16, 17, 9, 3, 5, 12, 10, 11};
  std::vector<float> values;
  for (const int middle : kLooked) {
    float sum = 0;
    std::vector<float> row;
    for (int j = 0; j < 29; ++j) {
      row.push_back(std::exp(-1.3f * std::abs(static_cast<float>(j - middle) + shift)));
      sum += row.back();
    }
    for (const float v : row) values.push_back(v / sum);
  }
  return values;
}

inline void fill(Heatmap& map, quint64 generation = 1) {
  map.set_captions("output", "source", "weight");
  map.set_labels(labels_of(kDateOutput), labels_of(kDateSource));
  map.set_matrix(10, 29, date_weights(), generation);
}

inline QPoint middle_of(const Heatmap& map, int row, int column) {
  return map.heatmap_layout().cell_rect(row, column).center().toPoint();
}

}  // namespace headlight::sample
