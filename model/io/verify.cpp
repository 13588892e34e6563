#include "model/io/verify.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "model/core/numbers.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"

namespace headlight {

namespace {

constexpr const char *kIds = "input.src.ids", *kComputedBy = "computed_by", *kOurselves = "Headlight";

struct Reference {
  std::vector<NamedTensor> tensors;
  std::map<std::string, std::string> metadata;

  std::optional<std::string> said(const std::string& key) const {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::nullopt : std::optional(found->second);
  }
};

Reference read_reference(const std::filesystem::path& path) {
  if (path.extension() == ".npz") return {read_npz(path), {}};
  const SafetensorsFile file(path);
  Reference reference{{}, file.metadata()};
  for (const TensorInfo& info : file.tensors()) reference.tensors.push_back({info.name, file.load(info.name)});
  return reference;
}

std::string shown_number(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

double tolerance_of(const Reference& reference, const std::string& file) {
  const std::optional<std::string> said = reference.said("tolerance");
  if (!said) return kVerifyTolerance;
  const std::string& text = *said;
  double value = 0;
  if (!parse_number(text, value) || !(value >= 0) || !std::isfinite(value))
    throw FormatError(file + ": tolerance: expected a number from 0 on, found \"" + text + "\"");
  if (value > kMostTolerance)
    throw FormatError(file + ": tolerance: expected at most " + shown_number(kMostTolerance) + ", found \"" + text +
                      "\": a greater one proves nothing");
  return value;
}

// The text that the ids of a reference spell, in reading order.
std::string spelled(const Tensor& ids, const ModelBundle& bundle, const std::string& file) {
  std::vector<TokenId> tokens;
  for (Index i = 0; i < ids.size(); ++i) {
    const Scalar id = ids[i];
    if (!(id >= 0 && id < static_cast<Scalar>(bundle.source_vocabulary().size())) || id != std::floor(id))
      throw FormatError(file + ": " + kIds + ": expected ids from 0 to " +
                        std::to_string(bundle.source_vocabulary().size() - 1) + " in cell " + std::to_string(i));
    tokens.push_back(static_cast<TokenId>(id));
  }
  if (bundle.model->traits().reads_reversed) std::reverse(tokens.begin(), tokens.end());
  return bundle.text.source.join(tokens);
}

std::string source_of(const Reference& reference, const ModelBundle& bundle, const std::string& file) {
  if (const auto said = reference.said("source")) return *said;
  for (const NamedTensor& tensor : reference.tensors)
    if (tensor.name == kIds) return spelled(tensor.value, bundle, file);
  throw FormatError(file + ": it does not say which source was run: expected metadata \"source\" or the site " + kIds);
}

std::vector<FurtherText> further_texts(const Reference& reference, const std::string& file) {
  const std::optional<std::string> said = reference.said("texts");
  if (!said) return {};
  const std::string where = file + ": texts";
  const Json list = parse_json(*said, where, {.depth = 3, .values = 3 * kMostFurtherTexts + 1});
  if (!list.is_array()) throw FormatError(where + ": expected a list");
  if (list.size() > kMostFurtherTexts)
    throw FormatError(where + ": expected at most " + std::to_string(kMostFurtherTexts) + ", found " +
                      std::to_string(list.size()));
  std::vector<FurtherText> texts;
  for (const Json& each : list) {
    const Settings text(each, where);
    text.allow_only({"source", "target"});
    texts.push_back({text.text("source"), {}});
    if (text.has("target")) texts.back().target = text.text("target");
  }
  return texts;
}

// Of a text, not of the model: its tokens, and which of them may be read.
bool is_given(const SiteKind& kind) {
  using Role = SiteKind::Role;
  return kind.side == SiteKind::Side::input || kind.role == Role::source || kind.role == Role::written ||
         kind.role == Role::keep;
}

SiteDifference compare(const std::string& site, const SiteKind& kind, const Tensor& expected, const Tensor& found,
                       double tolerance) {
  SiteDifference row{site, SiteDifference::State::compared, expected.shape(), found.shape(), 0, -1, false};
  if (expected.shape() != found.shape()) {
    row.state = SiteDifference::State::wrong_shape;
    return row;
  }
  // Rounding grows with the numbers: unscaled scores of a trained model reach the thousands.
  double scale = 1;
  for (Index i = 0; i < expected.size(); ++i)
    if (std::isfinite(expected[i])) scale = std::max(scale, std::abs(static_cast<double>(expected[i])));
  for (Index i = 0; i < expected.size(); ++i) {
    const double a = static_cast<double>(expected[i]), b = static_cast<double>(found[i]);
    double difference = a == b ? 0 : std::abs(a - b) / scale;
    if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
    row.nan += std::isnan(a);
    row.proving += std::isfinite(a) && !is_given(kind);
    if (row.cell >= 0 && difference <= row.difference) continue;
    row.difference = difference;
    row.cell = i;
  }
  row.within = row.difference <= tolerance;
  return row;
}

}  // namespace

bool Verification::agrees() const {
  return std::ranges::any_of(sites, [](const SiteDifference& row) { return row.proving > 0; }) &&
         std::ranges::none_of(sites, &SiteDifference::failed);
}

bool Verification::complete() const {
  return std::ranges::none_of(sites, [](const SiteDifference& row) {
    return row.state == SiteDifference::State::missing_in_reference && !row.within;
  });
}

const SiteDifference* Verification::worst() const {
  const SiteDifference* worst = nullptr;
  for (const SiteDifference& row : sites)
    if (row.state == SiteDifference::State::compared && (!worst || row.difference > worst->difference)) worst = &row;
  return worst;
}

Verification verify_model(const std::shared_ptr<const ModelBundle>& bundle, const std::filesystem::path& reference_path,
                          const std::optional<std::string>& source) {
  const std::filesystem::path path = reference_path.empty() ? bundle->folder / "verify.safetensors" : reference_path;
  const Reference reference = read_reference(path);
  Verification verification;
  verification.tolerance = tolerance_of(reference, path.string());
  verification.file = path;
  verification.computed_by = reference.said(kComputedBy).value_or("");
  verification.independent = !verification.computed_by.empty() && verification.computed_by != kOurselves;
  verification.source = source ? *source : source_of(reference, *bundle, path.string());
  verification.further = further_texts(reference, path.string());
  std::unordered_map<std::string, const Tensor*> expected;
  for (const NamedTensor& tensor : reference.tensors) expected.emplace(tensor.name, &tensor.value);
  std::unordered_set<std::string> computed;
  const auto compare_run = [&](const std::string& prefix, const std::string& text, std::optional<std::string> target) {
    Request request;
    request.model = bundle;
    request.source = text;
    request.target = std::move(target);
    request.capture.explain = false;
    const Result result = run(request);
    for (const TraceEntry& entry : result.trace->entries()) {
      const std::string name = prefix + entry.site.text;
      if (const auto found = expected.find(name); found != expected.end()) {
        computed.insert(name);
        verification.sites.push_back(
            compare(name, *entry.site.kind, *found->second, entry.value, verification.tolerance));
      } else if (prefix.empty()) {
        verification.sites.push_back({name, SiteDifference::State::missing_in_reference, Shape(), entry.value.shape(),
                                      0, -1, entry.site.kind->derived});
      }
    }
  };
  compare_run("", verification.source, reference.said("target"));
  for (std::size_t k = 0; k < verification.further.size(); ++k)
    compare_run("text[" + std::to_string(k + 1) + "].", verification.further[k].source, verification.further[k].target);
  for (const NamedTensor& tensor : reference.tensors)
    if (!computed.contains(tensor.name))
      verification.sites.push_back(
          {tensor.name, SiteDifference::State::missing_in_run, tensor.value.shape(), Shape(), 0, -1, false});
  return verification;
}

void save_verification(const std::filesystem::path& path, const Result& result, double tolerance) {
  if (!result.trace) throw UsageError("cannot write " + path.string() + ": the run kept no trace");
  std::vector<NamedTensor> tensors;
  for (const TraceEntry& entry : result.trace->entries()) tensors.push_back({entry.site.text, entry.value});
  write_safetensors(path, tensors,
                    {{"source", result.source}, {"tolerance", shown_number(tolerance)}, {kComputedBy, kOurselves}},
                    StorageType::f32);
}

}  // namespace headlight
