// SPDX-License-Identifier: Apache-2.0
#include <rubato/rubato.hpp>

#include <cstdio>

const rubato::model::ModelType& rubato_model_tank(); // made by RUBATO_MODEL in tank.cpp

int main(int argc, char** argv) try {
    if (argc != 3) throw rubato::InputError("usage: two_tanks SCENARIO.yaml RESULTS.csv");
    const auto scenario = rubato::load(argv[1], {.models = {&rubato_model_tank()}});
    const auto result = rubato::run(scenario, {.results = argv[2], .overwrite = true});
    std::printf("%g s simulated; results in %s\n", result.time().back(), argv[2]);
    std::printf("trust: %s\n", result.trust().text().c_str());
} catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
}
