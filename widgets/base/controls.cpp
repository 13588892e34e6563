#include "widgets/base/controls.h"

#include <QBoxLayout>
#include <QEvent>
#include <QIconEngine>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QStyleOptionToolButton>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

template <class Layout>
Layout* tight(QWidget* box, int gap) {
  auto* layout = new Layout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(gap);
  return layout;
}

}  // namespace

QHBoxLayout* row_in(QWidget* box, int gap) { return tight<QHBoxLayout>(box, gap); }
QVBoxLayout* column_in(QWidget* box, int gap) { return tight<QVBoxLayout>(box, gap); }

namespace {

// Lays out the document that a label has for text that can be selected. It makes one with its first text.
class RunningText : public QObject {
 public:
  explicit RunningText(QLabel* label) : QObject(label), label_(label) {
    label->installEventFilter(this);
    find();
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::ChildAdded)
      QMetaObject::invokeMethod(
          this, [this] { find(); }, Qt::QueuedConnection);
    if (event->type() == QEvent::FontChange) space();
    return QObject::eventFilter(watched, event);
  }

 private:
  void find() {
    auto* document = label_->findChild<QTextDocument*>();
    if (!document || document == document_) return;
    document_ = document;
    connect(document, &QTextDocument::contentsChanged, this, [this] { space(); });
    space();
    label_->updateGeometry();
  }
  void space() {
    if (!document_) return;
    const QFont font = label_->font();
    const bool title = font.pointSizeF() > 1.01 * theme().ui_font().pointSizeF();
    const double high = title ? 100 : Theme::line_height(font);
    const int kind = title ? QTextBlockFormat::ProportionalHeight : QTextBlockFormat::FixedHeight;
    for (QTextBlock block = document_->begin(); block.isValid(); block = block.next()) {
      QTextBlockFormat format = block.blockFormat();
      if (format.lineHeightType() == kind && format.lineHeight() == high) continue;
      format.setLineHeight(high, kind);
      QTextCursor(block).setBlockFormat(format);
    }
  }
  QLabel* label_;
  QPointer<QTextDocument> document_;
};

}  // namespace

void make_running_text(QLabel* label) {
  label->setWordWrap(true);
  if (label->textFormat() != Qt::RichText) {
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(label->textInteractionFlags() | Qt::TextSelectableByMouse);
  }
  if (label->text().isEmpty()) {
    label->setText(QStringLiteral(" "));
    label->setText({});
  }
  new RunningText(label);
}

QLabel* text_label(QWidget* parent, bool wrap) {
  auto* label = new QLabel(parent);
  if (wrap) {
    make_running_text(label);
    return label;
  }
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

namespace {

// A palette of its own does not follow that of the application.
class Ink : public QObject {
 public:
  explicit Ink(QLabel* label) : QObject(label) {
    setObjectName(kName);
    connect(&theme(), &Theme::changed, this, [this] { paint(); });
  }
  void set(QColor Tokens::*ink) {
    ink_ = ink;
    paint();
  }
  static constexpr QLatin1String kName{"ink"};

 private:
  void paint() {
    auto* label = static_cast<QLabel*>(parent());
    QPalette palette = label->palette();
    for (const auto role : {QPalette::WindowText, QPalette::Text, label->foregroundRole()}) palette.setColor(role, tokens().*ink_);
    label->setPalette(palette);
  }
  QColor Tokens::*ink_ = &Tokens::ink;
};

}  // namespace

void set_ink(QLabel* label, QColor Tokens::*ink) {
  auto* found = label->findChild<QObject*>(Ink::kName, Qt::FindDirectChildrenOnly);
  (found ? static_cast<Ink*>(found) : new Ink(label))->set(ink);
}

void describe(QWidget* control, const QString& name, const QString& help) {
  control->setAccessibleName(name);
  control->setToolTip(help);
}

namespace {

class Retranslator : public QObject {
 public:
  Retranslator(QWidget* widget, std::function<void()> retranslate)
      : QObject(widget), retranslate_(std::move(retranslate)) {
    widget->installEventFilter(this);
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == parent() && event->type() == QEvent::LanguageChange) retranslate_();
    return false;
  }

 private:
  std::function<void()> retranslate_;
};

}  // namespace

void retranslates(QWidget* widget, std::function<void()> retranslate) {
  new Retranslator(widget, std::move(retranslate));
}

void keep_room(QWidget* control) {
  constexpr int kStep = 8;
  QSize needed = control->sizeHint();
  if (const auto* label = qobject_cast<QLabel*>(control)) {  // whose hint never is less than the room that it has
    const QSizeF size = text_size(label->text(), label->font());
    needed = {static_cast<int>(std::ceil(size.width())), static_cast<int>(std::ceil(size.height()))};
  }
  control->setFixedSize((needed.width() + kStep - 1) / kStep * kStep, needed.height());
}

QString wrapped_tooltip(const QString& text) {
  return text.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped());
}

namespace {

class SignButton : public QToolButton {
 public:
  SignButton(QWidget* parent, Sign sign) : QToolButton(parent), sign_(sign) {
    setAutoRaise(true);
    setFocusPolicy(Qt::TabFocus);
  }
  QSize sizeHint() const override { return {control_height(), control_height()}; }
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    style()->drawPrimitive(QStyle::PE_PanelButtonTool, &option, &painter, this);
    const double side = 16 * std::max(1.0, theme().font_scale());
    const QRectF place(QRectF(rect()).center() - QPointF(side, side) / 2, QSizeF(side, side));
    const bool used = option.state & (QStyle::State_MouseOver | QStyle::State_Sunken);
    draw_sign(painter, place, sign_, !isEnabled() ? tokens().off : used ? tokens().ink : tokens().ink2);
  }

 private:
  Sign sign_;
};

}  // namespace

QToolButton* sign_button(QWidget* parent, Sign sign) { return new SignButton(parent, sign); }

namespace {

// Drawn anew wherever it is painted: a pixmap would be blurred where there are more points than the screen has.
class DrawnIcon : public QIconEngine {
 public:
  explicit DrawnIcon(std::function<void(QPainter&)> draw) : draw_(std::move(draw)) {}
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const double side = std::min(rect.width(), rect.height());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (mode == QIcon::Disabled) painter->setOpacity(0.4 * painter->opacity());
    painter->translate(QRectF(rect).center() - QPointF(side, side) / 2);
    painter->scale(side / 16, side / 16);
    draw_(*painter);
    painter->restore();
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new DrawnIcon(draw_); }

 private:
  std::function<void(QPainter&)> draw_;
};

}  // namespace

QIcon drawn_icon(const std::function<void(QPainter&)>& draw) { return QIcon(new DrawnIcon(draw)); }

}  // namespace headlight
