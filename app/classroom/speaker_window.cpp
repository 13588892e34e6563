#include "app/classroom/speaker_window.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTextDocument>
#include <QTime>
#include <algorithm>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr int kWallEvery = 400;   // milliseconds, at least
constexpr int kShareOfWork = 12;  // of the time that one picture takes, until the next one
constexpr int kSecond = 1000;     // milliseconds
constexpr double kMinute = 60'000;
constexpr int kWallShare = 3, kNotesShare = 2;  // of the width

// A paragraph whose value is not known is left out, as in the lesson.
QString html_of(const RichText& text, const LessonValue& value) {
  QString all;
  for (const TextBlock& block : text) {
    QString line = block.kind == TextBlock::Kind::item ? QStringLiteral("· ") : QString();
    bool known = true;
    for (const TextSpan& span : block.spans) {
      const auto found = span.value ? (value ? value(span) : std::nullopt) : std::optional(span.text);
      known = known && found;
      if (!found) continue;
      const QString words = from_utf8(*found).toHtmlEscaped();
      line += span.strong || span.meant ? QStringLiteral("<b>%1</b>").arg(words) : words;
    }
    if (known) all += QStringLiteral("<p>%1</p>").arg(line);
  }
  return all;
}

void say_html(QLabel* label, const QString& html) {
  label->setText(html);
  label->setVisible(!html.isEmpty());
}

QString words_on(const QLabel* label) {
  QTextDocument document;
  label->textFormat() == Qt::RichText ? document.setHtml(label->text()) : document.setPlainText(label->text());
  return label->isHidden() ? QString() : document.toPlainText();
}

}  // namespace

WallPicture::WallPicture(QWidget* wall, QWidget* parent) : QWidget(parent), wall_(wall) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setMinimumSize(160, 90);
  again_.setSingleShot(true);
  connect(&again_, &QTimer::timeout, this, &WallPicture::take);
}

int WallPicture::heightForWidth(int width) const {
  return wall_->width() > 0 ? std::max(1, width * wall_->height() / wall_->width()) : width;
}

void WallPicture::take() {
  if (!isVisible()) return;
  QElapsedTimer time;
  time.start();
  const QSize room = size() * devicePixelRatioF();
  picture_ = wall_->grab().scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  picture_.setDevicePixelRatio(devicePixelRatioF());
  update();
  again_.start(std::max(kWallEvery, kShareOfWork * static_cast<int>(time.elapsed())));
}

void WallPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawPixmap(0, 0, picture_);
  const QSizeF shown = QSizeF(picture_.size()) / devicePixelRatioF();
  painter.setPen(tokens().edge);
  painter.drawRect(QRectF(QPointF(), shown).adjusted(0.5, 0.5, -0.5, -0.5));
}

SpeakerWindow::SpeakerWindow(QWidget* wall, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("lesson_notes_window"));
  setAttribute(Qt::WA_DeleteOnClose);
  QVBoxLayout* all = column_in(this, space::kMedium);
  all->setContentsMargins(space::kMargin, space::kLarge, space::kMargin, space::kLarge);
  add_head();
  all->addWidget(head_);
  bar_ = new QProgressBar(this);
  bar_->setTextVisible(false);
  bar_->setFixedHeight(space::kTight);
  bar_->setAccessibleName(tr("Time of the lesson"));
  all->addWidget(bar_);
  columns_ = new QHBoxLayout;
  columns_->setSpacing(space::kMargin);
  all->addLayout(columns_, 1);
  left_ = new QWidget(this);
  beside_ = column_in(left_, space::kMedium);
  wall_ = new WallPicture(wall, left_);
  wall_->setAccessibleName(tr("What the room sees, small"));
  beside_->addWidget(wall_);
  add_remote();
  beside_->addWidget(remote_);
  beside_->addStretch(1);
  columns_->addWidget(left_, kWallShare);
  add_notes();
  connect(&second_, &QTimer::timeout, this, &SpeakerWindow::tell_time);
  connect(&Theme::instance(), &Theme::changed, this, &SpeakerWindow::fit);
  set_presenting(false, Theme::instance().font_scale());
}

QLabel* SpeakerWindow::label(double size, bool strong) {
  auto* made = new QLabel(this);
  made->setTextFormat(Qt::RichText);
  made->setWordWrap(true);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  labels_.push_back({made, {size, strong}});
  return made;
}

void SpeakerWindow::add_head() {
  head_ = new QWidget(this);
  QHBoxLayout* row = row_in(head_, space::kMedium);
  lesson_ = label(type::kTitle, true);
  place_ = label(type::kText);
  clock_ = label(type::kQuestion, true);
  used_ = label(type::kText);
  plan_ = label(type::kText);
  plan_->setToolTip(tr("As if each step of the lesson took the same time"));
  row->addWidget(lesson_);
  row->addWidget(place_);
  row->addStretch(1);
  for (QLabel* each : {clock_, used_, plan_}) {
    each->setWordWrap(false);
    row->addWidget(each);
  }
  for (QLabel* each : {lesson_, place_}) each->setWordWrap(false);
}

// The same as its keys.
void SpeakerWindow::add_remote() {
  remote_ = new QWidget(left_);
  auto* flow = new FlowLayout(remote_, space::kSmall, space::kSmall);
  using Act = Presenter::Act;
  const auto add = [&](const QString& name, const char* key, Act act) {
    auto* button = new QPushButton(QStringLiteral("%1   %2").arg(name, QLatin1String(key)), remote_);
    button->setAutoDefault(false);
    button->setFocusPolicy(Qt::NoFocus);
    connect(button, &QPushButton::clicked, this, [this, act] { emit acted(act); });
    flow->addWidget(button);
  };
  add(tr("Back"), "PgUp", Act::back);
  add(tr("Next"), "PgDn", Act::forward);
  add(tr("Spotlight"), "S", Act::spotlight);
  add(tr("Black"), "B", Act::black);
  add(tr("White"), "W", Act::white);
  add(tr("Vote"), "V", Act::vote);
  add(tr("End"), "Esc", Act::end);
}

void SpeakerWindow::add_notes() {
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* body = new QWidget;
  QVBoxLayout* rows = column_in(body, space::kSmall);
  notes_title_ = label(type::kTitle, true);
  answer_ = label(type::kText, true);
  notes_ = label(type::kText);
  next_title_ = label(type::kTitle, true);
  next_ = label(type::kText);
  next_answer_ = label(type::kText, true);
  votes_title_ = label(type::kTitle, true);
  steps_ = label(type::kText);
  room_ = new QPushButton(tr("Another class"), this);
  room_->setToolTip(tr("Votes of each class are kept apart: this one begins without any"));
  room_->setAutoDefault(false);
  connect(room_, &QPushButton::clicked, this, &SpeakerWindow::roomWanted);
  for (QWidget* each : std::initializer_list<QWidget*>{notes_title_, answer_, notes_, votes_title_, room_, next_title_,
                                                       next_, next_answer_, steps_})
    rows->addWidget(each);
  rows->addStretch(1);
  scroll_->setWidget(body);
  columns_->addWidget(scroll_, kNotesShare);
}

// Letters of the wall would fill a laptop with a sentence: what is read here keeps the size of before.
QFont SpeakerWindow::font_of(double size, bool strong) const {
  QFont font = Theme::instance().ui_font(type::kText);
  font.setPointSizeF(font.pointSizeF() / Theme::instance().font_scale() * type_ * size);
  if (strong) font.setWeight(QFont::DemiBold);
  return font;
}

void SpeakerWindow::fit() {
  if (!presenting_) type_ = Theme::instance().font_scale();
  for (const auto& [each, look] : labels_) each->setFont(font_of(look.first, look.second));
  const QFont plain = font_of(type::kText, false);
  for (auto* each : findChildren<QPushButton*>()) each->setFont(plain);
  if (votes_)
    for (auto* each : votes_->findChildren<QWidget*>()) each->setFont(plain);
}

void SpeakerWindow::set_presenting(bool on, double type) {
  presenting_ = on;
  type_ = type;
  for (QWidget* each : std::initializer_list<QWidget*>{head_, bar_, left_, steps_}) each->setVisible(on);
  on ? second_.start(kSecond) : second_.stop();
  fit();
  set_notes(Notes(shown_));
  tell_time();
}

void SpeakerWindow::begin() {
  since_.start();
  tell_time();
}

int SpeakerWindow::behind(double used, int minutes, int at, int steps) {
  if (steps <= 0) return 0;
  const double each = static_cast<double>(minutes) / steps;
  return behind(used, at * each, (at + 1) * each);
}

int SpeakerWindow::behind(double used, double from, double to) {
  return static_cast<int>(used > to ? std::floor(used - to) : used < from ? -std::floor(from - used) : 0);
}

void SpeakerWindow::tell_time() {
  if (!presenting_) return;
  clock_->setText(QTime::currentTime().toString(QStringLiteral("HH:mm")));
  const double used = since_.isValid() ? static_cast<double>(since_.elapsed()) / kMinute : 0;
  used_->setText(tr("%1 of %2 min").arg(static_cast<int>(used)).arg(shown_.minutes));
  bar_->setRange(0, std::max(1, shown_.minutes) * 60);
  bar_->setValue(std::min(bar_->maximum(), static_cast<int>(60 * used)));
  const int late = behind(used, shown_.minutes, shown_.at, static_cast<int>(shown_.steps.size()));
  plan_->setText(late > 0   ? tr("%1 min behind the plan").arg(late)
                 : late < 0 ? tr("%1 min ahead of the plan").arg(-late)
                            : tr("as planned"));
  set_ink(plan_, late > 0 ? &Tokens::bad : &Tokens::ink2);
}

void SpeakerWindow::set_notes(const Notes& notes) {
  shown_ = notes;
  setWindowTitle(tr("Notes: %1").arg(notes.lesson));
  lesson_->setText(notes.lesson.toHtmlEscaped());
  place_->setText(notes.place);
  notes_title_->setText(presenting_ ? tr("Notes") : notes.place);
  const auto answer = [](const QString& text) {
    return text.isEmpty() ? QString() : tr("Answer: %1").arg(text).toHtmlEscaped();
  };
  say_html(answer_, answer(notes.now.answer));
  say_html(notes_, html_of(notes.now.text, notes.now.value));
  const bool more = !notes.next.text.empty() || !notes.next_title.isEmpty();
  say_html(next_title_, !more                        ? QString()
                        : notes.next_title.isEmpty() ? tr("Next")
                                                     : tr("Next: %1").arg(notes.next_title.toHtmlEscaped()));
  say_html(next_, html_of(notes.next.text, notes.next.value));
  say_html(next_answer_, answer(notes.next.answer));
  QString steps;
  for (qsizetype i = 0; i < notes.steps.size(); ++i) {
    const QString line = QStringLiteral("%1  %2").arg(i + 1).arg(notes.steps[i].toHtmlEscaped());
    steps += QStringLiteral("<p>%1</p>").arg(i == notes.at ? QStringLiteral("<b>%1</b>").arg(line) : line);
  }
  steps_->setText(steps);
  // What comes next stands below the wall, where there is one.
  QBoxLayout* place = presenting_ ? beside_ : static_cast<QBoxLayout*>(scroll_->widget()->layout());
  for (QLabel* each : {next_title_, next_, next_answer_}) {
    if (place->indexOf(each) >= 0) continue;
    place->insertWidget(place->count() - 1, each);
  }
}

void SpeakerWindow::make_fields() {
  fields_.clear();
  delete std::exchange(votes_, nullptr);
  if (answers_.empty()) return;
  votes_ = new QWidget(this);
  auto* grid = new QGridLayout(votes_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setColumnStretch(0, 1);
  const std::array<QString, 2> rounds = LessonVote::rounds();
  for (int round = 0; round < 2; ++round)
    grid->addWidget(new QLabel(rounds[static_cast<std::size_t>(round)], votes_), 0, round + 1);
  for (const LessonVote::Answer& answer : answers_) {
    const int at = static_cast<int>(fields_.size()) + 1;
    auto* name = new QLabel(votes_);
    name->setTextFormat(Qt::PlainText);
    name->setText(answer.words);
    name->setWordWrap(true);
    grid->addWidget(name, at, 0);
    Field field{from_utf8(answer.id), {}};
    for (std::size_t round = 0; round < 2; ++round) {
      auto* box = field.hands[round] = new QSpinBox(votes_);
      box->setObjectName(QStringLiteral("speaker_hands_%1_%2").arg(field.id).arg(round));
      box->setRange(0, LessonVote::kMostHands);
      box->setAccessibleName(with_colon(answer.words, rounds[round]));
      grid->addWidget(box, at, static_cast<int>(round) + 1);
      connect(box, &QSpinBox::valueChanged, this, [this] {
        LessonVote::Hands now;
        for (const Field& each : fields_) now[each.id] = {each.hands[0]->value(), each.hands[1]->value()};
        emit counted(now);
      });
    }
    fields_.push_back(field);
  }
  auto* rows = static_cast<QVBoxLayout*>(scroll_->widget()->layout());
  rows->insertWidget(rows->indexOf(votes_title_) + 1, votes_);
  fit();
}

void SpeakerWindow::set_vote(const std::vector<LessonVote::Answer>& answers, const LessonVote::Hands& hands) {
  const auto same = [](const auto& one, const auto& two) { return one.id == two.id && one.words == two.words; };
  if (!std::ranges::equal(answers, answers_, same)) {
    answers_ = answers;
    make_fields();
  }
  for (const Field& each : fields_)
    for (std::size_t round = 0; round < 2; ++round) {
      const auto found = hands.find(each.id);
      const QSignalBlocker block(each.hands[round]);
      each.hands[round]->setValue(found == hands.end() ? 0 : found->second[round]);
    }
  say_html(votes_title_, answers.empty() ? QString() : tr("Votes"));
  room_->setVisible(!answers.empty());
}

void SpeakerWindow::focus_vote(int round) {
  if (fields_.empty()) return;
  QSpinBox* first = fields_.front().hands[static_cast<std::size_t>(round)];
  first->setFocus(Qt::OtherFocusReason);
  first->selectAll();
}

QString SpeakerWindow::words() const {
  QStringList all;
  for (const QLabel* each : {notes_title_, answer_, notes_, next_title_, next_, next_answer_})
    if (const QString text = words_on(each); !text.isEmpty()) all << text;
  return all.join(QLatin1Char('\n'));
}

}  // namespace headlight
