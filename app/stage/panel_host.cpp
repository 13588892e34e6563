#include "app/stage/panel_host.h"

#include <QMouseEvent>
#include <algorithm>
#include <functional>
#include <utility>

namespace headlight {

namespace {

constexpr double kLeastPicture = 0.15;  // of the room, beside a table

// Between a picture and its table: dragging it gives more room to one of them.
class Divider : public QWidget {
 public:
  static constexpr int kWidth = 5;
  Divider(QWidget* parent, std::function<void(QPoint)> moved) : QWidget(parent), moved_(std::move(moved)) {}

 protected:
  void mouseMoveEvent(QMouseEvent* event) override {
    if (event->buttons() & Qt::LeftButton) moved_(mapToParent(event->position().toPoint()));
  }

 private:
  std::function<void(QPoint)> moved_;
};

}  // namespace

PanelHost::PanelHost(QWidget* panel) : panel_(panel) {
  panel->setParent(this);
  setContextMenuPolicy(Qt::ActionsContextMenu);
}

void PanelHost::open_table(TableTwin* twin, const QString& name) {
  if (table_) return;
  table_ = new TablePane(twin, this);
  table_->set_name(name);
  divider_ = new Divider(this, [this](QPoint point) {
    dragged_ = true;
    share_ = std::clamp(across() ? double(point.x()) / width() : double(point.y()) / height(), 0.1, 0.9);
    lay_out();
  });
  connect(table_, &TablePane::closed, this, &PanelHost::close_table);
  lay_out();
  table_->show();
  divider_->show();
  updateGeometry();
}

void PanelHost::close_table() {
  if (!table_) return;
  // Before it goes: else Qt hands the keyboard on as Tab does, with a frame around whoever gets it.
  if (panel_ && table_->isAncestorOf(window()->focusWidget())) panel_->setFocus(Qt::OtherFocusReason);
  table_->hide();
  divider_->hide();
  std::exchange(table_, nullptr)->deleteLater();
  std::exchange(divider_, nullptr)->deleteLater();
  lay_out();
}

void PanelHost::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  lay_out();
}

// By itself one half. Where letters are large, the table has what it needs to show numbers, and the picture the rest.
double PanelHost::picture_share() const {
  if (dragged_) return share_;
  const QSize least = table_->least_size();
  const double rest = across() ? 1 - double(least.width() + Divider::kWidth) / std::max(1, width())
                               : 1 - double(least.height() + Divider::kWidth) / std::max(1, height());
  return std::clamp(rest, kLeastPicture, share_);
}

void PanelHost::lay_out() {
  if (!panel_ || panel_->parentWidget() != this) return;
  if (!table_) return panel_->setGeometry(rect());
  QRect picture = rect(), table = rect();
  const int at = static_cast<int>(picture_share() * (across() ? width() : height()));
  if (across()) {
    picture.setWidth(at);
    table.setLeft(at + Divider::kWidth);
    divider_->setGeometry(at, 0, Divider::kWidth, height());
  } else {
    picture.setHeight(at);
    table.setTop(at + Divider::kWidth);
    divider_->setGeometry(0, at, width(), Divider::kWidth);
  }
  divider_->setCursor(across() ? Qt::SplitHCursor : Qt::SplitVCursor);
  panel_->setGeometry(picture);
  table_->setGeometry(table);
}

}  // namespace headlight
