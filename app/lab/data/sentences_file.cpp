#include "app/lab/data/sentences_file.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <utility>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kSoon = 300;  // ms after the last change
constexpr std::uint64_t kMostKeptBytes = 512 << 20;

QString place_of(const QString& folder) {
  return folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/lab" : folder;
}

Probe kept_probe(const Settings& in) {
  const std::vector<std::string> texts = in.texts("probe");
  if (texts.size() != 2) in.fail("probe", "expected two texts");
  return {texts[0], texts[1]};
}

}  // namespace

std::string kept_text(const KeptSentences& kept) {
  Json lines = Json::array();
  for (const SentenceLine& line : kept.lines) lines.push_back(Json::array({line.source, line.target, line.made}));
  return Json{{"version", 1}, {"lines", lines}, {"probe", {kept.probe.source, kept.probe.target}}, {"bank", kept.bank}}
      .dump();
}

KeptSentences parse_kept(const std::string& text, const std::string& name) {
  const Json json = parse_json(text, name, {.depth = 8});
  const Settings in(json, name);
  in.allow_only({"version", "lines", "probe", "bank"});
  in.integer("version", 1, 1);
  KeptSentences kept{{}, kept_probe(in), in.text("bank")};
  const Json& lines = in.at("lines");
  if (!lines.is_array() || lines.size() > kMostSentences) in.fail("lines", "expected a list of lines");
  for (const Json& line : lines) {
    if (!line.is_array() || line.size() != 3 || !line[0].is_string() || !line[1].is_string() || !line[2].is_boolean())
      in.fail("lines", "expected two texts and whether the line was made");
    kept.lines.push_back({line[0].get<std::string>(), line[1].get<std::string>(), line[2].get<bool>()});
  }
  return kept;
}

SentencesFile::SentencesFile(const QString& folder, std::function<KeptSentences()> content, QObject* parent)
    : QObject(parent),
      folder_(place_of(folder)),
      content_(std::move(content)),
      lock_(path() + QStringLiteral(".lock")),
      writer_([this](bool) { failing_ = false; },
              [this](const QString& problem, bool) {
                if (!std::exchange(failing_, true))
                  emit failed(tr("Your sentences cannot be kept at the moment: %1. Save them as a file.").arg(problem));
              }) {
  soon_.setSingleShot(true);
  soon_.setInterval(kSoon);
  connect(&soon_, &QTimer::timeout, this, &SentencesFile::write);
  QDir().mkpath(folder_);
  lock_.setStaleLockTime(0);  // a lock of a process that lives is never stale
  ours_ = lock_.tryLock(0);
}

SentencesFile::~SentencesFile() {
  writer_.thread().finish_soon();
  if (soon_.isActive()) write_now();
}

KeptSentences SentencesFile::load() {
  if (!ours_ || !QFile::exists(path())) return {};
  try {
    return parse_kept(read_file(bytes_of(path()), kMostKeptBytes), path().toStdString());
  } catch (const Error& error) {
    QFile::remove(aside());
    QFile::rename(path(), aside());
    emit failed(tr("The sentences of last time cannot be read: %1. They were put aside as %2.")
                    .arg(from_utf8(error.what()), aside()));
    return {};
  }
}

void SentencesFile::touch() {
  if (ours_) soon_.start();
}

// A write that goes on is let go on: the file is whole at any time, and the newest comes after it.
void SentencesFile::write() {
  if (writer_.busy()) return soon_.start();
  writer_.start([kept = content_(), file = bytes_of(path())](const CancelToken&) {
    write_file_atomically(file, kept_text(kept));
    return true;
  });
}

void SentencesFile::write_now() {
  soon_.stop();
  try {
    write_file_atomically(bytes_of(path()), kept_text(content_()));
  } catch (const Error&) {
    // Nobody is there any more to read why.
  }
}

void SentencesFile::forget() {
  soon_.stop();
  writer_.thread().finish();
  if (!ours_) return;
  QFile::remove(path());
  QFile::remove(aside());
}

}  // namespace headlight
