#include "app/text/changed_output.h"

#include <QStringList>

#include "model/analysis/difference.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

std::vector<std::string> pieces(const QString& text, bool characters) {
  std::vector<std::string> found;
  if (characters)
    for (const uint point : text.toUcs4())
      found.push_back(bytes_of(QString::fromUcs4(reinterpret_cast<const char32_t*>(&point), 1)));
  else
    for (const QString& word : text.split(' ', Qt::SkipEmptyParts)) found.push_back(bytes_of(word));
  return found;
}

}  // namespace

std::vector<OutputPart> changed_output(const QString& before, const QString& now, bool characters) {
  const std::vector<std::string> a = pieces(before, characters), b = pieces(now, characters);
  std::vector<OutputPart> parts;
  QStringList gone, come, kept;
  const QString between = characters ? QString() : QStringLiteral(" ");
  const auto flush = [&](QStringList& texts, OutputPart::Kind kind) {
    if (!texts.isEmpty()) parts.push_back({kind, texts.join(between)});
    texts.clear();
  };
  // A run of changes is one: all that was there, then all that came.
  const auto flush_changes = [&] {
    flush(gone, OutputPart::Kind::before);
    flush(come, OutputPart::Kind::now);
  };
  for (const PlacePair& place : aligned(a, b)) {
    const auto text = [](const std::vector<std::string>& of, Index at) {
      return from_utf8(of[static_cast<std::size_t>(at)]);
    };
    if (place.same) {
      flush_changes();
      kept << text(b, place.after);
      continue;
    }
    flush(kept, OutputPart::Kind::same);
    if (place.before >= 0) gone << text(a, place.before);
    if (place.after >= 0) come << text(b, place.after);
  }
  flush_changes();
  flush(kept, OutputPart::Kind::same);
  return parts;
}

}  // namespace headlight
