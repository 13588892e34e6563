#include "model/analysis/bench/head_effect.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight {

namespace {

// [H x T x k] -> sums over the rows [H x k], in double.
DoubleMatrix sums_of_rows(const Tensor& found) {
  DoubleMatrix sums(found.dim(0), found.dim(2));
  for (Index h = 0; h < found.dim(0); ++h) sums.row(h) = slice_of(found, h).colwise().sum();
  return sums;
}

Tensor one_row(const DoubleMatrix& sums, double count) {
  Tensor mean({sums.rows(), 1, sums.cols()});
  for (Index i = 0; i < mean.size(); ++i) mean[i] = static_cast<Scalar>(sums.data()[i] / count);
  return mean;
}

}  // namespace

HeadFindings HeadFindings::mean_of(const TextReader& reader, const std::vector<TextIds>& texts,
                                   const CancelToken& cancel) {
  struct Sum {
    DoubleMatrix sums;
    double count = 0;
  };
  std::map<std::pair<AttentionMap::Kind, Index>, Sum> all;
  for (const TextIds& text : texts)
    for (const SideReading& side : reader.read(text, TextReader::Keep::all, {}, cancel).sides)
      for (const LayerReading& layer : side.layers) {
        Sum& sum = all[{side.kind, layer.layer}];
        const DoubleMatrix here = sums_of_rows(layer.found);
        sum.sums = sum.count == 0 ? here : DoubleMatrix(sum.sums + here);
        sum.count += static_cast<double>(layer.found.dim(1));
      }
  HeadFindings made;
  for (const auto& [at, sum] : all) {
    if (made.sides_.empty() || made.sides_.back().kind != at.first) made.sides_.push_back({at.first, {}});
    made.sides_.back().layers.emplace_back(at.second, one_row(sum.sums, sum.count));
  }
  return made;
}

HeadFindings HeadFindings::of(const TextReader& reader, const TextIds& other, const CancelToken& cancel) {
  HeadFindings made;
  for (const SideReading& side : reader.read(other, TextReader::Keep::all, {}, cancel).sides) {
    made.sides_.push_back({side.kind, {}});
    for (const LayerReading& layer : side.layers) made.sides_.back().layers.emplace_back(layer.layer, layer.found);
  }
  return made;
}

Tensor HeadFindings::value(const HeadPlace& at, Index rows) const {
  for (const Side& side : sides_)
    for (const auto& [layer, found] : side.layers) {
      if (side.kind != at.kind || layer != at.layer) continue;
      const Index own = found.dim(1), width = found.dim(2);
      const Tensor head = found.view(at.head * own * width, {own, width});
      if (own == rows || own == 1) return head;
      return one_row(DoubleMatrix(slice_of(found, at.head).colwise().sum()), static_cast<double>(own)).view(0, {1, width});
    }
  return {};
}

std::vector<HeadPlace> heads_of(const Reading& reading) {
  std::vector<HeadPlace> heads;
  for (const SideReading& side : reading.sides)
    for (const LayerReading& layer : side.layers)
      for (Index h = 0; h < layer.heads(); ++h) heads.push_back({side.kind, layer.layer, h});
  return heads;
}

void without_each_head(const TextReader& reader, const TextIds& text, const std::vector<HeadPlace>& heads,
                       const HeadFindings& instead, const std::function<void(std::size_t, const Reading&)>& use,
                       const CancelToken& cancel) {
  const auto read = static_cast<Index>(text.ids.size()), fed = static_cast<Index>(text.fed.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    cancel.check();
    const bool of_source = heads[i].kind == AttentionMap::Kind::encoder_self || fed == 0;
    use(i, reader.read(text, TextReader::Keep::output, {{heads[i], instead.value(heads[i], of_source ? read : fed)}},
                       cancel));
  }
}

void OverTexts::add(const std::vector<double>& values) {
  if (texts_ == 0) {
    mean_.assign(values.size(), 0);
    squares_ = first_ = mean_;
  }
  ++texts_;
  const auto farther = [&](double a, double b) { return least_first_ ? a < b : std::abs(a) > std::abs(b); };
  std::size_t best = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {  // Welford 1962
    const double apart = values[i] - mean_[i];
    mean_[i] += apart / static_cast<double>(texts_);
    squares_[i] += apart * (values[i] - mean_[i]);
    if (farther(values[i], values[best])) best = i;
  }
  if (!values.empty()) first_[best] += 1;
}

std::vector<double> OverTexts::sd() const {
  std::vector<double> all;
  for (const double sum : squares_) all.push_back(texts_ > 0 ? std::sqrt(sum / static_cast<double>(texts_)) : 0);
  return all;
}

}  // namespace headlight
