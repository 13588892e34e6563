#include "app/classroom/paper/lesson_paper.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QPainter>
#include <QTextDocument>
#include <algorithm>

#include "app/classroom/answers/lesson_answers.h"
#include "app/classroom/lesson_chart_picture.h"
#include "app/classroom/lesson_text.h"
#include "app/classroom/lesson_vote.h"
#include "app/classroom/paper/paper_column.h"
#include "app/classroom/paper/paper_pages.h"
#include "app/classroom/training/lesson_training.h"
#include "app/lessons/lesson_check.h"
#include "app/stage/view_table.h"
#include "model/io/file.h"
#include "widgets/base/selection.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/result_view.h"
#include "widgets/export/export.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/attention_words.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight {

namespace {

struct PaperWords {
  Q_DECLARE_TR_FUNCTIONS(headlight::LessonPaper)
};

constexpr QSize kA4(794, 1123), kLetter(816, 1056), kSlide(1280, 720);  // at 96 pixels an inch
constexpr double kSlideZoom = 1.5;                                      // letters in pictures are read from afar, too

// A step with everything that its pages need.
struct Step {
  const LessonStep* step = nullptr;
  const StepWords* words = nullptr;
  int at = 0;
  ExpressionScope scope, after;  // after: what stands there in the end
  AnswerFacts facts;
  std::optional<ExpressionValue> truth;
  LessonValue values;  // with the truth as the answer
  std::string view;
  std::vector<int> closed;  // steps of the output that wait for the reveal
  std::vector<int> later;   // that a later step asks for
  bool hides = false;       // tokens that look at tokens: the picture waits as a whole
  std::shared_ptr<const ShownTraining> training_before;
};

// `measured`: charts are there, too.
Step step_of(const LessonPaper& paper, int at, bool measured) {
  LessonRuns& runs = *paper.runs;
  const Lesson& lesson = runs.lesson();
  Step made;
  made.at = at;
  made.step = &lesson.steps[static_cast<std::size_t>(at)];
  made.words = &lesson.in(paper.language).steps[static_cast<std::size_t>(at)];
  made.scope = runs.scope(at);
  made.view = "alignment";
  for (int i = 0; i <= at; ++i)
    if (const std::string& view = lesson.steps[static_cast<std::size_t>(i)].view; !view.empty()) made.view = view;
  if (made.scope.run) made.facts = AnswerFacts::of(*made.scope.run->result());
  made.later = runs.asked_later(at);
  made.training_before = runs.training_before(at);
  if (made.scope.training && made.step->answer.kind == LessonAnswer::Kind::curve)
    made.facts = AnswerFacts::of_curve(static_cast<double>(made.scope.training->run().reads), made.step->answer.points);
  ExpressionScope& known = made.after = made.scope;
  if (made.step->asks()) {
    made.truth = true_answer(runs, at);
    known.answer = made.truth;
    if (!made.step->closed.empty()) {
      const Places closed = made.step->closed.places(made.scope, runs.cancel());
      made.closed = closed.at;
      made.hides = closed.of == Places::Of::source;
    }
    if (!made.step->answer.over.empty()) made.facts.over = made.step->answer.over.places(made.scope, runs.cancel());
  }
  if (measured && made.step->kind == LessonStep::Kind::chart && !runs.chart(at)) runs.measure(at);
  if (made.step->solution) known = runs.solved(at);
  made.values = [step = made.step, known, cancel = runs.cancel()](const TextSpan& span) {
    return step_value(*step, span, known, cancel);
  };
  return made;
}

// Only the alignment can leave out rows that were not asked for yet.
bool can_hide(const Step& step) { return step.closed.empty() || (step.view == "alignment" && !step.hides); }

// No higher than its rows need.
double picture_height(const Step& step) {
  const auto rows = step.scope.run ? static_cast<double>(step.scope.run->result()->steps.size()) : 10.0;
  return step.view == "alignment" ? std::clamp(110 + 19 * rows, 140.0, 320.0) : 320.0;
}

// What is asked for stays away, with what it wrote: a question mark and an empty row to draw in.
void close_rows(AlignmentView& view, const std::vector<int>& steps) {
  const AttentionMap* map = view.map_shown();
  Heatmap* heatmap = view.heatmap();
  if (!map || steps.empty()) return;
  const auto is_closed = [&](const AttentionToken& token) {
    return std::ranges::any_of(steps, [&](int each) { return token.holds_step(each); });
  };
  const auto rows = static_cast<int>(map->rows.size());
  const int columns = heatmap->heatmap_layout().columns;
  std::vector<AxisLabel> written = axis_labels(map->rows, true), read = axis_labels(map->columns);
  if (view.folded() > 0) read.push_back({padding_short(view.folded()), true, {}});
  // Where the model reads on what it wrote, its words are names of columns, too.
  for (std::size_t column = 0; column < std::min(read.size(), map->columns.size()); ++column)
    if (is_closed(map->columns[column])) read[column] = {QStringLiteral("?"), true, {}};
  std::vector<float> values;
  for (int row = 0; row < rows; ++row) {
    const bool closed = is_closed(map->rows[static_cast<std::size_t>(row)]);
    if (closed) written[static_cast<std::size_t>(row)] = {QStringLiteral("?"), true, {}};
    for (int column = 0; column < columns; ++column) values.push_back(closed ? 0 : heatmap->value(row, column));
  }
  heatmap->set_matrix(rows, columns, std::move(values), 0);
  heatmap->set_labels(std::move(written), std::move(read));
}

// The picture of a step, drawn by the view itself.
void draw_picture(QPainter& painter, const QRectF& place, const Step& step, bool hidden, double zoom = 1) {
  const std::shared_ptr<const AnalysedRun>& run = hidden ? step.scope.run : step.after.run;
  if (!run) return;
  const auto rows = view_table();
  auto row = std::ranges::find(rows, step.view, &ViewRow::name);
  if (row == rows.end() || (row->offers && !row->offers(*run))) row = rows.begin();
  Selection selection;
  if (!hidden) selection.set(selected(*step.step, step.after));
  ViewRequests requests;
  const std::unique_ptr<ResultView> view(row->make({&selection, &requests}, nullptr));
  QWidget* widget = view->widget();
  widget->setFont(Theme::instance().ui_font());
  widget->setAttribute(Qt::WA_DontShowOnScreen);
  widget->resize((place.size() / zoom).toSize());
  if (step.step->state) view->set_choices(step.step->state->views.value(QString::fromStdString(step.view)).toMap());
  view->take(run);
  widget->show();
  QCoreApplication::sendPostedEvents();
  auto* alignment = qobject_cast<AlignmentView*>(widget);
  // Whoever is to mark a token finds each of them by its name.
  constexpr double kSmaller = 0.85, kSmallest = 0.6;
  while (alignment && alignment->heatmap()->heatmap_layout().column_stride > 1 && zoom * kSmaller > kSmallest) {
    zoom *= kSmaller;
    widget->resize((place.size() / zoom).toSize());
    QCoreApplication::sendPostedEvents();
  }
  std::vector<int> closed = step.step->solution && !hidden ? std::vector<int>() : step.later;
  if (hidden) closed.insert(closed.end(), step.closed.begin(), step.closed.end());
  if (alignment) close_rows(*alignment, closed);
  Figure figure = view->figure();
  const auto fitted = [&](double most) {
    return std::min({most, place.width() / figure.size.width(), place.height() / figure.size.height()});
  };
  double scale = fitted(zoom);
  // What is higher than its place in large letters is larger in small ones.
  if (scale < 1 && zoom > 1) {
    widget->resize(place.size().toSize());
    QCoreApplication::sendPostedEvents();
    figure = view->figure();
    scale = fitted(1);
  }
  painter.save();
  painter.translate(place.left(), place.top());
  painter.scale(scale, scale);
  painter.setClipRect(QRectF(QPointF(), figure.size));
  figure.paint(painter);
  painter.restore();
}

// A training that is asked about shows before the answer what the step says, if anything.
void draw_training(QPainter& painter, const QRectF& place, const Step& step, bool told, double zoom = 1) {
  const std::shared_ptr<const ShownTraining>& shown = told ? step.after.training : step.training_before;
  if (!shown) return;
  painter.save();
  painter.translate(place.topLeft());
  painter.scale(zoom, zoom);
  paint_lesson_training(painter, (place.size() / zoom).toSize(), *step.step, *shown, told);
  painter.restore();
}

void draw_chart(QPainter& painter, const QRectF& place, const Step& step, const ChartResult& result, double zoom = 1) {
  painter.save();
  painter.translate(place.topLeft());
  painter.scale(zoom, zoom);
  paint_lesson_chart(result, step.step->chart, *step.words, painter, (place.size() / zoom).toSize());
  painter.restore();
}

void choices(PaperColumn& column, const Step& step, bool answers) {
  for (const LessonChoice& choice : step.words->choices) {
    const bool right = answers && step.truth == ExpressionValue(choice.id);
    column.line((right ? QStringLiteral("☒ ") : QStringLiteral("☐ ")) + from_utf8(plain_text(choice.words)), 1, right);
  }
}

void room_to_write(PaperColumn& column, const Step& step) {
  using Kind = LessonAnswer::Kind;
  if (!step.step->asks()) return column.rules(2);
  switch (step.step->answer.kind) {
    case Kind::choice:
      return;
    case Kind::number:
      return column.line(QStringLiteral("__________ ") + from_utf8(step.step->answer.unit), type::kTitle);
    case Kind::tokens: {
      QStringList all;
      for (const auto& [place, text] : step.step->answer.of_output ? step.facts.output : step.facts.source)
        all << (text == QStringLiteral(" ") ? QStringLiteral("␣") : text);
      column.line(PaperWords::tr("Mark them:"), type::kSource);
      return column.line(all.join(QStringLiteral("   ")), type::kQuestion);
    }
    case Kind::weights:
    case Kind::curve: {
      QStringList all;
      for (const int place : step.facts.over.at) all << step.facts.token(place) + QStringLiteral(" ______ %");
      return column.line(all.join(QStringLiteral("    ")), type::kTitle);
    }
    case Kind::cells:
    case Kind::text:
      return column.rules(1);
  }
}

// Each choice with its hands, before the room has talked and after, and what share of the room they are.
void room_vote(PaperColumn& column, QPainter& painter, const RoomVote& vote,
               const std::vector<LessonVote::Answer>& answers) {
  const std::array<int, 2> all = {LessonVote::all_of(vote.hands, 0), LessonVote::all_of(vote.hands, 1)};
  if (all[0] + all[1] == 0) return;
  column.line(LessonVote::summary(vote.hands, vote.right), type::kText);
  const QFont font = Theme::instance().ui_font(type::kText);
  const double line = QFontMetricsF(font).lineSpacing();
  for (const LessonVote::Answer& answer : answers) {
    const auto found = vote.hands.find(from_utf8(answer.id));
    if (found == vote.hands.end()) continue;
    const bool right = found->first == vote.right;
    const QString name = (right ? QStringLiteral("✓ ") : QString()) + answer.words,
                  hands = LessonVote::counted(found->second, all);
    const double words_wide = 0.5 * column.width();
    const QRectF needed = QFontMetricsF(font).boundingRect(QRectF(0, 0, words_wide, 1000), Qt::TextWordWrap, name);
    column.picture(std::max(line, needed.height()), [&](const QRectF& place) {
      painter.setFont(font);
      painter.setPen(tokens().ink);
      painter.drawText(QRectF(place.left(), place.top(), words_wide, place.height()), Qt::TextWordWrap, name);
      painter.drawText(QRectF(place.left() + words_wide, place.top(), 80, line), Qt::AlignRight, hands);
      const double bars = words_wide + 96;
      LessonVote::paint_bars(painter, QRectF(place.left() + bars, place.top(), place.width() - bars, line),
                             found->second, LessonVote::most_of(vote.hands), right);
    });
  }
}

// Each class by itself.
void room_votes(PaperColumn& column, QPainter& painter, const MyAnswers& mine, int step) {
  const auto at = static_cast<std::size_t>(step);
  const LessonStep& asked = mine.lesson->steps[at];
  const std::vector<LessonVote::Answer> answers =
      LessonVote::answers_of(asked, mine.lesson->in(mine.language).steps[at]);
  const auto is_here = [&](const RoomVote& each) { return each.step == from_utf8(asked.id); };
  const bool several = std::ranges::count_if(mine.record.votes, is_here) > 1;
  for (const RoomVote& vote : mine.record.votes) {
    if (!is_here(vote)) continue;
    if (several && !vote.room.isEmpty()) column.line(vote.room, type::kSource);
    room_vote(column, painter, vote, answers);
  }
}

// --- slides

void draw_slide(QPainter& painter, const LessonPaper& paper, const Step& step, bool revealed) {
  const Tokens& t = tokens();
  painter.fillRect(QRect(QPoint(), kSlide), t.paper);
  const double scale = Theme::instance().font_scale();
  // Capitals of a 45th of the height are read from the last row.
  const double size = kSlide.height() / 45. / QFontMetricsF(Theme::instance().ui_font()).capHeight() * 1.25;
  double y = 36;
  const bool bare = !step.scope.run && step.step->kind != LessonStep::Kind::chart && !step.step->trains();
  const auto write = [&](const RichText& text, bool strong) {
    QTextDocument document;
    const double relative = (bare ? 1.2 : 1) * size / scale;
    if (!lay_out_words(document, text, step.values, relative, strong, kSlide.width() - 2 * PaperColumn::kMargin))
      return;
    draw_words_at(painter, document, y);
    y += document.size().height() + 6;
  };
  if (revealed) {
    if (step.truth)
      write({words_block(answer_text(*step.truth, *step.step, *step.words, step.facts).toStdString())}, true);
    write(step.words->reveal, false);
  } else {
    write(step.words->text, false);
    write(step.words->question, true);
    RichText all;
    for (const LessonChoice& choice : step.words->choices) {
      RichText words = choice.words;
      for (TextBlock& block : words) block.kind = TextBlock::Kind::item;
      all.insert(all.end(), words.begin(), words.end());
    }
    write(all, false);
  }
  const QRectF rest(PaperColumn::kMargin, y + 6, kSlide.width() - 2 * PaperColumn::kMargin,
                    kSlide.height() - 44 - y - 6);
  if (rest.height() > 120) {
    const ChartResult* chart = paper.runs->chart(step.at);
    if (chart && step.step->kind == LessonStep::Kind::chart && (revealed || !step.step->asks_first(*step.words)))
      draw_chart(painter, rest, step, *chart, kSlideZoom);
    else if (step.step->trains())
      draw_training(painter, rest, step, revealed || !step.step->asks(), kSlideZoom);
    else if (step.step->kind != LessonStep::Kind::card && (revealed || can_hide(step)))
      draw_picture(painter, rest, step, !revealed, kSlideZoom);
  }
  painter.setFont(Theme::instance().ui_font(type::kSource));
  painter.setPen(t.ink2);
  const QRectF foot(PaperColumn::kMargin, kSlide.height() - 34, kSlide.width() - 2 * PaperColumn::kMargin, 24);
  painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, from_utf8(paper.runs->lesson().in(paper.language).title));
  painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter,
                   PaperWords::tr("%1 of %2").arg(step.at + 1).arg(paper.runs->lesson().steps.size()));
}

}  // namespace

void write_worksheet(const LessonPaper& paper, const QString& path, bool answers) {
  const Lesson& lesson = paper.runs->lesson();
  const LessonWords& words = lesson.in(paper.language);
  const QString title = from_utf8(words.title);
  PaperPages pages(title, paper.letter ? kLetter : kA4);
  PaperColumn column(pages, answers ? PaperWords::tr("%1: answers").arg(title) : title);
  column.line(title, type::kNumber, true);
  column.line(from_utf8(words.summary), type::kTitle);
  if (!answers) column.line(PaperWords::tr("Name: ______________________________    Date: ____________"), type::kText);
  column.gap(space::kLarge);
  std::string drawn;  // what the picture before shows
  for (int at = 0; at < static_cast<int>(lesson.steps.size()); ++at) {
    const Step step = step_of(paper, at, answers);
    const bool asks = step.step->asks(), acts = step.step->kind == LessonStep::Kind::act;
    if (answers && !step.words->teacher.empty()) column.words(step.words->teacher, step.values, type::kSource);
    std::string now;  // what its picture shows
    if (step.scope.run) {
      now = step.view + step.scope.run->result()->source + step.scope.run->result()->output;
      for (const auto* steps : {&step.closed, &step.later})
        for (const int each : *steps) now += "/" + std::to_string(each);
    }
    const ChartResult* chart = answers && step.step->kind == LessonStep::Kind::chart ? paper.runs->chart(at) : nullptr;
    const bool pictured =
        !chart && !step.step->trains() && step.scope.run && asks && now != drawn && (answers || can_hide(step));
    const bool told = answers || !asks;
    const bool trains = step.step->trains() && (told || step.training_before);
    const double height = chart      ? lesson_chart_height(step.step->chart)
                          : trains   ? lesson_training_height(*step.scope.training)
                          : pictured ? picture_height(step)
                                     : 0;
    // The number, the words, the picture and the question stay together, with what is answered.
    const double line = QFontMetricsF(Theme::instance().ui_font(type::kTitle)).lineSpacing();
    const double after = answers ? (asks ? line : 0) + column.height_of(step.words->reveal, step.values, type::kText)
                         : asks || acts || !step.words->question.empty() ? 2 * PaperColumn::kRule + space::kMedium
                                                                         : 0;
    column.room(2 * line + height + column.height_of(step.words->text, step.values, type::kText) +
                column.height_of(step.words->question, step.values, type::kTitle, true) +
                1.4 * line * static_cast<double>(step.words->choices.size()) + after);
    column.line(QString::number(at + 1) + QStringLiteral("."), type::kSource, true);
    column.words(step.words->text, step.values, type::kText);
    if (chart) column.picture(height, [&](const QRectF& place) { draw_chart(pages.painter(), place, step, *chart); });
    if (trains) column.picture(height, [&](const QRectF& place) { draw_training(pages.painter(), place, step, told); });
    if (pictured)
      column.picture(height, [&](const QRectF& place) { draw_picture(pages.painter(), place, step, !answers); });
    if (asks) drawn = now;
    column.words(step.words->question, step.values, type::kTitle, true);
    if (asks) choices(column, step, answers);
    if (answers) {
      if (step.truth && step.step->answer.kind != LessonAnswer::Kind::choice)
        column.line(PaperWords::tr("Answer: %1").arg(answer_text(*step.truth, *step.step, *step.words, step.facts)),
                    type::kText, true);
      column.words(step.words->reveal, step.values, type::kText);
    } else if (asks || acts || !step.words->question.empty()) {
      room_to_write(column, step);
    }
    column.gap(space::kMedium);
  }
  QStringList sources;
  for (const std::string& each : lesson.sources_in(paper.language)) sources << from_utf8(each);
  if (!sources.isEmpty())
    column.line(PaperWords::tr("Sources: %1").arg(sources.join(QStringLiteral("; "))), type::kSource);
  pages.write(path);
}

void write_slides(const LessonPaper& paper, const QString& path) {
  const Lesson& lesson = paper.runs->lesson();
  const bool pdf = path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive);
  std::unique_ptr<PaperPages> pages;
  if (pdf)
    pages = std::make_unique<PaperPages>(from_utf8(lesson.in(paper.language).title), kSlide);
  else
    make_folder(bytes_of(path));
  int page = 0;
  const auto add = [&](const Step& step, bool revealed) {
    ++page;
    if (pdf) {
      if (page > 1) pages->turn();
      return draw_slide(pages->painter(), paper, step, revealed);
    }
    QImage image(2 * kSlide, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    draw_slide(painter, paper, step, revealed);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    export_bytes(QDir(path).filePath(QStringLiteral("%1.png").arg(page, 2, 10, QLatin1Char('0'))), bytes);
  };
  for (int at = 0; at < static_cast<int>(lesson.steps.size()); ++at) {
    const Step step = step_of(paper, at, true);
    add(step, false);
    if (!step.words->reveal.empty() || step.truth) add(step, true);
  }
  if (pdf) pages->write(path);
}

void write_my_answers(const MyAnswers& mine, const QString& path) {
  const LessonRecord& record = mine.record;
  PaperPages pages(record.title, kA4);
  PaperColumn column(pages, PaperWords::tr("%1: my answers").arg(record.title));
  column.line(record.title, type::kNumber, true);
  column.gap(space::kMedium);
  int number = 0;
  for (const GivenAnswer& given : record.answers) {
    column.room(120);
    column.line(QStringLiteral("%1. %2").arg(++number).arg(given.question), type::kTitle, true);
    column.line(
        given.answer.isEmpty() ? PaperWords::tr("I did not say.") : PaperWords::tr("I said: %1").arg(given.answer),
        type::kText);
    column.line(PaperWords::tr("The answer: %1").arg(given.truth), type::kText);
    if (!given.distance.isEmpty()) column.line(given.distance, type::kText);
    if (given.hints > 0) column.line(PaperWords::tr("Hints: %1").arg(given.hints), type::kSource);
    if (const int step = mine.lesson ? mine.lesson->step(given.step.toStdString()) : -1; step >= 0)
      room_votes(column, pages.painter(), mine, step);
    column.gap(space::kMedium);
  }
  pages.write(path);
}

}  // namespace headlight
