#include "widgets/views/texts/texts_view.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "widgets/base/controls.h"
#include "widgets/base/nothing_found.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/texts/texts_histogram.h"

namespace headlight {

namespace {

constexpr const char* kMeasureChoice = "measure";
}  // namespace

TextsView::TextsView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent), model_(new TextsModel(this)) {
  build(make_content(), {420, 560});
  set_keyboard_target(search_);
  set_table(&table_);
  connect_parts();
  retranslate();
}

QWidget* TextsView::make_content() {
  auto* content = new QWidget(this);
  auto* column = column_in(content, space::kSmall);
  column->setContentsMargins(space::kMargin, space::kSmall, space::kMargin, space::kSmall);
  auto* first = new QHBoxLayout;
  first->addWidget(search_ = new QLineEdit(content), 1);
  first->addWidget(open_ = new QPushButton(content));
  auto* second = new QHBoxLayout;
  second->addWidget(heads_ = choice_box(content, 15), 1);
  second->addWidget(measures_ = choice_box(content, 10), 1);
  auto* third = new QHBoxLayout;
  third->addWidget(orders_ = choice_box(content, 8), 1);
  third->addWidget(run_ = new QPushButton(content));
  column->addWidget(title_ = text_label(content));
  for (QHBoxLayout* row : {first, second, third}) column->addLayout(row);
  column->addWidget(histogram_ = new TextsHistogram(content));
  column->addWidget(groups_ = text_label(content));
  set_ink(groups_, &Tokens::ink2);
  column->addWidget(rows_ = new QTableView(content), 1);
  column->addWidget(none_ = nothing_found(content), 1);
  column->addWidget(state_ = text_label(content));
  set_ink(state_, &Tokens::ink2);
  rows_->setModel(model_);
  rows_->setShowGrid(false);
  rows_->setFrameShape(QFrame::NoFrame);
  rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
  rows_->setSelectionMode(QAbstractItemView::SingleSelection);
  rows_->setTextElideMode(Qt::ElideRight);
  rows_->setWordWrap(false);
  rows_->setTabKeyNavigation(false);
  rows_->verticalHeader()->hide();
  rows_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  rows_->horizontalHeader()->setSectionResizeMode(TextsModel::kText, QHeaderView::Stretch);
  rows_->horizontalHeader()->setHighlightSections(false);
  rows_->horizontalHeader()->setTextElideMode(Qt::ElideRight);
  rows_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  rows_->horizontalHeader()->setSectionsClickable(true);
  for (QPushButton* button : {open_, run_}) button->setAutoDefault(false);
  return content;
}

void TextsView::connect_parts() {
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& words) {
    model_->set_search(words);
    show_state();
  });
  connect(search_, &QLineEdit::returnPressed, rows_, [this] {
    rows_->setFocus();
    if (!rows_->currentIndex().isValid()) rows_->setCurrentIndex(model_->index(0, TextsModel::kText));
  });
  connect(open_, &QPushButton::clicked, this, &TextsView::openWanted);
  connect(run_, &QPushButton::clicked, this, &TextsView::toggle_run);
  connect(heads_, &QComboBox::activated, this, [this](int at) {
    if (patterns_.heads() == 0) return;
    layer_ = at / patterns_.heads();
    head_ = at % patterns_.heads();
    show_numbers();
    emit headChosen(layer_, head_);
  });
  connect(measures_, &QComboBox::activated, this, &TextsView::set_measure);
  connect(orders_, &QComboBox::activated, this, [this](int at) {
    model_->set_order(static_cast<TextsModel::Order>(at));
    rows_->scrollToTop();
  });
  connect(rows_->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int column) {
    const bool again = column == TextsModel::kValue && model_->order() == TextsModel::Order::highest;
    model_->sort(column, again ? Qt::AscendingOrder : Qt::DescendingOrder);
    rows_->scrollToTop();
    show_state();
  });
  connect(histogram_, &TextsHistogram::betweenChosen, this,
          [this](const std::optional<std::pair<double, double>>& between) {
            model_->set_between(between);
            show_state();
          });
  connect(rows_, &QTableView::clicked, this, &TextsView::open_row);
  rows_->installEventFilter(this);
  search_->installEventFilter(this);
}

// Enter loads the text of the row, Ctrl+V puts what was copied in the place of the list.
bool TextsView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return ViewPanel::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (watched == rows_ && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
    open_row(rows_->currentIndex());
    return true;
  }
  const bool lines = QApplication::clipboard()->text().trimmed().contains(u'\n');
  if (key->matches(QKeySequence::Paste) && (watched == rows_ || lines)) {
    paste();
    return true;
  }
  return ViewPanel::eventFilter(watched, event);
}

void TextsView::set_texts(const QString& name, std::vector<ListedText> texts) {
  if (running_) toggle_run();
  stored_ = false;
  name_ = name;
  search_->clear();
  model_->set_texts(std::move(texts));
  patterns_ = PatternsOverTexts();
  measured_.clear();
  asked_numbers_.clear();
  clear_numbers();
  emit listChanged(name_, std::make_shared<const std::vector<ListedText>>(model_->texts()));
}

bool TextsView::set_stored(const QString& name, int count) {
  if (stored_ && name == name_ && static_cast<int>(model_->texts().size()) == count) return false;
  std::vector<ListedText> texts(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) texts[static_cast<std::size_t>(i)].text = tr("text %1").arg(counted(i)).toStdString();
  set_texts(name, std::move(texts));
  stored_ = true;
  emit listChanged({}, nullptr);
  show_state();
  return true;
}

void TextsView::paste() {
  const std::string bytes = whole_characters(QApplication::clipboard()->text()).toStdString();
  try {
    set_texts(tr("pasted"), parse_text_list(bytes, bytes.find('\t') == bytes.npos ? "pasted.txt" : "pasted.tsv"));
  } catch (const Error& error) {
    set_failed(QString::fromUtf8(error.what()));
  }
}

void TextsView::forget_numbers() {
  asked_.reset();
  asked_numbers_.clear();
  measure_ = std::min(measure_, asked_measure() - 1);
  list_measures();
  clear_numbers();
}

void TextsView::clear_numbers() {
  if (running_) toggle_run();
  if (shows_asked()) {
    asked_numbers_.clear();
  } else {
    patterns_ = PatternsOverTexts();
    measured_.clear();
  }
  done_ = left_out_ = 0;
  seconds_ = 0;
  problem_.clear();
  show_heads();
  show_numbers();
}

void TextsView::toggle_run() {
  if (running_) {
    running_ = false;
    emit stopWanted();
    return show_state();
  }
  if (model_->texts().empty()) return;
  clear_numbers();
  running_ = true;
  if (shows_asked()) asked_numbers_.assign(model_->texts().size(), std::nan(""));
  if (model_->order() == TextsModel::Order::as_listed) model_->set_order(TextsModel::Order::highest);
  show_state();
  emit runWanted(std::make_shared<const std::vector<ListedText>>(model_->texts()),
                 shows_asked() ? asked_ : std::nullopt);
}

void TextsView::ask(const std::optional<ListedNumber>& number) {
  if (running_) toggle_run();
  if (number) {
    asked_ = number;
    asked_numbers_.clear();
    list_measures();
  }
  set_measure(number ? asked_measure() : shows_asked() ? 0 : measure_);
  if (!has_numbers()) toggle_run();
}

void TextsView::add_part(const ListedPart& part) {
  if (!running_) return;
  const bool first = part.numbers.empty() && measured_.empty() && !part.texts.empty();
  for (std::size_t i = 0; i < part.numbers.size() && !asked_numbers_.empty(); ++i)
    asked_numbers_[static_cast<std::size_t>(part.texts[i])] = part.numbers[i];
  if (part.numbers.empty() && !part.texts.empty()) {
    patterns_.append(part.patterns);
    measured_.insert(measured_.end(), part.texts.begin(), part.texts.end());
  }
  for (std::size_t i = 0; i < part.words.size(); ++i) model_->set_text(part.texts[i], part.words[i]);
  done_ = part.done;
  left_out_ = part.left_out;
  if (problem_.isEmpty()) problem_ = from_utf8(part.problem);
  if (first) {
    if (layer_ < 0 || layer_ >= patterns_.layers()) layer_ = patterns_.layers() - 1;
    head_ = std::min(head_, patterns_.heads() - 1);
    show_heads();
  }
  show_numbers();
}

void TextsView::set_finished(double seconds) {
  running_ = false;
  seconds_ = seconds;
  show_table();
  show_state();
}

void TextsView::set_failed(const QString& problem) {
  running_ = false;
  problem_ = problem;
  show_state();
}

void TextsView::set_head(AttentionMap::Kind, Index layer, Index head) {
  layer_ = std::max<Index>(0, layer);
  head_ = std::max<Index>(0, head);
  if (patterns_.heads() == 0) return;
  layer_ = std::min(layer_, patterns_.layers() - 1);
  head_ = std::min(head_, patterns_.heads() - 1);
  show_numbers();
}

void TextsView::set_measure(int measure) {
  measure_ = std::clamp(measure, 0, asked_ ? asked_measure() : asked_measure() - 1);
  show_numbers();
}

QString TextsView::head_name_shown() const { return layer_ < 0 ? QString() : head_place(layer_, head_); }

void TextsView::show_heads() {
  const QSignalBlocker quiet(heads_);
  heads_->clear();
  for (Index layer = 0; layer < patterns_.layers(); ++layer)
    for (Index head = 0; head < patterns_.heads(); ++head) heads_->addItem(head_place(layer, head));
}

// What is chosen stays in sight while numbers arrive.
void TextsView::show_numbers() {
  const std::vector<double> all = numbers();
  const QString name = has_numbers() ? measure_name(measure_) : QString();
  const int at = rows_->verticalScrollBar()->value();
  const int chosen = rows_->currentIndex().isValid() ? model_->text_of(rows_->currentIndex().row()) : -1;
  model_->set_between({});
  histogram_->set_values(shows_asked() ? name : with_colon(head_name_shown(), name), all);
  groups_->setText(groups(all));
  groups_->setVisible(!groups_->text().isEmpty());
  model_->set_values(name, all);
  rows_->verticalScrollBar()->setValue(at);
  if (const int row = chosen < 0 ? -1 : model_->row_of(chosen); row >= 0)
    rows_->selectionModel()->setCurrentIndex(model_->index(row, TextsModel::kText), QItemSelectionModel::Current);
  heads_->setCurrentIndex(layer_ < 0 || patterns_.heads() == 0 ? -1
                                                               : static_cast<int>(layer_ * patterns_.heads() + head_));
  measures_->setCurrentIndex(measure_);
  if (!running_) show_table();
  show_state();
}

void TextsView::show_state() {
  const auto count = static_cast<int>(model_->texts().size());
  const int shown = model_->rowCount();
  const bool any = has_numbers();
  title_->setText(count == 0 ? tr("No texts yet") : tr("%1 · %2 texts").arg(shown_text(bytes_of(name_))).arg(count));
  heads_->setVisible(any && !shows_asked());
  measures_->setVisible(any || asked_ || patterns_.heads() > 0);
  histogram_->setVisible(any);
  for (QWidget* each : {static_cast<QWidget*>(orders_), static_cast<QWidget*>(run_)}) each->setVisible(count > 0);
  rows_->setVisible(shown > 0);
  none_->setVisible(shown == 0);
  none_->setText(count == 0
                     ? tr("Open a file with a text in each line (.txt, .tsv, .jsonl), drop it here, or paste lines "
                          "with Ctrl+V.")
                     : tr("No text has these words."));
  run_->setText(running_ ? tr("&Stop") : tr("&Run all"));
  orders_->setCurrentIndex(static_cast<int>(model_->order()));
  rows_->setColumnHidden(TextsModel::kLabel, !model_->has_labels());
  rows_->setColumnHidden(TextsModel::kValue, !any);
  const QFontMetrics letters(theme().ui_font());
  rows_->setColumnWidth(TextsModel::kNumber, letters.horizontalAdvance(QString::number(std::max(count, 99))) + 20);
  rows_->setColumnWidth(TextsModel::kLabel, letters.averageCharWidth() * 10);
  rows_->setColumnWidth(TextsModel::kValue, letters.averageCharWidth() * 8);
  rows_->verticalHeader()->setDefaultSectionSize(letters.height() + space::kSmall);
  QStringList said;
  if (running_ || (done_ > 0 && done_ < count)) said << tr("%1 of %2 texts").arg(done_).arg(count);
  if (!running_ && seconds_ > 0) said << tr("%1 texts in %2 s").arg(done_).arg(short_number(seconds_, 2));
  if (shown < count) said << tr("%1 shown").arg(shown);
  if (left_out_ > 0) said << tr("%1 could not be read").arg(left_out_);
  if (!problem_.isEmpty()) said << shown_text(bytes_of(problem_));
  if (any && !shows_asked()) said << tr("Where the head looked, not why.");
  if (count == 0 && asked_) said << tr("Every text of the list is then asked: %1").arg(measure_name(asked_measure()));
  state_->setText(said.join(QStringLiteral(" · ")));
  state_->setVisible(!said.isEmpty());
}

void TextsView::open_row(const QModelIndex& index) {
  if (!index.isValid()) return;
  const int at = model_->text_of(index.row());
  const ListedText& text = model_->texts()[static_cast<std::size_t>(at)];
  model_->set_current(at);
  if (stored_)
    emit textWanted(QString::number(at), {});
  else
    emit textWanted(from_utf8(text.text), from_utf8(text.second));
}

// Of a run the text is the current one, where it is in the list.
void TextsView::refresh() {
  if (!result()) return;
  int current = -1;
  const std::vector<ListedText>& texts = model_->texts();
  for (std::size_t i = 0; i < texts.size() && current < 0; ++i)
    if (stored_ ? result()->source == std::to_string(i)
                : texts[i].text == result()->source && texts[i].second == result()->second)
      current = static_cast<int>(i);
  model_->set_current(current);
}

void TextsView::retranslate() {
  search_->setPlaceholderText(tr("Find in the texts"));
  describe(search_, tr("Search in the list of texts"), tr("Shows only texts that have every one of these words"));
  open_->setText(tr("&Open…"));
  describe(open_, tr("Open a list of texts"), tr("A file with a text in each line: .txt, .tsv with labels, .jsonl"));
  describe(
      run_, tr("Run all texts"),
      tr("Let the model read every text of the list, and measure what each head looks at. Once more stops it; what "
         "is there stays."));
  describe(heads_, tr("Head"), tr("Whose attention is measured; a head that is chosen in Heads is taken over."));
  describe(measures_, tr("Number of each text"), tr("What of this head stands beside each text"));
  describe(orders_, tr("Order of the texts"), tr("In which order the texts stand"));
  rows_->setAccessibleName(tr("Texts"));
  const QSignalBlocker quiet(orders_);
  orders_->clear();
  orders_->addItems({tr("as listed"), tr("highest first"), tr("lowest first"), tr("by text"), tr("by label"),
                     tr("%1 of each tenth").arg(TextsModel::kOfTenth)});
  list_measures();
  show_heads();
  show_numbers();
}

Figure TextsView::picture() {
  QWidget* content = search_->parentWidget();
  return {content->size(),
          [content](QPainter& painter) {
            content->render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
          },
          title_->text(), nullptr, about()};
}

QVariantMap TextsView::own_choices() const { return {{QLatin1String(kMeasureChoice), measure_}}; }

void TextsView::set_own_choices(const QVariantMap& choices) {
  bool is_number = false;
  const int measure = choices.value(QLatin1String(kMeasureChoice)).toInt(&is_number);
  if (is_number) set_measure(measure);
}

}  // namespace headlight
