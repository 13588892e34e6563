#include "widgets/views/merges/merges_layout.h"

#include <algorithm>

namespace headlight {

namespace {

// From the left, in lines; the bottom of the last one.
double place_words(const MergesNeeds& n, double view_width, std::vector<QRectF>& words) {
  double x = n.margin, y = n.margin;
  for (const double wide : n.words) {
    const double box = wide + 2 * n.inset;
    if (x > n.margin && x + box > view_width - n.margin) {
      x = n.margin;
      y += n.tile + n.gap;
    }
    words.emplace_back(x, y, box, n.tile);
    x += box + n.gap;
  }
  return y + n.tile;
}

// Each on the first line that is free there; the bottom of the last one.
double place_arcs(const MergesNeeds& n, double left, double top, std::vector<QRectF>& arcs) {
  const double high = 2 * n.line;
  std::vector<int> ends;  // of the lines so far
  for (const auto& [begin, end] : n.arcs) {
    const auto line = std::ranges::find_if(ends, [first = begin](int taken) { return taken <= first; });
    const auto at = static_cast<double>(line - ends.begin());
    if (line == ends.end())
      ends.push_back(end);
    else
      *line = end;
    arcs.emplace_back(left + begin * n.arc, top + at * (high + n.gap), (end - begin) * n.arc - n.gap, high);
  }
  return ends.empty() ? top : top + static_cast<double>(ends.size()) * (high + n.gap) + n.inset;
}

}  // namespace

MergesLayout MergesLayout::of(const MergesNeeds& n, double view_width) {
  MergesLayout made;
  double y = place_words(n, view_width, made.words) + 2 * n.inset;
  made.title = {n.margin, y, std::max(0.0, view_width - 2 * n.margin), n.line};
  y += n.line + n.inset;
  const double left = n.margin + n.label + n.what;
  double right = n.margin;
  for (std::size_t k = 0; k < n.rows.size(); ++k) {
    // The characters stand over what may be made of them.
    const bool columns = k == 0 && !n.arcs.empty();
    Row row;
    row.label = {n.margin, y, n.label, n.tile};
    row.what = {n.margin + n.label, y, n.what, n.tile};
    double x = left;
    for (const double wide : n.rows[k]) {
      const double box = columns ? n.arc - n.gap : wide + 2 * n.inset;
      row.pieces.emplace_back(x, y, box, n.tile);
      x += box + n.gap;
    }
    row.behind = {x + n.inset, y, 8 * n.tile, n.tile};
    right = std::max(right, x);
    made.rows.push_back(std::move(row));
    y += n.tile + n.gap + (columns ? n.inset : 0);
    if (columns) y = place_arcs(n, left, y, made.arcs);
  }
  for (const QRectF& word : made.words) right = std::max(right, word.right());
  made.width = std::max(view_width, right + n.margin + (n.arcs.empty() ? 0 : 4 * n.tile));
  made.height = y + n.margin;
  return made;
}

MergesPlace MergesLayout::place_at(QPointF point) const {
  using Kind = MergesPlace::Kind;
  const auto in = [point](const std::vector<QRectF>& rects) {
    const auto found = std::ranges::find_if(rects, [point](const QRectF& rect) { return rect.contains(point); });
    return found == rects.end() ? -1 : static_cast<int>(found - rects.begin());
  };
  if (const int word = in(words); word >= 0) return {Kind::word, -1, word};
  if (const int arc = in(arcs); arc >= 0) return {Kind::arc, -1, arc};
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (const int piece = in(rows[k].pieces); piece >= 0) return {Kind::piece, static_cast<int>(k), piece};
  return {};
}

QRectF MergesLayout::rect(const MergesPlace& place) const {
  using Kind = MergesPlace::Kind;
  const auto of = [&](const std::vector<QRectF>& rects) {
    return place.at >= 0 && place.at < static_cast<int>(rects.size()) ? rects[static_cast<std::size_t>(place.at)]
                                                                      : QRectF();
  };
  if (place.kind == Kind::word) return of(words);
  if (place.kind == Kind::arc) return of(arcs);
  const auto row = static_cast<std::size_t>(place.row);
  return place.kind == Kind::piece && row < rows.size() ? of(rows[row].pieces) : QRectF();
}

}  // namespace headlight
