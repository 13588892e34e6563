// Every picture of a run that the window has, in one table. A new view is one row here: its panel, its entry in the
// menu, its shortcut, its exports and `headlight render --view NAME` follow from it.
#pragma once

#include <QString>
#include <span>
#include <string>
#include <vector>

#include "widgets/canvas/result_view.h"

namespace headlight {

struct ViewRow {
  enum class Place { picture, bottom, side };
  const char* name;  // "query-key": of the panel, of `headlight render --view`, of exported files
  Place place;
  const char* title;
  const char* help;                    // one sentence
  bool (*offers)(const AnalysedRun&);  // whether a model has what the view shows; null: every model
  ResultView* (*make)(const ViewContext& context, QWidget* parent);
  const char* todo = "";    // what one does with it, below the picture
  bool shows_text = false;  // an axis of it is the text
  // The sites of a run that it reads, as in Capture::sites; null: any of them, and how they came about. Of a long text
  // only these are kept (test_shown_sites.cpp compares with a run that keeps everything).
  std::vector<std::string> (*sites)() = nullptr;

  // Before the first run: what every model has that computes.
  bool is_there_at_first() const;
};

std::span<const ViewRow> view_table();
// What explains the run in single numbers: every operation, every number, this number, what was changed. The window
// makes these itself, because they share the labels of the trace.
std::span<const ViewRow> number_panels();
QString translated_view_text(const char* source);

}  // namespace headlight
