#include "widgets/views/choosing/choosing_branches_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kDeepest = 6;  // steps to the right; deeper ones stand below each other

QString branch_word(const Result& result, TokenId id) {
  const Vocabulary& vocabulary = result.model->target_vocabulary();
  return id >= 0 && id < vocabulary.size() ? quoted(vocabulary.text(id)) : QStringLiteral("?");
}

}  // namespace

ChoosingBranchesCanvas::ChoosingBranchesCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void ChoosingBranchesCanvas::set_branches(std::shared_ptr<const Result> result, const ChoosingBranches& branches) {
  result_ = std::move(result);
  lines_.clear();
  shown_ = -1;
  set_hovered({});
  if (result_) {
    const int now = branches.find(*result_);
    for (const ChoosingBranchLine& line : branches.lines(ChoosingBranches::text_of(*result_))) {
      if (line.branch == now) shown_ = count();
      lines_.push_back({line, nth(branches.all(), line.branch)});
    }
  }
  cursor_ = std::clamp(shown_ >= 0 ? shown_ : cursor_, 0, std::max(0, count() - 1));
  lay_out();
  announce();
}

double ChoosingBranchesCanvas::head() const {
  const double body = QFontMetricsF(theme().ui_font(type::kTitle)).height();
  return body +
         words_height(tr("Each is an output for this text. Click a token at the left for another one."),
                      theme().ui_font(type::kSource), std::max(80.0, width_ - space::kMargin)) +
         space::kLarge;
}

QSizeF ChoosingBranchesCanvas::arrange(QSizeF view) {
  width_ = view.width();
  top_ = space::kLarge + head();
  row_ = std::ceil(QFontMetricsF(theme().ui_font()).height() + QFontMetricsF(theme().ui_font(type::kSource)).height() +
                   space::kMedium);
  return {width_, top_ + count() * row_ + space::kMedium};
}

QRectF ChoosingBranchesCanvas::place_of(int line) const {
  if (line < 0 || line >= count()) return {};
  return {0, top_ + line * row_, width_ - space::kMargin + space::kSmall, row_};
}

ChoosingBranchHit ChoosingBranchesCanvas::place_at(QPointF point) const {
  for (int line = 0; line < count(); ++line)
    if (place_of(line).contains(point)) return {line};
  return {};
}

QString ChoosingBranchesCanvas::said(int line) const {
  const Line& at = nth(lines_, line);
  const int from = at.line.parent < 0 ? 0 : at.line.from;
  std::vector<TokenId> ids;
  for (const TokenId id : at.branch.ids)
    if (id < result_->model->target_vocabulary().size()) ids.push_back(id);
  ids.erase(ids.begin(), ids.begin() + std::min<std::ptrdiff_t>(from, static_cast<std::ptrdiff_t>(ids.size())));
  QString text = shown_text(spelled(*result_, std::move(ids)).toStdString()).trimmed();
  if (text.isEmpty()) text = tr("stops here");
  return at.line.parent < 0 ? text : QStringLiteral("… ") + text;
}

QString ChoosingBranchesCanvas::note(int line) const {
  const Line& at = nth(lines_, line);
  QStringList said;
  if (at.line.parent >= 0) {
    const std::vector<TokenId>& above = nth(lines_, at.line.parent).branch.ids;
    const bool both =
        at.line.from < static_cast<int>(above.size()) && at.line.from < static_cast<int>(at.branch.ids.size());
    if (both)
      said << tr("token %1 instead of %2").arg(counted(at.line.from), branch_word(*result_, nth(above, at.line.from)));
  }
  if (at.line.least >= 0)
    said << tr("least sure of %1, %2")
                .arg(branch_word(*result_, nth(at.branch.ids, at.line.least)),
                     percent(nth(at.branch.probabilities, at.line.least)));
  return said.join(QStringLiteral(" · "));
}

bool ChoosingBranchesCanvas::is_shown(int line) const { return line == shown_; }

void ChoosingBranchesCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const Tokens& t = tokens();
  const QFont title = bold_font(type::kTitle), small = theme().ui_font(type::kSource);
  const double high = QFontMetricsF(title).height(), room = std::max(0.0, width_ - space::kMargin);
  write_line(painter, QRectF(0, space::kLarge, room, high), kLeft, tr("Branches kept"), title, t.ink);
  write_words(painter, QRectF(0, space::kLarge + high + space::kTight, room, top_),
              tr("Each is an output for this text. Click a token at the left for another one."), small, t.ink2);
  const auto dot = [&](int line) {
    const double depth = std::min(nth(lines_, line).line.depth, kDeepest);
    return QPointF(space::kSmall + space::kLarge * depth,
                   place_of(line).top() + space::kTight + QFontMetricsF(theme().ui_font()).height() / 2);
  };
  for (int line = 0; line < count(); ++line) {
    const QRectF place = place_of(line);
    const bool shown = is_shown(line);
    if (const int parent = nth(lines_, line).line.parent; parent >= 0) {
      const QPointF from = dot(parent), to = dot(line);
      draw_line(painter, from + QPointF(0, 4), {from.x(), to.y()}, QPen(t.edge, 1));
      draw_line(painter, {from.x(), to.y()}, to, QPen(t.edge, 1));
    }
    if (!place.intersects(sight)) continue;
    const QPointF at = dot(line);
    if (marks && hovered().line == line)
      draw_box(painter, place.adjusted(at.x() + space::kSmall, 0, 0, 0), radius::kButton, Qt::NoPen, t.hover);
    draw_dot(painter, at, 3.5, shown ? t.accent : t.edge);
    const QRectF words = place.adjusted(at.x() + space::kMedium + space::kTight, space::kTight, -space::kSmall, 0);
    const double body = QFontMetricsF(theme().ui_font()).height();
    write_line(painter, QRectF(words.left(), words.top(), words.width(), body), kLeft, said(line),
               shown ? bold_font() : theme().ui_font(), shown ? t.accent : t.ink);
    write_line(painter, QRectF(words.left(), words.top() + body, words.width(), row_ - body - space::kSmall), kLeft,
               note(line), small, t.ink2);
  }
}

QString ChoosingBranchesCanvas::name() const { return tr("Branches kept: %1").arg(count()); }

QString ChoosingBranchesCanvas::description() const {
  return count() > 0 ? place_tooltip({cursor_}) : tr("None yet. Choose another token for one.");
}

QString ChoosingBranchesCanvas::place_tooltip(const ChoosingBranchHit& place) const {
  if (!result_ || place.line < 0 || place.line >= count()) return {};
  QStringList said_of{said(place.line)};
  if (const QString more = note(place.line); !more.isEmpty()) said_of << more;
  said_of << (is_shown(place.line) ? tr("It is the output now.")
                                   : tr("Enter or a click goes to it, Delete forgets it."));
  return said_of.join('\n');
}

void ChoosingBranchesCanvas::press_place(const ChoosingBranchHit& place) {
  cursor_ = place.line;
  choice_changed();
  activate();
}

bool ChoosingBranchesCanvas::go(int right, int down) {
  if (count() == 0) return false;
  const int by = std::clamp(right + down, -count(), count());
  cursor_ = std::clamp(cursor_ + by, 0, count() - 1);
  reveal(place_of(cursor_));
  choice_changed();
  return true;
}

bool ChoosingBranchesCanvas::activate() {
  if (cursor_ >= count()) return false;
  if (!is_shown(cursor_)) emit wanted(nth(lines_, cursor_).line.branch);
  return true;
}

bool ChoosingBranchesCanvas::press_key(const QKeyEvent& event) {
  if (event.key() != Qt::Key_Delete || cursor_ >= count()) return false;
  emit removed(nth(lines_, cursor_).line.branch);
  return true;
}

}  // namespace headlight
