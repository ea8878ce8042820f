// SPDX-License-Identifier: Apache-2.0
#include <rubato/rubato.hpp>

#include <cstdio>

const rubato::model::ModelType& rubato_model_tank(); // made by RUBATO_MODEL in tank.cpp

int main(int argc, char** argv) try {
    if (argc != 3) throw rubato::InputError("usage: two_tanks SCENARIO.yaml RESULTS.csv");
    rubato::Diagnostics diagnostics;
    rubato::unit::Library library(rubato::silent_log());
    library.add(rubato_model_tank());

    auto scenario = rubato::scenario::read_yaml(argv[1], {}, diagnostics);
    diagnostics.throw_if_errors();
    const auto assembly = rubato::pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();

    auto simulation = rubato::pipeline::build(assembly, library, rubato::silent_log());
    rubato::report::CsvRecorder recorder(argv[2]);
    const auto summary = simulation.run({.recorder = &recorder});
    std::printf("%g s simulated; results in %s\n", summary.reached.seconds, argv[2]);
} catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
}
