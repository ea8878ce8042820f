// SPDX-License-Identifier: Apache-2.0
#include <rubato/algorithm/text.hpp>
#include <rubato/algorithm/written.hpp>
#include <rubato/core/text.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/synthesized.hpp>
#include <rubato/private/format.hpp>

namespace rubato::pipeline {

std::vector<std::string> synthesized_formats() {
    std::vector<std::string> names = {"text"};
    for (const Format& each : formats())
        if (each.write) names.emplace_back(each.name);
    return names;
}

std::string write_synthesized(const Assembly& assembly, std::string_view form,
                              std::vector<std::string>& losses) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    if (form == "text") return algorithm::to_text(orchestration.algorithm, orchestration.system);
    const Format* const written = find_written_format(form);
    if (!written)
        throw InputError(format("an algorithm cannot be written as \"{}\"", form),
                         suggest(form, synthesized_formats(), "the formats"));
    if (orchestration.orders.size() > 1)
        throw InputError("an adaptive order cannot be written as a scenario",
                         "use --format text, or --algorithm gauss-seidel and one --order");
    scenario::Scenario scenario = scenario::with_contracts(assembly.scenario, orchestration.system);
    scenario.written = algorithm::write_algorithm(orchestration.algorithm, orchestration.system);
    if (written->losses) losses = written->losses(scenario);
    return written->write(scenario);
}

} // namespace rubato::pipeline
