// The tensors of a base with what an adapter changes in them, as one file: under the names and in the layout of the
// base, so that everything behind it reads them like any other.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/families/weights.h"

namespace headlight {

class AdaptedFile : public TensorFile {
 public:
  enum class Strength { none, full };  // none: the base's numbers under the same list of tensors

  // `config`: of the base, with the names that its family has. Throws FormatError for an adapter of another base.
  // Both are used as long as this lives.
  AdaptedFile(const TensorFile& base, const Adapter& adapter, const families::Family& family, const Json& config,
              const std::string& where);
  // The same list, with the other numbers.
  AdaptedFile at(Strength strength) const;

  std::string bytes(std::size_t i) const override;
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override;
  bool reads_parts(std::size_t i) const override { return is_base(i) && base_.reads_parts(*places_[i].base); }
  Stored stored(std::size_t i) const override;
  std::optional<BlockForm> block_form(std::size_t i) const override {
    return is_base(i) ? base_.block_form(*places_[i].base) : std::nullopt;
  }
  void read_row(std::size_t i, std::uint64_t row, void* to) const override {
    base_.read_row(*places_[i].base, row, to);
  }

  // Whether the adapter has a say in a tensor.
  bool is_changed(std::size_t i) const { return places_[i].changed; }
  // Of such a one at full strength, and what is added to the base's for that.
  Tensor merged(std::size_t i) const;
  Tensor delta(std::size_t i) const;
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Place {
    std::optional<std::size_t> base;   // of the base; none: it lacks it
    std::optional<std::size_t> whole;  // of the adapter, in its place
    const Adapter::Pair* pair = nullptr;
    const Adapter::Pair* bias = nullptr;  // its bias is added
    bool turned = false;                  // of a pair: it lies [in x out]
    bool changed = false;
  };
  bool is_base(std::size_t i) const { return places_[i].base && (!places_[i].changed || strength_ == Strength::none); }
  std::size_t place_of(const std::string& tensor, const families::Weights& names, const std::string& because);
  std::size_t added(const std::string& name, Place place, const std::vector<std::uint64_t>& shape);
  void take_whole(const Adapter::Whole& whole, const families::Weights& names);
  void take_pair(const Adapter::Pair& pair, const families::Weights& names);
  void untie(std::size_t i, const families::Weights& names);
  std::optional<std::size_t> tied_to(const std::string& name, const families::Weights& names) const;
  std::optional<std::size_t> placed(const std::string& name, const families::Weights& names) const;
  void fit(const std::string& what, std::size_t i, Index rows, Index columns) const;
  Tensor start(const Place& place, std::size_t i) const;

  const TensorFile& base_;
  const Adapter& adapter_;
  const families::Family& family_;
  std::string where_;
  Strength strength_ = Strength::full;
  bool ties_ = false;
  std::vector<Place> places_;
  std::map<std::string, std::size_t> added_;  // by the family's names
  std::vector<std::string> notes_;
};

// Of a base with this config.json. Throws FormatError "WHERE: ..." for one that does not run, too.
AdaptedFile over(const TensorFile& base, const Json& config, const Adapter& adapter, const std::string& where);

// To be looked at: the tensors of an adapter's folder, or of a base under it, and behind them "delta.NAME" of each
// tensor that it changes. (Of a folder alone without those whose change depends on the base.)
std::shared_ptr<const TensorFile> with_changes(const std::shared_ptr<const Adapter>& adapter);
std::shared_ptr<const TensorFile> with_changes(const std::shared_ptr<const AdaptedFile>& adapted,
                                               const AdapterConfig& config);

}  // namespace headlight
