#include "app/parts.h"

#include <QEvent>
#include <QWidget>
#include <utility>

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

}  // namespace headlight
