#include "widgets/views/map/map_words.h"

#include <QCoreApplication>
#include <QHash>
#include <QStringList>

namespace headlight {

namespace {

struct MapWords {
  Q_DECLARE_TR_FUNCTIONS(MapWords)
};

struct GroupWord {
  const char* segment;
  const char* title;
  const char* help;
};

constexpr GroupWord kWords[] = {
    {"input", QT_TRANSLATE_NOOP("MapWords", "Input"),
     QT_TRANSLATE_NOOP("MapWords", "The text as numbers: one for each token.")},
    {"src", "", ""},
    {"encoder", QT_TRANSLATE_NOOP("MapWords", "Encoder"),
     QT_TRANSLATE_NOOP("MapWords", "Reads the text and describes each of its tokens by a row of numbers.")},
    {"decoder", QT_TRANSLATE_NOOP("MapWords", "Decoder"),
     QT_TRANSLATE_NOOP("MapWords", "Writes the output, one token at each step.")},
    {"memory", QT_TRANSLATE_NOOP("MapWords", "Memory"),
     QT_TRANSLATE_NOOP("MapWords", "A table of rows that the model writes to and reads from.")},
    {"fwd", QT_TRANSLATE_NOOP("MapWords", "Forward"),
     QT_TRANSLATE_NOOP("MapWords", "Reads from the first token to the last.")},
    {"bwd", QT_TRANSLATE_NOOP("MapWords", "Backward"),
     QT_TRANSLATE_NOOP("MapWords", "Reads from the last token to the first.")},
    {"lstm", QT_TRANSLATE_NOOP("MapWords", "LSTM cell"),
     QT_TRANSLATE_NOOP("MapWords", "A recurrent cell: gates decide what it forgets, takes in and shows.")},
    {"gru", QT_TRANSLATE_NOOP("MapWords", "GRU cell"),
     QT_TRANSLATE_NOOP("MapWords", "A recurrent cell: two gates decide how much of its state is new.")},
    {"rnn", QT_TRANSLATE_NOOP("MapWords", "Recurrent cell"),
     QT_TRANSLATE_NOOP("MapWords", "Makes its new state from the input and its last state.")},
    {"attention", QT_TRANSLATE_NOOP("MapWords", "Attention"),
     QT_TRANSLATE_NOOP("MapWords", "Looks back at the source and takes a mean of it, weighted by what matters now.")},
    {"attn", QT_TRANSLATE_NOOP("MapWords", "Attention"),
     QT_TRANSLATE_NOOP("MapWords", "Looks back at the source and takes a mean of it, weighted by what matters now.")},
    {"self_attn", QT_TRANSLATE_NOOP("MapWords", "Self-attention"),
     QT_TRANSLATE_NOOP("MapWords", "Each token looks at the tokens of its own text.")},
    {"cross_attn", QT_TRANSLATE_NOOP("MapWords", "Cross-attention"),
     QT_TRANSLATE_NOOP("MapWords", "The output looks at the tokens of the source.")},
    {"ffn", QT_TRANSLATE_NOOP("MapWords", "Feed-forward"),
     QT_TRANSLATE_NOOP("MapWords", "A small network that works on each token by itself.")},
    {"embed", QT_TRANSLATE_NOOP("MapWords", "Embedding"),
     QT_TRANSLATE_NOOP("MapWords", "Looks up the row of numbers that stands for a token.")},
    {"final_norm", QT_TRANSLATE_NOOP("MapWords", "Last norm"),
     QT_TRANSLATE_NOOP("MapWords", "Brings each row to a common size.")},
    {"norm", QT_TRANSLATE_NOOP("MapWords", "Norm"), QT_TRANSLATE_NOOP("MapWords", "Brings each row to a common size.")},
    {"conv", QT_TRANSLATE_NOOP("MapWords", "Convolution"),
     QT_TRANSLATE_NOOP("MapWords", "Looks at a few neighbouring tokens at once.")},
    {"glu", QT_TRANSLATE_NOOP("MapWords", "Gated unit"),
     QT_TRANSLATE_NOOP("MapWords", "One half of the numbers decides how much of the other half passes.")},
    {"controller", QT_TRANSLATE_NOOP("MapWords", "Controller"),
     QT_TRANSLATE_NOOP("MapWords", "The network that tells the heads of the memory what to do.")},
    {"init", QT_TRANSLATE_NOOP("MapWords", "First state"),
     QT_TRANSLATE_NOOP("MapWords", "With what the decoder begins.")},
    {"output", QT_TRANSLATE_NOOP("MapWords", "Output"),
     QT_TRANSLATE_NOOP("MapWords", "Scores every token that could come next.")},
    {"readout", QT_TRANSLATE_NOOP("MapWords", "Readout"),
     QT_TRANSLATE_NOOP("MapWords", "Joins what the decoder knows before it scores the tokens.")},
    {"position", QT_TRANSLATE_NOOP("MapWords", "Position"),
     QT_TRANSLATE_NOOP("MapWords", "Guesses where in the source to look.")},
    {"sample", QT_TRANSLATE_NOOP("MapWords", "Drawn position"),
     QT_TRANSLATE_NOOP("MapWords", "One source token is drawn by chance, by the weights.")},
    {"head", QT_TRANSLATE_NOOP("MapWords", "Guess"),
     QT_TRANSLATE_NOOP("MapWords", "Gets each token ready for guessing the hidden words.")},
    {"once", QT_TRANSLATE_NOOP("MapWords", "Once, for all steps"),
     QT_TRANSLATE_NOOP("MapWords", "Computed before the first step; all steps use it.")},
    {"bottleneck", QT_TRANSLATE_NOOP("MapWords", "Bottleneck"),
     QT_TRANSLATE_NOOP("MapWords", "All that the decoder will know of the source.")},
};

constexpr GroupWord kLayer = {"layer", "",
                              QT_TRANSLATE_NOOP("MapWords", "One of several equal parts on top of each other.")};
constexpr GroupWord kStep = {
    "step", "", QT_TRANSLATE_NOOP("MapWords", "One of many equal steps; Ctrl+↑ and Ctrl+↓ show another one.")};
constexpr GroupWord kRead = {"read", "", QT_TRANSLATE_NOOP("MapWords", "Chooses rows of the memory and reads them.")};
constexpr GroupWord kWrite = {"write", "",
                              QT_TRANSLATE_NOOP("MapWords", "Chooses rows of the memory and writes to them.")};

// "layer[2]" -> "layer" and 3.
std::pair<QString, int> named(const QString& segment) {
  const auto bracket = segment.indexOf(QLatin1Char('['));
  if (bracket < 0) return {segment, 0};
  return {segment.left(bracket), segment.mid(bracket + 1, segment.size() - bracket - 2).toInt() + 1};
}

const GroupWord* word_of(QString name) {
  while (!name.isEmpty() && name.back().isDigit()) name.chop(1);  // norm1, norm2
  for (const GroupWord& word : kWords)
    if (name == QLatin1String(word.segment)) return &word;
  return nullptr;
}

QString step_title(const Trace& trace, const FlowNode& node, const TraceLabels& labels) {
  Site site = trace[node.first].site;
  site.step = node.step;
  QString text = step_in_words(site, labels);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return node.steps > 1 ? MapWords::tr("%1 of %2").arg(text, QString::number(node.steps)) : text;
}

// Each segment of a group's name in words, and the last word's row.
QStringList titles_of(const Trace& trace, const FlowNode& node, const TraceLabels& labels, const GroupWord*& help) {
  QStringList titles;
  const QStringList segments = QString::fromStdString(node.name).split(QLatin1Char('.'));
  for (int i = 0; i < segments.size(); ++i) {
    const auto [name, number] = named(segments[i]);
    if (name == QLatin1String("head") && number > 0 && i + 1 < segments.size()) {
      const bool reads = segments[++i] == QLatin1String("read");
      titles << (reads ? MapWords::tr("Read head %1") : MapWords::tr("Write head %1")).arg(number);
      help = reads ? &kRead : &kWrite;
    } else if (name == QLatin1String("layer") && number > 0) {
      titles << MapWords::tr("Layer %1").arg(number);
      help = &kLayer;
    } else if (name == QLatin1String("step") && number > 0) {
      titles << step_title(trace, node, labels);
      help = &kStep;
    } else if (const GroupWord* word = word_of(name)) {
      if (!*word->title) continue;  // says nothing that the group around it does not say
      titles << MapWords::tr(word->title);
      help = word;
    } else {
      QString plain = QString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
      if (!plain.isEmpty()) plain[0] = plain[0].toUpper();
      titles << plain;
    }
  }
  return titles;
}

int leaves_within(const Flow& flow, int node) {
  const FlowNode& here = flow.nodes[static_cast<std::size_t>(node)];
  if (here.is_leaf()) return 1;
  int count = 0;
  for (const int each : here.children) count += leaves_within(flow, each);
  return count;
}

}  // namespace

QString shape_words(const Shape& shape) {
  QStringList sizes;
  for (const Index size : shape.vector()) sizes << QString::number(size);
  return sizes.isEmpty() ? QStringLiteral("1") : sizes.join(QStringLiteral(" × "));
}

QString map_title(const Trace& trace, const Flow& flow, int node, const TraceLabels& labels, const QString& model) {
  if (node <= 0) return model;
  const FlowNode& here = flow.nodes[static_cast<std::size_t>(node)];
  if (!here.is_leaf()) {
    const GroupWord* help = nullptr;
    return titles_of(trace, here, labels, help).join(MapWords::tr(" · "));
  }
  const Site& site = trace[here.entry].site;
  // A leaf that stands for a whole layer says which.
  return here.name.find("layer[") == std::string::npos ? site_title(*site.kind) : site_in_words(site);
}

int result_of(const Trace& trace, const Flow& flow, int group) {
  const FlowNode& here = flow.nodes[static_cast<std::size_t>(group)];
  if (here.is_leaf()) return here.entry;
  int leaving = -1, last = -1;
  for (const FlowNode& node : flow.nodes)
    if (node.is_leaf() && (last < 0 || (node.entry > last && !trace[node.entry].site.kind->derived)) &&
        flow.contains(group, static_cast<int>(&node - flow.nodes.data())))
      last = node.entry;
  for (const FlowEdge& edge : flow.edges)
    if (const int entry = flow.nodes[static_cast<std::size_t>(edge.from)].entry;
        entry > leaving && flow.contains(group, edge.from) && !flow.contains(group, edge.to))
      leaving = entry;
  return leaving >= 0 ? leaving : last;
}

QString map_help(const Trace& trace, const Flow& flow, int node, const TraceLabels& labels, const QString& model) {
  const FlowNode& here = flow.nodes[static_cast<std::size_t>(node)];
  const QString title = map_title(trace, flow, node, labels, model);
  if (!here.is_leaf()) {
    const GroupWord* word = nullptr;
    if (node > 0) titles_of(trace, here, labels, word);
    QStringList lines{title};
    if (word) lines << MapWords::tr(word->help);
    lines << MapWords::tr("Values inside: %1. Double-click to look at them.").arg(leaves_within(flow, node));
    return lines.join(QLatin1Char('\n'));
  }
  const TraceEntry& entry = trace[here.entry];
  const SiteKind& kind = *entry.site.kind;
  QStringList lines{MapWords::tr("%1  (%2)").arg(title, shape_words(entry.value.shape())),
                    QString::fromStdString(entry.site.text)};
  if (kind.formula && *kind.formula) lines << QString::fromUtf8(kind.formula);
  lines << site_help(kind);
  if (kind.derived) lines << MapWords::tr("Computed for the eye only: nothing else needs it.");
  return lines.join(QLatin1Char('\n'));
}

QString cell_place(const TraceEntry& entry, Index cell, const TraceLabels& labels) {
  QStringList places;
  Index rest = cell;
  for (int axis = entry.value.rank() - 1; axis >= 0; --axis) {
    const Index index = rest % entry.value.dim(axis);
    rest /= entry.value.dim(axis);
    const AxisLabels names = axis_labels(*entry.site.kind, axis, labels);
    places.prepend(index < names.labels.size() ? MapWords::tr("'%1'").arg(names.label(index)) : QString::number(index));
  }
  return places.join(MapWords::tr(", "));
}

QString cell_words(const Trace& trace, int entry, Index cell, const TraceLabels& labels) {
  return MapWords::tr("%1 = %2").arg(cell_in_words(trace, entry, cell, labels),
                                     short_number(static_cast<double>(trace[entry].value[cell])));
}

}  // namespace headlight
