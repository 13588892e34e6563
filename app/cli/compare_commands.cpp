// compare: figures of several models side by side, as one table and one picture of lines.

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/compare_runs.h"
#include "app/cli/inspect_file.h"
#include "app/cli/interruption.h"
#include "app/cli/platform.h"
#include "app/cli/printed/text_format.h"
#include "app/cli/unused_options.h"
#include "model/core/numbers.h"
#include "model/io/file.h"
#include "model/io/model_folder.h"
#include "model/io/tensor_statistics.h"
#include "model/text/message_line.h"
#include "model/training/test_data.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/export/export.h"
#include "widgets/plot/line_chart.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

// One model's figures, by what runs along the picture.
struct Curve {
  std::string name;
  std::map<int, double> points;
};

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) found.push_back(field);
  return found;
}

double read_number(const std::string& text, const std::string& where) {
  double value = 0;
  if (!parse_number(text, value)) throw FormatError(where + ": expected a number, found '" + text + "'");
  return value;
}

// A line of a log, as programs on Windows save it too.
bool read_line(std::istream& lines, std::string& line) {
  if (!std::getline(lines, line)) return false;
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

// A column of training.csv, by epoch.
std::map<int, double> read_log(const fs::path& path, const std::string& metric) {
  std::istringstream lines(read_file(path, 1 << 26));
  std::string line;
  read_line(lines, line);
  if (line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);  // a mark of the byte order
  const std::vector<std::string> names = fields(line);
  const auto column = std::find(names.begin(), names.end(), metric);
  if (names.empty() || names.front() != "epoch")
    throw FormatError(path.string() + ": expected the log of a training that begins with 'epoch', found '" +
                      line.substr(0, 40) + "'");
  if (column == names.end())
    throw UsageError(path.string() + ": there is no column '" + metric + "'; it has " + joined(names));
  std::map<int, double> points;
  for (int number = 2; read_line(lines, line); ++number) {
    if (line.empty()) continue;
    const std::string where = path.string() + ", line " + std::to_string(number);
    const std::vector<std::string> found = fields(line);
    if (found.size() != names.size())
      throw FormatError(where + ": expected " + std::to_string(names.size()) + " fields, found " +
                        std::to_string(found.size()));
    points[static_cast<int>(read_number(found.front(), where))] =
        read_number(found[static_cast<std::size_t>(column - names.begin())], where);
  }
  return points;
}

struct Comparison {
  std::string along;  // "epoch", "length"
  std::vector<Curve> curves;
};

Comparison compare_epochs(const CompareCommand& command) {
  Comparison comparison{"epoch", {}};
  for (const std::string& name : command.models)
    comparison.curves.push_back({name, read_log(load_model(name)->folder / "training.csv", command.metric)});
  return comparison;
}

Comparison compare_lengths(const CompareCommand& command) {
  if (command.metric != "exact_match")
    throw UsageError("--by length measures exact_match, found --metric " + command.metric);
  Comparison comparison;
  const Interruptible interruptible;
  for (const std::string& name : command.models) {
    const auto bundle = load_model(name);
    TestRequest request;
    request.task = command.task;
    request.limit = command.limit;
    const TestData data = test_data(*bundle, request);
    if (!comparison.along.empty() && comparison.along != group_name(data))
      throw UsageError(name + ": its task is grouped by " + group_name(data) + ", those before it by " +
                       comparison.along + "; compare models of one task");
    comparison.along = group_name(data);
    Curve& curve = comparison.curves.emplace_back(Curve{name, {}});
    for (const GroupQuality& g : quality_by_group(*bundle, data, interruptible.token()))
      curve.points[g.group] = g.exact_match;
  }
  return comparison;
}

// "./runs/copy-plain/" is told by its last part, unless another model has the same.
void shorten_names(std::vector<Curve>& curves) {
  std::map<std::string, int> count;
  const auto last_part = [](const std::string& name) {
    const fs::path path = fs::path(name).lexically_normal();
    return escaped_line((path.has_filename() ? path : path.parent_path()).filename().string());
  };
  for (const Curve& curve : curves) ++count[last_part(curve.name)];
  for (Curve& curve : curves)
    curve.name = count[last_part(curve.name)] == 1 ? last_part(curve.name) : escaped_line(curve.name);
}

// A line for each epoch or length, a column for each model; empty where a model has no figure.
QByteArray table(const Comparison& comparison) {
  std::map<int, bool> rows;
  for (const Curve& curve : comparison.curves)
    for (const auto& [at, value] : curve.points) rows[at] = true;
  QString text = csv_field(QString::fromStdString(comparison.along));
  for (const Curve& curve : comparison.curves) text += "," + csv_field(QString::fromStdString(curve.name));
  text += "\n";
  for (const auto& [at, there] : rows) {
    text += QString::number(at);
    for (const Curve& curve : comparison.curves) {
      const auto found = curve.points.find(at);
      text += "," + (found == curve.points.end() ? QString() : csv_number(found->second));
    }
    text += "\n";
  }
  return text.toUtf8();
}

// Plain words for an axis.
QString axis_title(const std::string& name) {
  static const std::map<std::string, const char*> kTitles = {{"epoch", "epoch"},
                                                             {"loss", "training loss (nats a token)"},
                                                             {"exact_match", "exact match"},
                                                             {"gradient_norm", "norm of the gradients"},
                                                             {"learning_rate", "learning rate"},
                                                             {"token_accuracy", "token accuracy"},
                                                             {"ppl_tf", "perplexity, fed the right tokens"},
                                                             {"ppl_free", "perplexity, fed its own choices"}};
  const auto found = kTitles.find(name);
  return found == kTitles.end() ? QString::fromStdString(name).replace('_', ' ') : QString::fromUtf8(found->second);
}

void draw(const CompareCommand& command, const Comparison& comparison) {
  Theme::instance().set_mode(command.theme == "dark" ? Theme::Mode::dark : Theme::Mode::light);
  LineChart chart;
  chart.title = QString::fromStdString(command.title);
  chart.x_title = axis_title(comparison.along);
  chart.y_title = axis_title(command.metric);
  if (command.metric == "exact_match" || command.metric == "token_accuracy") chart.y_range = {0, 1};
  for (const Curve& curve : comparison.curves) {
    LineSeries& series = chart.series.emplace_back();
    series.name = QString::fromStdString(curve.name);
    for (const auto& [at, value] : curve.points) {
      series.x.push_back(at);
      series.y.push_back(value);
    }
  }
  write_figure(line_chart_figure(std::move(chart), {command.width, command.height}), path_text(command.out));
}

// Two files of weights, or folders of other libraries: tensor by tensor.
bool are_weights(const CompareCommand& command) {
  return command.models.size() == 2 && std::ranges::all_of(command.models, [](const std::string& model) {
           return format_to_inspect(model) != nullptr;
         });
}

int compare_weights(const CompareCommand& command) {
  if (!command.out.empty())
    throw UsageError("--out: there is no picture of two files of weights; --csv writes the table");
  if (command.reads() || command.json) {
    print_difference(command);
    if (command.csv.empty()) {
      tell_unused(command, true);
      return 0;
    }
  }
  const Interruptible interruptible;
  const auto tensors = [](const std::string& path) { return format_to_inspect(path)->contents(path).tensors; };
  QString text = QStringLiteral(
      "tensor,shape,what,largest_difference,mean_difference,relative_difference,name_in_second,"
      "type,type_in_second,cosine\n");
  for (const TensorDifference& row :
       differences_of(*tensors(command.models[0]), *tensors(command.models[1]), interruptible.token())) {
    text += csv_field(QString::fromStdString(escaped_line(row.name))) + "," +
            csv_field(QString::fromStdString(shape_text(row.shape))) + "," + QString::fromUtf8(state_text(row.state));
    const bool counted = row.state == TensorDifference::State::different;
    text += "," + (!counted            ? QString()
                   : row.whole.empty() ? csv_number(row.largest)
                                       : QString::fromStdString(row.whole));
    for (const double value : {row.mean, row.relative}) text += "," + (counted ? csv_number(value) : QString());
    for (const std::string& word : {row.other_name, row.type, row.other_type})
      text += "," + csv_field(QString::fromStdString(escaped_line(word)));
    text += "," + (counted ? csv_number(row.cosine) : QString()) + "\n";
  }
  if (command.csv.empty())
    std::cout << text.toStdString();
  else
    export_bytes(path_text(command.csv), text.toUtf8());
  tell_unused(command, true);
  return 0;
}

}  // namespace

int compare_command(const CompareCommand& command) {
  if (are_weights(command)) return compare_weights(command);
  const auto application = make_offscreen_application();
  Comparison comparison = command.by == "length" ? compare_lengths(command) : compare_epochs(command);
  shorten_names(comparison.curves);
  if (!command.out.empty()) draw(command, comparison);
  if (!command.csv.empty()) {
    export_bytes(path_text(command.csv), table(comparison));
  } else {
    std::cout << table(comparison).toStdString();
  }
  tell_unused(command, false);
  return 0;
}

}  // namespace headlight
