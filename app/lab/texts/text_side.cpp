#include "app/lab/texts/text_side.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/file_dialogs.h"
#include "app/lab/texts/text_picture.h"
#include "app/language.h"
#include "model/io/file.h"
#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/tables/table_pane.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr Index kLongSample = 400;  // tokens
constexpr int kSampleLines = 3, kPause = 150;
constexpr int kTableRoom = 160;  // pixels

QString counted_letters(Index count) { return QLocale(current_language()).toString(static_cast<qlonglong>(count)); }

QString dropped_path(const QMimeData& data) {
  for (const QUrl& url : data.urls())
    if (url.isLocalFile())
      return path_text(QByteArray::fromPercentEncoding(url.path(QUrl::FullyEncoded).toLatin1()).toStdString());
  return {};
}

}  // namespace

TextSide::TextSide(int side, QWidget* parent)
    : QWidget(parent),
      side_(side),
      title_(text_label(this, false)),
      file_(text_label(this)),
      problem_label_(text_label(this)),
      state_label_(text_label(this)),
      sample_title_(text_label(this, false)),
      open_(new QPushButton(this)),
      picture_(new TextPicture(this)),
      sample_(new QPlainTextEdit(this)),
      pane_(new TablePane(picture_->table(), this)),
      reading_([this](const ReadText& read) { take(read); },
               [this](const QString& message, bool) { show_problem(message); }),
      writing_(
          [this](const Wrote& wrote) {
            wrote_[wrote.key] = wrote.text;
            refresh();
            ask_next();
          },
          [this](const QString& message, bool) { show_problem(message); }) {
  setObjectName(QStringLiteral("text_side_%1").arg(side));
  setAcceptDrops(true);
  make_layout();
  connect(pane_, &TablePane::closed, this, &TextSide::tableClosed);
  connect(picture_, &TextPicture::chosen, this, &TextSide::chosen);
  rests_.setSingleShot(true);
  rests_.setInterval(kPause);
  connect(&rests_, &QTimer::timeout, this, &TextSide::ask_next);
  const auto restyle = [this] {
    title_->setFont(bold_font(type::kTitle));
    sample_->setFont(theme().token_font(type::kText));
    sample_->setFixedHeight(static_cast<int>((kSampleLines + 0.8) * Theme::line_height(sample_->font())));
  };
  theme().restyles(this, restyle);
  restyle();
  retranslates(this, [this] { retranslate(); });
  retranslate();
}

void TextSide::make_layout() {
  auto* rows = column_in(this, space::kTight);
  rows->addWidget(make_head());
  for (QLabel* each : {problem_label_, state_label_}) {
    each->hide();
    rows->addWidget(each);
  }
  set_ink(problem_label_, &Tokens::bad);
  set_ink(state_label_, &Tokens::ink2);
  set_ink(file_, &Tokens::ink2);
  set_ink(sample_title_, &Tokens::ink2);
  problem_label_->setObjectName(QStringLiteral("text_problem_%1").arg(side_));
  rows->addWidget(picture_, 1);
  rows->addWidget(sample_title_);
  sample_->setObjectName(QStringLiteral("text_sample_%1").arg(side_));
  sample_->setReadOnly(true);
  sample_->setAcceptDrops(false);
  sample_->setTabChangesFocus(true);
  sample_->setFrameShape(QFrame::NoFrame);
  rows->addWidget(sample_);
  pane_->setFixedHeight(kTableRoom);
  pane_->hide();
  rows->addWidget(pane_);
}

QWidget* TextSide::make_head() {
  auto* head = new QWidget(this);
  auto* row = row_in(head, space::kSmall);
  row->addWidget(title_);
  row->addWidget(file_, 1);
  open_->setObjectName(QStringLiteral("text_open_%1").arg(side_));
  open_->setAutoDefault(false);
  auto* menu = new QMenu(open_);
  connect(menu, &QMenu::aboutToShow, this, &TextSide::fill_menu);
  open_->setMenu(menu);
  row->addWidget(open_);
  return head;
}

void TextSide::fill_menu() {
  QMenu* menu = open_->menu();
  menu->clear();
  for (const BundledText& text : bundled_texts())
    menu->addAction(QString(text.title).replace(QLatin1Char('&'), QStringLiteral("&&")), this,
                    [this, text] { open(text.path); });
  menu->addSeparator();
  menu->addAction(tr("A text file…"), this, [this] {
    ask_for_file(this, {"text", tr("Open a text"), {}, {tr("Texts (*.txt *.md)"), tr("All files (*)")}},
                 [this](const QString& path) { open(path); });
  });
}

// --- reading

void TextSide::open(const QString& path) {
  show_problem({});
  reading_.start([path, options = options_](const CancelToken& cancel) { return read_text_of(path, options, cancel); });
  refresh();
}

void TextSide::set_options(const FileOptions& options) {
  const bool same = options.tokenizer == options_.tokenizer && options.context == options_.context;
  options_ = options;
  if (same || !has_text()) return;
  const QString path = text_.path;
  reading_.start([path, options](const CancelToken& cancel) { return read_text_of(path, options, cancel); });
}

void TextSide::take(const ReadText& read) {
  if (!read.problem.isEmpty()) return show_problem(read.problem);
  const auto name = [](const std::filesystem::path& file) { return file.filename(); };
  const bool another = read.path != text_.path;
  const bool of_run = run_ && run_->settings.data.files.size() == 1 &&
                      name(run_->settings.data.files.front()) == name(bytes_of(read.path));
  text_ = read;
  if (another && !of_run) {
    run_ = nullptr;
    forget_written();
  }
  show_problem({});
  emit opened();
}

void TextSide::show_problem(const QString& problem) {
  problem_ = problem;
  problem_label_->setText(problem);
  problem_label_->setVisible(!problem.isEmpty());
  refresh();
  if (!problem.isEmpty()) emit failed();
}

void TextSide::dragEnterEvent(QDragEnterEvent* event) {
  if (dropped_path(*event->mimeData()).isEmpty()) return;
  event->setDropAction(Qt::CopyAction);  // whoever drags a file here keeps it
  event->accept();
}

void TextSide::dropEvent(QDropEvent* event) {
  event->setDropAction(Qt::CopyAction);
  event->accept();
  open(dropped_path(*event->mimeData()));
}

// --- what the model writes

void TextSide::set_run(LabShown::Run run, int moment, bool live) {
  // A training that has grown shares the moments that it had.
  const bool same =
      run && run_ && !run->moments.empty() && !run_->moments.empty() && run->moments.front() == run_->moments.front();
  if (!same) {
    forget_written();
    read_text_of_run(run.get());
  }
  run_ = std::move(run);
  moment_ = moment;
  live_ = live;
  refresh();
  rests_.start();
}

// A recording that was opened names its text: it is read where it lies on this machine, too.
void TextSide::read_text_of_run(const Recording* run) {
  if (!run || run->settings.data.files.size() != 1) return;
  const std::filesystem::path& file = run->settings.data.files.front();
  std::error_code none;
  if (has_text() && std::filesystem::equivalent(file, bytes_of(text_.path), none)) return;
  QString path = path_text(file);
  if (!is_there(file)) {
    path.clear();
    for (const BundledText& text : bundled_texts())
      if (QFileInfo(text.path).fileName() == path_text(file.filename())) path = text.path;
  }
  if (path == text_.path && !path.isEmpty()) return;
  text_ = {};
  if (!path.isEmpty()) open(path);
}

void TextSide::set_written(const Written& asked) {
  if (asked == asked_) return;
  asked_ = asked;
  forget_written();
  refresh();
  rests_.start();
}

void TextSide::forget_written() {
  writing_.stop();
  wrote_.clear();
}

void TextSide::set_state(const QString& state) {
  if (state == state_) return;
  state_ = state;
  state_label_->setText(state);
  state_label_->setVisible(!state.isEmpty());
}

QString TextSide::written(int moment) const {
  const auto found = wrote_.find({run_->at(moment).update, asked_.tokens});
  if (found != wrote_.end()) return shown_text(found->second);
  return shown_text(written_in(*run_, moment, asked_));
}

QString TextSide::sample() const {
  if (!run_ || run_->moments.empty()) return {};
  const auto found = wrote_.find({run_->at(moment_).update, kLongSample});
  return found != wrote_.end() ? from_utf8(found->second) : from_utf8(written_in(*run_, moment_, asked_));
}

// One text after the other, the rows first: what a handle that moved on asks for comes before what it left.
void TextSide::ask_next() {
  if (!run_ || run_->moments.empty() || live_ || writing_.busy()) return;
  std::vector<std::pair<int, Index>> wanted;
  for (const TextRow& row : picture_->rows())
    if (row.moment >= 0 && written_in(*run_, row.moment, asked_).empty())
      wanted.emplace_back(row.moment, asked_.tokens);
  wanted.emplace_back(moment_, kLongSample);
  for (const auto& [moment, tokens] : wanted) {
    const Moment& at = run_->at(moment);
    if (!at.weights || wrote_.contains({at.update, tokens})) continue;
    Written asked = asked_;
    asked.tokens = tokens;
    writing_.start([run = run_, moment, asked, key = Key{at.update, tokens}](const CancelToken& cancel) {
      return Wrote{key, written_at(*run, moment, asked, cancel)};
    });
    return;
  }
}

// --- what is shown

QString TextSide::title() const {
  if (has_text()) return title_of_text(text_.path);
  if (run_ && !run_->settings.data.files.empty()) return title_of_text(path_text(run_->settings.data.files.front()));
  return run_ ? from_utf8(run_->title) : QString();
}

QString TextSide::counted_sentence() const {
  const CountingFound found = counting_beside(picture_->bars());
  const QString counted = plain_number(found.counted), model = plain_number(found.model);
  switch (found.how) {
    case Counting::as_well:
      return (found.by_heart
                  ? tr("So short a text is known by heart: counting %1 letters in a row does as well (%2 and %3).")
                  : tr("Counting %1 letters in a row does as well (%2 and %3)."))
          .arg(found.order)
          .arg(counted, model);
    case Counting::better:
      return tr("Counting %1 letters in a row does better than the model (%2 and %3).")
          .arg(found.order)
          .arg(counted, model);
    case Counting::worse:
      return tr("The model does better than any counting here (%1 and %2).").arg(model, counted);
    default:
      return {};
  }
}

void TextSide::refresh() {
  title_->setText(title().isEmpty() ? (side_ == 0 ? tr("A text") : tr("Another text")) : title());
  const QString name = QFileInfo(text_.path).fileName();
  file_->setText(has_text() ? tr("%1 · %2 characters, %3 different")
                                  .arg(name, counted_letters(text_.characters), counted_letters(text_.different))
                            : QString());
  TextPicture::Shown shown;
  shown.title = title();
  shown.run = run_;
  shown.handle = moment_;
  shown.counted = text_.counted;
  shown.written = [this](int moment) { return written(moment); };
  shown.full = picture_->shown().full;
  shown.empty = is_reading() ? tr("Reading the text, and counting…")
                : has_text() ? tr("Train, and see here what it goes on writing.")
                             : tr("Drop any text file here, or open one.");
  picture_->show_text(std::move(shown));
  show_sample();
}

void TextSide::show_sample() {
  const bool shown = run_ && !run_->moments.empty();
  sample_title_->setVisible(shown);
  sample_->setVisible(shown);
  if (!shown) return;
  sample_title_->setText(tr("It goes on, after %1 characters read").arg(counted_letters(run_->at(moment_).read)));
  const QString text = sample();
  if (text != sample_->toPlainText()) sample_->setPlainText(text);
}

void TextSide::set_table_shown(bool shown) { pane_->setVisible(shown); }

void TextSide::retranslate() {
  open_->setText(tr("Open…"));
  open_->setToolTip(tr("A text to learn from: one of those that came with the program, or any text file in UTF-8"));
  open_->setAccessibleName(side_ == 0 ? tr("Open a text on the left") : tr("Open a text on the right"));
  sample_->setAccessibleName(tr("What it goes on writing"));
  pane_->set_name(side_ == 0 ? tr("Numbers of the left text") : tr("Numbers of the right text"));
  refresh();
}

}  // namespace headlight
