// Names for the axes of a trace: which token a source position, an output step or a vocabulary entry stands for.
#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/alignment.h"
#include "model/trace/trace.h"
#include "widgets/base/selection.h"

namespace headlight {

// Every list may be empty: then positions are shown by their number.
struct TraceLabels {
  QStringList source;                  // by source position of the run, that is in the order in which the encoder reads
  std::vector<qint64> source_order;    // reading order: place on the screen -> source position; empty: the same order
  std::vector<int> token_of_position;  // source position -> index into Result::tokens
  std::vector<bool> padding;           // by source position: nobody typed it, though it may look like a space
  QStringList written;                 // by output step: the token that was written
  QStringList fed;                     // by output step: the token that the decoder was given
  QStringList own;                     // the decoder's own text: its prompt, then what it was given
  QStringList source_vocabulary;       // by id
  QStringList target_vocabulary;       // by id
  std::shared_ptr<const std::map<std::string, std::string>> in_file;  // ModelBundle::in_file
  QString said(qint64 position) const;                                // of the source, in words: padding is called so
};

TraceLabels trace_labels(const Result& result);

// One axis of a tensor, ready to be drawn.
struct AxisLabels {
  QString name;                    // "source token", "unit"
  QStringList labels = {};         // by index; empty: their numbers
  std::vector<qint64> order = {};  // place on the screen -> index; empty: the same order
  std::vector<bool> padding = {};  // by index; empty: none is
  QString label(qint64 index) const;
  QString said(qint64 index) const;  // the same in words: padding is called so
  bool is_padding(qint64 index) const;
  qint64 place(qint64 index) const;  // on the screen, from 0
  qint64 index_at(qint64 place) const { return order.empty() ? place : nth(order, place); }
};

// Axis `axis` of a trace entry.
AxisLabels axis_labels(const SiteKind& kind, int axis, const TraceLabels& labels);

// The state that a click on a number leaves behind: its entry and cell, and the step and source token that it belongs
// to.
SelectionState selection_of(const Trace& trace, int entry, std::optional<Index> cell, const TraceLabels& labels,
                            SelectionState before);

// The catalogue's words in the language of the window.
QString site_title(const SiteKind& kind);
QString site_help(const SiteKind& kind);
// The part of the model that a site belongs to: "layer 2, backward", "read head 1"; empty where there is only one.
QString part_in_words(std::string_view site);
// "attention weights (layer 2)".
QString site_in_words(const Site& site);
// The groups that a site lies in, from the outside in: "decoder.step[3].layer[1].attn.query" in "step[3]" and
// "layer[1]". What is left of its name is "attn.query".
struct SiteGroups {
  struct Group {
    std::string part;  // "layer[1].fwd"; empty for a step
    Index step = -1;
    bool operator==(const Group&) const = default;
  };
  std::vector<Group> groups;
  QString rest;
};
SiteGroups groups_of(const Site& site);

// "attention weights of step 3 (writes '0'), source token 'U' [24]"
QString cell_in_words(const Trace& trace, int entry, Index cell, const TraceLabels& labels);
// "step 3 (writes '0')" for a site of a step, "" for the others.
QString step_in_words(const Site& site, const TraceLabels& labels);

// A formula of the catalogue as rich text, with its subscripts set low. Never for text that came from outside.
QString formula_markup(const QString& formula);

}  // namespace headlight
