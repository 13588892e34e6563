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

// What the catalogue says of a value wherever it stands: the end of its name, and its own axis.
struct SiteRow {
  const char* leaf;
  Axis axis;
  const char* title;
  const char* formula;
  const char* paper;
  const char* help;
  bool derived = false;
};
// Rows of one place: "encoder.layer." stands in front of their names, its axes in front of their own.
void add_rows(std::vector<SiteKind>& sites, const std::string& place, const std::vector<Axis>& axes,
              const std::vector<SiteRow>& rows);  // site_catalogue.cpp

}  // namespace headlight
