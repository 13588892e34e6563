// The mechanism switchboard: settings, heads and masks of the model that runs, each change computed at once.
//
// Ctrl+Tab goes from page to page (as in any tabbed window), Tab through the controls; the grids of heads and masks are
// moved in by arrow keys and switched by Space (mechanism_grid.h).
#pragma once

#include "widgets/canvas/view_panel.h"
#include "widgets/views/mechanism/mechanism_heads.h"
#include "widgets/views/mechanism/mechanism_mask.h"
#include "widgets/views/mechanism/mechanism_settings.h"

class QTabWidget;

namespace headlight {

class MechanismView : public ViewPanel {
  Q_OBJECT
 public:
  enum class Page { settings, heads, mask };

  explicit MechanismView(const ViewContext& context, QWidget* parent = nullptr);
  static bool offers(const AnalysedRun& run);
  void show_page(Page page);
  MechanismSettings* settings() const { return settings_; }
  MechanismHeads* heads() const { return heads_; }
  MechanismMask* mask() const { return mask_; }

 protected:
  void refresh() override;
  void retranslate() override { show_texts(); }
  Figure picture() override;  // of the page that is shown

 private:
  void show_page();
  void show_texts();

  const QWidget* taken_page_ = nullptr;
  QTabWidget* tabs_;
  MechanismSettings* settings_;
  MechanismHeads* heads_;
  MechanismMask* mask_;
};

}  // namespace headlight
