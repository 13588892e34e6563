// A number that runs have, asked of every text of a list: a cell of a value of the trace, or how probable the output
// is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/core/tensor.h"
#include "model/text/listed_text.h"

namespace headlight {

struct ModelBundle;
struct Result;
struct Site;

struct ListedNumber {
  std::string site;          // empty: the mean log p of the tokens of the output
  std::vector<Index> place;  // on each axis of the value; -1: the largest along it
  bool operator==(const ListedNumber&) const = default;
  std::string text() const;  // "encoder.layer[3].ffn.act[:,7]", "log p"
};

// Of such a text. Throws UsageError.
ListedNumber parse_listed_number(const std::string& text);
// What a number of one text is in others: a unit is asked of all its tokens, the largest counts; a weight between two
// tokens stays at its place.
ListedNumber listed_number(const Site& site, const Shape& shape, Index cell);
// NaN: the text has no such place.
double number_in(const Result& result, const ListedNumber& asked);
// Lets a model read the text, which is the one of that number where they are stored. Throws UsageError and Cancelled.
double number_of_text(const std::shared_ptr<const ModelBundle>& model, const ListedText& text, std::size_t at,
                      const ListedNumber& asked, const CancelToken& cancel = {});

}  // namespace headlight
