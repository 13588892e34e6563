#include "app/window/start_page.h"

#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/actions.h"
#include "app/document/recent.h"
#include "app/messages.h"
#include "app/panels/status_panel.h"
#include "app/parts.h"
#include "app/stage/stage.h"
#include "app/stage/window_panels.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/learned_panel.h"
#include "model/io/model_folder.h"
#include "model/training/tasks/dates.h"
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
constexpr int kBeside = 300;     // the least width of what was learned, beside a picture of at least as much again
constexpr int kIcon = 20, kScrollBar = 12;

// The path as it is: one folder may have several names.
bool is_bundled(const QString& folder) {
  const QString wanted = QFileInfo(folder).canonicalFilePath();
  return std::ranges::any_of(bundled_models(), [&](const std::filesystem::path& each) {
    return QFileInfo(path_text(each)).canonicalFilePath() == wanted;
  });
}

}  // namespace

StartPage::StartPage(const Around& around)
    : QWidget(around.stage),
      around_(around),
      question_(new QLabel(around.stage)),
      closer_(new QPushButton(around.caption)),
      scroll_(new QScrollArea(this)),
      content_(new QWidget),
      beside_(new QWidget(around.stage)),
      learned_(new LearnedPanel(beside_)),
      always_(new QCheckBox(content_)) {
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
  rows->setContentsMargins(space::kMargin, space::kSmall, space::kMargin - kScrollBar, 0);
  QHBoxLayout* rule = row_in(nullptr, 0);
  rule->setContentsMargins(0, 0, kScrollBar, 0);
  rule->addWidget(line);
  rows->addLayout(rule);
  rows->addWidget(scroll_, 1);
  beside_->hide();
  beside_->installEventFilter(this);
  always_->setObjectName(QStringLiteral("at_every_start"));
  around_.stage->set_start(question_, beside_, this);
  connect(learned_, &LearnedPanel::outputsChanged, this, &StartPage::fit);
  connect(learned_, &LearnedPanel::tried, this, [this](const QString& text) {
    emit textWanted(text);
    around_.text->focus_source();
  });
  connect(always_, &QCheckBox::toggled, this, [](bool always) { UserSettings().set_start_page(always); });
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
  beside_->setVisible(open);
  if (open) {
    const QSignalBlocker block(always_);
    always_->setChecked(UserSettings().start_page());
    show_learned();
    fill();
    around_.text->focus_source();
  }
}

void StartPage::set_model(std::shared_ptr<const ModelBundle> model) {
  model_ = std::move(model);
  ask();
  if (!open_) return;
  show_learned();
  fill();
}

void StartPage::show_learned() {
  learned_->set_model(model_, around_.text->source_field()->text().toStdString());
  learned_->ask();
}

void StartPage::set_lessons(QWidget* column) {
  if (lessons_ && lessons_ != column) lessons_->deleteLater();
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
  if (event->type() == QEvent::Resize && watched == beside_) fit_beside();
  return QWidget::eventFilter(watched, event);
}

QString StartPage::question() const { return question_->text(); }

void StartPage::ask() {
  const QString front = around_.panels->front();
  const bool looks =
      front == QLatin1String("alignment") || front == QLatin1String("heads") || front == QLatin1String("ribbons");
  const QString what = !model_ || reads_dates(model_->task) ? tr("Type a date.") : tr("Type a text.");
  question_->setText(
      //: Two sentences after each other.
      tr("%1 %2").arg(what, looks ? tr("Watch what the model looks at.") : tr("Watch what the model makes of it.")));
}

void StartPage::add_column(const char* icon, const QString& title, const QString& line) {
  auto* box = new QWidget(content_);
  auto* head = new QWidget(box);
  QHBoxLayout* row = row_in(head, space::kSmall);
  auto* sign = new QLabel(head);
  const int side = qRound(kIcon * Theme::instance().font_scale());
  sign->setPixmap(themed_icon(QString::fromUtf8(icon)).pixmap(side, side));
  auto* name = new QLabel(title, head);
  name->setTextFormat(Qt::PlainText);
  name->setFont(strong_font(type::kQuestion));
  row->addWidget(sign);
  row->addWidget(name, 1);
  auto* about = new QLabel(line, box);
  make_running_text(about);
  about->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  set_ink(about, &Tokens::ink2);
  columns_.push_back({box, {head, about}});
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
  fill_explore();
  add_column("lessons", tr("Learn"), tr("Short lessons: a question first, then the model answers."));
  if (lessons_) {
    lessons_->setParent(columns_.back().box);
    lessons_->show();
    columns_.back().items.push_back(lessons_);
  }
  QAction* lab = (*around_.actions)["lab"];
  add_item(tr("Watch a model learn"), tr("Train one, and go back to any moment of it"), [lab] { lab->trigger(); });
  fill_inspect();
  fill_find();
  for (Column& column : columns_) column.box->show();
  fit();
}

void StartPage::fill_explore() {
  add_column("explore", tr("Explore"), tr("Change the text and watch every number move."));
  add_item(tr("All models"), tr("%1 models").arg(bundled_models().size()), [this] { around_.text->open_picker(); });
  const bool dates = model_ && reads_dates(model_->task);
  add_item(dates ? tr("One date through every model, by year") : tr("One text through every model, by year"),
           tr("Compare"), [compare = (*around_.actions)["compare"]] { compare->trigger(); });
  add_recent(true, 1);
}

void StartPage::fill_inspect() {
  add_column("inspect", tr("Inspect"), tr("Open a trained model of yours; see its heads and tensors."));
  QAction* open = (*around_.actions)["open"];
  add_item(tr("Open a folder or a file…"), open->shortcut().toString(QKeySequence::NativeText),
           [open] { open->trigger(); })
      ->setToolTip(plain_tooltip(tr("The folder of a model of the transformers library, attention from a notebook, a "
                                    "mapping, a file of weights, a session")));
  add_recent(false, 2);
}

// What can be gone on with; what runs already is no choice.
void StartPage::add_recent(bool bundled, qsizetype most) {
  QList<RecentFiles::Entry> entries = around_.recent->existing();
  entries.removeIf([&](const RecentFiles::Entry& entry) {
    return (model_ && entry.path == path_text(model_->folder)) || is_bundled(entry.path) != bundled;
  });
  for (const RecentFiles::Entry& entry : entries.first(std::min(most, entries.size()))) {
    const bool session = entry.kind == RecentFiles::Entry::Kind::session;
    const QString folder = message_text(QFileInfo(entry.path).absoluteDir().dirName());
    add_item(message_text(entry.name),
             bundled ? tr("lately") : (session ? tr("session in %1") : tr("model in %1")).arg(folder),
             [this, session, path = entry.path] {
               leave();
               emit session ? around_.recent->sessionChosen(path) : around_.recent->modelChosen(path);
             })
        ->setToolTip(plain_tooltip(message_text(entry.path)));
  }
}

// The way to everything by its name, where the window has that.
void StartPage::fill_find() {
  if (find_) find_->deleteLater();
  find_ = nullptr;
  auto* find = around_.actions->findChild<QAction*>(QStringLiteral("find"));
  if (!find) return;
  find_ = new StartItem(tr("Find a model, a lesson, a word"), find->shortcut().toString(QKeySequence::NativeText),
                        content_);
  find_->setObjectName(QStringLiteral("find_on_start"));
  connect(find_, &QAbstractButton::clicked, find, &QAction::trigger, Qt::QueuedConnection);
  find_->show();
}

// Columns beside each other as far as there is room, the others below them; the lowest line of them.
int StartPage::fit_columns(int width, int top) {
  const int count = static_cast<int>(columns_.size());
  const int beside = std::clamp(static_cast<int>(width / (kColumn * Theme::instance().font_scale())), 1, count);
  const int wide = (width - (beside - 1) * space::kMargin) / beside;
  // What says more than one line in one column makes room for it in all of them.
  const auto height_of = [wide](QWidget* each) {
    return each->hasHeightForWidth() ? each->heightForWidth(wide) : each->sizeHint().height();
  };
  int lowest = top;
  for (int i = 0; i < count; ++i) {
    if (i % beside == 0) top = i == 0 ? top : lowest + space::kSmall;
    int y = 0;
    const Column& column = columns_[static_cast<std::size_t>(i)];
    for (std::size_t at = 0; at < column.items.size(); ++at) {
      int high = height_of(column.items[at]);
      if (at < 2)
        for (int k = i / beside * beside; k < std::min(count, (i / beside + 1) * beside); ++k)
          high = std::max(high, height_of(columns_[static_cast<std::size_t>(k)].items[at]));
      column.items[at]->setGeometry(0, y, wide, high);
      y += high + (at == 0 ? space::kTight : space::kSmall);
    }
    // The last one ends at the margin.
    const int left = beside > 1 ? i % beside * (width - wide) / (beside - 1) : 0;
    column.box->setGeometry(left, top, wide, y);
    lowest = std::max(lowest, top + y);
  }
  return lowest;
}

void StartPage::fit() {
  if (!open_ || columns_.empty()) return;
  fit_beside();
  const QMargins margins = layout()->contentsMargins();
  const int width = std::max(this->width() - margins.left() - margins.right() - kScrollBar, 100);
  int y = fit_columns(width, 0) + space::kTight;
  const int wide = std::min(width, static_cast<int>(420 * Theme::instance().font_scale()));
  const QSize box = always_->sizeHint();
  int right = 0;
  if (find_) {
    find_->setGeometry(0, y, wide, find_->heightForWidth(wide));
    right = wide + space::kMargin;
    if (right + box.width() > width) {
      y += find_->height() + space::kSmall;
      right = 0;
    }
  }
  const int high = std::max(box.height(), find_ && right > 0 ? find_->height() : 0);
  always_->setGeometry(right, y, std::min(box.width(), width - right), high);
  y += high + space::kSmall;
  if (learned_->parentWidget() == content_) {
    learned_->fit(width, -1);
    learned_->setGeometry(0, y, width, learned_->heightForWidth(width));
    y += learned_->height() + space::kSmall;
  }
  content_->resize(width, y);
  const int around = margins.top() + margins.bottom() + layout()->spacing() + space::kHair;
  // The picture has the larger part of what is left.
  const int others = question_->heightForWidth(this->width()) + around_.text->sizeHint().height() +
                     around_.caption->sizeHint().height();
  const int room = static_cast<int>(kShare * (around_.stage->height() - others));
  setFixedHeight(std::clamp(y + around, 0, std::max(0, room)));
}

// What was learned stands beside the picture where both have room; else below what can be chosen.
void StartPage::fit_beside() {
  const double scale = Theme::instance().font_scale();
  const int least = static_cast<int>(kBeside * scale), wide = std::max(least, 3 * width() / 10);
  const bool fits = width() - wide >= 2 * least && around_.stage->height() >= 2 * least;
  QWidget* wanted = fits ? beside_ : content_;
  if (learned_->parentWidget() != wanted) {
    learned_->setParent(wanted);
    learned_->show();
  }
  beside_->setVisible(open_ && fits);
  if (!fits) return;
  beside_->setFixedWidth(wide + space::kMargin);
  const int high = beside_->height() - 2 * space::kSmall;
  learned_->setGeometry(0, space::kSmall, wide, high);
  learned_->fit(wide, high);
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void StartPage::retranslate() {
  question_->setFont(strong_font(type::kQuestion));
  closer_->setText(tr("Look closer"));
  closer_->setToolTip(tr("The same picture in the whole window (Esc)"));
  always_->setText(tr("Show this page at every start"));
  ask();
  learned_->retranslate();
  if (open_) fill();
}

}  // namespace headlight
