#include "app/document/opened_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace headlight {

namespace {

struct OpenedWords {
  Q_DECLARE_TR_FUNCTIONS(OpenedText)
};

// All that a model can do (pretrained_models.cpp, pretrained_folder.cpp); joined by commas.
const char* const kDoes[] = {
    QT_TRANSLATE_NOOP("OpenedText", "guesses masked words"),
    QT_TRANSLATE_NOOP("OpenedText", "continues a text"),
    QT_TRANSLATE_NOOP("OpenedText", "writes an output for a text"),
    QT_TRANSLATE_NOOP("OpenedText", "classes of a text"),
    QT_TRANSLATE_NOOP("OpenedText", "several classes of a text"),
    QT_TRANSLATE_NOOP("OpenedText", "classes of tokens"),
    QT_TRANSLATE_NOOP("OpenedText", "finds where an answer begins and ends"),
    QT_TRANSLATE_NOOP("OpenedText", "gives a text or a pair a score"),
    QT_TRANSLATE_NOOP("OpenedText", "hidden states of a text"),
    QT_TRANSLATE_NOOP("OpenedText", "and a vector of the whole"),
    QT_TRANSLATE_NOOP("OpenedText", "and the embedding of the sentence"),
    QT_TRANSLATE_NOOP("OpenedText", "and whether a second sentence follows the first"),
};

QString what_it_does(const QString& text) {
  QStringList parts;
  for (const QString& part : text.split(QStringLiteral(", "))) {
    const QByteArray english = part.toUtf8();
    const bool known = std::find_if(std::begin(kDoes), std::end(kDoes),
                                    [&](const char* each) { return english == each; }) != std::end(kDoes);
    parts << (known ? QCoreApplication::translate("OpenedText", english.constData()) : part);
  }
  //: Between two things that a model does.
  return parts.join(OpenedWords::tr(", "));
}

}  // namespace

QString opened_text(const QString& description) {
  static const QRegularExpression model(
      QStringLiteral("^(\\S+): (\\d+)(?: and (\\d+))? layers, (\\d+) heads, (\\d+) wide, (\\S+); ([^.]*)(.*)$"));
  static const QRegularExpression stored(QStringLiteral(
      "^stored attention of (\\d+) texts?: (\\d+) layers, (\\d+) heads; type the number of a text, from 0(?:; the second "
      "sentence begins at token (\\d+))?$"));
  static const QRegularExpression numbers(QStringLiteral(
      "^(?:\\. Shown and not used \\((.*?)\\))?(?:\\. Without a tokenizer: type the numbers of tokens \\((.*)\\))?$"));
  if (const auto m = model.match(description); m.hasMatch()) {
    const QString does = what_it_does(m.captured(7));
    const QString text =
        m.captured(3).isEmpty()
            ? OpenedWords::tr("%1: %2 layers, %3 heads, %4 wide, %5; %6")
                  .arg(m.captured(1), m.captured(2), m.captured(4), m.captured(5), m.captured(6), does)
            : OpenedWords::tr("%1: %2 and %3 layers, %4 heads, %5 wide, %6; %7")
                  .arg(m.captured(1), m.captured(2), m.captured(3), m.captured(4), m.captured(5), m.captured(6), does);
    const auto more = numbers.match(m.captured(8));
    if (!more.hasMatch()) return text + m.captured(8);
    QString all = text;
    if (!more.captured(1).isEmpty()) all += OpenedWords::tr(". Shown and not used (%1)").arg(more.captured(1));
    if (!more.captured(2).isEmpty())
      all += OpenedWords::tr(". Without a tokenizer: type the numbers of tokens (%1)").arg(more.captured(2));
    return all;
  }
  if (const auto m = stored.match(description); m.hasMatch()) {
    const QString what =
        m.captured(1) == QLatin1String("1")
            ? OpenedWords::tr("stored attention of %1 text: %2 layers, %3 heads; type the number of a text, from 0")
            : OpenedWords::tr("stored attention of %1 texts: %2 layers, %3 heads; type the number of a text, from 0");
    QString text = what.arg(m.captured(1), m.captured(2), m.captured(3));
    if (!m.captured(4).isEmpty())
      text += OpenedWords::tr("; the second sentence begins at token %1").arg(m.captured(4));
    return text;
  }
  return description;
}

}  // namespace headlight
