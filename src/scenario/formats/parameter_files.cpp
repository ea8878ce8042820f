// SPDX-License-Identifier: Apache-2.0
#include "size_limit.hpp"
#include "ssp/reader.hpp"
#include "yaml_text.hpp"
#include "yaml_tree.hpp"

#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/parameter_files.hpp>

#include <algorithm>
#include <map>

namespace rubato::scenario {
namespace formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_megabytes = 32;

/// Gathers values, and reports those that are given twice.
class Gathered {
public:
    explicit Gathered(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    void add(FileValue value) {
        const std::string& path = value.setting.path;
        if (path.empty()) {
            diagnostics_.error(value.where, "a value has no name",
                               "write the path of a setting before it, such as msd1.m");
            return;
        }
        const auto [first, is_new] = places_.emplace(path, value.where.line);
        if (!is_new) {
            diagnostics_.error(value.where,
                               format("\"{}\" has two values; the first one is in "
                                      "line {}",
                                      path, first->second),
                               "remove one of them");
            return;
        }
        value.setting.source = to_string(value.where) + ":";
        values_.push_back(std::move(value));
    }

    std::vector<FileValue> take() { return std::move(values_); }

private:
    Diagnostics& diagnostics_;
    std::map<std::string, int> places_;
    std::vector<FileValue> values_;
};

/// What a scalar that stands anywhere in a document is on its own, or in a list in brackets.
std::string scalar_text(const Node& node) {
    const bool needs_quotes =
        node.quoted || node.text.find_first_of("\n,[]{}#:&*!|>'\"%@`") != std::string::npos;
    return needs_quotes ? in_quotes(node.text) : node.text;
}

/// A scalar or a list on one line. nullopt: it holds a map or nothing, which has been reported.
std::optional<std::string> value_text(const Node& node, const std::string& path,
                                      Reporter& reporter) {
    if (node.kind == Kind::scalar) return scalar_text(node);
    if (node.kind != Kind::sequence) {
        reporter.error(node.mark,
                       format("the value of \"{}\" must be a value or a list of values, not {}",
                              path, describe(node)));
        return std::nullopt;
    }
    std::vector<std::string> items;
    for (const Node& item : node.items) {
        auto text = value_text(item, path, reporter);
        if (!text) return std::nullopt;
        items.push_back(std::move(*text));
    }
    return format("[{}]", fmt::join(items, ", "));
}

/// Maps continue the path of a setting.
void gather(const Node& map, const std::string& prefix, Reporter& reporter, Gathered& gathered) {
    for (const Entry& entry : map.entries) {
        const std::string path = prefix + entry.key;
        if (entry.value.kind == Kind::map) {
            gather(entry.value, path + ".", reporter, gathered);
        } else if (auto text = value_text(entry.value, path, reporter)) {
            gathered.add(
                {.setting = {path, std::move(*text)}, .where = reporter.locate(entry.mark)});
        }
    }
}

void read_yaml(const std::string& text, const fs::path& file, Diagnostics& diagnostics,
               Gathered& gathered) {
    Reporter reporter({file.string()}, diagnostics);
    const std::optional<Node> root = parse_yaml_tree(text, 0, reporter);
    if (!root || root->kind == Kind::null) return;
    if (root->kind == Kind::map) {
        gather(*root, "", reporter, gathered);
        return;
    }
    reporter.error(root->mark, format("a file of parameters is a map, not {}", describe(*root)),
                   "write lines such as msd1.m: 2");
}

/// A cell as YAML: numbers, truth values and lists are what they look like, all else is text.
std::string cell_text(std::string_view cell) {
    const bool is_value = files::parse_real(cell) || cell == "true" || cell == "false" ||
                          (cell.starts_with('[') && cell.ends_with(']'));
    return is_value ? std::string(cell) : to_yaml(std::string(cell));
}

bool is_heading(const std::vector<std::string>& cells) {
    return cells.size() == 2 && files::trimmed(cells[1]) == "value";
}

void read_csv(const std::string& text, const fs::path& file, Diagnostics& diagnostics,
              Gathered& gathered) {
    files::CsvReader reader(text, file.string());
    std::vector<std::string> cells;
    for (bool is_first = true; !reader.at_end(); is_first = false) {
        reader.read_row(cells);
        const bool is_blank = cells.size() == 1 && files::trimmed(cells[0]).empty();
        if (is_blank || (is_first && is_heading(cells))) continue;
        if (cells.size() != 2) {
            diagnostics.error(reader.where(),
                              format("the row has {} instead of two cells", cells.size()),
                              "write a name and a value, such as msd1.m,2");
            continue;
        }
        const std::string_view value = files::trimmed(cells[1]);
        const std::string path(files::trimmed(cells[0]));
        if (value.empty())
            diagnostics.error(reader.where(), format("\"{}\" has no value", path));
        else
            gathered.add({.setting = {path, cell_text(value)}, .where = reader.where()});
    }
}

std::string yaml_of(const std::vector<Value>& values, bool is_array) {
    if (!is_array) return to_yaml(values.front());
    std::vector<std::string> items;
    for (const Value& value : values) items.push_back(to_yaml(value));
    return format("[{}]", fmt::join(items, ", "));
}

void read_ssv(std::string text, const fs::path& file, Diagnostics& diagnostics,
              Gathered& gathered) {
    const XmlSource source(file.string(), std::move(text), diagnostics);
    if (!source.root()) return;
    if (local_name(source.root()) != "ParameterSet") {
        source.error(source.root(),
                     format("the root is <{}> instead of <ParameterSet>", source.root().name()));
        return;
    }
    for (ssp::ParameterValue& each : ssp::read_parameter_set(source, source.root())) {
        const bool is_array = !each.elements.empty();
        std::vector<Value> values = is_array ? std::move(each.elements) : std::vector{each.value};
        std::string yaml = yaml_of(values, is_array);
        gathered.add({.setting = {each.name, std::move(yaml)},
                      .where = each.where,
                      .unit = each.unit.name,
                      .measure = each.unit.measure,
                      .values = std::move(values),
                      .is_array = is_array});
    }
}

} // namespace
} // namespace formats

void FileValue::convert(const Conversion& conversion) {
    if (conversion == Conversion{} || values.empty()) return;
    for (Value& value : values) {
        double number = 0;
        if (const auto* real = std::get_if<double>(&value))
            number = *real;
        else if (const auto* integer = std::get_if<std::int64_t>(&value))
            number = static_cast<double>(*integer);
        else
            return; // texts and truth values have no unit
        value = conversion.factor * number + conversion.offset;
    }
    setting.value = formats::yaml_of(values, is_array);
}

std::vector<FileValue> parse_parameters(std::string text, const std::filesystem::path& file,
                                        Diagnostics& diagnostics) {
    formats::Gathered gathered(diagnostics);
    formats::Reporter reporter({file.string()}, diagnostics);
    if (formats::report_oversized(text, formats::most_megabytes, reporter)) return {};
    const std::string extension = file.extension().string();
    if (extension == ".yaml" || extension == ".yml") {
        formats::read_yaml(text, file, diagnostics, gathered);
    } else if (extension == ".csv") {
        try {
            formats::read_csv(text, file, diagnostics, gathered);
        } catch (const InputError& fault) { // names file and line
            diagnostics.error({}, fault.what());
        }
    } else if (extension == ".ssv") {
        formats::read_ssv(std::move(text), file, diagnostics, gathered);
    } else {
        reporter.error({}, "is no file of parameters that Rubato reads",
                       "its name must end in .yaml, .csv or .ssv");
        return {};
    }
    std::vector<FileValue> values = gathered.take();
    if (values.empty() && !diagnostics.has_errors())
        reporter.error({}, "holds no values", "write lines such as msd1.m: 2");
    return values;
}

} // namespace rubato::scenario
