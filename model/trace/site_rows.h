// The parts of the site catalogue, one for each family of models. A new layer adds its rows to one of them.
#pragma once

#include "model/trace/site.h"

namespace headlight {

std::vector<SiteKind> recurrent_sites();    // sites_recurrent.cpp
std::vector<SiteKind> conv_sites();         // sites_conv.cpp
std::vector<SiteKind> memory_sites();       // sites_memory.cpp
std::vector<SiteKind> transformer_sites();  // sites_transformer.cpp

}  // namespace headlight
