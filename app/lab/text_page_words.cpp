// What the page of texts says, its files and its state; what it does is in text_page.cpp.

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "app/file_dialogs.h"
#include "app/lab/setup/training_words.h"
#include "app/lab/text_page.h"
#include "app/lab/texts/text_picture.h"
#include "app/lab/texts/text_rows.h"
#include "app/lab/texts/text_side.h"
#include "app/language.h"
#include "model/core/errors.h"
#include "model/training/tasks/own/text_task.h"
#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

QString in_groups(Index count) { return QLocale(current_language()).toString(static_cast<qlonglong>(count)); }

}  // namespace

QWidget* TextPage::make_foot() {
  auto* foot = new QWidget(this);
  auto* rows = column_in(foot, space::kTight);
  const auto label = [&](const char* name, QColor Tokens::*ink) {
    QLabel* made = text_label(foot);
    made->setObjectName(QString::fromUtf8(name));
    set_ink(made, ink);
    rows->addWidget(made);
    return made;
  };
  sentence_ = label("text_sentence", &Tokens::ink);
  hint_ = label("text_hint", &Tokens::ink2);
  problem_ = label("text_page_problem", &Tokens::bad);
  problem_->hide();
  auto* acts = new QHBoxLayout;
  acts->setSpacing(space::kSmall);
  const auto button = [&](const char* name) {
    auto* made = new QPushButton(foot);
    made->setObjectName(QString::fromUtf8(name));
    made->setAutoDefault(false);
    acts->addWidget(made);
    return made;
  };
  train_ = button("text_train");
  train_->setDefault(true);
  pause_ = button("text_pause");
  stop_ = button("text_stop");
  acts->addStretch(1);
  table_ = button("text_table");
  table_->setCheckable(true);
  export_ = button("text_export");
  rows->addLayout(acts);
  connect(train_, &QPushButton::clicked, this, &TextPage::train);
  connect(pause_, &QPushButton::clicked, this, &TextPage::pause_or_go_on);
  connect(stop_, &QPushButton::clicked, this, &TextPage::stop);
  connect(table_, &QPushButton::toggled, this, &TextPage::show_tables);
  connect(export_, &QPushButton::clicked, this, &TextPage::export_figure);
  return foot;
}

void TextPage::show_tables(bool shown) {
  for (TextSide* each : sides_) each->set_table_shown(shown);
}

// --- what is shown

void TextPage::refresh() {
  if (!export_) return;
  const bool ours = ours_are_shown();
  int shown = 0;
  std::vector<TextBar> bars;
  for (std::size_t at = 0; at < sides_.size(); ++at) {
    const LabShown::Run& run = runs_[at];
    const int moment = !run || run->moments.empty() ? 0 : ours ? shown_->moment(shown) : run->count() - 1;
    if (run) ++shown;
    const bool live = trainings_[at]->busy() && run && moment == run->count() - 1;
    sides_[at]->set_run(run, moment, live);
    const std::vector<TextBar>& own = sides_[at]->picture()->bars();
    bars.insert(bars.end(), own.begin(), own.end());
  }
  const double full = full_bar(bars);
  for (TextSide* each : sides_) each->picture()->set_full(full);
  show_words();
}

QString TextPage::caption() const {
  const QString kind = plan_.recurrent ? tr("small recurrent network") : tr("small GPT");
  const QString by = tokens_->currentText();
  const QString start = in_quotes(plan_.start);
  const Index numbers = std::max(measured_[0].numbers, measured_[1].numbers);
  const QString model =
      numbers > 0 ? tr("%1 by %2 (%3 numbers)").arg(kind, by, in_groups(numbers)) : tr("%1 by %2").arg(kind, by);
  return sides_[0]->has_text() && sides_[1]->has_text()
             ? tr("The same %1 on two texts; both go on from %2 with the same dice.").arg(model, start)
             : tr("A %1; it goes on from %2.").arg(model, start);
}

QString TextPage::sentence() const {
  const CountingFound first = counting_beside(sides_[0]->picture()->bars()),
                      second = counting_beside(sides_[1]->picture()->bars());
  if (first.by_heart && second.by_heart && first.order == second.order)
    return tr("So short a text is known by heart: counting %1 letters in a row does as well.").arg(first.order);
  const QString left = sides_[0]->counted_sentence(), right = sides_[1]->counted_sentence();
  if (left.isEmpty() || right.isEmpty()) return left.isEmpty() ? right : left;
  return tr("%1 %2").arg(with_colon(sides_[0]->title(), left), with_colon(sides_[1]->title(), right));
}

QString TextPage::hint() const {
  for (std::size_t at = 0; at < measured_.size(); ++at)
    if (sides_[at]->has_text() && !measured_[at].problem.isEmpty()) return measured_[at].problem;
  double seconds = 0;
  int texts = 0, known = 0;
  Index numbers = 0;
  for (std::size_t at = 0; at < measured_.size(); ++at) {
    if (!sides_[at]->has_text()) continue;
    ++texts;
    if (measured_[at].numbers > 0) ++known;
    seconds += measured_[at].seconds;
    numbers = std::max(numbers, measured_[at].numbers);
  }
  if (numbers > kMostTextNumbers)
    return tr("The model would have %1 numbers; at most %2 are allowed: take a smaller width or fewer layers.")
        .arg(in_groups(numbers), in_groups(kMostTextNumbers));
  if (texts == 0 || known < texts || busy()) return tr("Drop any text file onto a side.");
  return texts == 2 ? tr("Drop any text file onto a side; both train in about %1.").arg(duration_words(seconds))
                    : tr("Drop any text file onto a side; it trains in about %1.").arg(duration_words(seconds));
}

void TextPage::show_words() {
  if (!export_) return;
  caption_->setText(caption());
  sentence_->setText(sentence());
  sentence_->setVisible(!sentence_->text().isEmpty());
  hint_->setText(hint());
  bool any = false, fits = true, paused = false, stopped = false;
  for (int at = 0; at < static_cast<int>(sides_.size()); ++at) {
    const auto index = static_cast<std::size_t>(at);
    sides_[index]->set_state(state(at));
    any = any || sides_[index]->has_text();
    fits = fits && measured_[index].numbers <= kMostTextNumbers;
    paused = paused || trainings_[index]->state() == LabTraining::State::paused;
    stopped = stopped || trainings_[index]->state() == LabTraining::State::stopped;
  }
  const bool trains = busy();
  train_->setEnabled(any && fits && !trains && !paused);
  pause_->setText(paused || (stopped && !trains) ? tr("&Go on") : tr("&Pause"));
  pause_->setEnabled(trains || paused || stopped);
  stop_->setEnabled(trains || paused);
  export_->setEnabled(any);
  table_->setEnabled(any);
}

void TextPage::retranslate() {
  filling_ = true;
  title_->setText(tr("What does it learn from which text?"));
  const auto words = [](QComboBox* box, const QStringList& texts) {
    const int at = std::max(0, box->currentIndex());
    box->clear();
    box->addItems(texts);
    box->setCurrentIndex(at);
  };
  words(tokens_, {tr("characters"), tr("words"), tr("byte pairs")});
  words(model_, {tr("Transformer"), tr("recurrent network")});
  const auto name = [](QLabel* label, QWidget* field, const QString& text, const QString& help) {
    label->setText(text);
    describe(field, QString(text).remove(QLatin1Char('&')), help);
  };
  name(start_label_, start_, tr("Goes on fr&om"),
       tr("With these letters every sample begins, so that samples can be "
          "compared"));
  name(dice_label_, dice_, tr("D&ice"),
       tr("Seed of the dice that choose each next token: the same number, the same throws"));
  name(tokens_label_, tokens_, tr("&By"), tr("What the text is cut into"));
  name(model_label_, model_, tr("&Model"),
       tr("A Transformer looks back at all that it has read; a recurrent network "
          "keeps one state"));
  name(width_label_, width_, tr("&Width"),
       tr("Numbers for each token; a model of a text has at most %1 numbers").arg(in_groups(kMostTextNumbers)));
  name(layers_label_, layers_, tr("&Layers"), tr("Layers on each other"));
  filling_ = false;
  fill_fields();
  train_->setText(tr("&Train"));
  train_->setToolTip(tr("Train on each text, one after the other (Ctrl+Enter)"));
  pause_->setToolTip(tr("Pause the training, and go on (Space)"));
  stop_->setText(tr("&Stop here"));
  stop_->setToolTip(tr("Stop the training, and keep what there is (Ctrl+.)"));
  table_->setText(tr("T&able"));
  table_->setToolTip(tr("What stands on both sides, as tables"));
  export_->setText(tr("E&xport…"));
  export_->setToolTip(tr("Both sides as PNG, SVG or PDF; the numbers of the side with the keyboard as CSV"));
  refresh();
}

// --- files and sessions

LabData TextPage::data() const {
  LabData data;
  data.kind = LabData::Kind::text;
  const auto* found = std::ranges::find_if(sides_, &TextSide::has_text);
  data.title = tr("A text of your own");
  if (found == sides_.end()) return data;
  const ReadText& text = (*found)->text();
  data.title = (*found)->title();
  data.line = tr("%1 characters, %2 different").arg(in_groups(text.characters), in_groups(text.different));
  data.put = [plan = plan_, path = text.path, characters = text.characters](TrainingSettings& settings,
                                                                            const std::filesystem::path&) {
    settings = text_settings(plan, path, characters);
  };
  return data;
}

Figure TextPage::figure() {
  if (!sides_[0]->has_text() && !sides_[1]->has_text() && !runs_[0] && !runs_[1])
    throw UsageError(bytes_of(tr("There is no text yet: open or drop one.")));
  QSize size;
  for (TextSide* each : sides_) {
    const QSize own = each->picture()->figure().size;
    size = {size.width() + own.width() + (size.isEmpty() ? 0 : space::kMargin), std::max(size.height(), own.height())};
  }
  const int head = static_cast<int>(2 * Theme::line_height(bold_font(type::kTitle)));
  const bool second = sides_[1]->isAncestorOf(QWidget::focusWidget()) || !sides_[0]->has_text();
  TextPicture* numbers = sides_[second ? 1 : 0]->picture();
  return {size + QSize(0, head), [this](QPainter& painter) { paint_figure(painter); }, title_->text(),
          numbers->table()};
}

void TextPage::paint_figure(QPainter& painter) const {
  const double head = 2 * Theme::line_height(bold_font(type::kTitle));
  double left = 0;
  for (TextSide* each : sides_) {
    const Figure drawn = each->picture()->figure();
    write_words(painter, QRectF(left, 0, drawn.size.width(), head), each->title(), bold_font(type::kTitle),
                tokens().ink);
    painter.save();
    painter.translate(left, head);
    drawn.paint(painter);
    painter.restore();
    left += drawn.size.width() + space::kMargin;
  }
}

void TextPage::export_figure() {
  problem_->hide();
  ask_where_to_write(this, figure_question(tr("Export what it writes"), QStringLiteral("texts.png")),
                     [this](const QString& path) {
                       try {
                         write_figure(figure(), path);
                       } catch (const Error& error) {
                         problem_->setText(from_utf8(error.what()));
                         problem_->show();
                       }
                     });
}

QVariantMap TextPage::choices() const {
  return {{QStringLiteral("left"), sides_[0]->text().path}, {QStringLiteral("right"), sides_[1]->text().path},
          {QStringLiteral("start"), plan_.start},           {QStringLiteral("dice"), plan_.dice},
          {QStringLiteral("tokens"), plan_.tokens},         {QStringLiteral("recurrent"), plan_.recurrent},
          {QStringLiteral("width"), plan_.width},           {QStringLiteral("layers"), plan_.layers}};
}

void TextPage::set_choices(const QVariantMap& choices) {
  const auto number = [&](const char* key, QSpinBox* field) {
    bool read = false;
    const int value = choices.value(QString::fromUtf8(key)).toInt(&read);
    if (read) field->setValue(value);  // within its range
  };
  if (const QString start = choices.value(QStringLiteral("start")).toString(); !start.isEmpty()) start_->setText(start);
  number("dice", dice_);
  number("width", width_);
  number("layers", layers_);
  const int tokens = choices.value(QStringLiteral("tokens")).toInt();
  if (tokens >= 0 && tokens < tokens_->count()) tokens_->setCurrentIndex(tokens);
  model_->setCurrentIndex(choices.value(QStringLiteral("recurrent")).toBool() ? 1 : 0);
  plan_changed();
  const char* const sides[] = {"left", "right"};
  for (int at = 0; at < 2; ++at)
    if (const QString path = choices.value(QString::fromUtf8(sides[at])).toString(); !path.isEmpty()) open(at, path);
}

}  // namespace headlight
