#include "app/jobs/listed_runs.h"

#include <QFileInfo>
#include <utility>

#include "model/core/clock.h"
#include "model/core/errors.h"
#include "model/core/parallel.h"
#include "model/io/text_list.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr double kBetweenParts = 0.25;          // seconds
constexpr std::size_t kMostBytes = 1ULL << 30;  // of the numbers of a list

// The texts of a list as they are read, told in parts.
class PartsReader {
 public:
  PartsReader(std::shared_ptr<const ModelBundle> model, std::optional<ListedNumber> asked,
              std::function<void(ListedPart)> tell)
      : model_(std::move(model)), asked_(std::move(asked)), tell_(std::move(tell)) {
    if (!asked_) reader_.emplace(model_);
  }

  void read(const std::vector<ListedText>& texts, const CancelToken& cancel) {
    told_ = run_clock.load()();
    for (std::size_t i = 0; i < texts.size() && !full_; ++i) {
      cancel.check();
      read_one(i, texts[i], cancel);
      part_.done = static_cast<int>(i) + 1;
      if (const double now = run_clock.load()(); now - told_ > kBetweenParts) {
        tell();
        told_ = now;
      }
    }
    tell();
  }

 private:
  void read_one(std::size_t at, const ListedText& text, const CancelToken& cancel) {
    try {
      if (asked_)
        part_.numbers.push_back(number_of_text(model_, text, at, *asked_, cancel));
      else
        add_patterns(at, text, cancel);
      part_.texts.push_back(static_cast<int>(at));
    } catch (const UsageError& error) {  // one that cannot be read is left out
      if (part_.left_out++ == 0)
        part_.problem = (text.line > 0 ? std::to_string(text.line) + ": " : std::string()) + error.what();
      if (part_.left_out == static_cast<int>(kMostBad) && part_.texts.empty() && !any_) throw;  // it reads none
    }
  }
  void add_patterns(std::size_t at, const ListedText& text, const CancelToken& cancel) {
    const ListedReader::Text read = reader_->is_stored()
                                        ? reader_->read_stored(at, cancel)
                                        : reader_->read(text.text, text.second, text.written(), cancel);
    part_.patterns.add(read.maps, read.pattern);
    if (reader_->is_stored()) part_.words.push_back(joined(read.words));
    bytes_ += sizeof(PatternShares) * read.maps.layers.size() * static_cast<std::size_t>(read.maps.heads());
    full_ = bytes_ > kMostBytes;
  }
  void tell() {
    any_ = any_ || !part_.texts.empty();
    ListedPart next;
    next.left_out = part_.left_out;
    next.problem = part_.problem;
    tell_(std::exchange(part_, std::move(next)));
  }
  static std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    return line;
  }

  static constexpr std::size_t kMostBad = 20;
  std::shared_ptr<const ModelBundle> model_;
  std::optional<ListedNumber> asked_;
  std::optional<ListedReader> reader_;  // of patterns
  std::function<void(ListedPart)> tell_;
  ListedPart part_;
  std::size_t bytes_ = 0;
  bool full_ = false, any_ = false;
  double told_ = 0;
};

}  // namespace

ListedRuns::ListedRuns(QObject* parent)
    : QObject(parent),
      files_([this](const Opened& opened) { emit this->opened(opened.name, *opened.texts); },
             [this](const QString& message, bool) { emit failed(message); }),
      runs_([this](double seconds) { emit finished(seconds); },
            [this](const QString& message, bool) { emit refused(message); }) {}

void ListedRuns::open(const QString& path) {
  files_.start([path](const CancelToken&) -> Opened {
    return {QFileInfo(path).fileName(),
            std::make_shared<const std::vector<ListedText>>(read_text_list(bytes_of(path)))};
  });
}

void ListedRuns::run(std::shared_ptr<const ModelBundle> model, std::shared_ptr<const std::vector<ListedText>> texts,
                     std::optional<ListedNumber> asked) {
  runs_.thread().start([&](std::uint64_t, const BackgroundThread::Report& report) -> BackgroundThread::Job {
    const auto tell = [this, report](ListedPart part) {
      report([this, part = std::make_shared<const ListedPart>(std::move(part))] { emit this->part(*part); });
    };
    return [tell, model, texts, asked, delivery = runs_.delivery()](const CancelToken& cancel) {
      work_behind();
      const double begun = run_clock.load()();
      PartsReader(model, asked, tell).read(*texts, cancel);
      return delivery(run_clock.load()() - begun);
    };
  });
}

}  // namespace headlight
