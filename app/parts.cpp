#include "app/parts.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QWidget>
#include <utility>

#include "widgets/base/ink.h"
#include "widgets/base/theme.h"

namespace headlight {

namespace {

class OnLanguage : public QObject {
 public:
  OnLanguage(QWidget* widget, std::function<void()> say) : QObject(widget), say_(std::move(say)) {
    widget->installEventFilter(this);
  }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::LanguageChange) say_();
    return false;
  }

 private:
  std::function<void()> say_;
};

class ShortenedLabel : public QLabel {
 public:
  using QLabel::QLabel;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    write_line(painter, contentsRect(), kLeft, text(), font(), palette().color(foregroundRole()));
  }
};

}  // namespace

QFont strong_font(double relative) {
  QFont font = Theme::instance().ui_font(relative);
  font.setWeight(QFont::DemiBold);
  return font;
}

void on_language(QWidget* widget, std::function<void()> say) { new OnLanguage(widget, std::move(say)); }

void name_button(QWidget* button, const QString& name) {
  button->setToolTip(name);
  button->setAccessibleName(name);
}

QLabel* line_label(QWidget* parent) {
  auto* label = new ShortenedLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return label;
}

}  // namespace headlight
