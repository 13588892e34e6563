#include "app/lab/data/incoming_sentences.h"

#include <utility>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr qsizetype kAtOnce = 32 << 10;    // bytes that are read without anybody noticing
constexpr std::size_t kLinesAtOnce = 500;  // the same of lines
constexpr std::uint64_t kMostBytes = 64 << 20;

std::shared_ptr<ArrivedSentences> read_incoming(const IncomingText& from, const FileOptions& options) {
  auto arrived = std::make_shared<ArrivedSentences>();
  arrived->from = from;
  if (from.kept) {
    arrived->lines = cut_sentences(from.kept->lines, options);
    return arrived;
  }
  const std::string text = from.path.isEmpty() ? from.text.toStdString() : read_file(bytes_of(from.path), kMostBytes);
  arrived->read = read_sentences(text, from.csv ? SentenceFormat::csv : SentenceFormat::plain, from.name.toStdString());
  arrived->lines = cut_sentences(arrived->read.lines, options);
  return arrived;
}

}  // namespace

IncomingSentences::IncomingSentences(const FileOptions& options, QObject* parent)
    : QObject(parent),
      options_(options),
      reader_([this](const std::shared_ptr<ArrivedSentences>& sentences) { done(sentences); },
              [this](const QString& message, bool) {
                emit failed(message);
                done(nullptr);
              }) {}

void IncomingSentences::take(IncomingText text) {
  waiting_.push_back(std::move(text));
  if (!busy_) next();
}

void IncomingSentences::stop() {
  waiting_.clear();
  reader_.stop();
  if (std::exchange(busy_, false)) emit busyChanged();
}

void IncomingSentences::next() {
  while (!waiting_.empty()) {
    const IncomingText text = std::move(waiting_.front());
    waiting_.pop_front();
    const bool large =
        !text.path.isEmpty() || text.text.size() > kAtOnce || (text.kept && text.kept->lines.size() > kLinesAtOnce);
    if (large) {
      if (!std::exchange(busy_, true)) emit busyChanged();
      reader_.start([text, options = options_](const CancelToken&) { return read_incoming(text, options); });
      return;
    }
    try {
      emit arrived(read_incoming(text, options_));
    } catch (const Error& error) {
      emit failed(from_utf8(error.what()));
    }
  }
  if (std::exchange(busy_, false)) emit busyChanged();
}

void IncomingSentences::done(const std::shared_ptr<ArrivedSentences>& sentences) {
  if (sentences) emit arrived(sentences);
  next();
}

}  // namespace headlight
