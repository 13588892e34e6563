#include "widgets/base/spoken.h"

#include <QAccessible>
#include <QApplication>
#include <QPointer>
#include <QTextDocumentFragment>
#include <QWidget>
#include <deque>

namespace headlight {

namespace {

constexpr const char* kFromTooltip = "described_by_tooltip";

// A sentence that appears in a window.
class Notice : public QAccessibleInterface {
 public:
  Notice(QWidget* window, QString text) : window_(window), text_(std::move(text)) {}
  bool isValid() const override { return window_ != nullptr; }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return window_ ? window_->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(window_); }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QString text(QAccessible::Text kind) const override { return kind == QAccessible::Name ? text_ : QString(); }
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override { return window_ ? window_->geometry() : QRect(); }
  QAccessible::Role role() const override { return QAccessible::Notification; }
  QAccessible::State state() const override { return {}; }

 private:
  QPointer<QWidget> window_;
  QString text_;
};

}  // namespace

Spoken::Spoken() { qApp->installEventFilter(this); }

Spoken& Spoken::instance() {
  static QPointer<Spoken> made;
  if (!made) {
    made = new Spoken;
    made->setParent(qApp);
  }
  return *made;
}

void Spoken::say(const QWidget* from, const QString& text) {
  if (text.isEmpty() || !from->window()->isVisible()) return;
  emit said(text);
  if (!QAccessible::isActive()) return;
  // Readers ask for it a little later: the last few stay.
  constexpr std::size_t kKept = 8;
  static std::deque<QAccessible::Id> kept;
  auto* notice = new Notice(from->window(), text);
  kept.push_back(QAccessible::registerAccessibleInterface(notice));
  QAccessibleEvent event(notice, QAccessible::ObjectShow);
  QAccessible::updateAccessibility(&event);
  if (kept.size() <= kKept) return;
  QAccessible::deleteAccessibleInterface(kept.front());
  kept.pop_front();
}

void Spoken::focus(QAccessibleInterface* place) {
  if (!place || !QAccessible::isActive()) return;
  QAccessibleEvent event(place, QAccessible::Focus);
  QAccessible::updateAccessibility(&event);
}

bool Spoken::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTipChange || !watched->isWidgetType()) return false;
  auto* widget = static_cast<QWidget*>(watched);
  if (widget->accessibleDescription() != widget->property(kFromTooltip).toString()) return false;
  const QString tip = widget->toolTip();
  const QString plain = Qt::mightBeRichText(tip) ? QTextDocumentFragment::fromHtml(tip).toPlainText() : QString();
  widget->setProperty(kFromTooltip, plain);
  widget->setAccessibleDescription(plain);
  return false;
}

}  // namespace headlight
