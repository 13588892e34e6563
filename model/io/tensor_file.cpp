#include "model/io/tensor_file.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <unordered_map>

#include "model/core/budget.h"
#include "model/core/slices.h"
#include "model/io/file.h"
#include "model/io/npy_header.h"
#include "model/io/safetensors_header.h"
#include "model/io/zip.h"

namespace headlight {

namespace {

constexpr std::size_t kMaxRank = 64;
constexpr std::uint64_t kMaxDimension = std::uint64_t{1} << 48;

class SafetensorsTensors : public TensorFile {
 public:
  explicit SafetensorsTensors(const std::filesystem::path& path) : file_(path) {
    for (std::size_t i = 0; i < file_.tensors().size(); ++i) {
      const TensorInfo& info = file_.tensors()[i];
      if (dtype_bits(info.dtype) == 0) {
        unread_.emplace_back(info.name, "numbers of type " + info.dtype + ", which is not known");
        continue;
      }
      tensors_.push_back({info.name, info.dtype, info.shape, info.end - info.begin});
      places_.push_back(i);
    }
    for (const auto& [key, value] : file_.metadata()) values_.emplace_back("__metadata__." + key, value);
  }
  std::string bytes(std::size_t i) const override { return file_.bytes(file_.tensors()[places_[i]]); }
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override {
    file_.read(file_.tensors()[places_[i]], offset, to, count);
  }
  bool reads_parts(std::size_t) const override { return true; }

 private:
  SafetensorsFile file_;
  std::vector<std::size_t> places_;  // of our tensors among its own
};

class Joined : public TensorFile {
 public:
  Joined(std::vector<std::shared_ptr<const TensorFile>> files, const std::string& where) : files_(std::move(files)) {
    std::unordered_map<std::string, std::size_t> names;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      for (std::size_t i = 0; i < files_[f]->tensors().size(); ++i) {
        tensors_.push_back(files_[f]->tensors()[i]);
        places_.emplace_back(f, i);
        if (!names.emplace(tensors_.back().name, f).second)
          throw FormatError(where + ": two of its files have the tensor \"" + tensors_.back().name + "\"");
      }
      for (const auto& value : files_[f]->values())
        if (std::find(values_.begin(), values_.end(), value) == values_.end()) values_.push_back(value);
      unread_.insert(unread_.end(), files_[f]->unread().begin(), files_[f]->unread().end());
    }
  }
  std::string bytes(std::size_t i) const override { return files_[places_[i].first]->bytes(places_[i].second); }
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override {
    files_[places_[i].first]->read(places_[i].second, offset, to, count);
  }
  bool reads_parts(std::size_t i) const override { return files_[places_[i].first]->reads_parts(places_[i].second); }

 private:
  std::vector<std::shared_ptr<const TensorFile>> files_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;
};

// NumPy's name of a type, empty where it has none.
std::string numpy_type(const std::string& dtype) {
  static const std::unordered_map<std::string, std::string> types = {
      {"BOOL", "|b1"}, {"U8", "|u1"},  {"I8", "|i1"},  {"U16", "<u2"}, {"I16", "<i2"},
      {"U32", "<u4"},  {"I32", "<i4"}, {"U64", "<u8"}, {"I64", "<i8"}, {"F16", "<f2"},
      {"BF16", "<f4"}, {"F32", "<f4"}, {"F64", "<f8"}, {"C64", "<c8"}, {"C128", "<c16"}};
  if (const auto found = types.find(dtype); found != types.end()) return found->second;
  return !dtype.empty() && (dtype[0] == '<' || dtype[0] == '|') ? dtype : std::string();
}

std::string widened(const std::string& halves) {
  std::string wide(halves.size() * 2, '\0');
  for (std::size_t i = 0; i < halves.size() / 2; ++i) std::memcpy(wide.data() + 4 * i + 2, halves.data() + 2 * i, 2);
  return wide;
}

}  // namespace

void TensorFile::read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const {
  const std::string all = bytes(i);
  if (offset > all.size() || count > all.size() - offset)
    throw FormatError("tensor \"" + tensors_[i].name + "\": it ends early");
  std::memcpy(to, all.data() + offset, count);
}

bool TensorFile::reads_parts(std::size_t) const { return false; }

std::uint64_t number_count(const std::vector<std::uint64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

void StridedView::check(std::uint64_t available, const std::string& where) const {
  const auto fail = [&](const std::string& what) { throw FormatError(where + ": " + what); };
  if (shape.size() > kMaxRank) fail("it has " + std::to_string(shape.size()) + " dimensions, at most 64 are supported");
  if (shape.size() != strides.size())
    fail("it has " + std::to_string(shape.size()) + " dimensions and " + std::to_string(strides.size()) + " strides");
  std::uint64_t bytes = item * parts, last = offset;
  bool overflow = false, empty = false;
  for (const std::uint64_t dimension : shape) {
    if (dimension > kMaxDimension) fail("the dimension " + std::to_string(dimension) + " is larger than 2^48");
    empty |= dimension == 0;
  }
  if (empty) return;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::uint64_t reach = 0;
    overflow |= __builtin_mul_overflow(bytes, shape[i], &bytes);
    overflow |= __builtin_mul_overflow(shape[i] - 1, strides[i], &reach) || __builtin_add_overflow(last, reach, &last);
  }
  if (overflow) fail("the shape " + shape_text(shape) + " is too large");
  if (last >= available)
    fail("its last number is number " + std::to_string(last) + " of a storage of " + std::to_string(available));
}

std::string StridedView::gather(std::string_view buffer, const std::string& where) const {
  const std::size_t size = item * parts;
  const std::uint64_t total = count() * size;
  within_budget(static_cast<double>(total), std::max(budget::kUnpacked, 8.0 * static_cast<double>(buffer.size())),
                where, "it repeats the numbers of a much smaller storage");
  std::string out(static_cast<std::size_t>(total), '\0');
  if (total == 0) return out;
  if (strides == dense_strides(shape, false)) {
    std::memcpy(out.data(), buffer.data() + offset * size, out.size());
  } else {
    std::vector<std::uint64_t> at(shape.size(), 0);
    std::uint64_t place = offset;
    for (char* to = out.data(); to < out.data() + out.size(); to += size) {
      std::memcpy(to, buffer.data() + place * size, size);
      for (std::size_t axis = shape.size(); axis-- > 0;) {
        place += strides[axis];
        if (++at[axis] < shape[axis]) break;
        place -= strides[axis] * shape[axis];
        at[axis] = 0;
      }
    }
  }
  if (swap && item > 1)
    for (char* one = out.data(); one < out.data() + out.size(); one += item) std::reverse(one, one + item);
  return out;
}

std::vector<std::uint64_t> dense_strides(const std::vector<std::uint64_t>& shape, bool columns_first) {
  std::vector<std::uint64_t> strides(shape.size());
  std::uint64_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = columns_first ? i : shape.size() - 1 - i;
    strides[axis] = stride;
    // Of an empty array nothing is read; of others check() has made sure, or will, that this fits.
    if (__builtin_mul_overflow(stride, shape[axis], &stride)) stride = UINT64_MAX;
  }
  return strides;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? " x " : "") + std::to_string(shape[i]);
  return text + "]";
}

std::vector<std::pair<std::string, std::string>> write_npz(const std::filesystem::path& path, const TensorFile& file,
                                                           const CancelToken& cancel) {
  std::vector<std::pair<std::string, std::string>> left_out;
  for (const TensorEntry& tensor : file.tensors()) {
    if (numpy_type(tensor.dtype).empty()) left_out.emplace_back(tensor.name, tensor.dtype);
    if (tensor.name.size() > 60000)
      throw UsageError("cannot write " + path.string() + ": the tensor \"" + tensor.name.substr(0, 80) +
                       "…\" has too long a name");
  }
  write_file_atomically(path, [&](FileWriter& writer) {
    ZipWriter zip(writer);
    for (std::size_t i = 0; i < file.tensors().size(); ++i) {
      cancel.check();
      slice_point();
      const TensorEntry& tensor = file.tensors()[i];
      if (numpy_type(tensor.dtype).empty()) continue;
      std::string bytes = file.bytes(i);
      if (tensor.dtype == "BF16") bytes = widened(bytes);
      const std::string header = npy_header_text(tensor.shape, numpy_type(tensor.dtype));
      const auto sum = [](uLong crc, const std::string& text) {
        return crc32_z(crc, reinterpret_cast<const Bytef*>(text.data()), text.size());
      };
      zip.add(tensor.name + ".npy", header.size() + bytes.size(),
              static_cast<std::uint32_t>(sum(sum(0, header), bytes)), [&](FileWriter& to) {
                to.write(header);
                to.write(bytes);
              });
    }
    zip.finish();
  });
  return left_out;
}

std::shared_ptr<const TensorFile> open_safetensors(const std::filesystem::path& path) {
  return std::make_shared<SafetensorsTensors>(path);
}

std::shared_ptr<const TensorFile> joined(std::vector<std::shared_ptr<const TensorFile>> files,
                                         const std::string& where) {
  return std::make_shared<Joined>(std::move(files), where);
}

}  // namespace headlight
