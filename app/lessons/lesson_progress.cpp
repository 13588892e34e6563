#include "app/lessons/lesson_progress.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

#include "model/core/json_library.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMost = 4 << 20;
constexpr std::size_t kMostKept = 200;  // answers or votes of a lesson
constexpr std::size_t kMostLessons = 1000, kMostChoices = 8, kMostOwn = 30;
constexpr int kMostHands = 999;
constexpr qint64 kLessonHour = 45 * 60;  // seconds

QString text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? from_utf8(found->get<std::string>()).left(2000) : QString();
}
int number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? std::clamp(found->get<int>(), 0, 1'000'000) : 0;
}

qint64 time_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<qint64>() : 0;
}

// In place of the one of the same step.
template <class T>
void put(std::vector<T>& all, const T& one) {
  const auto before = std::ranges::find(all, one.step, &T::step);
  if (before != all.end())
    *before = one;
  else
    all.push_back(one);
}

RoomVote read_vote(const Json& json) {
  RoomVote vote{text_in(json, "step"), {}, text_in(json, "right"), text_in(json, "room"), time_in(json, "when")};
  const auto hands = json.find("hands");
  if (hands == json.end() || !hands->is_object()) return vote;
  for (const auto& [id, rounds] : hands->items())
    if (rounds.is_array() && rounds.size() == 2 && vote.hands.size() < kMostChoices)
      for (std::size_t round = 0; round < 2; ++round)
        if (rounds[round].is_number_integer())
          vote.hands[from_utf8(id)][round] = std::clamp(rounds[round].get<int>(), 0, kMostHands);
  return vote;
}

GivenAnswer read_answer(const Json& json) {
  return {text_in(json, "step"),
          text_in(json, "question"),
          text_in(json, "answer"),
          text_in(json, "truth"),
          text_in(json, "distance"),
          number_in(json, "hints"),
          static_cast<Worth>(std::min(number_in(json, "worth"), static_cast<int>(Worth::right)))};
}

template <class T>
std::vector<T> list_in(const Json& json, const char* key, T (*read)(const Json&)) {
  std::vector<T> found;
  if (const auto list = json.find(key); list != json.end() && list->is_array())
    for (const Json& each : *list)
      if (each.is_object() && found.size() < kMostKept) found.push_back(read(each));
  return found;
}

}  // namespace

QString LessonProgress::usual_path() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/lessons.json");
}

LessonProgress::LessonProgress(QString path) : path_(std::move(path)) {
  if (!path_.isEmpty()) read();
}

const RoomVote* LessonRecord::vote(const QString& at) const {
  const auto found = std::find_if(votes.rbegin(), votes.rend(), [&](const RoomVote& each) { return each.step == at; });
  return found == votes.rend() ? nullptr : &*found;
}

const RoomVote* LessonRecord::vote(const QString& at, const QString& of) const {
  const auto found =
      std::ranges::find_if(votes, [&](const RoomVote& each) { return each.step == at && each.room == of; });
  return found == votes.end() ? nullptr : &*found;
}

const LessonRecord* LessonProgress::find(const QString& lesson) const {
  const auto found = records_.find(lesson);
  return found == records_.end() ? nullptr : &found->second;
}

QString LessonProgress::latest() const {
  const LessonRecord* newest = nullptr;
  QString name;
  for (const auto& [lesson, record] : records_)
    if (!record.finished && record.step > 0 && (!newest || record.when >= newest->when))
      newest = &record, name = lesson;
  return name;
}

void LessonProgress::reach(const QString& lesson, const QString& title, int step, int steps, qint64 now) {
  LessonRecord& record = records_[lesson];
  record.title = title;
  record.step = step;
  record.steps = steps;
  record.finished = record.finished || step + 1 >= steps;
  record.when = now;
  write();
}

void LessonProgress::answer(const QString& lesson, const GivenAnswer& given) {
  put(records_[lesson].answers, given);
  write();
}

void LessonProgress::vote(const QString& lesson, const RoomVote& vote) {
  std::vector<RoomVote>& all = records_[lesson].votes;
  std::erase_if(all, [&](const RoomVote& each) { return each.step == vote.step && each.room == vote.room; });
  if (all.size() >= kMostKept) all.erase(all.begin());
  all.push_back(vote);
  write();
}

QString LessonProgress::room(qint64 now) const {
  const RoomVote* newest = nullptr;
  for (const auto& [lesson, record] : records_)
    for (const RoomVote& each : record.votes)
      if (now - each.when < kLessonHour && (!newest || each.when >= newest->when)) newest = &each;
  return newest ? newest->room : QString();
}

void LessonProgress::opened(const OwnLesson& lesson) {
  std::erase_if(own_, [&](const OwnLesson& each) { return each.folder == lesson.folder; });
  own_.insert(own_.begin(), lesson);
  if (own_.size() > kMostOwn) own_.resize(kMostOwn);
  write();
}

void LessonProgress::forget(const QString& folder) {
  std::erase_if(own_, [&](const OwnLesson& each) { return each.folder == folder; });
  write();
}

void LessonProgress::clear() {
  records_.clear();
  write();
}

// A file that somebody broke is one without progress.
void LessonProgress::read() {
  try {
    const Json json = read_json(bytes_of(path_), kMost, {.depth = 8, .keys = 200'000, .values = 400'000});
    if (!json.is_object()) return;
    if (const auto own = json.find("own"); own != json.end() && own->is_array())
      for (const Json& each : *own)
        if (each.is_object() && own_.size() < kMostOwn && !text_in(each, "folder").isEmpty())
          own_.push_back({text_in(each, "folder"), text_in(each, "title")});
    if (!json.contains("lessons") || !json["lessons"].is_object()) return;
    for (const auto& [name, each] : json["lessons"].items()) {
      if (!each.is_object() || records_.size() >= kMostLessons) continue;
      LessonRecord record;
      record.title = text_in(each, "title");
      record.step = number_in(each, "step");
      record.steps = number_in(each, "steps");
      record.finished = each.contains("finished") && each["finished"] == true;
      record.when = time_in(each, "when");
      record.answers = list_in(each, "answers", read_answer);
      record.votes = list_in(each, "votes", read_vote);
      records_[from_utf8(name)] = std::move(record);
    }
  } catch (const Error&) {
  }
}

void LessonProgress::write() const {
  if (path_.isEmpty()) return;
  Json lessons = Json::object();
  for (const auto& [name, record] : records_) {
    Json answers = Json::array();
    for (const GivenAnswer& given : record.answers)
      answers.push_back({{"step", given.step.toStdString()},
                         {"question", given.question.toStdString()},
                         {"answer", given.answer.toStdString()},
                         {"truth", given.truth.toStdString()},
                         {"distance", given.distance.toStdString()},
                         {"hints", given.hints},
                         {"worth", static_cast<int>(given.worth)}});
    Json votes = Json::array();
    for (const RoomVote& vote : record.votes) {
      Json hands = Json::object();
      for (const auto& [id, rounds] : vote.hands) hands[id.toStdString()] = rounds;
      votes.push_back({{"step", vote.step.toStdString()},
                       {"hands", std::move(hands)},
                       {"right", vote.right.toStdString()},
                       {"room", vote.room.toStdString()},
                       {"when", vote.when}});
    }
    lessons[name.toStdString()] = {{"title", record.title.toStdString()},
                                   {"step", record.step},
                                   {"steps", record.steps},
                                   {"finished", record.finished},
                                   {"when", record.when},
                                   {"answers", std::move(answers)},
                                   {"votes", std::move(votes)}};
  }
  Json own = Json::array();
  for (const OwnLesson& each : own_)
    own.push_back({{"folder", each.folder.toStdString()}, {"title", each.title.toStdString()}});
  try {
    make_folder(bytes_of(QFileInfo(path_).absolutePath()));
    write_file_atomically(bytes_of(path_),
                          Json({{"headlight_progress", 1}, {"lessons", std::move(lessons)}, {"own", std::move(own)}})
                              .dump(1, ' ', false, Json::error_handler_t::replace));
  } catch (const Error&) {
  }
}

}  // namespace headlight
