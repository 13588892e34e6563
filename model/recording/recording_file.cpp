#include "model/recording/recording_file.h"

#include <algorithm>
#include <cstdint>

#include "model/core/errors.h"
#include "model/io/safetensors.h"
#include "model/recording/recording_json.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr const char *kFormat = "headlight.training", *kVersion = "1", *kText = "recording", *kTitle = "title";
constexpr std::size_t kMostText = 90'000'000;
constexpr Index kMostNumbers = 1'000'000'000;  // of all tensors

std::string attention_name(std::size_t moment, std::size_t probe) {
  return "moment[" + std::to_string(moment) + "].probe[" + std::to_string(probe) + "].attention";
}
std::string weights_name(std::size_t moment) { return "moment[" + std::to_string(moment) + "].weights"; }

// All maps of a probe [maps x T x S]; undefined where there is nothing in them.
Tensor joined_maps(const ProbeRun& run) {
  if (run.attention.empty() || run.attention.front().size() == 0) return {};
  const Tensor& first = run.attention.front();
  Tensor all({static_cast<Index>(run.attention.size()), first.rows(), first.columns()});
  for (std::size_t m = 0; m < run.attention.size(); ++m) {
    require_shape(run.attention[m].shape() == first.shape(), "save_recording", "maps of one shape",
                  run.attention[m].shape());
    all.view(static_cast<Index>(m) * first.size(), {first.size()}).array() = run.attention[m].array();
  }
  return all;
}

// All parameters behind each other, as they stand in the table.
Tensor joined_weights(const MomentWeights& weights) {
  Index count = 0;
  for (const auto& parameter : weights.parameters) count += parameter->count();
  auto all = std::make_shared<Halves>(Halves::Kind::float16, count);
  std::uint16_t* to = all->bits();
  for (const auto& parameter : weights.parameters)
    to = std::copy_n(parameter->bits(), static_cast<std::size_t>(parameter->count()), to);
  return Tensor::in_halves({count}, std::move(all));
}

class RecordingReader {
 public:
  explicit RecordingReader(const SafetensorsFile& file) : file_(file) {}

  void read_tensors(Recording& recording) {
    Index numbers = 0;
    for (const Recording::ParameterShape& p : recording.parameters) {
      numbers += p.shape.size();
      if (numbers > kMostNumbers) refuse("more than " + std::to_string(kMostNumbers) + " numbers of a model");
    }
    for (std::size_t m = 0; m < recording.moments.size(); ++m) {
      auto moment = std::make_shared<Moment>(*recording.moments[m]);
      for (std::size_t p = 0; p < moment->probes.size(); ++p)
        moment->probes[p].attention = maps(recording, attention_name(m, p), moment->probes[p].output.size());
      if (file_.find(weights_name(m))) moment->weights = weights(recording, weights_name(m), numbers);
      recording.moments[m] = std::move(moment);
    }
    if (used_ != file_.tensors().size())
      refuse("expected " + std::to_string(used_) + " tensors, found " + std::to_string(file_.tensors().size()));
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw FormatError(file_.name() + ": " + what); }

  const TensorInfo& tensor(const std::string& name, const std::vector<std::uint64_t>& shape) {
    const TensorInfo* info = file_.find(name);
    TensorInfo expected;
    expected.shape = shape;
    if (!info) refuse(name + ": expected a tensor " + expected.shape_text() + ", found none");
    if (info->dtype != "F16" || info->shape != shape)
      refuse(name + ": expected F16 " + expected.shape_text() + ", found " + info->dtype + " " + info->shape_text());
    ++used_;
    return *info;
  }

  std::vector<Tensor> maps(const Recording& recording, const std::string& name, std::size_t rows) {
    const std::size_t count = recording.maps.size();
    const TensorInfo* info = file_.find(name);
    if (count == 0 || rows == 0) {
      if (info) refuse(name + ": expected no attention, found " + info->shape_text());
      return std::vector<Tensor>(count, Tensor::zeros({0, 0}));
    }
    // How many columns there are, only the tensor itself says: a text may be read while it is written.
    const std::uint64_t columns = info && info->shape.size() == 3 ? info->shape[2] : 0;
    if (columns > kMostTokens) refuse(name + ": expected at most " + std::to_string(kMostTokens) + " columns");
    tensor(name, {count, rows, columns});
    const Tensor all = file_.load(name);
    if (!(all.array() >= Scalar(0)).all() || !(all.array() <= Scalar(1.001)).all())
      refuse(name + ": expected shares from 0 to 1");
    std::vector<Tensor> maps;
    const Index size = static_cast<Index>(rows * columns);
    for (std::size_t m = 0; m < count; ++m)
      maps.push_back(all.view(static_cast<Index>(m) * size, {static_cast<Index>(rows), static_cast<Index>(columns)}));
    return maps;
  }

  std::shared_ptr<const MomentWeights> weights(const Recording& recording, const std::string& name, Index numbers) {
    const TensorInfo& info = tensor(name, {static_cast<std::uint64_t>(numbers)});
    auto weights = std::make_shared<MomentWeights>();
    std::uint64_t at = 0;
    for (const Recording::ParameterShape& p : recording.parameters) {
      auto halves = std::make_shared<Halves>(Halves::Kind::float16, p.shape.size());
      const std::uint64_t bytes = static_cast<std::uint64_t>(p.shape.size()) * sizeof(std::uint16_t);
      file_.read(info, at, halves->bits(), bytes);
      constexpr std::uint16_t kExponent = 0x7c00;
      if (std::any_of(halves->bits(), halves->bits() + p.shape.size(),
                      [](std::uint16_t bits) { return (bits & kExponent) == kExponent; }))
        refuse(name + ": " + p.name + ": expected finite numbers, found NaN or infinity");
      at += bytes;
      weights->parameters.push_back(std::move(halves));
    }
    return weights;
  }

  const SafetensorsFile& file_;
  std::size_t used_ = 0;
};

bool says_recording(const SafetensorsFile& file) {
  const auto found = file.metadata().find("format");
  return found != file.metadata().end() && found->second == kFormat;
}

}  // namespace

void save_recording(const fs::path& file, const Recording& recording, const RecordingParts& parts) {
  std::vector<NamedTensor> tensors;
  for (std::size_t m = 0; m < recording.moments.size(); ++m) {
    const Moment& moment = *recording.moments[m];
    for (std::size_t p = 0; p < moment.probes.size(); ++p)
      if (const Tensor maps = joined_maps(moment.probes[p]); maps.defined())
        tensors.push_back({attention_name(m, p), maps});
    const bool last = m + 1 == recording.moments.size();
    if (moment.weights && (parts.weights || (last && parts.last_weights)))
      tensors.push_back({weights_name(m), joined_weights(*moment.weights)});
  }
  write_safetensors(file, tensors,
                    {{"format", kFormat},
                     {"version", kVersion},
                     {kTitle, recording.title},
                     {kText, recording_json(recording).dump()}},
                    StorageType::f16);
}

std::shared_ptr<const Recording> load_recording(const fs::path& path) {
  const SafetensorsFile file(path);
  if (!says_recording(file))
    throw FormatError(path.string() + ": expected a recording of a training, found another safetensors file");
  const auto entry = [&](const char* key) {
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end())
      throw FormatError(path.string() + ": expected \"" + key + "\" in the header, found none");
    return found->second;
  };
  if (entry("version") != kVersion)
    throw FormatError(path.string() + ": expected version " + kVersion + " of recordings, found " + entry("version"));
  if (entry(kText).size() > kMostText)
    throw FormatError(path.string() + ": the recording's text has more than " + std::to_string(kMostText) + " bytes");
  auto recording = std::make_shared<Recording>(read_recording_json(entry(kText), path.string()));
  RecordingReader(file).read_tensors(*recording);
  return recording;
}

bool is_recording(const fs::path& path) {
  try {
    return says_recording(SafetensorsFile(path));
  } catch (const Error&) {
    return false;
  }
}

std::string recording_title(const fs::path& path) {
  try {
    const SafetensorsFile file(path);
    if (!says_recording(file)) return {};
    const auto title = file.metadata().find(kTitle);
    return title == file.metadata().end() ? std::string() : title->second;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace headlight
