// Sites of models with an external memory.

#include "model/trace/site_rows.h"

namespace headlight {

std::vector<SiteKind> memory_sites() { return {}; }

}  // namespace headlight
