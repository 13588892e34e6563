#include "model/analysis/bench/listed_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "model/core/errors.h"
#include "model/decode/run.h"
#include "model/models/bundle.h"
#include "model/text/utf8.h"
#include "model/trace/site.h"

namespace headlight {

namespace {

constexpr double kNoSuchNumber = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kLogP = "log p";

double mean_log_p(const Result& result) {
  double sum = 0;
  for (const OutputStep& step : result.steps) sum += std::log(step.probability);
  return result.steps.empty() ? kNoSuchNumber : sum / static_cast<double>(result.steps.size());
}

bool is_of_tokens(Axis axis) {
  return axis == Axis::source || axis == Axis::target || axis == Axis::query || axis == Axis::key;
}

// The largest of what the places from `axis` on leave open.
double largest_at(const Tensor& value, const std::vector<Index>& place, std::size_t axis, Index before) {
  if (axis == place.size()) return static_cast<double>(value[before]);
  const Index count = value.shape()[static_cast<int>(axis)];
  const auto at = [&](Index i) { return largest_at(value, place, axis + 1, before * count + i); };
  if (place[axis] >= 0) return place[axis] < count ? at(place[axis]) : kNoSuchNumber;
  double largest = kNoSuchNumber;
  for (Index i = 0; i < count; ++i)
    if (const double number = at(i); !(number <= largest)) largest = number;
  return largest;
}

}  // namespace

std::string ListedNumber::text() const {
  if (site.empty()) return kLogP;
  std::string line = site + "[";
  for (std::size_t axis = 0; axis < place.size(); ++axis)
    line += (axis > 0 ? "," : "") + (place[axis] < 0 ? ":" : std::to_string(place[axis]));
  return line + "]";
}

ListedNumber parse_listed_number(const std::string& text) {
  if (text == kLogP) return {};
  const auto wrong = [&](const std::string& what) { return UsageError("the number '" + text + "': " + what); };
  const std::size_t open = text.rfind('[');
  if (open == text.npos || open == 0 || !text.ends_with(']'))
    throw wrong("expected SITE[2,7], SITE[:,7] (: is the largest along it) or 'log p'");
  ListedNumber made{text.substr(0, open), {}};
  if (!find_site_kind(made.site)) throw wrong("there is no value '" + made.site + "'");
  for (std::size_t at = open + 1; at < text.size();) {
    const std::size_t end = text.find_first_of(",]", at);
    Index place = -1;
    const auto [rest, error] = std::from_chars(text.data() + at, text.data() + end, place);
    const bool is_number = error == std::errc() && rest == text.data() + end && place >= 0;
    if (!is_number && text.substr(at, end - at) != ":")
      throw wrong("expected whole numbers or : in the brackets, found '" + text.substr(at, end - at) + "'");
    made.place.push_back(is_number ? place : -1);
    at = end + 1;
  }
  return made;
}

ListedNumber listed_number(const Site& site, const Shape& shape, Index cell) {
  ListedNumber made{site.text, std::vector<Index>(static_cast<std::size_t>(shape.rank()))};
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    made.place[static_cast<std::size_t>(axis)] = cell % shape[axis];
    cell /= shape[axis];
  }
  const std::vector<Axis>& axes = site.kind->axes;
  if (axes.size() != made.place.size() || axes.empty() || is_of_tokens(axes.back())) return made;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    if (is_of_tokens(axes[axis])) made.place[axis] = -1;
  return made;
}

double number_in(const Result& result, const ListedNumber& asked) {
  if (asked.site.empty()) return mean_log_p(result);
  const Tensor value = result.trace ? result.trace->value(asked.site) : Tensor();
  if (!value.defined() || value.shape().rank() != static_cast<int>(asked.place.size())) return kNoSuchNumber;
  return largest_at(value, asked.place, 0, 0);
}

double number_of_text(const std::shared_ptr<const ModelBundle>& model, const ListedText& text, std::size_t at,
                      const ListedNumber& asked, const CancelToken& cancel) {
  Request request;
  request.model = model;
  request.cancel = cancel;
  if (model->stored) {
    request.source = std::to_string(at);
    return number_in(model->stored->run(request), asked);
  }
  request.source = valid_utf8(text.text);
  request.second = valid_utf8(text.second);
  if (!text.target.empty()) request.target = valid_utf8(text.target);
  request.capture.explain = false;
  request.trace = !asked.site.empty();
  const HeadSite head(asked.site);
  request.capture.sites = {without_indices(head.all.empty() ? asked.site : head.all)};
  return number_in(run(request), asked);
}

}  // namespace headlight
