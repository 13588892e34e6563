// What the living map says: names of lanes and stations, sentences, the table.
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <map>

#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/living/scene/ink.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

using What = LivingSpot::What;
using Part = LivingPart::Kind;

constexpr double kWordStep = 16;  // pixels

QString lowered(int number) {
  QString text;
  for (const QChar digit : QString::number(number)) text += QChar(0x2080 + digit.digitValue());
  return text;
}

// On a plate beside figures: only letters.
bool reads_without_quotes(const TokenText& token) {
  return token.special || std::ranges::all_of(token.text, [](QChar c) { return c.isLetter(); });
}

}  // namespace

void LivingView::make_words() {
  std::vector<std::string> texts, written;
  for (const LivingLane& lane : map_->lanes) {
    texts.push_back(lane.text);
    written.push_back(lane.written);
  }
  names_ = token_texts(texts);
  written_.clear();
  for (const std::string& text : written) written_.push_back(text.empty() ? TokenText{} : token_text(text));
  sure_.assign(map_->lanes.size(), std::nan(""));
  const Result& result = *map_->result;
  for (std::size_t i = 0; i < map_->lanes.size(); ++i)
    if (const int step = map_->lanes[i].step; step >= 0 && step < static_cast<int>(result.steps.size()))
      sure_[i] = nth(result.steps, step).probability;
  // What a lane of the prompt would have given: the lens at its last place, where that is little work.
  const LivingStation& last = map_->stations.back();
  const auto vocabulary = static_cast<double>(result.model->target_vocabulary().size());
  if (static_cast<double>(last.count) * vocabulary * static_cast<double>(last.units * map_->stations.size()) < 2e7)
    for (std::size_t i = 0; i < map_->lanes.size(); ++i) {
      if (map_->lanes[i].step >= 0 || !last.has(static_cast<int>(i))) continue;
      const std::vector<LivingLens> lens = living_lens(*map_, {static_cast<int>(i), -1});
      if (lens.empty() || lens.back().top.empty()) continue;
      written_[i] = token_text(lens.back().top.front().text);
      sure_[i] = lens.back().top.front().probability;
    }
  // What a model that only reads has to give are the states of its words.
  if (!gives_outputs()) {
    written_ = names_;
    sure_.assign(map_->lanes.size(), std::nan(""));
  }
  letters_ = map_->family == LivingMap::Family::recurrent || map_->family == LivingMap::Family::memory;
  for (std::size_t i = 0; i < names_.size(); ++i)
    letters_ = letters_ && (names_[i].text.size() <= 1 || names_[i].special || names_[i].stand_in ||
                            map_->lanes[i].side == LivingLane::Side::memory);
  // Steps of a recurrent decoder have only what they write beside them.
  const bool rivers = map_->family == LivingMap::Family::recurrent || map_->family == LivingMap::Family::memory;
  std::vector<const TokenText*> rows;
  std::map<QString, int> often;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const bool output = rivers && map_->lanes[i].side == LivingLane::Side::target && !written_[i].text.isEmpty();
    rows.push_back(output ? &written_[i] : &names_[i]);
    ++often[rows.back()->text];
  }
  numbered_.clear();
  bare_.clear();
  const QFont largest = name_font(1e3);
  const int folded = folded_padding();
  // In steps, and never less for the same model: what stands beside the words does not move while somebody types.
  double widest = 30, widest_next = 30;
  if (!rivers)  // the lens: it stands below the names
    widest = std::max(widest, text_width(tr("if it stopped here"), small_font()));
  padding_width_ = folded > 0 ? text_width(padding_name(folded), small_font()) + 4 : 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const QString& text = rows[i]->text;
    const QString number = often[text] > 1 ? lowered(map_->place(static_cast<int>(i))) : QString();
    const bool padding = folded > 0 && map_->lanes[i].padding;
    numbered_.push_back(padding ? padding_name(folded) : in_quotes(text) + number);
    bare_.push_back(!padding && reads_without_quotes(*rows[i]) ? text + number : numbered_.back());
    widest = std::max(widest, text_width(names_[i].text, largest) + 4);
    widest_next = std::max(widest_next, 1.1 * text_width(written_[i].text, largest) + 4);
  }
  names_width_ = std::max(names_width_, kWordStep * std::ceil(widest / kWordStep));
  next_width_ = std::max(next_width_, kWordStep * std::ceil(widest_next / kWordStep));
}

int LivingView::folded_padding() const {
  if (map_->family != LivingMap::Family::recurrent) return 0;
  const auto padding = std::ranges::count_if(map_->lanes, &LivingLane::padding);
  return padding > 1 ? static_cast<int>(padding) : 0;
}

QString LivingView::row_name(int lane, double room) const {
  const int folded = nth(scene_.layout.rows, lane).folded;
  if (folded <= 1) return nth(names_, lane).text;
  const QString name = padding_name(folded);
  return text_width(name, small_font()) <= room ? name : padding_short(folded);
}

bool LivingView::gives_outputs() const {
  return std::ranges::any_of(map_->lanes, [](const LivingLane& lane) { return lane.step >= 0; });
}

QString LivingView::lane_name(int lane) const { return lane < 0 ? QString() : nth(numbered_, lane); }

QString LivingView::token_name(int lane) const { return lane < 0 ? QString() : in_quotes(nth(names_, lane).text); }

QString LivingView::share_title(const LivingShare& share) const {
  const RibbonEnds ends = ribbon_ends(*map_, share);
  const LivingPart& part = nth(nth(map_->stations, share.station).parts, share.part);
  if (part.kind == Part::written)
    return tr("How much of %1 the step wrote itself, %2").arg(lane_name(ends.to), station_name(share.station));
  return tr("How much of %1 came from %2, %3")
      .arg(lane_name(ends.to), lane_name(ends.from), station_name(share.station));
}

QString LivingView::station_name(int s) const {
  if (s < 0) return tr("as it is read");
  const LivingStation& station = nth(map_->stations, s);
  const QString layer = station.layer < 0 ? QString() : QString::number(station.layer + 1);
  using K = LivingStation::Kind;
  switch (station.kind) {
    case K::start:
    case K::embedding:
      return tr("as it is read");
    case K::attention:
      return tr("after the attention of layer %1").arg(layer);
    case K::cross:
      return tr("after layer %1 looked at the text").arg(layer);
    case K::mlp:
      return tr("after the MLP of layer %1").arg(layer);
    case K::convolution:
      return tr("after the convolution of layer %1").arg(layer);
    case K::cell:
      return layer.isEmpty() ? tr("in the memory of the cell") : tr("in the memory of layer %1").arg(layer);
    case K::states:
      return tr("as a state");
    case K::context:
      return tr("in what was looked up");
    case K::memory:
      return tr("in the memory");
    case K::read:
      return tr("in what was read from the memory");
    case K::readout:
      return tr("in the score of the output");
  }
  return {};
}

// "58 % carried on, 28 % from 'box'"
QString LivingView::state_words(int s, int lane) const {
  if (s < 0) return {};
  const LivingStation& station = nth(map_->stations, s);
  if (!station.has(lane)) return {};
  struct Piece {
    double share;
    QString words;
  };
  std::vector<Piece> pieces;
  double against = 0;
  const Index row = lane - station.first;
  for (const LivingPart& part : station.parts) {
    if (!part.share.defined()) continue;
    const Index columns = part.dense() ? part.columns : 1;
    for (Index k = 0; k < columns; ++k) {
      const double share = part.dense() ? part.at(row, k) : static_cast<double>(part.share[row]);
      if (share < 0) against += share;
      if (share < 0.005) continue;
      const QString percent = share_percent(share);
      const int from = part.dense()             ? part.first_column + static_cast<int>(k)
                       : part.from_lane.empty() ? lane
                                                : nth(part.from_lane, row);
      switch (part.kind) {
        case Part::carried:
        case Part::recurrent:
        case Part::state:
          pieces.push_back({share, tr("%1 carried on").arg(percent)});
          break;
        case Part::written:
          pieces.push_back({share, tr("%1 written by the step itself").arg(percent)});
          break;
        case Part::bias:
        case Part::other:
          break;
        case Part::token:
          pieces.push_back({share, tr("%1 from %2").arg(percent, token_name(lane))});
          break;
        default:
          pieces.push_back({share, from == lane ? tr("%1 from itself").arg(percent)
                                                : tr("%1 from %2").arg(percent, lane_name(from))});
      }
    }
  }
  std::ranges::stable_sort(pieces, [](const Piece& a, const Piece& b) { return a.share > b.share; });
  QStringList said;
  for (std::size_t i = 0; i < pieces.size() && i < 4; ++i) said << pieces[i].words;
  if (against < -0.005) said << tr("%1 worked against it").arg(share_percent(against));
  return said.join(tr(", "));
}

// "expert 1 (0.88), expert 2 (0.12)": those that the token went to; empty where there are none.
QString LivingView::expert_words(int s, int lane) const {
  if (s < 0 || !nth(map_->stations, s).has(lane)) return {};
  const LivingStation& station = nth(map_->stations, s);
  const Index count = station.experts.defined() ? station.experts.columns() : 0;
  std::vector<std::pair<double, Index>> chosen;
  for (Index e = 0; e < count; ++e)
    if (const auto share = static_cast<double>(station.experts[(lane - station.first) * count + e]); share != 0)
      chosen.emplace_back(share, e);
  std::ranges::stable_sort(chosen, std::greater<>(), &std::pair<double, Index>::first);
  QStringList said;
  for (const auto& [share, e] : chosen) said << tr("expert %1 (share %2)").arg(counted(e)).arg(short_number(share, 3));
  return said.join(tr(", "));
}

QString LivingView::words(const LivingSpot& spot) const {
  return map_ ? own_words(spot) + difference_words(spot) : QString();
}

QString LivingView::own_words(const LivingSpot& spot) const {
  const auto of_output = [&](double through) {
    return scene_.has_flow()
               ? tr("; %1 of %2 came this way").arg(share_percent(through), in_quotes(nth(written_, choice_.lane).text))
               : QString();
  };
  const auto went_to = [this](const LivingSpot& at) {
    const QString experts = expert_words(at.station, at.lane);
    return experts.isEmpty() ? experts : tr("; it went to %1").arg(experts);
  };
  switch (spot.what) {
    case What::none:
      return {};
    case What::lane: {
      const QString made = state_words(spot.station, spot.lane);
      const int station = spot.station >= 0 ? spot.station : map_->embedding(nth(map_->lanes, spot.lane).side);
      const QString place = tr("%1, %2").arg(lane_name(spot.lane), station_name(spot.station));
      const bool changed = spot.station >= 0 && nth(map_->stations, spot.station).has(spot.lane) &&
                           marks_.state(spot.station, spot.lane - nth(map_->stations, spot.station).first);
      return (made.isEmpty() ? place : tr("%1: %2").arg(place, made)) + went_to(spot) +
             of_output(scene_.at(station, spot.lane)) + (changed ? tr("; you changed it") : QString());
    }
    case What::ribbon: {
      const RibbonEnds ends = ribbon_ends(*map_, spot.share());
      const LivingPart& part = nth(nth(map_->stations, spot.station).parts, spot.part);
      const double share = part.dense() ? part.at(spot.row, spot.column) : static_cast<double>(part.share[spot.row]);
      return tr("%1 → %2, %3: share %4 of the state")
                 .arg(lane_name(ends.from), lane_name(ends.to), station_name(spot.station), share_percent(share)) +
             of_output(scene_.flow_of(spot.share()));
    }
    case What::written: {
      const double share = static_cast<double>(
          nth(map_->stations, spot.station).parts[static_cast<std::size_t>(spot.part)].share[spot.row]);
      return tr("%1, %2: %3 of the state was written by this step itself")
                 .arg(lane_name(spot.lane), station_name(spot.station), share_percent(share)) +
             went_to(spot) + of_output(scene_.flow_of(spot.share()));
    }
    case What::next: {
      const auto i = static_cast<std::size_t>(spot.lane);
      if (written_[i].text.isEmpty() || !gives_outputs()) return tr("The last state of %1").arg(lane_name(spot.lane));
      const QString word = in_quotes(written_[i].text);
      const bool shown = map_->lanes[i].side == LivingLane::Side::source || scene_.layout.rows[i].named;
      const QString before = shown ? lane_name(spot.lane) : token_name(spot.lane);
      return std::isnan(sure_[i]) ? tr("%1 after %2").arg(word, before)
                                  : tr("%1 after %2, %3 % sure").arg(word, before, sure_words(sure_[i]));
    }
    case What::number:
      return number_words(spot);
    case What::head: {
      const QString layer = counted(nth(map_->stations, spot.station).layer);
      if (spot.head < 0) return tr("The heads of layer %1, the largest weight of all").arg(layer);
      QString head = tr("Head %1 of layer %2").arg(counted(spot.head), layer);
      if (const Index shared = living_shared_heads(*map_, spot.station); shared > 1)
        head = tr("%1 (one key-value head for %2)").arg(head, heads_of_group(spot.head / shared, shared));
      const std::vector<double>& brought = details_.brought(scene_, choice_.lane, spot.station, spot.part, false);
      return brought.empty()
                 ? head
                 : tr("%1: brings %2 of %3").arg(head, share_percent(nth(brought, spot.head)), lane_name(choice_.lane));
    }
  }
  return {};
}

QString LivingView::name() const {
  return map_ ? tr("Where each output comes from: %1 lanes, %2 places on the way")
                    .arg(map_->lanes.size())
                    .arg(map_->stations.size())
              : tr("Where each output comes from, empty");
}

QString LivingView::description() const {
  if (!map_) return {};
  if (cursor_.what != What::none) return words(cursor_);
  if (choice_.lane >= 0) return words({.what = What::next, .lane = choice_.lane});
  return tr("No output chosen. Click a word at the right, or go to its lane and press Enter.");
}

// A row for each lane at each place on its way.
void LivingView::update_table() {
  if (!map_) return table_.clear();
  struct Row {
    int station, lane;
  };
  std::vector<Row> rows;
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s)
    for (int i = 0; i < nth(map_->stations, s).count; ++i) rows.push_back({s, nth(map_->stations, s).first + i});
  const auto at = [rows](int row) { return nth(rows, row); };
  const auto strongest = [this, at](int row) {
    const LivingStation& station = nth(map_->stations, at(row).station);
    std::pair best(-1, 0.0);
    for (const LivingPart& part : station.parts) {
      if (!part.dense() || !part.share.defined()) continue;
      for (Index k = 0; k < part.columns; ++k)
        if (const double share = part.at(at(row).lane - station.first, k);
            share > best.second && part.first_column + static_cast<int>(k) != at(row).lane)
          best = {part.first_column + static_cast<int>(k), share};
    }
    return best;
  };
  std::vector<ColumnTable::Column> columns = {
      {tr("token"), [this, at](int row) { return QVariant(nth(names_, at(row).lane).text); }},
      {tr("number"), [this, at](int row) { return QVariant(map_->place(at(row).lane)); }},
      {tr("place"), [this, at](int row) { return QVariant(station_name(at(row).station)); }},
      {tr("made of"), [this, at](int row) { return QVariant(state_words(at(row).station, at(row).lane)); }},
      {tr("strongest from"), [this, strongest](int row) { return QVariant(lane_name(strongest(row).first)); }},
      {tr("its share"),
       [strongest](int row) { return strongest(row).first < 0 ? QVariant() : QVariant(strongest(row).second); },
       [strongest](int row) { return strongest(row).first < 0 ? QString() : share_percent(strongest(row).second); }},
      {tr("of the chosen output"),
       [this, at](int row) {
         return scene_.has_flow() ? QVariant(scene_.at(at(row).station, at(row).lane)) : QVariant();
       },
       [this, at](int row) {
         return scene_.has_flow() ? share_percent(scene_.at(at(row).station, at(row).lane)) : QString();
       }},
  };
  if (std::ranges::any_of(map_->stations, [](const LivingStation& each) { return each.experts.defined(); }))
    columns.push_back(
        {tr("experts"), [this, at](int row) { return QVariant(expert_words(at(row).station, at(row).lane)); }});
  table_.set(static_cast<int>(rows.size()), std::move(columns));
}

}  // namespace headlight
