// Fields and picker. Undo belongs to the session, so the fields leave Ctrl+Z to the window.

#include "app/window/source_bar.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "app/document/run_texts.h"
#include "app/document/session.h"
#include "app/messages.h"
#include "app/window/actions.h"
#include "app/window/panel_frame.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {
// More than any model here reads; the rest of a pasted novel is cut off before it slows the window down.
constexpr int kMaxCharacters = 20000;
constexpr int kTitleRole = Qt::UserRole + 1, kDescriptionRole = Qt::UserRole + 2;

QLineEdit* make_field(QWidget* parent, const char* name) {
  auto* field = new QLineEdit(parent);
  field->setObjectName(QString::fromUtf8(name));
  field->setMaxLength(kMaxCharacters);
  return field;
}

class Arrow : public QWidget {
 public:
  using QWidget::QWidget;
  QSize sizeHint() const override { return {space::kMargin + space::kSmall, space::kMargin}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const double side = 20;
    draw_sign(painter, QRectF(QRectF(rect()).center() - QPointF(side, side) / 2, QSizeF(side, side)), Sign::arrow,
              tokens().ink2);
  }
};
}  // namespace

// The output, as large as there is room for: in one line, else smaller, else in up to three lines.
class OutputText : public QWidget {
 public:
  explicit OutputText(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setObjectName(QStringLiteral("output"));
  }
  void set_text(const QString& text, int most) {
    if (text == text_ && most == most_) return;
    text_ = text;
    most_ = most;
    const int before = width_;
    width_ = 0;
    for (const double scale : {type::kSentence, type::kQuestion, type::kTitle}) {
      font_ = Theme::instance().token_font(scale);
      font_.setBold(true);
      width_ = static_cast<int>(std::ceil(QFontMetricsF(font_).horizontalAdvance(text_.left(kMost)))) + 2;
      if (width_ <= most_) break;
    }
    width_ = std::min(width_, most_);
    setToolTip(plain_tooltip(text_));
    // A width that changes with every letter would have the line laid out again at every key.
    width_ = (width_ + kStep - 1) / kStep * kStep;
    if (width_ != before) updateGeometry();
    update();
  }
  void forget() { most_ = -1; }
  QString text() const { return text_; }
  QSize sizeHint() const override { return {width_, QFontMetrics(font_).height()}; }
  QSize minimumSizeHint() const override { return {std::min(width_, 60), QFontMetrics(font_).height()}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setFont(font_);
    painter.setPen(tokens().ink);
    const QFontMetricsF metrics(font_);
    if (metrics.horizontalAdvance(text_.left(kMost)) <= width() + 1) {
      painter.drawText(rect(), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine), text_);
      return;
    }
    QFont small = Theme::instance().token_font();
    small.setBold(true);
    painter.setFont(small);
    painter.drawText(rect(), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextWrapAnywhere,
                     text_.left(kMost));
  }

 private:
  static constexpr int kMost = 600, kStep = 24;
  QString text_;
  QFont font_;
  int width_ = 0, most_ = -1;
};

SourceBar::SourceBar(QWidget* parent)
    : QWidget(parent),
      models_(new QComboBox(this)),
      source_(make_field(this, "source")),
      target_(make_field(this, "target")),
      examples_(new QToolButton(source_)),
      goes_on_(new QToolButton(this)),
      dots_(sign_button(this, Sign::more)),
      close_target_(sign_button(this, Sign::close)),
      example_menu_(new QMenu(this)),
      output_menu_(new QMenu(this)),
      write_(output_menu_->addAction(QString(), this, &SourceBar::write_output)),
      copy_(output_menu_->addAction(QString(), this, [this] { QApplication::clipboard()->setText(output_->text()); })),
      output_(new OutputText(this)),
      arrow_(new Arrow(this)),
      target_row_(new QWidget(this)),
      target_label_(new QLabel(this)) {
  setFocusProxy(source_);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  models_->setObjectName(QStringLiteral("models"));
  models_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  models_->setMaxVisibleItems(30);  // all bundled models at a glance
  source_->setProperty(kLook, QByteArray("field"));
  examples_->setObjectName(QStringLiteral("examples"));
  examples_->setPopupMode(QToolButton::MenuButtonPopup);
  examples_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  examples_->setCursor(Qt::ArrowCursor);
  examples_->setFocusPolicy(Qt::TabFocus);
  examples_->setMenu(example_menu_);
  goes_on_->setObjectName(QStringLiteral("goes_on"));
  goes_on_->setCheckable(true);
  goes_on_->setEnabled(false);
  goes_on_->setFocusPolicy(Qt::TabFocus);
  close_target_->setObjectName(QStringLiteral("close_target"));
  dots_->setObjectName(QStringLiteral("output_menu"));
  dots_->setPopupMode(QToolButton::InstantPopup);
  dots_->setMenu(output_menu_);
  target_label_->setBuddy(target_);
  target_label_->setObjectName(QStringLiteral("target_title"));
  target_label_->setTextFormat(Qt::PlainText);
  target_label_->setWordWrap(true);

  auto* line = new QHBoxLayout;
  line->setSpacing(space::kMedium);
  line->addWidget(models_);
  line->addWidget(source_, 1);
  line->addWidget(arrow_);
  line->addWidget(output_);
  line->addWidget(dots_);
  auto* below = new QHBoxLayout(target_row_);
  below->setContentsMargins(0, 0, 0, 0);
  below->setSpacing(space::kSmall);
  below->addWidget(target_label_, 1);
  below->addWidget(target_, 1);
  below->addWidget(goes_on_);
  below->addWidget(close_target_);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(space::kMargin, space::kMedium, space::kLarge, space::kSmall);
  rows->setSpacing(space::kSmall);
  rows->addLayout(line);
  rows->addWidget(target_row_);
  target_row_->hide();

  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setTabOrder(models_, source_);
  setTabOrder(source_, examples_);
  setTabOrder(examples_, dots_);
  setTabOrder(dots_, target_);
  setTabOrder(target_, goes_on_);
  setTabOrder(goes_on_, close_target_);
  for (QLineEdit* field : {source_, target_}) field->installEventFilter(this);
  output_->installEventFilter(this);
  connect(models_, &QComboBox::activated, this,
          [this](int row) { emit modelChosen(models_->itemData(row).toString()); });
  connect(source_, &QLineEdit::textEdited, this, &SourceBar::sourceEdited);
  connect(target_, &QLineEdit::textEdited, this,
          [this](const QString& text) { emit targetEdited(text.isEmpty() ? std::nullopt : std::optional(text)); });
  connect(goes_on_, &QToolButton::clicked, this, &SourceBar::prefixToggled);
  connect(close_target_, &QToolButton::clicked, this, [this] {
    target_wanted_ = false;
    emit targetEdited(std::nullopt);
    show_target_row(!target_->text().isEmpty());
    source_->setFocus(Qt::OtherFocusReason);
  });
  connect(&Theme::instance(), &Theme::changed, this, &SourceBar::apply_fonts);
  apply_fonts();
  retranslate();
}

void SourceBar::show_target_row(bool shown) {
  if (shown == !target_row_->isHidden()) return;
  target_row_->setVisible(shown);
  updateGeometry();
}

void SourceBar::write_output() {
  target_wanted_ = true;
  show_target_row(true);
  if (target_->text().isEmpty() && !output_->text().isEmpty()) {
    target_->setText(output_->text());
    emit targetEdited(output_->text());
  }
  target_->setFocus(Qt::ShortcutFocusReason);
  target_->selectAll();
}

bool SourceBar::writes_output() const { return !target_row_->isHidden(); }

void SourceBar::set_output(const QString& output) {
  output_->set_text(output, static_cast<int>(0.4 * width()));
  const bool any = !output.isEmpty();
  if (arrow_->isHidden() == any) arrow_->setVisible(any);
}

QString SourceBar::output() const { return output_->text(); }

void SourceBar::set_models(const std::vector<ListedModel>& models) {
  const QSignalBlocker block(models_);
  models_->clear();
  for (const ListedModel& entry : models) {
    models_->addItem(QString(), entry.folder);
    set_model_row(models_->count() - 1, entry.title, entry.description);
  }
}

// As the model's card says it; shown in the language of the window.
void SourceBar::set_model_row(int row, const QString& title, const QString& description) {
  models_->setItemData(row, title, kTitleRole);
  models_->setItemData(row, description, kDescriptionRole);
  models_->setItemText(row, model_text(title.toStdString()));
  models_->setItemData(row, plain_tooltip(model_text(description.toStdString())), Qt::ToolTipRole);
}

void SourceBar::set_model(const ModelBundle& bundle) {
  const QSignalBlocker block(models_);
  const QString folder = path_text(bundle.folder);
  int row = models_->findData(folder);
  if (row < 0) {
    models_->addItem(QString(), folder);
    row = models_->count() - 1;
  }
  set_model_row(row, QString::fromStdString(bundle.title.empty() ? bundle.name : bundle.title),
                QString::fromStdString(bundle.description));
  models_->setCurrentIndex(row);
  fit_models();
  example_texts_ = bundle.examples;
  fill_examples();
  retranslate();
}

void SourceBar::fill_examples() {
  constexpr std::size_t kMost = 200;  // a menu is no list of ten thousand texts; the next one is a key away
  example_menu_->clear();
  for (std::size_t i = 0; i < std::min(kMost, example_texts_.size()); ++i) {
    const std::string& example = example_texts_[i];
    const QString text = from_utf8(example);
    QAction* action = example_menu_->addAction(message_text(text).replace('&', QStringLiteral("&&")));
    connect(action, &QAction::triggered, this, [this, text] { emit sourceEdited(text); });
  }
  examples_->setEnabled(!example_texts_.empty());
}

void SourceBar::set_texts(const QString& source, const std::optional<QString>& target) {
  // setText() would move the cursor to the end, also while somebody types in the middle.
  if (source_->text() != source) {
    const int cursor = source_->cursorPosition();
    const bool same_length = source_->text().size() == source.size();
    source_->setText(source);
    if (same_length) source_->setCursorPosition(cursor);
  }
  fit_text();
  const QString forced = target.value_or(QString());
  if (target_->text() != forced) target_->setText(forced);
  show_target_row(target_wanted_ || target.has_value());
}

void SourceBar::set_prefix(bool prefix, bool possible) {
  goes_on_->setEnabled(possible);
  goes_on_->setChecked(prefix);
}

void SourceBar::set_target_problem(const QString& problem) {
  target_problem_ = problem;
  title_target();
}

void SourceBar::set_target_probability(std::optional<double> probability) {
  target_probability_ = probability;
  title_target();
}

QString SourceBar::target_title() const { return target_title_; }

// The title says what the field does now.
void SourceBar::title_target() {
  const Theme& theme = Theme::instance();
  const bool wrong = !target_problem_.isEmpty();
  const QString help = tr(
      "Leave this empty to see what the model writes by itself. Type an output to make the model write exactly that, "
      "and see how probable it finds each step.");
  if (wrong)
    target_title_ = target_problem_;
  else if (target_probability_)
    target_title_ = tr("Written by you; the model gives it p = %1").arg(*target_probability_, 0, 'g', 3);
  else
    target_title_ = tr("Write the output yourself");
  target_label_->setText(target_title_);
  QPalette colours = theme.palette();
  // On the ground of a picture a label takes the ink of texts.
  if (wrong)
    for (const auto role : {QPalette::WindowText, QPalette::Text}) colours.setColor(role, theme.warning());
  target_label_->setPalette(colours);
  QPalette ink = QApplication::palette("QLineEdit");
  if (wrong) ink.setColor(QPalette::Text, theme.warning());
  target_->setPalette(ink);
  const QString more = wrong ? plain_tooltip(target_problem_ + '\n' + tr("What you see is the last good run."))
                       : target_probability_
                           ? plain_tooltip(tr("How probable the model finds this output as a whole. Empty the field to "
                                              "see what it writes by itself."))
                           : plain_tooltip(help);
  target_->setToolTip(more);
  target_label_->setToolTip(more);
  target_->setAccessibleDescription(wrong ? target_problem_ : help);
}

// As wide as the name of the model that runs; the list as wide as it needs.
void SourceBar::fit_models() {
  const QFontMetrics metrics(models_->font());
  models_->setFixedWidth(metrics.horizontalAdvance(models_->currentText()) + 2 * space::kMedium + metrics.height() + 4);
  int widest = 0;
  for (int row = 0; row < models_->count(); ++row)
    widest = std::max(widest, metrics.horizontalAdvance(models_->itemText(row)));
  models_->view()->setMinimumWidth(widest + 2 * space::kMargin);
}

// A text that is too long is written smaller before its beginning goes out of sight.
void SourceBar::fit_text() {
  const int room = source_->width() - source_->textMargins().right() - 2 * space::kMedium;
  const QString shown = source_->text().left(400);
  for (const double scale : {1.5, 1.25, 1.0}) {
    const QFont font = Theme::instance().token_font(scale);
    if (scale > 1 && QFontMetrics(font).horizontalAdvance(shown) > room) continue;
    if (source_->font() != font) source_->setFont(font);
    return;
  }
}

void SourceBar::fit_line() {
  // Large letters leave no room for the text of a button that has an icon and a tooltip.
  const bool wide = source_->width() > 44 * fontMetrics().averageCharWidth();
  examples_->setToolButtonStyle(wide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  const QSize button = examples_->sizeHint();
  const int high = std::min(button.height(), source_->height() - 6);
  examples_->setGeometry(source_->width() - button.width() - space::kSmall, (source_->height() - high) / 2,
                         button.width(), high);
  source_->setTextMargins(0, 0, button.width() + space::kSmall, 0);
  output_->set_text(output_->text(), static_cast<int>(0.4 * width()));
  fit_text();
}

void SourceBar::set_next_example_action(QAction* action) { examples_->setDefaultAction(action); }

void SourceBar::next_example() {
  if (example_texts_.empty()) return;
  const auto now = std::ranges::find(example_texts_, source_->text().toStdString());
  const bool wrap = now == example_texts_.end() || now + 1 == example_texts_.end();
  emit sourceEdited(from_utf8(wrap ? example_texts_.front() : *(now + 1)));
}

void SourceBar::focus_source() {
  source_->setFocus(Qt::ShortcutFocusReason);
  source_->selectAll();
}

bool SourceBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == output_) {
    if (event->type() == QEvent::MouseButtonDblClick) write_output();
    return QWidget::eventFilter(watched, event);
  }
  if (watched == source_ && event->type() == QEvent::Resize) fit_line();
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void SourceBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void SourceBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_line();
}

void SourceBar::apply_fonts() {
  const Theme& theme = Theme::instance();
  source_->setFont(theme.token_font(1.5));
  target_->setFont(theme.token_font(1.2));
  QFont title = theme.ui_font(type::kTitle);
  title.setWeight(QFont::DemiBold);
  models_->setFont(title);
  const int high = QFontMetrics(theme.token_font(1.5)).height() + space::kLarge;
  for (QWidget* each : {static_cast<QWidget*>(source_), static_cast<QWidget*>(models_)}) each->setFixedHeight(high);
  fit_models();
  examples_->setFont(theme.ui_font());
  output_->forget();
  title_target();
  fit_line();
}

void SourceBar::retranslate() {
  models_->setAccessibleName(tr("Model"));
  for (int row = 0; row < models_->count(); ++row)
    set_model_row(row, models_->itemData(row, kTitleRole).toString(),
                  models_->itemData(row, kDescriptionRole).toString());
  fit_models();
  const QString description = models_->currentData(Qt::ToolTipRole).toString();
  models_->setToolTip(description.isEmpty() ? tr("The model that runs.") : description);
  source_->setAccessibleName(tr("Text that the model reads"));
  source_->setPlaceholderText(tr("Type something: every key runs the model again"));
  source_->setToolTip(tr("Every key that you press here runs the model and redraws everything."));
  target_->setAccessibleName(tr("The output that you write"));
  target_->setPlaceholderText(tr("the model's own choice"));
  goes_on_->setText(tr("and let the model go on"));
  goes_on_->setToolTip(tr("What you wrote is only the beginning: the model goes on by itself."));
  goes_on_->setAccessibleName(goes_on_->text());
  close_target_->setToolTip(tr("Let the model write by itself again"));
  close_target_->setAccessibleName(close_target_->toolTip());
  write_->setText(tr("Write the output yourself"));
  copy_->setText(tr("Copy the output"));
  dots_->setToolTip(tr("What can be done with the output"));
  dots_->setAccessibleName(dots_->toolTip());
  output_->setAccessibleName(tr("What the model wrote"));
  title_target();
  fit_line();
}

}  // namespace headlight
