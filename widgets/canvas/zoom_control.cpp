#include "widgets/canvas/zoom_control.h"

#include <QPainter>
#include <QToolButton>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr double kMostPercent = 9999;

QFont zoom_font() { return theme().ui_font(type::kSource); }

// Of the longest text: the buttons stay under the mouse.
int zoom_text_width() {
  return static_cast<int>(std::ceil(text_width(QStringLiteral("8888 %"), zoom_font()))) + space::kLarge;
}

}  // namespace

ZoomControl::ZoomControl(QWidget* parent)
    : QWidget(parent),
      farther_(sign_button(this, Sign::minus)),
      closer_(sign_button(this, Sign::plus)),
      all_(sign_button(this, Sign::fit)) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  connect(farther_, &QToolButton::clicked, this, &ZoomControl::fartherWanted);
  connect(closer_, &QToolButton::clicked, this, &ZoomControl::closerWanted);
  connect(all_, &QToolButton::clicked, this, &ZoomControl::allWanted);
  retranslates(this, [this] { name_buttons(); });
  name_buttons();
}

void ZoomControl::name_buttons() {
  setAccessibleName(tr("Zoom"));
  describe(farther_, tr("Farther"), tr("Farther (− or the wheel)"));
  describe(closer_, tr("Closer"), tr("Closer (+ or the wheel)"));
  describe(all_, tr("Show everything"), tr("Show everything (0)"));
}

void ZoomControl::set_zoom(double zoom, bool farther, bool closer) {
  const double percent = std::round(100 * zoom);
  const QString text = percent <= kMostPercent ? QStringLiteral("%1 %").arg(percent, 0, 'f', 0)
                                               : QStringLiteral("%1 ×").arg(std::round(zoom), 0, 'f', 0);
  farther_->setEnabled(farther);
  closer_->setEnabled(closer);
  all_->setEnabled(farther);
  if (text == text_) return;
  text_ = text;
  setAccessibleDescription(text_);
  update();
}

QSize ZoomControl::sizeHint() const {
  const int high = control_height();
  return {3 * high + zoom_text_width() + space::kHair, high};
}

void ZoomControl::resizeEvent(QResizeEvent*) {
  const int high = height();
  farther_->setGeometry(0, 0, high, high);
  closer_->setGeometry(width() - 2 * high - space::kHair, 0, high, high);
  all_->setGeometry(width() - high, 0, high, high);
}

void ZoomControl::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const int high = height();
  draw_round(&painter, rect(), radius::kButton, tokens().paper, tokens().line);
  write(painter, {static_cast<double>(high), 0., width() - 3. * high - space::kHair, static_cast<double>(high)},
        kCentre, text_, zoom_font(), tokens().ink);
  painter.fillRect(QRect(width() - high - space::kHair, 6, space::kHair, high - 12), tokens().line);
}

}  // namespace headlight
