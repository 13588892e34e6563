// Fields and picker. Undo belongs to the session, so the fields leave Ctrl+Z to the window.

#include "app/text/source_bar.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "app/actions.h"
#include "app/document/learned_texts.h"
#include "app/document/model_list.h"
#include "app/document/run_texts.h"
#include "app/document/session.h"
#include "app/messages.h"
#include "app/parts.h"
#include "app/stage/panel_frame.h"
#include "app/text/chat_rows.h"
#include "app/text/model_button.h"
#include "app/text/model_lines.h"
#include "app/text/model_picker.h"
#include "app/text/output_line.h"
#include "app/text/pair_row.h"
#include "app/text/source_field.h"
#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/spoken.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {
// More than any model here reads; the rest of a pasted novel is cut off before it slows the window down.
constexpr int kMaxCharacters = 20000;
constexpr int kRest = 600;  // milliseconds until an output is spoken

// What a model is for, from what it was trained on; in the order of the list.
struct Group {
  const char* title;
  std::initializer_list<const char*> tasks;
};
const Group kGroups[] = {
    {QT_TRANSLATE_NOOP("ModelGroups", "DATES"), {"date", "date_wide"}},
    {QT_TRANSLATE_NOOP("ModelGroups", "TRANSLATION"), {"pairs", "grammar", "toy_mt"}},
    {QT_TRANSLATE_NOOP("ModelGroups", "TEXT THAT GOES ON, HIDDEN WORDS"), {"story", "masked", "text"}},
    {QT_TRANSLATE_NOOP("ModelGroups", "SMALL TASKS"), {"addition", "copy", "bits_copy", "reverse", "sort", "glimpse"}},
};
constexpr const char* kYours = QT_TRANSLATE_NOOP("ModelGroups", "YOURS");

std::size_t group_of(const std::string& task) {
  std::size_t at = 0;
  for (const Group& group : kGroups) {
    if (std::ranges::any_of(group.tasks, [&](const char* each) { return task == each; })) return at;
    ++at;
  }
  return at;
}

QString group_title(std::size_t group) {
  return QCoreApplication::translate("ModelGroups", group < std::size(kGroups) ? kGroups[group].title : kYours);
}

QLineEdit* make_field(QWidget* parent, const char* name) {
  auto* field = new QLineEdit(parent);
  field->setObjectName(QString::fromUtf8(name));
  field->setMaxLength(kMaxCharacters);
  return field;
}

class Arrow : public QWidget {
 public:
  using QWidget::QWidget;
  QSize sizeHint() const override { return {qRound(side()) + space::kMedium, qRound(side()) + space::kTight}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const double side = this->side();
    draw_sign(painter, QRectF(QRectF(rect()).center() - QPointF(side, side) / 2, QSizeF(side, side)), Sign::arrow,
              tokens().ink2);
  }

 private:
  // As large as the letters beside it, within bounds.
  static double side() { return std::clamp(20 * Theme::instance().font_scale(), 20.0, 44.0); }
};
}  // namespace

SourceBar::SourceBar(QWidget* parent)
    : QWidget(parent),
      model_(new ModelButton(this)),
      picker_(new ModelPicker(this)),
      source_(new SourceField(this)),
      target_(make_field(this, "target")),
      examples_(new QToolButton(source_)),
      goes_on_(new QToolButton(this)),
      dots_(sign_button(this, Sign::more)),
      close_target_(sign_button(this, Sign::close)),
      example_menu_(new QMenu(this)),
      output_menu_(new QMenu(this)),
      write_(output_menu_->addAction(QString(), this, &SourceBar::write_output)),
      copy_(output_menu_->addAction(QString(), this, [this] { QApplication::clipboard()->setText(output_->text()); })),
      output_(new OutputLine(this)),
      arrow_(new Arrow(this)),
      target_row_(new QWidget(this)),
      pair_(new PairRow(this)),
      chat_(new ChatRows(this)),
      chat_switch_(new QToolButton(this)),
      target_label_(new QLabel(this)) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  model_->setObjectName(QStringLiteral("model"));
  source_->setObjectName(QStringLiteral("source"));
  source_->set_most(kMaxCharacters);
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

  lay_out();
  make_chat();
  for (QObject* each :
       std::initializer_list<QObject*>{source_, target_, pair_->second_field(), pair_->types_field(), output_})
    each->installEventFilter(this);
  output_menu_->addActions({pair_->second_action(), pair_->types_action()});
  connect(pair_, &PairRow::shownChanged, this, &QWidget::updateGeometry);
  resting_.setSingleShot(true);
  resting_.setInterval(kRest);
  connect(&resting_, &QTimer::timeout, this, &SourceBar::speak_output);
  connect(model_, &QAbstractButton::clicked, this, &SourceBar::open_picker);
  connect(picker_, &ModelPicker::chosen, this, &SourceBar::modelChosen);
  connect(picker_, &ModelPicker::lookedAt, this, &SourceBar::modelLookedAt);
  connect(picker_, &ModelPicker::lookedBack, this, &SourceBar::modelLookedBack);
  connect(picker_, &ModelPicker::otherWanted, this, &SourceBar::otherModelWanted);
  connect(source_, &SourceField::textEdited, this, &SourceBar::sourceEdited);
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
  on_language(this, [this] { retranslate(); });
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
  // Where the model has a long name, the text has at least as much room as the output.
  output_->set_text(output, share_of_output(model_->one_line() ? 0 : model_width()));
  chat_->set_answer(output_->told());
  show_output_line();
  // Who listens hears it when it has come to rest, not at every key.
  if (output_->told() != spoken_) resting_.start();
}

// The answer of a chat stands below its messages.
void SourceBar::show_output_line() {
  const bool here = chat_->isHidden(), any = here && !output_->text().isEmpty();
  if (output_->isHidden() == here) output_->setVisible(here);
  if (arrow_->isHidden() == any) arrow_->setVisible(any);
}

void SourceBar::speak_output() {
  constexpr qsizetype kMost = 600;
  if (output_->told() == spoken_) return;
  spoken_ = output_->told();
  if (!spoken_.isEmpty()) Spoken::instance().say(this, tr("Output: %1").arg(spoken_.left(kMost)));
}

void SourceBar::set_closed_output(const QString& closed) {
  output_->set_closed(closed);
  chat_->set_answer(output_->told());
  for (QAction* each : {copy_, write_}) each->setEnabled(closed.isNull());
  // What was written by hand would tell it as well.
  target_->setEchoMode(closed.isNull() ? QLineEdit::Normal : QLineEdit::NoEcho);
  target_->setEnabled(closed.isNull());
}

void SourceBar::set_unchanged_output(const QString& output, bool characters) {
  const bool other = !output.isEmpty() && !output_->text().isEmpty() && output != output_->text();
  output_->set_spaced(!characters);
  output_->set_parts(other ? changed_output(output, output_->text(), characters) : std::vector<OutputPart>());
}

const std::vector<OutputPart>& SourceBar::output_parts() const { return output_->parts(); }

QString SourceBar::output() const { return output_->text(); }

void SourceBar::set_model(const ModelBundle& bundle) {
  folder_ = path_text(bundle.folder);
  title_ = QString::fromStdString(bundle.title.empty() ? bundle.name : bundle.title);
  description_ = QString::fromStdString(bundle.description);
  source_of_model_.clear();
  if (bundle.model) {
    const Published& published = bundle.model->traits().published;
    if (published.year > 0)
      source_of_model_ = QStringLiteral("%1 %2").arg(QString::fromUtf8(published.authors)).arg(published.year);
  }
  name_model();
  const auto characters = [](const Tokenizer& tokenizer) { return tokenizer.kind() == TokenizerKind::characters; };
  source_->set_characters(characters(bundle.text.source));
  output_->set_characters(characters(bundle.text.target));
  pair_->set_model(bundle);
  chat_->set_model(bundle);
  chat_switch_->setVisible(bundle.chat != nullptr);
  example_texts_ = bundle.examples;
  fill_examples();
  retranslate();
}

void SourceBar::set_changes(int changes) {
  if (changes == changes_) return;
  changes_ = changes;
  name_model();
}

void SourceBar::name_model() {
  model_->set_texts(model_text(title_.toStdString()),
                    changes_ > 0 ? tr("changed by you (%1)").arg(changes_) : source_of_model_.trimmed(), changes_ > 0);
  const QString description = model_text(description_.toStdString());
  place_model();
  fit_line();
  model_->setToolTip(description.isEmpty() ? tr("The model that runs.") : plain_tooltip(description));
  model_->setAccessibleDescription(description);
}

void SourceBar::want_models() {
  if (models_.empty()) emit modelsWanted();
}

void SourceBar::take_models(const std::vector<ModelDescription>& models) {
  if (!models_.empty()) return;
  models_ = models;
  emit modelsKnown();
}

void SourceBar::open_picker() {
  if (models_.empty() && models_of_) take_models(models_of_());
  fill_picker();
  picker_->open_below(model_->isVisible() ? static_cast<QWidget*>(model_) : source_, folder_);
}

void SourceBar::fill_picker() {
  std::vector<std::pair<std::size_t, ModelPicker::Row>> rows;
  bool listed = false;
  for (const ModelDescription& each : models_) {
    const ModelBundle& bundle = *each.bundle;
    const std::size_t group = group_of(bundle.task);
    rows.push_back(
        {group,
         {group_title(group), path_text(bundle.folder), model_text(bundle.title.empty() ? bundle.name : bundle.title),
          model_line(bundle), each.traits.published.year, reads_text(bundle)}});
    listed = listed || rows.back().second.folder == folder_;
  }
  if (!listed && !folder_.isEmpty())
    rows.push_back({std::size(kGroups),
                    {group_title(std::size(kGroups)), folder_, model_text(title_.toStdString()),
                     first_words(model_text(description_.toStdString())), 0, reads_ ? reads_() : QString()}});
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.year) < std::pair(b.first, b.second.year);
  });
  std::vector<ModelPicker::Row> ordered;
  for (auto& [group, row] : rows) ordered.push_back(std::move(row));
  picker_->set_rows(std::move(ordered));
}

void SourceBar::take_example(const std::string& example) {
  const auto [first, second] = sentences_of(example);
  emit sourceEdited(from_utf8(first));
  if (!second.empty()) emit pair_->secondEdited(from_utf8(second));
}

void SourceBar::fill_examples() {
  constexpr std::size_t kMost = 200;  // a menu is no list of ten thousand texts; the next one is a key away
  example_menu_->clear();
  for (std::size_t i = 0; i < std::min(kMost, example_texts_.size()); ++i) {
    const std::string& example = example_texts_[i];
    const QString text = from_utf8(sentences_of(example).first);
    QAction* action = example_menu_->addAction(message_text(text).replace('&', QStringLiteral("&&")));
    connect(action, &QAction::triggered, this, [this, example] { take_example(example); });
  }
  examples_->setEnabled(!example_texts_.empty());
}

void SourceBar::set_texts(const QString& source, const std::optional<QString>& target) {
  set_text_only(source_, source);
  const QString forced = target.value_or(QString());
  if (target_->text() != forced) target_->setText(forced);
  show_target_row(target_wanted_ || target.has_value());
}

void SourceBar::show_unread(const Result& result) {
  std::vector<SourceField::Part> parts;
  // Places in the bytes of the text become places in the field.
  std::size_t bytes = 0;
  int place = 0;
  const auto place_of = [&](std::size_t byte) {
    if (byte < bytes) bytes = 0, place = 0;
    place += static_cast<int>(from_utf8(result.source.substr(bytes, byte - bytes)).size());
    bytes = byte;
    return place;
  };
  for (const TextToken& token : result.tokens)
    if ((!token.id || token.unknown) && token.sentence == 0 && token.begin < token.end &&
        token.end <= result.source.size()) {
      const int begin = place_of(token.begin), end = place_of(token.end);
      if (!parts.empty() && parts.back().end == begin && parts.back().left_out == !token.id)
        parts.back().end = end;
      else
        parts.push_back({begin, end, !token.id});
    }
  source_->set_unread(from_utf8(result.source), std::move(parts));
}

void SourceBar::set_prefix(bool prefix, bool possible) {
  goes_on_->setEnabled(possible);
  goes_on_->setChecked(prefix);
}

void SourceBar::set_target_problem(const QString& problem) {
  if (problem != std::exchange(target_problem_, problem)) title_target();
}

void SourceBar::set_target_probability(std::optional<double> probability) {
  if (probability != std::exchange(target_probability_, probability)) title_target();
}

QString SourceBar::target_title() const { return target_title_; }

// The title says what the field does now.
void SourceBar::title_target() {
  const Theme& theme = Theme::instance();
  const bool wrong = !target_problem_.isEmpty();
  const QString help =
      tr("Leave this empty to see what the model writes on its own. Type an output to make the model write exactly "
         "that, and see how probable it finds each step.");
  if (wrong)
    target_title_ = target_problem_;
  else if (target_probability_)
    target_title_ = tr("Written by you; the model gives it p = %1").arg(short_number(*target_probability_, 3));
  else
    target_title_ = tr("Write the output yourself");
  fit_title();
  QPalette colours = theme.palette();
  // On the ground of a picture a label takes the ink of texts.
  if (wrong)
    for (const auto role : {QPalette::WindowText, QPalette::Text}) colours.setColor(role, theme.warning());
  target_label_->setPalette(colours);
  QPalette ink = QApplication::palette("QLineEdit");
  if (wrong) ink.setColor(QPalette::Text, theme.warning());
  target_->setPalette(ink);
  const QString more = wrong ? plain_tooltip(target_problem_ + '\n' + tr("What you see is the last good run."))
                       : target_probability_ ? plain_tooltip(tr("How probable the model finds this output as a whole. "
                                                                "Empty the field to see what it writes on its own."))
                                             : plain_tooltip(help);
  target_->setToolTip(more);
  target_label_->setToolTip(more);
  target_->setAccessibleDescription(wrong ? target_problem_ : help);
}

void SourceBar::set_next_example_action(QAction* action) { examples_->setDefaultAction(action); }

void SourceBar::next_example() {
  if (example_texts_.empty()) return;
  const auto now = std::ranges::find(example_texts_, source_->text().toStdString(),
                                     [](const std::string& example) { return sentences_of(example).first; });
  const bool wrap = now == example_texts_.end() || now + 1 == example_texts_.end();
  take_example(wrap ? example_texts_.front() : *(now + 1));
}

void SourceBar::focus_source() {
  if (source_->isHidden()) return chat_->focus_last();
  source_->setFocus(Qt::ShortcutFocusReason);
  source_->selectAll();
}

bool SourceBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == output_) {
    if (event->type() == QEvent::MouseButtonDblClick) write_output();
    return QWidget::eventFilter(watched, event);
  }
  if (watched == source_ && event->type() == QEvent::Resize) fit_line();
  if (watched == target_ && event->type() == QEvent::Resize) fit_title();
  return left_to_window(event) || QWidget::eventFilter(watched, event);
}

void SourceBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place_model();
  fit_line();
  fit_title();
}

void SourceBar::retranslate() {
  model_->setAccessibleName(tr("Model"));
  name_model();
  source_->setAccessibleName(tr("Text that the model reads"));
  source_->setPlaceholderText(tr("Type something"));
  source_->setToolTip(tr("Every key that you press here runs the model and redraws everything."));
  target_->setAccessibleName(tr("The output that you write"));
  target_->setPlaceholderText(tr("the model's own choice"));
  goes_on_->setText(tr("Let it continue from here"));
  goes_on_->setToolTip(tr("What you wrote is only the beginning: the model continues on its own."));
  goes_on_->setAccessibleName(goes_on_->text());
  name_button(close_target_, tr("Let the model write on its own again"));
  write_->setText(tr("Write the output yourself"));
  copy_->setText(tr("Copy the output"));
  chat_switch_->setText(tr("Chat"));
  describe(chat_switch_, tr("Chat"),
           tr("Messages in place of the text: the model's chat template makes a text of them."));
  name_button(dots_, tr("What can be done with the output"));
  output_->setAccessibleName(tr("What the model wrote"));
  title_target();
  fit_line();
}

}  // namespace headlight
