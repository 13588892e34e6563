#include "app/document/model_list.h"

#include <QDate>
#include <QLocale>

#include "model/io/model_folder.h"
#include "model/training/tasks/dates.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {
constexpr const char* kFirstModel = "date-attention";
}  // namespace

QString first_text(const ModelBundle& model) {
  if (reads_dates(model.task)) return QLocale::c().toString(QDate::currentDate(), QStringLiteral("MMMM d, yyyy"));
  return model.examples.empty() ? QString() : from_utf8(sentences_of(model.examples.front()).first);
}

std::pair<std::string, std::string> sentences_of(const std::string& example) {
  const std::size_t end = std::min(example.find('\n'), example.size());
  return {example.substr(0, end), example.substr(std::min(end + 1, example.size()))};
}

Document first_document(const std::string& name) {
  std::string chosen = name;
  if (chosen.empty()) {
    const auto bundled = bundled_models();
    for (const auto& folder : bundled)
      if (chosen.empty() || folder.filename() == kFirstModel) chosen = folder.string();
    if (chosen.empty()) throw FileError("no model is bundled with this program; name a model folder");
  }
  Document document;
  document.open(load_model(chosen));
  document.source = first_text(*document.model).toStdString();
  if (!document.model->examples.empty()) document.second = sentences_of(document.model->examples.front()).second;
  return document;
}

}  // namespace headlight
