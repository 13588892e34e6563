// Our sentences on the disk while they are written: a closed window or a kill loses at most the last line.
#pragma once

#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

#include "app/jobs/latest.h"
#include "model/recording/recording.h"
#include "model/training/tasks/own/sentences.h"

namespace headlight {

struct KeptSentences {
  std::vector<SentenceLine> lines;
  Probe probe;       // source and target alone
  std::string bank;  // a file of a word bank, or the name of one that is built in
  bool operator==(const KeptSentences& other) const {
    return lines == other.lines && probe.source == other.probe.source && probe.target == other.probe.target &&
           bank == other.bank;
  }
};
std::string kept_text(const KeptSentences& kept);
KeptSentences parse_kept(const std::string& text, const std::string& name);  // throws FormatError

class SentencesFile : public QObject {
  Q_OBJECT
 public:
  // `content` is what to keep now. `folder` empty: in the person's data.
  SentencesFile(const QString& folder, std::function<KeptSentences()> content, QObject* parent = nullptr);
  ~SentencesFile() override;  // writes what is not written yet

  // What was kept; nothing where nothing is, or where another window has the list. A file that cannot be read is put
  // aside, and failed() says so.
  KeptSentences load();
  bool is_ours() const { return ours_; }  // else another window has it, and nothing is written
  void touch();                           // something has changed
  void forget();                          // nothing is on the disk any more
  QString path() const { return folder_ + QStringLiteral("/our-sentences.json"); }

 signals:
  void failed(const QString& message);  // once, until it works again

 private:
  void write();
  void write_now();
  QString aside() const { return folder_ + QStringLiteral("/our-sentences.unreadable.json"); }

  QString folder_;
  std::function<KeptSentences()> content_;
  QLockFile lock_;
  QTimer soon_;
  Latest<bool> writer_;
  bool ours_ = false, failing_ = false;
};

}  // namespace headlight
