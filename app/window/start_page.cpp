#include "app/window/start_page.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/actions.h"
#include "app/document/recent.h"
#include "app/document/run_texts.h"
#include "app/messages.h"
#include "app/panels/status_panel.h"
#include "app/parts.h"
#include "app/stage/stage.h"
#include "app/stage/window_panels.h"
#include "app/text/model_lines.h"
#include "app/text/source_bar.h"
#include "model/io/model_folder.h"
#include "widgets/base/controls.h"
#include "widgets/base/focus.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kColumn = 236;     // the least width of a column, in letters of normal size
constexpr double kShare = 0.48;  // of the room for the picture and what can be chosen, at most
constexpr qsizetype kMostRecent = 4;

// One of each group, in the order of the lists of models.
constexpr std::array kOurs = {"date-attention", "tatoeba-bahdanau", "story-gpt", "masked-bert"};

}  // namespace

StartPage::StartPage(const Around& around)
    : QWidget(around.stage),
      around_(around),
      question_(new QLabel(around.stage)),
      closer_(new QPushButton(around.caption)),
      scroll_(new QScrollArea(this)),
      content_(new QWidget) {
  setObjectName(QStringLiteral("start"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  question_->setObjectName(QStringLiteral("question"));
  question_->setTextFormat(Qt::PlainText);
  question_->setWordWrap(true);
  question_->setContentsMargins(space::kMargin, space::kMargin, space::kLarge, 0);
  closer_->setObjectName(QStringLiteral("look_closer"));
  closer_->setProperty(kLook, QByteArray("main"));
  closer_->setAutoDefault(true);
  closer_->hide();
  around_.caption->set_end(closer_);
  auto* line = new QWidget(this);
  line->setFixedHeight(space::kHair);
  line->setAutoFillBackground(true);
  line->setBackgroundRole(QPalette::Midlight);
  content_->setBackgroundRole(QPalette::Base);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setWidget(content_);
  scroll_->setBackgroundRole(QPalette::Base);
  QVBoxLayout* rows = column_in(this, space::kMedium);
  rows->setContentsMargins(space::kMargin, space::kSmall, space::kLarge, 0);
  rows->addWidget(line);
  rows->addWidget(scroll_, 1);
  around_.stage->set_start(question_, this);
  connect(closer_, &QPushButton::clicked, this, &StartPage::leave);
  connect(around_.panels, &WindowPanels::arranged, this, &StartPage::follow);
  connect(around_.stage, &Stage::resized, this, &StartPage::fit);
  connect(&Theme::instance(), &Theme::changed, this, &StartPage::retranslate);
  retranslate();
}

void StartPage::open() { around_.panels->arrange(QString::fromUtf8(Arrangements::kStart)); }

void StartPage::leave() {
  if (open_) around_.panels->arrange(QStringLiteral("look"));
}

// The arrangement of the window says whether it is open.
void StartPage::follow() {
  const bool open = around_.panels->arrangement() == QLatin1String(Arrangements::kStart);
  if (open) ask();
  if (open == open_) return;
  open_ = open;
  around_.text->set_plain(open);
  closer_->setVisible(open);
  around_.stage->show_start(open);
  if (open) {
    fill();
    around_.text->focus_source();
  }
}

void StartPage::set_model(const QString& folder, bool reads_dates) {
  folder_ = folder;
  dates_ = reads_dates;
  ask();
  if (open_) fill();
}

void StartPage::set_lessons(const QString& title, QWidget* column) {
  if (lessons_ && lessons_ != column) lessons_->deleteLater();
  lessons_title_ = title;
  lessons_ = column;
  if (column) {
    column->setParent(content_);
    column->installEventFilter(this);
  }
  if (open_) fill();
}

// The column of lessons fills itself, and may be higher then.
bool StartPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest && watched == lessons_.data()) fit();
  return QWidget::eventFilter(watched, event);
}

QString StartPage::question() const { return question_->text(); }

void StartPage::ask() {
  const QString front = around_.panels->front();
  const bool looks =
      front == QLatin1String("alignment") || front == QLatin1String("heads") || front == QLatin1String("ribbons");
  const QString what = dates_ ? tr("Type a date.") : tr("Type a text.");
  question_->setText(
      //: Two sentences after each other.
      tr("%1 %2").arg(what, looks ? tr("Watch what the model looks at.") : tr("Watch what the model makes of it.")));
}

void StartPage::add_column(const QString& title) {
  auto* box = new QWidget(content_);
  auto* label = new QLabel(title, box);
  label->setTextFormat(Qt::PlainText);
  label->setFont(strong_font(type::kTitle));
  label->setWordWrap(true);
  columns_.push_back({box, label, {}});
}

StartItem* StartPage::add_item(const QString& title, const QString& line, std::function<void()> chosen) {
  auto* item = new StartItem(title, line, columns_.back().box);
  // A click may open a dialog, or another model: this item is gone before that ends.
  connect(
      item, &QAbstractButton::clicked, this, [chosen = std::move(chosen)] { chosen(); }, Qt::QueuedConnection);
  columns_.back().items.push_back(item);
  return item;
}

void StartPage::fill() {
  const KeepKeyboard keyboard(content_);
  if (lessons_) lessons_->setParent(content_);
  for (Column& column : columns_) {
    column.box->hide();
    column.box->deleteLater();
  }
  columns_.clear();
  if (lessons_) {
    add_column(lessons_title_);
    lessons_->setParent(columns_.back().box);
    lessons_->show();
    columns_.back().items.push_back(lessons_);
  }
  fill_ours();
  fill_own();
  fill_recent();
  for (Column& column : columns_) column.box->show();
  fit();
}

void StartPage::fill_ours() {
  add_column(tr("Try one of ours"));
  for (const std::filesystem::path& folder : bundled_models()) {
    const bool ours = std::ranges::find(kOurs, folder.filename().string()) != kOurs.end();
    if (!ours || path_text(folder) == folder_) continue;  // what runs already is no choice
    try {
      const ModelDescription each = describe_model(folder);
      const ModelBundle& bundle = *each.bundle;
      add_item(model_text(bundle.title.empty() ? bundle.name : bundle.title), model_line(bundle), [this, folder] {
        leave();
        emit modelWanted(path_text(folder));
      });
    } catch (const Error&) {
      // The list of all models says what is wrong with it.
    }
  }
  add_item(tr("All models"), tr("dates, translation, stories, hidden words, small tasks"),
           [this] { around_.text->open_picker(); });
}

void StartPage::fill_own() {
  add_column(tr("Open your own"));
  const auto item = [&](const QString& title, const QString& line) {
    add_item(title, line, [opens = (*around_.actions)["open"]] { opens->trigger(); });
  };
  item(tr("Open model folder…"), tr("of the transformers library, or one of ours"));
  item(tr("Open file…"), tr("attention from a notebook, a mapping, weights"));
  item(tr("Open session…"), tr("where you were when you saved it"));
}

void StartPage::fill_recent() {
  QList<RecentFiles::Entry> entries = around_.recent->existing();
  entries.removeIf([this](const RecentFiles::Entry& entry) { return entry.path == folder_; });
  if (entries.isEmpty()) return;
  add_column(tr("Go on"));
  for (const RecentFiles::Entry& entry : entries.first(std::min(kMostRecent, entries.size()))) {
    const bool session = entry.kind == RecentFiles::Entry::Kind::session;
    const QString folder = message_text(QFileInfo(entry.path).absoluteDir().dirName());
    add_item(message_text(entry.name), (session ? tr("session in %1") : tr("model in %1")).arg(folder),
             [this, session, path = entry.path] {
               leave();
               emit session ? around_.recent->sessionChosen(path) : around_.recent->modelChosen(path);
             })
        ->setToolTip(plain_tooltip(message_text(entry.path)));
  }
}

// Columns beside each other as far as there is room, the others below them.
void StartPage::fit() {
  if (!open_ || columns_.empty()) return;
  const QMargins margins = layout()->contentsMargins();
  constexpr int kScrollBar = 12;
  const int width = std::max(this->width() - margins.left() - margins.right() - kScrollBar, 100);
  const int count = static_cast<int>(columns_.size());
  const int beside = std::clamp(static_cast<int>(width / (kColumn * Theme::instance().font_scale())), 1, count);
  const int wide = (width - (beside - 1) * space::kLarge) / beside;
  int top = 0, lowest = 0;
  for (int i = 0; i < count; ++i) {
    if (i % beside == 0) top = lowest;
    const int left = i % beside * (wide + space::kLarge);
    int y = top;
    const auto place = [&](QWidget* each, int gap) {
      const int high = each->hasHeightForWidth() ? each->heightForWidth(wide) : each->sizeHint().height();
      each->setGeometry(0, y - top, wide, high);
      y += high + gap;
    };
    const Column& column = columns_[static_cast<std::size_t>(i)];
    place(column.title, space::kSmall);
    for (QWidget* item : column.items) place(item, space::kTight);
    column.box->setGeometry(left, top, wide, y - top);
    lowest = std::max(lowest, y + space::kMedium);
  }
  content_->resize(width, lowest);
  const int around = margins.top() + margins.bottom() + layout()->spacing() + space::kHair;
  // The picture has the larger part of what is left.
  const int others = question_->heightForWidth(this->width()) + around_.text->sizeHint().height() +
                     around_.caption->sizeHint().height();
  const int room = static_cast<int>(kShare * (around_.stage->height() - others));
  setFixedHeight(std::clamp(lowest + around, 0, std::max(0, room)));
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void StartPage::retranslate() {
  question_->setFont(strong_font(type::kQuestion));
  closer_->setText(tr("Look closer"));
  closer_->setToolTip(tr("The same picture in the whole window (Esc)"));
  ask();
  if (open_) fill();
}

}  // namespace headlight
