// A picture of a run that has a panel of its own. One row of app/window/view_table.cpp makes the panel, its menu entry,
// its shortcut, its exports and `headlight render --view NAME`.
#pragma once

#include <QString>
#include <memory>

namespace headlight {

class Selection;
class ViewRequests;
struct Result;

// What every view is made with.
struct ViewContext {
  Selection* selection = nullptr;
  ViewRequests* requests = nullptr;
};

class ResultView {
 public:
  virtual ~ResultView() = default;
  // The newest result; called for each keystroke, also while the panel is hidden: keep it and work when it is shown.
  virtual void set_result(std::shared_ptr<const Result> result) = 0;
  // PNG, SVG, PDF or CSV by the ending of the path. Throws FileError, UsageError.
  virtual void export_to(const QString& path) const = 0;
};

}  // namespace headlight
