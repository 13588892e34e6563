#include "app/stage/panel_frame.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/text/token_text.h"

namespace headlight {

PanelFrame::PanelFrame(QWidget* panel)
    : host_(new PanelHost(panel)),
      head_(new QWidget(this)),
      title_(new QLabel(head_)),
      more_(sign_button(head_, Sign::more)),
      close_(sign_button(head_, Sign::close)),
      menu_(new QMenu(this)),
      margin_(space::kMargin) {
  setAutoFillBackground(true);
  title_->setTextFormat(Qt::PlainText);
  title_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(menu_);
  QHBoxLayout* row = row_in(head_, space::kTight);
  row->setContentsMargins(margin_, space::kTight, space::kSmall, space::kTight);
  row->addWidget(title_, 1);
  row->addWidget(more_);
  row->addWidget(close_);
  QVBoxLayout* column = column_in(this, 0);
  column->addWidget(head_);
  column->addWidget(host_, 1);
  connect(close_, &QToolButton::clicked, this, &PanelFrame::closed);
  Theme::instance().restyles(this, [this] { recolour(); });
  recolour();
}

void PanelFrame::set_head(bool shown) {
  head_->setVisible(shown);
  place_controls();
}

void PanelFrame::set_margin(int left) {
  margin_ = left;
  head_->layout()->setContentsMargins(left, space::kTight, space::kSmall, space::kTight);
  place_controls();
}

void PanelFrame::place_controls() {
  QWidget* bar = controls_of_ ? controls_of_->lent_bar() : nullptr;
  if (!bar || (bar->parentWidget() != head_ && bar->parentWidget() != controls_of_)) return;
  const int room = width() - qRound(text_width(title_->text(), title_->font())) - more_->sizeHint().width() -
                   close_->sizeHint().width() - 3 * space::kLarge;
  const bool fits = has_head() && controls_of_->bar_width() + space::kSmall <= room &&
                    bar->sizeHint().height() <= 2 * more_->sizeHint().height();
  const bool here = bar->parentWidget() == head_;
  controls_of_->set_bar_edge(fits ? space::kSmall : margin_);
  if (fits == here) return;
  auto* row = static_cast<QHBoxLayout*>(head_->layout());
  row->setStretch(0, fits ? 0 : 1);
  if (!fits) return controls_of_->take_back_bar();
  const bool shown = !bar->isHidden();
  row->insertWidget(1, bar, 1);
  bar->setVisible(shown);
}

void PanelFrame::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place_controls();
}

int PanelFrame::above_picture() const {
  const QWidget* bar = controls_of_ ? controls_of_->lent_bar() : nullptr;
  if (!bar || bar->isHidden() || bar->parentWidget() != controls_of_) return 0;
  return bar->hasHeightForWidth() ? bar->heightForWidth(width()) : bar->sizeHint().height();
}

bool PanelFrame::has_head() const { return !head_->isHidden(); }
QString PanelFrame::title() const { return title_->text(); }

void PanelFrame::set_title(const QString& title, const QString& help) {
  title_->setText(title);
  title_->setToolTip(plain_tooltip(help));
  setWindowTitle(title);
  name_button(more_, tr("What can be done with this panel"));
  name_button(close_, tr("Close this panel; View, Go to brings it back"));
}

void PanelFrame::recolour() {
  title_->setFont(strong_font(type::kTitle));
  host_->setFont(Theme::instance().ui_font());
}

// A window of its own goes back to where it was.
void PanelFrame::closeEvent(QCloseEvent* event) {
  if (!isWindow() || !event->spontaneous()) return QWidget::closeEvent(event);
  event->ignore();
  emit closed();
}

}  // namespace headlight
