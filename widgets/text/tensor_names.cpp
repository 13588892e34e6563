#include "widgets/text/tensor_names.h"

#include <QCoreApplication>
#include <algorithm>

#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

struct TensorWords {
  Q_DECLARE_TR_FUNCTIONS(TensorNames)
};

const std::string* in_file(const std::string& parameter, const TraceLabels& labels) {
  if (!labels.in_file) return nullptr;
  const auto found = labels.in_file->find(parameter);
  return found == labels.in_file->end() || found->second.empty() ? nullptr : &found->second;
}

// A name and nothing that is done with it.
bool is_plain(const std::string& text) { return text.find_first_of("[]()+, ") == std::string::npos; }

}  // namespace

QString parameter_words(const std::string& parameter) {
  const QString part = part_in_words(parameter);
  const std::string leaf = parameter.substr(parameter.rfind('.') + 1);
  const QString name = from_utf8(leaf);
  return part.isEmpty() ? from_utf8(parameter) : TensorWords::tr("%1 of %2").arg(name, part);
}

QString place_in_file(const Location& at, const TraceLabels& labels) {
  if (at.kind != Location::Kind::parameter) return {};
  const std::string* said = in_file(at.name, labels);
  if (!said) return {};
  QStringList index;
  Index rest = at.index;
  for (int axis = at.shape.rank() - 1; axis >= 0; --axis) {
    index.prepend(QString::number(rest % at.shape[axis]));
    rest /= at.shape[axis];
  }
  std::string name = *said;
  const bool turned = name.ends_with(".T") && is_plain(name);
  if (turned) {
    name.resize(name.size() - 2);
    std::ranges::reverse(index);
  }
  const QString text = is_plain(name) ? from_utf8(name) : QStringLiteral("(%1)").arg(from_utf8(name));
  return QStringLiteral("%1[%2]").arg(text, index.join(QStringLiteral(", ")));
}

QStringList tensors_in_file(const Explanation& explanation, const Trace& trace, const TraceLabels& labels) {
  QStringList lines;
  if (!labels.in_file) return lines;
  const void* last = nullptr;  // terms of a sum come from one tensor
  for (const Term& term : explanation.terms)
    for (const Cell& cell : term.cells) {
      if (cell.tensor.data() == last) continue;
      const Location at = trace.locate(cell);
      if (at.kind != Location::Kind::parameter) continue;
      last = cell.tensor.data();
      const std::string* said = in_file(at.name, labels);
      if (!said) continue;
      const QString line = TensorWords::tr("%1, as %2").arg(from_utf8(*said), parameter_words(at.name));
      if (!lines.contains(line)) lines << line;
    }
  return lines;
}

}  // namespace headlight
