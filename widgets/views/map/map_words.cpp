#include "widgets/views/map/map_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "widgets/text/number_words.h"

namespace headlight {

namespace {

struct GroupWord {
  const char* segment;
  const char* title;
  const char* help;
};

struct MapWords {
  Q_DECLARE_TR_FUNCTIONS(MapWords)

 public:
  static constexpr GroupWord kWords[] = {
      {"input", QT_TR_NOOP("Input"), QT_TR_NOOP("The text as numbers: one for each token.")},
      {"src", "", ""},
      {"encoder", QT_TR_NOOP("Encoder"),
       QT_TR_NOOP("Reads the text and describes each of its tokens by a row of numbers.")},
      {"decoder", QT_TR_NOOP("Decoder"), QT_TR_NOOP("Writes the output, one token at each step.")},
      {"memory", QT_TR_NOOP("Memory"), QT_TR_NOOP("A table of rows that the model writes to and reads from.")},
      {"fwd", QT_TR_NOOP("Forward"), QT_TR_NOOP("Reads from the first token to the last.")},
      {"bwd", QT_TR_NOOP("Backward"), QT_TR_NOOP("Reads from the last token to the first.")},
      {"lstm", QT_TR_NOOP("LSTM cell"),
       QT_TR_NOOP("A recurrent cell: gates decide what it forgets, takes in and shows.")},
      {"gru", QT_TR_NOOP("GRU cell"), QT_TR_NOOP("A recurrent cell: two gates decide how much of its state is new.")},
      {"rnn", QT_TR_NOOP("Recurrent cell"), QT_TR_NOOP("Makes its new state from the input and its last state.")},
      {"attention", QT_TR_NOOP("Attention"),
       QT_TR_NOOP("Looks back at the source and takes a mean of it, weighted by what matters now.")},
      {"attn", QT_TR_NOOP("Attention"),
       QT_TR_NOOP("Looks back at the source and takes a mean of it, weighted by what matters now.")},
      {"self_attn", QT_TR_NOOP("Self-attention"), QT_TR_NOOP("Each token looks at the tokens of its own text.")},
      {"cross_attn", QT_TR_NOOP("Cross-attention"), QT_TR_NOOP("The output looks at the tokens of the source.")},
      {"ffn", QT_TR_NOOP("Feed-forward"), QT_TR_NOOP("A small network that works on each token alone.")},
      {"embed", QT_TR_NOOP("Embedding"), QT_TR_NOOP("Looks up the row of numbers that stands for a token.")},
      {"final_norm", QT_TR_NOOP("Last norm"), QT_TR_NOOP("Brings each row to a common size.")},
      {"norm", QT_TR_NOOP("Norm"), QT_TR_NOOP("Brings each row to a common size.")},
      {"conv", QT_TR_NOOP("Convolution"), QT_TR_NOOP("Looks at a few neighbouring tokens at once.")},
      {"glu", QT_TR_NOOP("Gated unit"),
       QT_TR_NOOP("One half of the numbers decides how much of the other half passes.")},
      {"controller", QT_TR_NOOP("Controller"),
       QT_TR_NOOP("The network that tells the heads of the memory what to do.")},
      {"init", QT_TR_NOOP("First state"), QT_TR_NOOP("With what the decoder begins.")},
      {"output", QT_TR_NOOP("Output"), QT_TR_NOOP("Scores every token that could come next.")},
      {"readout", QT_TR_NOOP("Readout"), QT_TR_NOOP("Joins what the decoder knows before it scores the tokens.")},
      {"position", QT_TR_NOOP("Position"), QT_TR_NOOP("Guesses where in the source to look.")},
      {"sample", QT_TR_NOOP("Drawn position"), QT_TR_NOOP("One source token is drawn by chance, by the weights.")},
      {"head", QT_TR_NOOP("Guess"), QT_TR_NOOP("Gets each token ready for guessing the hidden words.")},
      {"once", QT_TR_NOOP("Once, for all steps"), QT_TR_NOOP("Computed before the first step; all steps use it.")},
      {"bottleneck", QT_TR_NOOP("Bottleneck"), QT_TR_NOOP("All that the decoder will know of the source.")},
  };

  static constexpr GroupWord kLayer = {"layer", "", QT_TR_NOOP("One of several equal parts on top of each other.")};
  static constexpr GroupWord kStep = {"step", "",
                                      QT_TR_NOOP("One of many equal steps; Ctrl+↑ and Ctrl+↓ show another one.")};
  static constexpr GroupWord kRead = {"read", "", QT_TR_NOOP("Chooses rows of the memory and reads them.")};
  static constexpr GroupWord kWrite = {"write", "", QT_TR_NOOP("Chooses rows of the memory and writes to them.")};
};

// "layer[2]" -> "layer" and 3.
std::pair<QString, int> named(const QString& segment) {
  const auto bracket = segment.indexOf(QLatin1Char('['));
  if (bracket < 0) return {segment, 0};
  return {segment.left(bracket), segment.mid(bracket + 1, segment.size() - bracket - 2).toInt() + 1};
}

const GroupWord* word_of(QString name) {
  while (!name.isEmpty() && name.back().isDigit()) name.chop(1);  // norm1, norm2
  for (const GroupWord& word : MapWords::kWords)
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
      help = reads ? &MapWords::kRead : &MapWords::kWrite;
    } else if (name == QLatin1String("layer") && number > 0) {
      titles << MapWords::tr("Layer %1").arg(number);
      help = &MapWords::kLayer;
    } else if (name == QLatin1String("step") && number > 0) {
      titles << step_title(trace, node, labels);
      help = &MapWords::kStep;
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
  const FlowNode& here = nth(flow.nodes, node);
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
  const FlowNode& here = nth(flow.nodes, node);
  if (!here.is_leaf()) {
    const GroupWord* help = nullptr;
    return titles_of(trace, here, labels, help).join(MapWords::tr(" · "));
  }
  const Site& site = trace[here.entry].site;
  // A leaf that stands for a whole layer says which.
  return here.name.find("layer[") == std::string::npos ? site_title(*site.kind) : site_in_words(site);
}

int result_of(const Trace& trace, const Flow& flow, int group) {
  const FlowNode& here = nth(flow.nodes, group);
  if (here.is_leaf()) return here.entry;
  int leaving = -1, last = -1;
  for (const FlowNode& node : flow.nodes)
    if (node.is_leaf() && (last < 0 || (node.entry > last && !trace[node.entry].site.kind->derived)) &&
        flow.contains(group, static_cast<int>(&node - flow.nodes.data())))
      last = node.entry;
  for (const FlowEdge& edge : flow.edges)
    if (const int entry = nth(flow.nodes, edge.from).entry;
        entry > leaving && flow.contains(group, edge.from) && !flow.contains(group, edge.to))
      leaving = entry;
  return leaving >= 0 ? leaving : last;
}

QString map_help(const Trace& trace, const Flow& flow, int node, const TraceLabels& labels, const QString& model) {
  const FlowNode& here = nth(flow.nodes, node);
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
    const bool quoted = index < names.labels.size() && !names.is_padding(index);
    places.prepend(quoted ? MapWords::tr("‘%1’").arg(names.label(index)) : names.said(index));
  }
  return places.join(MapWords::tr(", "));
}

QString cell_words(const Trace& trace, int entry, Index cell, const TraceLabels& labels) {
  return MapWords::tr("%1 = %2").arg(cell_in_words(trace, entry, cell, labels),
                                     short_number(static_cast<double>(trace[entry].value[cell])));
}

}  // namespace headlight
