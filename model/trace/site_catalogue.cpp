// The catalogue of sites: one row for each kind of intermediate value.

#include "model/trace/site_rows.h"

namespace headlight {

const std::vector<SiteKind>& site_catalogue() {
  static const std::vector<SiteKind> rows = [] {
    std::vector<SiteKind> all;
    for (auto part : {recurrent_sites(), conv_sites(), memory_sites(), transformer_sites()})
      all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    return all;
  }();
  return rows;
}

}  // namespace headlight
