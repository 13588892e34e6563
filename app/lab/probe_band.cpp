#include "app/lab/probe_band.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kArrow = 40;      // pixels at 100 %: the arrow with its room
constexpr double kField = 0.5;  // of the band, at most, for the text where the output stands beside it
constexpr int kBeside = 820;    // the least width for that

}  // namespace

// --- the words

ProbeOutput::ProbeOutput(QWidget* parent) : PlaceCanvas(Layout::camera, parent) {
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  announce();
}

QSize ProbeOutput::sizeHint() const {
  const double line = Theme::line_height(theme().ui_font(type::kQuestion));
  return {400, static_cast<int>(line) + 2 * space::kSmall};
}

QFont ProbeOutput::font_of(const LabPicture::Word& word) const {
  QFont font = characters_ ? theme().token_font(type::kQuestion) : theme().ui_font(type::kQuestion);
  if (word.bold) font.setWeight(QFont::DemiBold);
  font.setStrikeOut(word.struck);
  return font;
}

void ProbeOutput::set_words(std::vector<LabPicture::Word> words, bool characters, const QString& note) {
  if (words == words_ && characters == characters_ && note == note_) return;
  words_ = std::move(words);
  characters_ = characters;
  note_ = note;
  cursor_ = std::min(cursor_, static_cast<int>(words_.size()) - 1);
  lay_out_at_once();
  announce();
}

QSizeF ProbeOutput::arrange(QSizeF view) {
  places_.clear();
  const double gap = characters_ ? 1 : space::kSmall;
  const double more = text_width(QStringLiteral("…"), theme().ui_font(type::kQuestion));
  double x = 0;
  for (std::size_t k = 0; k < words_.size(); ++k) {
    const double wide = text_width(words_[k].text, font_of(words_[k]));
    const bool last = k + 1 == words_.size();
    if (x + wide + (last ? 0 : gap + more) > view.width()) break;
    places_.emplace_back(x, 0, wide, view.height());
    x += wide + gap;
  }
  return view;
}

void ProbeOutput::paint(QPainter& painter, const QRectF&, bool marks) const {
  const QRectF whole = viewport()->rect();
  if (words_.empty()) return write_line(painter, whole, kLeft, note_, theme().ui_font(type::kTitle), tokens().ink2);
  for (std::size_t k = 0; k < places_.size(); ++k)
    write(painter, places_[k], kLeft, words_[k].text, font_of(words_[k]),
          words_[k].struck ? tokens().ink2 : tokens().ink);
  const double end = places_.empty() ? 0 : places_.back().right() + space::kSmall;
  if (places_.size() < words_.size())
    write(painter, whole.adjusted(end, 0, 0, 0), kLeft, QStringLiteral("…"), theme().ui_font(type::kQuestion),
          tokens().ink2);
  if (const auto at = static_cast<std::size_t>(hovered().column); marks && hovered().column >= 0 && at < places_.size())
    draw_line(painter, places_[at].bottomLeft() - QPointF(0, 2), places_[at].bottomRight() - QPointF(0, 2),
              QPen(theme().hover(), theme().line(2)));
}

QRectF ProbeOutput::cursor_rect() const {
  return cursor_ >= 0 && cursor_ < static_cast<int>(places_.size()) ? places_[static_cast<std::size_t>(cursor_)]
                                                                    : QRectF();
}

LabPlace ProbeOutput::place_at(QPointF point) const {
  for (std::size_t k = 0; k < places_.size(); ++k)
    if (places_[k].contains(point)) return {0, static_cast<int>(k)};
  return {};
}

bool ProbeOutput::go(int right, int) {
  if (right == 0 || places_.empty()) return false;
  const int last = static_cast<int>(places_.size()) - 1;
  cursor_ = std::clamp(cursor_ < 0 ? 0 : cursor_ + std::clamp(right, -last - 1, last + 1), 0, last);
  choice_changed();
  return true;
}

QString ProbeOutput::name() const { return tr("Output at this moment"); }

QString ProbeOutput::place_tooltip(const LabPlace& place) const {
  if (place.column < 0 || place.column >= static_cast<int>(words_.size())) return {};
  const LabPicture::Word& word = words_[static_cast<std::size_t>(place.column)];
  QString said = tr("%1: probability %2").arg(in_quotes(word.text), percent(word.probability));
  if (word.struck && !word.right.isEmpty())
    said += QLatin1Char('\n') + tr("right would be %1").arg(in_quotes(word.right));
  return said;
}

QString ProbeOutput::description() const {
  if (words_.empty()) return note_;
  if (cursor_ >= 0) return place_tooltip({0, cursor_});
  QStringList all;
  for (const LabPicture::Word& word : words_)
    //: A word of the output that is not the right one, for screen readers.
    all << (word.struck ? tr("%1 (not right)").arg(word.text) : word.text);
  return all.join(characters_ ? QString() : QStringLiteral(" "));
}

// --- the band

ProbeBand::ProbeBand(LabShown* shown, LabProbe* probe, QWidget* parent)
    : QWidget(parent),
      shown_(shown),
      probe_(probe),
      said_(text_label(this, false)),
      arrow_(new QLabel(this)),
      field_(new QLineEdit(this)),
      output_(new ProbeOutput(this)) {
  set_ink(said_, &Tokens::ink2);
  field_->setObjectName(QStringLiteral("probe"));
  field_->setFrame(false);
  field_->setMaxLength(1000);
  arrow_->setAlignment(Qt::AlignCenter);
  QVBoxLayout* rows = column_in(this, 0);
  rows->addWidget(said_);
  line_ = new QBoxLayout(QBoxLayout::LeftToRight);
  line_->setSpacing(0);
  line_->addWidget(field_, 0, Qt::AlignLeft);  // also where nothing stands beside it
  line_->addWidget(arrow_);
  line_->addWidget(output_, 1);
  rows->addLayout(line_);
  connect(field_, &QLineEdit::textEdited, this, [this](const QString& text) {
    probe_->type(text);
    fit();
  });
  connect(probe_, &LabProbe::changed, this, &ProbeBand::refresh);
  connect(probe_, &LabProbe::waitingChanged, this, &ProbeBand::refresh);
  connect(shown_, &LabShown::runsChanged, this, &ProbeBand::refresh);
  connect(shown_, &LabShown::moved, this, &ProbeBand::refresh);
  connect(shown_, &LabShown::chosenChanged, this, &ProbeBand::refresh);
  connect(&theme(), &Theme::changed, this, &ProbeBand::retranslate);
  retranslates(this, [this] { retranslate(); });
  retranslate();
}

QString ProbeBand::said() const { return said_->text(); }

void ProbeBand::refresh() {
  if (!field_->hasFocus() || !field_->isModified()) {
    const QSignalBlocker quiet(field_);  // a space that was typed just now is a word that begins
    if (const QString text = probe_->source(); field_->text().trimmed() != text) field_->setText(text);
  }
  if (!probe_->problem().isEmpty())
    said_->setText(probe_->problem());
  else if (probe_->is_waiting())
    said_->setText(tr("The probe: computing…"));
  else
    said_->setText(probe_->is_typed() && !shown_->empty() ? tr("The probe: a text of yours, at this moment")
                                                          : tr("The probe: never shown in training"));
  const ProbeRun* run = probe_->run();
  const Probe* asked = probe_->probe();
  std::vector<LabPicture::Word> words;
  if (run && asked) words = probe_words(*asked, *run, static_cast<Index>(run->output.size()));
  const bool characters = asked && are_single_characters(asked->source_tokens);
  const QString note = shown_->empty() ? tr("it has not begun") : run ? tr("nothing yet") : QString();
  output_->set_words(std::move(words), characters, note);
  fit();
}

// The text as wide as it is; what the model writes behind it, or where there is little room, below.
void ProbeBand::fit() {
  const double scale = theme().font_scale();
  const bool beside = width() >= kBeside * scale;
  line_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  arrow_->setVisible(beside && output_shown_);
  arrow_->setFixedWidth(static_cast<int>(kArrow * scale));
  const int needed = static_cast<int>(text_width(field_->text(), field_->font())) + 2 * kFieldMargin + space::kSmall;
  const int most = beside && output_shown_ ? static_cast<int>(kField * width()) : width();
  field_->setFixedWidth(std::clamp(needed, std::min(most, static_cast<int>(160 * scale)), std::max(1, most)));
  output_->setVisible(output_shown_);
}

void ProbeBand::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void ProbeBand::set_output_shown(bool shown) {
  output_shown_ = shown;
  fit();
}

void ProbeBand::set_presenting(bool presenting) {
  field_->setReadOnly(presenting);
  field_->setFocusPolicy(presenting ? Qt::NoFocus : Qt::StrongFocus);
}

void ProbeBand::retranslate() {
  said_->setFont(theme().ui_font(type::kHead));
  field_->setFont(theme().ui_font(type::kQuestion));
  arrow_->setFont(theme().ui_font(type::kNumber));
  arrow_->setText(QStringLiteral("→"));
  arrow_->setAccessibleName(tr("becomes"));
  describe(field_, tr("Probe"),
           tr("A text that the training never sees. Type another one, and the model of this moment reads it."));
  refresh();
}

}  // namespace headlight
