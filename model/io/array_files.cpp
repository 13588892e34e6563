// npy, npz, PyTorch's zip checkpoints and pickles as files of tensors. Of each only its directory is read; the numbers
// when they are asked for.

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "model/core/budget.h"
#include "model/core/slices.h"
#include "model/io/file.h"
#include "model/io/npy_header.h"
#include "model/io/pickle_tensors.h"
#include "model/io/tensor_file.h"
#include "model/io/zip.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUsualHeader = 4096;
constexpr std::uint64_t kMaxTorchPickle = 64u << 20;

// An array of NumPy: where its numbers are, and how they lie there.
struct Array {
  StridedView view;
  std::uint64_t begin = 0;  // of the numbers, behind the header
  bool dense = false;       // they lie as bytes() has them
};

// `start` are the first bytes of an array of `size` bytes. Throws FormatError "WHERE: ...".
std::pair<TensorEntry, Array> read_header(std::string_view start, std::uint64_t size, const std::string& name,
                                          const std::string& where) {
  const NpyHeader header = parse_npy_header(start, where);
  Array array;
  array.begin = header.data_begin;
  array.view = header.view();
  array.dense = !header.fortran_order && !header.swap;
  const bool has_size = header.item_bytes > 0;
  if (has_size) array.view.check(UINT64_MAX, where);
  const std::uint64_t needed = has_size ? array.view.count() * header.item_bytes : 0;
  const std::uint64_t found = size - array.begin;
  if (needed > found) throw FormatError(where + ": the array is cut off; missing: " + bytes_text(needed - found));
  if (needed < found) throw FormatError(where + ": the array is followed by " + bytes_text(found - needed));
  return {TensorEntry{name, header.dtype(), header.shape, needed, {}}, array};
}

class NpyTensors : public TensorFile {
 public:
  explicit NpyTensors(const fs::path& path) : file_(path) {
    std::string start = file_.beginning(kUsualHeader);
    if (const std::uint64_t needed = npy_header_size(start); needed > start.size()) start = file_.beginning(needed);
    // Nothing else is in the file.
    if (const std::string why = parse_npy_header(start, path.string()).unread; !why.empty())
      throw FormatError(path.string() + ": " + why);
    auto [entry, array] = read_header(start, file_.size(), path.stem().string(), path.string());
    tensors_.push_back(std::move(entry));
    array_ = array;
  }
  std::string bytes(std::size_t) const override {
    std::string numbers(static_cast<std::size_t>(tensors_[0].bytes), '\0');
    file_.read(array_.begin, numbers.data(), numbers.size());
    return array_.view.gather(numbers, file_.path().string());
  }
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override {
    if (!array_.dense || offset > tensors_[0].bytes || count > tensors_[0].bytes - offset)
      return TensorFile::read(i, offset, to, count);
    file_.read(array_.begin + offset, to, count);
  }
  bool reads_parts(std::size_t) const override { return array_.dense; }

 private:
  FileReader file_;
  Array array_;
};

class NpzTensors : public TensorFile {
 public:
  explicit NpzTensors(const fs::path& path) : name_(path.string()), zip_(open_zip(path)) {
    for (const ZipEntry& entry : zip_.entries()) {
      if (!entry.name.ends_with(".npy")) {
        if (!entry.name.ends_with('/')) unread_.emplace_back(entry.name, "no array of NumPy (.npy)");
        continue;
      }
      const std::string where = name_ + ": " + entry.name, name = entry.name.substr(0, entry.name.size() - 4);
      std::string start = zip_.unpack_start(entry, kUsualHeader);
      if (const std::uint64_t needed = npy_header_size(start); needed > start.size())
        start = zip_.unpack_start(entry, static_cast<std::size_t>(needed));
      if (const std::string why = parse_npy_header(start, where).unread; !why.empty()) {
        unread_.emplace_back(name, why);
        continue;
      }
      auto [tensor, array] = read_header(start, entry.size, name, where);
      tensors_.push_back(std::move(tensor));
      arrays_.push_back(std::move(array));
      places_.push_back(&entry);
    }
  }
  std::string bytes(std::size_t i) const override {
    const ZipEntry& entry = *places_[i];
    within_budget(static_cast<double>(entry.size), std::max(budget::kUnpacked, 8.0 * static_cast<double>(entry.packed)),
                  name_ + ": " + entry.name + ": unpacked, it", "write it without compression");
    const std::string unpacked = zip_.unpack(entry);
    return arrays_[i].view.gather(std::string_view(unpacked).substr(static_cast<std::size_t>(arrays_[i].begin)),
                                  name_ + ": " + entry.name);
  }
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override {
    if (!reads_parts(i) || offset > tensors_[i].bytes || count > tensors_[i].bytes - offset)
      return TensorFile::read(i, offset, to, count);
    zip_.read_stored(*places_[i], arrays_[i].begin + offset, to, count);
  }
  bool reads_parts(std::size_t i) const override { return arrays_[i].dense && !places_[i]->deflated; }

 private:
  std::string name_;
  ZipReader zip_;
  std::vector<Array> arrays_;
  std::vector<const ZipEntry*> places_;  // of the arrays
};

// FOLDER/data.pkl, with the storages beside it as FOLDER/data/KEY.
class TorchTensors : public TensorFile {
 public:
  explicit TorchTensors(const fs::path& path) : name_(path.string()), zip_(open_zip(path)) {
    const ZipEntry* pickle = nullptr;
    for (const ZipEntry& entry : zip_.entries()) {
      by_name_.emplace(entry.name, &entry);
      if (entry.name != "data.pkl" && !entry.name.ends_with("/data.pkl")) continue;
      if (pickle) fail("two of its entries are called data.pkl");
      pickle = &entry;
    }
    if (!pickle) fail("not a PyTorch checkpoint: the archive has no data.pkl");
    folder_ = pickle->name.substr(0, pickle->name.size() - std::string_view("data.pkl").size());
    if (by_name_.count(folder_ + "constants.pkl"))
      fail("this is a TorchScript archive, a program rather than a table of weights; save the state_dict() instead");
    if (const auto order = by_name_.find(folder_ + "byteorder");
        order != by_name_.end() && zip_.unpack_start(*order->second, 16) != "little")
      fail("its numbers are big-endian, which is not read");
    if (pickle->size > kMaxTorchPickle)
      fail("data.pkl has " + bytes_text(pickle->size) + ", at most " + bytes_text(kMaxTorchPickle) + " are read");
    const std::string text = stored(*pickle);
    const std::string where = name_ + ": data.pkl";
    const Pickle tree(text, where);
    PickledTensors found = find_tensors(tree, path.stem().string(), where);
    for (PickledTensor& tensor : found.tensors) {
      if (!tensor.storage.empty()) check_storage(tensor);
      tensors_.push_back(std::move(tensor.entry));
      // A NumPy array lies within the pickle, which is not kept.
      places_.push_back({std::move(tensor.view), std::move(tensor.storage), std::string(tensor.buffer)});
    }
    values_ = std::move(found.values);
    unread_ = std::move(found.unread);
  }
  std::string bytes(std::size_t i) const override {
    const Place& place = places_[i];
    const std::string where = name_ + ": tensor \"" + tensors_[i].name + "\"";
    if (place.storage.empty()) return place.view.gather(place.numbers, where);
    const WholeSlice whole;
    const std::lock_guard lock(mutex_);
    if (last_ != place.storage) {  // tied tensors and views come one after another
      numbers_ = stored(*by_name_.at(folder_ + "data/" + place.storage));
      last_ = place.storage;
    }
    return place.view.gather(numbers_, where);
  }

 private:
  struct Place {
    StridedView view;
    std::string storage, numbers;
  };
  [[noreturn]] void fail(const std::string& what) const { throw FormatError(name_ + ": " + what); }
  // PyTorch packs nothing: who does wants our memory.
  std::string stored(const ZipEntry& entry) const {
    if (entry.deflated) fail("the entry \"" + entry.name + "\" is compressed, which PyTorch never does");
    return zip_.unpack(entry);
  }
  void check_storage(const PickledTensor& tensor) const {
    const auto found = by_name_.find(folder_ + "data/" + tensor.storage);
    if (found == by_name_.end())
      fail("tensor \"" + tensor.entry.name + "\": its storage data/" + tensor.storage + " is missing");
    // The pickle said how many numbers there are; the file has to have them.
    const std::uint64_t has = found->second->size / (tensor.view.item * tensor.view.parts);
    tensor.view.check(has, name_ + ": tensor \"" + tensor.entry.name + "\"");
  }

  std::string name_, folder_;
  ZipReader zip_;
  std::unordered_map<std::string, const ZipEntry*> by_name_;
  std::vector<Place> places_;
  mutable std::mutex mutex_;
  mutable std::string last_, numbers_;
};

class PickleTensors : public TensorFile {
 public:
  explicit PickleTensors(const fs::path& path)
      : name_(path.string()),
        bytes_(read_file(path, static_cast<std::uint64_t>(budget::kUnpacked))),
        tree_(bytes_, name_) {
    PickledTensors found = find_tensors(tree_, path.stem().string(), name_);
    values_ = std::move(found.values);
    unread_ = std::move(found.unread);
    for (PickledTensor& tensor : found.tensors) {
      if (!tensor.storage.empty()) {
        unread_.emplace_back(tensor.entry.name, "its numbers are not in this file; write it with torch.save");
        continue;
      }
      tensors_.push_back(tensor.entry);
      found_.push_back(std::move(tensor));
    }
  }
  std::string bytes(std::size_t i) const override {
    return found_[i].view.gather(found_[i].buffer, name_ + ": tensor \"" + tensors_[i].name + "\"");
  }

 private:
  std::string name_, bytes_;
  Pickle tree_;
  std::vector<PickledTensor> found_;
};

}  // namespace

std::shared_ptr<const TensorFile> open_npy(const fs::path& path) { return std::make_shared<NpyTensors>(path); }
std::shared_ptr<const TensorFile> open_npz(const fs::path& path) { return std::make_shared<NpzTensors>(path); }
std::shared_ptr<const TensorFile> open_torch_zip(const fs::path& path) { return std::make_shared<TorchTensors>(path); }
std::shared_ptr<const TensorFile> open_pickle(const fs::path& path) { return std::make_shared<PickleTensors>(path); }
std::shared_ptr<const TensorFile> open_torch(const fs::path& path) {
  char first = 0;
  if (const FileReader file(path); file.size() > 0) file.read(0, &first, 1);
  return first == '\x80' ? open_pickle(path) : open_torch_zip(path);
}

}  // namespace headlight
