// The parts of the site catalogue, one for each family of models. A new layer adds its rows to one of them.
#pragma once

#include <string>

#include "model/trace/site.h"

namespace headlight {

std::vector<SiteKind> recurrent_sites();    // sites_recurrent.cpp
std::vector<SiteKind> conv_sites();         // sites_conv.cpp
std::vector<SiteKind> memory_sites();       // sites_memory.cpp
std::vector<SiteKind> transformer_sites();  // sites_transformer.cpp

// A row points at its texts: those that are put together here last as long as the program.
const char* kept(std::string text);  // site_catalogue.cpp

}  // namespace headlight
