// SPDX-License-Identifier: Apache-2.0
// Iterations per step of coupled oscillators by every method, and what explicit methods do: the
// tables of README.md.
#include "oscillators.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <cmath>
#include <cstdio>
#include <exception>

namespace {

using namespace rubato; // NOLINT(google-build-using-namespace): a study reads better so
using report::Align;
using studies::loops::Coupling;
using studies::loops::Outcome;

std::string iterations(const Outcome& outcome) {
    return outcome.completed ? format("{:.2f}", outcome.iterations) : "–";
}

void print_iterations(const std::string& folder) {
    report::TextTable table({{"m2/m1", Align::right},
                             {"cc", Align::right},
                             {"λ", Align::right},
                             {"plain", Align::right},
                             {"relaxed", Align::right},
                             {"best ω", Align::right},
                             {"aitken", Align::right},
                             {"iqn-ils", Align::right},
                             {"newton", Align::right},
                             {"automatic", Align::right}});
    for (const Coupling& coupling : studies::loops::grid()) {
        const auto by = [&](const char* method) {
            return iterations(studies::loops::solve(folder, coupling, method));
        };
        table.add({format("{}", coupling.mass_ratio), format("{}", coupling.stiffness),
                   format("{:.3g}", studies::loops::contraction(coupling)), by("plain"),
                   by("relaxed"),
                   iterations(studies::loops::solve_with_best_relaxation(folder, coupling)),
                   by("aitken"), by("iqn-ils"), by("newton"), by("automatic")});
    }
    std::printf("iterations per step; –: does not converge\n\n%s", table.to_string().c_str());
}

void print_stability(const std::string& folder) {
    report::TextTable table({{"recipe"}, {"largest |x1|", Align::right}});
    for (const char* recipe : {"jacobi", "gauss-seidel", "iterated-gauss-seidel"}) {
        const Outcome outcome = studies::loops::run(folder, {.mass_ratio = 1e3, .stiffness = 10},
                                                    {{"algorithm.recipe", recipe}});
        table.add({recipe, outcome.completed ? format("{:.3g}", outcome.largest) : "not finite"});
    }
    std::printf(
        "\nm2/m1 = 1000, cc = 10: position of the light mass, which starts at 1, in 1 s\n\n%s",
        table.to_string().c_str());
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fputs("usage: study_loops SCENARIOS\n", stderr);
        return 2;
    }
    print_iterations(argv[1]);
    print_stability(argv[1]);
} catch (const std::exception& error) {
    std::fprintf(stderr, "study_loops: %s\n", error.what());
    return 1;
}
