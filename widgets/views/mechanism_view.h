// The mechanism switchboard: settings, heads and masks of the model that runs, each change computed at once.
//
// Ctrl+Tab goes from page to page (as in any tabbed window), Tab through the controls; the grids of heads and masks are
// moved in by arrow keys and switched by Space (mechanism_grid.h).
#pragma once

#include <QWidget>

#include "widgets/base/result_view.h"
#include "widgets/views/mechanism_heads.h"
#include "widgets/views/mechanism_mask.h"
#include "widgets/views/mechanism_settings.h"

class QLabel;
class QTabWidget;

namespace headlight {

class MechanismView : public QWidget, public ResultView {
  Q_OBJECT
 public:
  enum class Page { settings, heads, mask };

  explicit MechanismView(const ViewContext& context, QWidget* parent = nullptr);
  static bool offers(const Result& result);
  void set_result(std::shared_ptr<const Result> result) override;
  // The picture or the table of the page that is shown.
  void export_to(const QString& path) const override;
  void show_page(Page page);
  MechanismSettings* settings() const { return settings_; }
  MechanismHeads* heads() const { return heads_; }
  MechanismMask* mask() const { return mask_; }

  QSize sizeHint() const override { return {260, 380}; }  // it shares the side of the window

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void take_result();
  void show_texts();

  std::shared_ptr<const Result> result_;
  bool taken_ = false;
  const QWidget* taken_page_ = nullptr;
  QTabWidget* tabs_;
  MechanismSettings* settings_;
  MechanismHeads* heads_;
  MechanismMask* mask_;
  QLabel* message_;
};

}  // namespace headlight
