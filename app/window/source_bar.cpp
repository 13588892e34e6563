// Fields and picker. Undo belongs to the session, so the fields leave Ctrl+Z to the window.

#include "app/window/source_bar.h"

#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "app/document/run_texts.h"
#include "app/document/session.h"
#include "app/messages.h"
#include "app/window/actions.h"
#include "widgets/base/theme.h"
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
  field->setClearButtonEnabled(true);
  return field;
}
}  // namespace

SourceBar::SourceBar(QWidget* parent)
    : QWidget(parent),
      model_label_(new QLabel(this)),
      source_label_(new QLabel(this)),
      target_label_(new QLabel(this)),
      models_(new QComboBox(this)),
      source_(make_field(this, "source")),
      target_(make_field(this, "target")),
      examples_(new QToolButton(this)),
      goes_on_(new QToolButton(this)),
      example_menu_(new QMenu(this)) {
  setFocusProxy(source_);
  models_->setObjectName(QStringLiteral("models"));
  models_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  models_->setMinimumContentsLength(16);
  models_->setMaxVisibleItems(30);  // all bundled models at a glance
  examples_->setObjectName(QStringLiteral("examples"));
  examples_->setPopupMode(QToolButton::MenuButtonPopup);
  examples_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  examples_->setMenu(example_menu_);
  goes_on_->setObjectName(QStringLiteral("goes_on"));
  goes_on_->setCheckable(true);
  goes_on_->setEnabled(false);
  model_label_->setBuddy(models_);
  source_label_->setBuddy(source_);
  target_label_->setBuddy(target_);
  target_label_->setObjectName(QStringLiteral("target_title"));
  for (QLabel* label : {source_label_, target_label_}) {
    label->setTextFormat(Qt::PlainText);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  }

  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(10, 4, 10, 4);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(2);
  grid->addWidget(model_label_, 0, 0);
  grid->addWidget(source_label_, 0, 1);
  grid->addWidget(target_label_, 0, 3);
  grid->addWidget(models_, 1, 0);
  grid->addWidget(source_, 1, 1);
  grid->addWidget(examples_, 1, 2);
  grid->addWidget(target_, 1, 3);
  grid->addWidget(goes_on_, 1, 4);
  grid->setColumnStretch(1, 5);
  grid->setColumnStretch(3, 2);

  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setTabOrder(source_, examples_);
  setTabOrder(examples_, target_);
  setTabOrder(target_, goes_on_);
  for (QLineEdit* field : {source_, target_}) field->installEventFilter(this);
  connect(models_, &QComboBox::activated, this,
          [this](int row) { emit modelChosen(models_->itemData(row).toString()); });
  connect(source_, &QLineEdit::textEdited, this, &SourceBar::sourceEdited);
  connect(target_, &QLineEdit::textEdited, this,
          [this](const QString& text) { emit targetEdited(text.isEmpty() ? std::nullopt : std::optional(text)); });
  connect(goes_on_, &QToolButton::clicked, this, &SourceBar::prefixToggled);
  connect(&Theme::instance(), &Theme::changed, this, &SourceBar::apply_fonts);
  apply_fonts();
  retranslate();
}

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
  const QString forced = target.value_or(QString());
  if (target_->text() != forced) target_->setText(forced);
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

// The title says what the field does now: a message below it would move everything up and down with every key.
void SourceBar::title_target() {
  const Theme& theme = Theme::instance();
  const bool wrong = !target_problem_.isEmpty();
  const QString help = tr(
      "Leave this empty to see what the model writes by itself. Type an output to make the model write exactly that, "
      "and see how probable it finds each step.");
  if (wrong)
    target_title_ = target_problem_;
  else if (target_probability_)
    target_title_ = tr("Forced &output, p = %1").arg(*target_probability_, 0, 'g', 3);
  else
    target_title_ = tr("Forced &output");
  QPalette colours = theme.palette();
  // A label on a tool bar takes the ink of buttons.
  if (wrong)
    for (const auto role : {QPalette::WindowText, QPalette::ButtonText}) colours.setColor(role, theme.warning());
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
  fit_titles();
}

void SourceBar::fit_titles() {
  // Large letters leave no room for the text of a button that has an icon and a tooltip.
  const bool wide = width() > 100 * fontMetrics().averageCharWidth();
  examples_->setToolButtonStyle(wide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  const auto fit = [](QLabel* label, const QString& text, int width) {
    label->setText(label->fontMetrics().elidedText(text, Qt::ElideRight, std::max(width, 20), Qt::TextShowMnemonic));
  };
  fit(source_label_, tr("&Text that the model reads"), source_->width());
  QString title = target_title_;
  if (!target_problem_.isEmpty()) title.replace('&', QStringLiteral("&&"));
  fit(target_label_, title, target_->width());
}

void SourceBar::set_next_example_action(QAction* action) { examples_->setDefaultAction(action); }

void SourceBar::set_below(QWidget* strip) {
  below_ = strip;
  static_cast<QGridLayout*>(layout())->addWidget(strip, 2, 0, 1, 5);
  setTabOrder(goes_on_, strip);
}

// A tool bar asks no widget how high it wants to be for its width, so the height is set from here.
void SourceBar::fit_below() {
  if (!below_) return;
  const QMargins margins = layout()->contentsMargins();
  const int wanted = below_->heightForWidth(width() - margins.left() - margins.right());
  const int least = below_->minimumSizeHint().height();
  const int height = std::clamp(wanted, least, std::max(least, window()->height() / 6));
  if (height != below_->height() || below_->minimumHeight() != height) below_->setFixedHeight(height);
}

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
  layout()->activate();
  fit_titles();
  fit_below();
}

void SourceBar::apply_fonts() {
  source_->setFont(Theme::instance().token_font(1.2));
  target_->setFont(Theme::instance().token_font(1.2));
  title_target();
  fit_below();
}

void SourceBar::retranslate() {
  model_label_->setText(tr("&Model"));
  models_->setAccessibleName(tr("Model"));
  for (int row = 0; row < models_->count(); ++row)
    set_model_row(row, models_->itemData(row, kTitleRole).toString(),
                  models_->itemData(row, kDescriptionRole).toString());
  const QString description = models_->currentData(Qt::ToolTipRole).toString();
  models_->setToolTip(description.isEmpty() ? tr("The model that runs.") : description);
  source_->setAccessibleName(tr("Text that the model reads"));
  source_->setPlaceholderText(tr("Type something: every key runs the model again"));
  source_->setToolTip(tr("Every key that you press here runs the model and redraws everything."));
  target_->setAccessibleName(tr("Forced output"));
  target_->setPlaceholderText(tr("the model's own choice"));
  goes_on_->setText(tr("…and on"));
  goes_on_->setAccessibleName(tr("Go on after the forced output"));
  goes_on_->setToolTip(tr("The forced output is only the beginning: the model goes on by itself."));
  title_target();
}

}  // namespace headlight
