#include "model/io/formats/weight_files.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "model/core/ascii.h"
#include "model/io/file.h"
#include "model/io/formats/captured/stored_maps.h"
#include "model/io/text_file.h"
#include "model/io/torch_layouts.h"
#include "model/io/zip.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kStart = 512;
constexpr const char* kWeightsOnly =
    "a file of weights does not say which model they belong to; open the folder that they came in";
// What torch.save wrote before version 1.6: three pickles, the first one a magic number.
constexpr std::string_view kOldTorch = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e";

// The first bytes; empty when they cannot be read.
std::string start_of(const fs::path& path) {
  try {
    return FileReader(path).beginning(kStart);
  } catch (const Error&) {
    return {};
  }
}

bool ends_in(const fs::path& path, std::initializer_list<const char*> endings) {
  const std::string ending = lower_ascii(path.extension().string());
  return std::any_of(endings.begin(), endings.end(), [&](const char* each) { return ending == each; });
}

bool is_zip(const std::string& start) { return start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06"); }

// Of an archive: PyTorch's if an entry is called data.pkl, NumPy's if each is an array. A broken one is what its name
// says.
bool is_torch_zip(const fs::path& path) {
  try {
    const ZipReader zip = open_zip(path);
    for (const ZipEntry& entry : zip.entries())
      if (entry.name == "data.pkl" || entry.name.ends_with("/data.pkl")) return true;
    return !ends_in(path, {".npz"}) && std::none_of(zip.entries().begin(), zip.entries().end(),
                                                    [](const ZipEntry& entry) { return entry.name.ends_with(".npy"); });
  } catch (const Error&) {
    return !ends_in(path, {".npz"});
  }
}

ModelCard card(const fs::path&) { return {}; }
std::vector<fs::path> files(const fs::path& path) { return {path}; }

// Layers of torch.nn alone read vectors; where a table makes these of tokens, a mapping may say the rest.
std::string why_weights_alone(const TensorFile& tensors) {
  const bool table = std::ranges::any_of(tensors.tensors(), [](const TensorEntry& entry) {
    const std::string name = lower_ascii(entry.name);
    return entry.shape.size() == 2 && (name.find("emb") != name.npos || name.find("wte") != name.npos);
  });
  if (table) return std::string(kWeightsOnly) + ", or say with a mapping which tensor is which";
  const std::vector<TorchLayout> layouts = torch_layouts(tensors);
  if (layouts.empty()) return kWeightsOnly;
  std::set<std::string> modules;
  for (const TorchLayout& layout : layouts) modules.insert(layout.module);
  std::string names;
  for (const std::string& module : modules) names += (names.empty() ? "" : ", ") + module;
  return "it holds " + names + " alone, which reads vectors: there is no table of embeddings that makes them of a text";
}

// A pointer of Git LFS, a web page, nothing at all: what lies where weights should. Their own archives are no fault.
void refuse_other_than_weights(const fs::path& path) {
  const std::string start = FileReader(path).beginning(kStart);
  const bool header = start.size() > 8 && start[8] == '{';  // of safetensors, behind its length, which may be any bytes
  if (!is_zip(start) && !header) refuse_other_content(start, path.string());
}

using Opener = std::shared_ptr<const TensorFile> (*)(const fs::path&);

template <Opener opener>
Contents contents(const fs::path& path) {
  refuse_other_than_weights(path);
  auto tensors = opener(path);
  const std::string almost = why_no_attention(*tensors);
  std::string reason = almost.empty() ? why_weights_alone(*tensors) : almost;
  if (const auto& unread = tensors->unread(); !unread.empty())
    reason += "; not read: " + unread.front().first + " (" + unread.front().second + ")";
  return {std::move(tensors), false, reason, {}};
}
// What is broken is told before that it would not run anyway.
template <Opener opener>
[[noreturn]] void refuse_to_run(const fs::path& path) {
  throw FormatError(path.string() + ": " + contents<opener>(path).reason);
}
template <Opener opener>
std::shared_ptr<const ModelBundle> open(const fs::path& path, const Opening&) {
  refuse_to_run<opener>(path);
}
template <Opener opener>
ModelDescription describe(const fs::path& path) {
  refuse_to_run<opener>(path);
}

template <Opener opener>
Format weights(const char* id, const char* title, const char* expects, const char* patterns,
               bool (*recognise)(const fs::path&)) {
  return {id,   title, expects, false, false, patterns, recognise, contents<opener>, open<opener>, describe<opener>,
          card, files};
}

// What is known and not read, by its first bytes or its ending.
struct Other {
  const char* name;
  const char* advice;
  bool (*is)(const std::string& start, const fs::path& path);
};
const Other kOthers[] = {
    {"a PyTorch file in the format before version 1.6", "load it and save it again with torch.save",
     [](const std::string& start, const fs::path&) { return start.starts_with(kOldTorch); }},
    {"a tar archive, the format of PyTorch before version 0.1.10", "load it and save it again with torch.save",
     [](const std::string& start, const fs::path& path) {
       return (start.size() >= 262 && std::string_view(start).substr(257, 5) == "ustar") || ends_in(path, {".tar"});
     }},
    {"an HDF5 file (Keras, TensorFlow)", "save the model as safetensors",
     [](const std::string& start, const fs::path& path) {
       return start.starts_with("\x89HDF\r\n\x1a\n") || ends_in(path, {".h5", ".hdf5", ".keras"});
     }},
    {"an ONNX graph", "open the model that it was exported from",
     [](const std::string&, const fs::path& path) { return ends_in(path, {".onnx"}); }},
    {"a msgpack file (Flax)", "save the model as safetensors",
     [](const std::string&, const fs::path& path) { return ends_in(path, {".msgpack"}); }},
};

const Other* other(const fs::path& path) {
  const std::string start = start_of(path);
  for (const Other& row : kOthers)
    if (row.is(start, path)) return &row;
  return nullptr;
}
[[noreturn]] void refuse_other(const fs::path& path) {
  refuse_other_than_weights(path);
  const Other* row = other(path);
  throw FormatError(path.string() + ": this is " + (row ? row->name : "a file") + ", which is not read; " +
                    (row ? row->advice : "save it as safetensors"));
}

}  // namespace

std::shared_ptr<const TensorFile> open_weight_file(const fs::path& path) {
  for (const Format& format :
       {torch_format(), npz_format(), npy_format(), pickle_format(), other_format(), safetensors_format()})
    if (format.recognise(path)) return format.contents(path).tensors;
  throw FormatError(path.string() + ": expected a file of weights (.safetensors, .bin, .pt, .npz)");
}

Format safetensors_format() {
  return weights<open_safetensors>("safetensors", "safetensors file", "a safetensors file", "*.safetensors",
                                   [](const fs::path& path) {
                                     if (ends_in(path, {".safetensors"})) return true;
                                     const std::string start = start_of(path);
                                     std::uint64_t length = 0;
                                     if (start.size() < 10) return false;
                                     std::memcpy(&length, start.data(), sizeof(length));
                                     return length > 1 && length <= 100'000'000 && start[8] == '{';
                                   });
}
Format torch_format() {
  return weights<open_torch_zip>(
      "pytorch", "PyTorch checkpoint", "a file of torch.save", "*.pt *.pth *.bin *.ckpt", [](const fs::path& path) {
        const std::string start = start_of(path);
        return is_zip(start)
                   ? is_torch_zip(path)
                   : ends_in(path, {".pt", ".pth", ".bin", ".ckpt"}) && !start.starts_with('\x80') && !other(path);
      });
}
Format npz_format() {
  return weights<open_npz>("npz", "NumPy archive", "an npz archive", "*.npz", [](const fs::path& path) {
    return ends_in(path, {".npz"}) || (is_zip(start_of(path)) && !is_torch_zip(path));
  });
}
Format npy_format() {
  return weights<open_npy>("npy", "NumPy array", "an npy array", "*.npy", [](const fs::path& path) {
    return ends_in(path, {".npy"}) || start_of(path).starts_with("\x93NUMPY");
  });
}
Format pickle_format() {
  return weights<open_pickle>("pickle", "pickle", "a pickle", "*.pkl *.pickle", [](const fs::path& path) {
    const std::string start = start_of(path);
    if (start.starts_with(kOldTorch)) return false;
    return ends_in(path, {".pkl", ".pickle"}) ||
           (start.size() > 1 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5);
  });
}
Format other_format() {
  return {"other",
          "a format that is not read",
          "a format that is read",
          false,
          false,
          "*.onnx *.h5 *.msgpack *.tar",
          [](const fs::path& path) { return other(path) != nullptr; },
          [](const fs::path& path) -> Contents { refuse_other(path); },
          [](const fs::path& path, const Opening&) -> std::shared_ptr<const ModelBundle> { refuse_other(path); },
          [](const fs::path& path) -> ModelDescription { refuse_other(path); },
          card,
          files};
}

}  // namespace headlight
