// A folder of another library compared with what that library computed.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/interruption.h"
#include "app/cli/printed/text_format.h"
#include "app/cli/run_pretrained.h"
#include "app/cli/verify/adapter_reference.h"
#include "app/messages.h"
#include "model/core/errors.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/format.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/npz.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

constexpr int kNewTokens = 12;       // that the outputs of a reference have at most
constexpr double kTolerance = 1e-4;  // of the largest value of an array

// Throws FormatError "WHERE: ..." for numbers that are no ids.
std::vector<TokenId> ids_of(const Tensor& tensor, const std::string& where) {
  constexpr Scalar kMost = 1e9;
  std::vector<TokenId> ids;
  for (Index i = 0; i < tensor.size(); ++i) {
    const Scalar id = tensor[i];
    if (!(id >= -kMost && id <= kMost) || id != std::floor(id))
      throw FormatError(where + ": expected numbers of tokens, found " + format("%g", static_cast<double>(id)));
    ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

// The arrays of one text, by their names without it.
using Case = std::vector<NamedTensor>;
const Tensor* find(const Case& arrays, const std::string& name) {
  for (const NamedTensor& array : arrays)
    if (array.name == name) return &array.value;
  return nullptr;
}

// "[2, 0, 7]"
std::string place_text(const Shape& shape, Index at) {
  std::string text;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    text = std::to_string(at % shape[axis]) + (text.empty() ? "" : ", ") + text;
    at /= shape[axis];
  }
  return "[" + text + "]";
}

struct ComparedRuns {
  std::string text;
  bool failed = false;
};
ComparedRuns compared(const Tensor* found, const Tensor& expected) {
  if (!found) return {"missing in the run", true};
  if (found->shape() != expected.shape())
    return {"expected shape " + expected.shape().text() + ", found " + found->shape().text(), true};
  if (expected.size() == 0) return {"no numbers in the reference", true};
  // In shares of the largest finite number: an infinite one would let everything pass.
  double largest = 0, worst = 0;
  Index worst_at = 0;
  for (Index i = 0; i < expected.size(); ++i)
    if (std::isfinite(expected[i])) largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
  for (Index i = 0; i < expected.size(); ++i) {
    const auto a = static_cast<double>(expected[i]), b = static_cast<double>((*found)[i]);
    for (const auto& [number, where] : {std::pair(a, "the reference"), {b, "the run"}})
      if (std::isnan(number))
        return {std::string("NaN in ") + where + " at " + place_text(expected.shape(), i) + ", which proves nothing",
                true};
    const double apart = a == b ? 0 : std::abs(a - b);
    if (apart > worst) worst = apart, worst_at = i;
  }
  const bool failed = worst > kTolerance * largest;
  std::string text = format("%g", worst / std::max(largest, 1e-30));
  if (failed)
    text += "   above the tolerance, at " + place_text(expected.shape(), worst_at) +
            format(" expected %g, found %g", static_cast<double>(expected[worst_at]),
                   static_cast<double>((*found)[worst_at]));
  else if (std::ranges::none_of(expected.values(), [](Scalar x) { return std::isfinite(x); }))
    return {"no finite number in the reference", true};
  return {text, failed};
}

// What a text is written on to, as the library did it: its tokens and up to twelve new ones.
ComparedRuns compared_output(const PretrainedModel& model, const std::vector<TokenId>& ids,
                             const std::vector<TokenId>& wanted, const CancelToken& cancel) {
  std::vector<TokenId> all = model.beginning(ids);
  const auto count = static_cast<int>(wanted.size()) - static_cast<int>(all.size());
  if (count < 0) return {"expected more tokens than the text has", true};
  for (const TokenId id : model.continued(ids, std::max(count, kNewTokens), cancel).ids) all.push_back(id);
  const auto [a, b] = std::mismatch(wanted.begin(), wanted.end(), all.begin(), all.end());
  if (a == wanted.end() && b == all.end()) return {"the same tokens", false};
  return {"differs from token " + std::to_string(a - wanted.begin()) + " on", true};
}

}  // namespace

int verify_pretrained(const VerifyCommand& command) {
  const Interruptible interruptible;
  const auto place = adapted_place(command.model);
  const std::filesystem::path folder = place ? place->adapter : std::filesystem::path(command.model);
  const std::filesystem::path path =
      command.reference.empty() ? folder / "reference.npz" : std::filesystem::path(command.reference);
  std::map<std::string, Case> cases;
  for (NamedTensor& array : read_npz(path)) {
    const std::size_t point = array.name.find('.');
    if (point == std::string::npos)
      throw FormatError(path.string() + ": \"" + array.name + "\": expected a name such as case0.input_ids");
    cases[array.name.substr(0, point)].push_back({array.name.substr(point + 1), array.value});
  }
  if (cases.empty()) throw FormatError(path.string() + ": it holds nothing: expected CASE.input_ids and its values");
  const auto full =
      open_pretrained(place ? over_base(place->base, place->adapter) : command.model, interruptible.token());
  std::optional<AdapterReference> adapter;
  if (place) adapter.emplace(command, path);
  std::string first;
  int count = 0;
  std::cout << "  " << std::left << std::setw(44) << "value"
            << " worst difference, in shares of the largest value\n";
  const auto line = [&](const std::string& site, const ComparedRuns& result) {
    std::cout << "  " << std::left << std::setw(44) << message_line(site) << " " << result.text << "\n";
    if (result.failed && first.empty()) first = site + ": " + result.text;
  };
  for (const auto& [name, arrays] : cases) {
    if (adapter && adapter->is_of_weights(name)) {
      for (const NamedTensor& array : arrays) {
        const std::optional<Tensor> found = adapter->weights(name, array.name);
        line(name + "." + array.name, compared(found ? &*found : nullptr, array.value));
        ++count;
      }
      continue;
    }
    const std::optional<double> strength = adapter ? adapter->strength(name) : 1;
    if (!strength) continue;
    const auto model = *strength == 1 ? full : full->at_strength(*strength);
    const auto where = [&, of = &name](const std::string& array) { return path.string() + ": " + *of + "." + array; };
    const auto ids_named = [&](const char* array) {
      const Tensor* ids = find(arrays, array);
      return ids ? ids_of(*ids, where(array)) : std::vector<TokenId>();
    };
    if (!find(arrays, "input_ids")) throw FormatError(where("input_ids") + " is missing");
    const std::vector<TokenId> ids = ids_named("input_ids");
    const LibraryValues values =
        model->run(ids, ids_named("token_type_ids"), ids_named("decoder_input_ids"), interruptible.token());
    const int before = count;
    for (const NamedTensor& array : arrays) {
      if (array.name == "input_ids" || array.name == "token_type_ids" || array.name == "decoder_input_ids") continue;
      ComparedRuns result{"not compared", false};
      if (array.name != "generated_beam4") {
        result = array.name == "generated" ? compared_output(*model, ids, ids_named("generated"), interruptible.token())
                                           : compared(find(values, array.name), array.value);
        ++count;
      }
      line(name + "." + array.name, result);
    }
    if (count == before) line(name, {"nothing to compare: it has ids and no values", true});
  }
  std::cout << "\n"
            << (first.empty() ? "passed" : "FAILED") << ": " << count << " values compared, tolerance " << kTolerance
            << "\n";
  if (first.empty()) return 0;
  throw FormatError(command.model + ": the run differs from the reference; the first difference is at " + first);
}

}  // namespace headlight
