// SPDX-License-Identifier: Apache-2.0
#include "essence.hpp"
#include "support.hpp"

#include <rubato/scenario/conf.hpp>

#include <random>

namespace rubato::scenario::testing {
namespace {

/// Units a and b, connected to a ring, stepped one after the other.
Scenario ring() {
    Diagnostics diagnostics;
    Scenario scenario = parse_conf("name = ring, scenario {fmus {a {}, b {}}, connections = [a.y "
                                   "-> b.u, b.y -> a.u]}, cosim-step {s = [{step: a}, {step: b}]}",
                                   "s.conf", diagnostics);
    EXPECT_EQ(text_of(diagnostics), "");
    return scenario;
}

TEST(ConfWriter, WritesWhatAnAuthorWouldWrite) {
    EXPECT_EQ(write_conf(ring()), R"(name = "ring"
scenario = {
    fmus = {
        a = {
            can-reject-step = false
            inputs = {
                u = {reactivity=delayed}
            }
            outputs = {
                y = {dependencies-init=[], dependencies=[]}
            }
        }
        b = {
            can-reject-step = false
            inputs = {
                u = {reactivity=delayed}
            }
            outputs = {
                y = {dependencies-init=[], dependencies=[]}
            }
        }
    }
    connections = [
        a.y -> b.u
        b.y -> a.u
    ]
}
initialization = [
]
cosim-step = {
    s = [
        {step: a}
        {step: b}
    ]
}
)");
}

TEST(ConfWriter, SaysWhatTheFormatCannotHold) {
    Scenario scenario = ring();
    scenario.units[0].origin = NativeModel{"m"};
    scenario.units[0].parameters = {{"p", 1.0, {}}};
    scenario.connections[1].factor = 2;
    const auto losses = losses_in_conf(scenario);
    EXPECT_EQ(losses.at(0), "the native model of unit a");
    EXPECT_EQ(losses.at(1), "the parameters of unit a");
    EXPECT_EQ(losses.at(2), "factor and offset of the connection to a.u");
}

TEST(ConfWriter, WritesParallelBranchesOneAfterTheOther) {
    Scenario scenario = ring();
    std::vector<WrittenOp>& body = scenario.written->steps[0].body;
    WrittenOp parallel;
    parallel.operation = Operation::parallel;
    parallel.branches = {{body[0]}, {body[1]}};
    const std::string serial = write_conf(scenario);
    body = {parallel};
    EXPECT_EQ(write_conf(scenario), serial);
}

TEST(ConfWriter, TakesCarefulAssumptionsWhereContractsAreNotTold) {
    Scenario scenario = ring();
    scenario.units[0].inputs[0].contract.reset();
    scenario.units[0].outputs[0].feedthrough.reset();
    scenario.units[0].outputs[0].feedthrough_initial.reset();
    const std::string text = write_conf(scenario);
    EXPECT_NE(text.find("u = {reactivity=delayed}"), std::string::npos) << text;
    EXPECT_NE(text.find("y = {dependencies-init=[u], dependencies=[u]}"), std::string::npos)
        << text;
}

/// Makes scenarios up that the format can hold.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    Scenario scenario() {
        Scenario result;
        result.name = text();
        std::erase(result.name, '/');
        result.largest_step = 1 + static_cast<int>(below(3));
        for (std::size_t u = 0; u < 3; ++u) result.units.push_back(unit(u));
        result.connections = connections(result);
        for (std::size_t n = below(3); n > 0; --n)
            result.configurations.push_back(configuration(result, n));
        if (below(2) == 0) result.written = algorithm();
        return result;
    }

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }

    std::string text() {
        static constexpr std::string_view letters = "abXYZ019_.-()[],:;#'\"\\ {}*&!?|%@~+\t\n/$=";
        std::string result;
        for (std::size_t n = below(8); n > 0; --n) result += letters[below(letters.size())];
        return "t" + result + "t";
    }

    Unit unit(std::size_t u) {
        Unit result;
        result.name = "u" + std::to_string(u);
        if (below(3) == 0) result.origin = FmuFile{text()};
        result.can_reject_step = below(2) == 0;
        result.inputs.push_back({text() + "i", {}, {}, static_cast<Reactivity>(below(2)), {}});
        std::vector<std::string> dependencies;
        if (below(2) == 0) dependencies.push_back(result.inputs[0].name);
        result.outputs.push_back({text() + "o", dependencies, std::vector<std::string>{}, {}});
        return result;
    }

    static std::vector<Connection> connections(const Scenario& scenario) {
        std::vector<Connection> result;
        for (std::size_t u = 0; u < scenario.units.size(); ++u) {
            const Unit& from = scenario.units[u];
            const Unit& to = scenario.units[(u + 1) % scenario.units.size()];
            result.push_back(
                {from.name, from.outputs[0].name, to.name, to.inputs[0].name, 1, 0, {}});
        }
        return result;
    }

    ConfigurationSettings configuration(const Scenario& scenario, std::size_t n) {
        ConfigurationSettings result;
        result.name = text() + std::to_string(n);
        result.procedure = text();
        result.connections = scenario.connections;
        for (const Unit& unit : scenario.units) {
            if (below(2) == 0) continue;
            result.contracts.push_back(
                {unit.name, unit.inputs[0].name, static_cast<Reactivity>(below(2)), {}});
        }
        return result;
    }

    WrittenOp statement(int depth) {
        WrittenOp op;
        op.operation = static_cast<Operation>(below(10));
        if (op.operation == Operation::loop && depth > 3) op.operation = Operation::get;
        if (op.operation == Operation::loop) {
            (below(2) == 0 ? op.until_converged : op.until_step_accept) =
                std::vector{text(), text()};
            op.iterate = body(depth + 1);
            op.if_retry_needed = body(depth + 1);
            return op;
        }
        op.object = text();
        if (op.operation == Operation::step && below(2) == 0) op.by = static_cast<int>(below(4));
        if (op.operation == Operation::step && below(2) == 0) op.by_same_as = text();
        return op;
    }

    std::vector<WrittenOp> body(int depth) {
        std::vector<WrittenOp> ops;
        for (std::size_t n = below(4); n > 0; --n) ops.push_back(statement(depth));
        return ops;
    }

    WrittenAlgorithm algorithm() {
        WrittenAlgorithm result;
        result.initialization = body(0);
        result.initialization.push_back(statement(0));
        for (std::size_t n = below(3); n > 0; --n)
            result.steps.push_back({text() + std::to_string(n), body(0), {}});
        return result;
    }

    std::mt19937_64 random_;
};

TEST(ConfWriter, WhatItWritesReadsBackTheSame) {
    for (unsigned seed = 0; seed < 500 && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Scenario scenario = Generator(seed).scenario();
        scenario.experiment.open = {true, true, true, true}; // the format has no experiment
        const std::string text = write_conf(scenario);
        Diagnostics diagnostics;
        const Scenario again = parse_conf(text, "s.conf", diagnostics);
        EXPECT_EQ(text_of(diagnostics), "") << text;
        EXPECT_EQ(essence(again), essence(scenario)) << text;
    }
}

TEST(YamlWriter, WritesTheSameScenarios) {
    for (unsigned seed = 0; seed < 500 && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        const Scenario scenario = Generator(seed).scenario();
        const std::string text = write_yaml(scenario);
        const Parsed parsed = parse(text);
        EXPECT_EQ(parsed.said(), "") << text;
        EXPECT_EQ(essence(parsed.scenario), essence(scenario)) << text;
    }
}

} // namespace
} // namespace rubato::scenario::testing
