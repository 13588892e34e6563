#include <algorithm>
#include <cmath>

#include "app/cli/analyse/methods.h"
#include "app/cli/printed/text_format.h"
#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/listed_number.h"
#include "model/core/errors.h"

namespace headlight {

// What *Over my texts* of the window asks.
void analyse_number(AnalysisRun& run) {
  const ListedNumber asked = parse_listed_number(run.command().number);
  std::vector<double> numbers;
  run.each_text([&](std::size_t i) {
    const ListedText& text = run.bundle()->stored ? run.listed()[i] : run.text(i).given;
    numbers.push_back(number_of_text(run.bundle(), text, i, asked, run.cancel()));
  });
  if (std::ranges::all_of(numbers, [](double number) { return std::isnan(number); }))
    throw UsageError("--number: no text of these has '" + asked.text() + "'");
  ExperimentTable& table = run.result().table;
  table = {"number", {"text", asked.text()}, {}};
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    table.rows.push_back({static_cast<double>(i), numbers[i]});
    if (std::isnan(numbers[i])) continue;
    sum += numbers[i];
    squares += numbers[i] * numbers[i];
    ++count;
  }
  const double mean = sum / count;
  std::ranges::stable_sort(table.rows, [](const auto& a, const auto& b) {
    const double x = std::get<double>(a[1]), y = std::get<double>(b[1]);
    return std::isnan(x) || std::isnan(y) ? !std::isnan(x) && std::isnan(y) : x > y;
  });
  run.result().about["number"] = asked.text();
  run.result().notes.push_back(format("mean %.6g ± %.6g over %.0f texts; texts count from 0", mean,
                                      std::sqrt(std::max(0.0, squares / count - mean * mean)), count));
  run.result().arrays.push_back({"number", {static_cast<Index>(numbers.size())}, std::move(numbers)});
}

}  // namespace headlight
