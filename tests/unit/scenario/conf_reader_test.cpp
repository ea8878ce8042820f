// SPDX-License-Identifier: Apache-2.0
#include "essence.hpp"
#include "support.hpp"

#include <rubato/scenario/conf.hpp>

namespace rubato::scenario::testing {
namespace {

Parsed parse_conf_text(std::string_view text) {
    Parsed parsed;
    parsed.scenario = parse_conf(text, "s.conf", parsed.diagnostics);
    return parsed;
}

/// Units a and b, each with input u and output y, connected to a ring; `statements` follow in
/// line 9.
std::string ring(const std::string& statements, const std::string& more = "") {
    return "name = ring\nscenario = {\n  fmus = {\n"
           "    a = {inputs = {u = {reactivity=delayed}}, outputs = {y = {dependencies-init=[], "
           "dependencies=[]}}}\n"
           "    b = {inputs = {u = {reactivity=reactive}}, outputs = {y = {dependencies-init=[u], "
           "dependencies=[u]}}}\n"
           "  }\n  connections = [a.y -> b.u, b.y -> a.u]" +
           more + "\n}\n" + statements;
}

void expect_said(const std::string& text, const std::string& part) {
    const std::string said = parse_conf_text(text).said();
    EXPECT_NE(said.find(part), std::string::npos) << text << "\nsaid: " << said;
}

TEST(ConfReader, ReadsUnitsContractsAndConnections) {
    const Parsed parsed = parse_conf_text(R"(
name = "two units" # comment
scenario = {
  fmus = {
    a = {can-reject-step = true, path = "a.fmu", inputs = {"u.1" = {reactivity = reactive}}}
    b = {outputs = {"y[1]" = {dependencies-init = [], dependencies = []}}, path = ""}
  }
  connections = ["b.y[1]" -> a.u.1]
  max-possible-step-size = 3
})");
    ASSERT_EQ(parsed.said(), "");
    const Scenario& scenario = parsed.scenario;
    EXPECT_EQ(scenario.name, "two units");
    EXPECT_EQ(scenario.largest_step, 3);
    EXPECT_EQ(scenario.written, std::nullopt);
    ASSERT_EQ(scenario.units.size(), 2u);
    EXPECT_EQ(scenario.units[0].origin, UnitOrigin(FmuFile{"a.fmu"}));
    EXPECT_EQ(scenario.units[0].can_reject_step, true);
    EXPECT_EQ(scenario.units[0].inputs.at(0).name, "u.1");
    EXPECT_EQ(scenario.units[0].inputs.at(0).contract, Reactivity::reactive);
    EXPECT_TRUE(scenario.units[1].is_only_declared());
    EXPECT_EQ(scenario.units[1].can_reject_step, false);
    EXPECT_EQ(scenario.units[1].outputs.at(0).feedthrough, std::vector<std::string>{});
    EXPECT_EQ(scenario.connections.at(0).from_port, "y[1]");
    EXPECT_EQ(scenario.connections.at(0).to_port, "u.1");
    EXPECT_EQ(scenario.connections.at(0).where.line, 8);
}

TEST(ConfReader, ReadsStatements) {
    const Parsed parsed = parse_conf_text(ring(
        R"(initialization = [{get: a.y}, {loop: {until-converged: [b.y], iterate: [{set: b.u}]}}]
cosim-step = {
  one = [
    {save-state: a}
    {loop: {until-step-accept: [a, b]
            iterate: [{step: a, by: 1}, {get-tentative: a.y}, {set-tentative: b.u}, {step: b, by-same-as: a}]
            if-retry-needed: [{restore-state: a}]}}
  ]
})"));
    ASSERT_EQ(parsed.said(), "");
    const WrittenAlgorithm& written = parsed.scenario.written.value();
    ASSERT_EQ(written.initialization.size(), 2u);
    EXPECT_EQ(written.initialization[0].operation, Operation::get);
    EXPECT_EQ(written.initialization[0].object, "a.y");
    EXPECT_EQ(written.initialization[1].until_converged, std::vector<std::string>{"b.y"});
    ASSERT_EQ(written.steps.size(), 1u);
    EXPECT_EQ(written.steps[0].name, "one");
    const WrittenOp& loop = written.steps[0].body.at(1);
    EXPECT_EQ(loop.operation, Operation::loop);
    EXPECT_EQ(loop.until_step_accept, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(loop.iterate.at(0).by, 1);
    EXPECT_EQ(loop.iterate.at(1).operation, Operation::get_tentative);
    EXPECT_EQ(loop.iterate.at(3).by_same_as, "a");
    EXPECT_EQ(loop.iterate.at(3).where.line, 14);
    EXPECT_EQ(loop.if_retry_needed.at(0).operation, Operation::restore_state);
}

TEST(ConfReader, ReadsTheOlderListOfStepStatements) {
    const Parsed parsed = parse_conf_text(ring("cosim-step = [{step: a}, {step: b}]"));
    ASSERT_EQ(parsed.said(), "");
    ASSERT_EQ(parsed.scenario.written->steps.size(), 1u);
    EXPECT_EQ(parsed.scenario.written->steps[0].name, unnamed_procedure);
    EXPECT_EQ(parsed.scenario.written->steps[0].body.size(), 2u);
}

TEST(ConfReader, AddsPortsThatOnlyConnectionsName) {
    const Parsed parsed = parse_conf_text(
        "name = x\nscenario = {fmus = {a = {}, b = {}}, connections = [a.y -> b.u, a.y -> b.w]}");
    ASSERT_EQ(parsed.said(), "");
    const Unit& a = parsed.scenario.units[0];
    const Unit& b = parsed.scenario.units[1];
    ASSERT_EQ(a.outputs.size(), 1u);
    EXPECT_EQ(a.outputs[0].feedthrough, std::vector<std::string>{});
    ASSERT_EQ(b.inputs.size(), 2u);
    EXPECT_EQ(b.inputs[0].contract, Reactivity::delayed);
}

TEST(ConfReader, ReadsConfigurationsByPortName) {
    const Parsed parsed = parse_conf_text(ring("", R"(
  configuration = {
    configurable-inputs = [b.u, a.u]
    configurations = {
      one = {inputs = {u = {reactivity=delayed}, "a.u" = {reactivity=reactive}}, cosim-step = s, connections = [a.y -> b.u, b.y -> a.u]}
    }
  })"));
    ASSERT_EQ(parsed.said(), "");
    ASSERT_EQ(parsed.scenario.configurations.size(), 1u);
    const ConfigurationSettings& one = parsed.scenario.configurations[0];
    EXPECT_EQ(one.procedure, "s");
    ASSERT_EQ(one.contracts.size(), 2u);
    EXPECT_EQ(one.contracts[0].unit, "b");
    EXPECT_EQ(one.contracts[0].reactivity, Reactivity::delayed);
    EXPECT_EQ(one.contracts[1].unit, "a");
    EXPECT_EQ(one.connections.size(), 2u);

    Diagnostics diagnostics;
    const Scenario again = parse_conf(write_conf(parsed.scenario), "t.conf", diagnostics);
    EXPECT_EQ(text_of(diagnostics), "");
    EXPECT_EQ(essence(again), essence(parsed.scenario));
}

TEST(ConfReader, ConfigurationsWithoutConfigurableInputsDoNotCount) {
    const Parsed parsed = parse_conf_text(ring("", R"(
  configuration = {configurable-inputs = [], configurations = {one = {connections = []}}})"));
    EXPECT_EQ(parsed.said(), "");
    EXPECT_TRUE(parsed.scenario.configurations.empty());
}

TEST(ConfReader, NamesUnknownKeys) {
    expect_said(ring("cosim-steps = []"),
                "s.conf:9: unknown key \"cosim-steps\"\n  did you mean \"cosim-step\"?");
    expect_said(ring("", "\n  conections = []"),
                "s.conf:8: unknown key \"scenario.conections\"\n  did you mean \"connections\"?");
    expect_said("name = x\nscenario = {fmus = {a = {input = {}}}, connections = []}",
                "s.conf:2: unknown key \"scenario.fmus.a.input\"\n  did you mean \"inputs\"?");
    expect_said(ring("initialization = [{gett: a.y}]"),
                "s.conf:9: \"gett\" is no operation\n  did you mean \"get\"?");
    expect_said(ring("cosim-step = [{step: a, bye: 1}]"),
                "unknown key \"step.bye\"\n  did you mean \"by\"?");
    expect_said(ring("cosim-step = [{get: a.y, by: 1}]"), "unknown key \"get.by\"");
    expect_said(ring("cosim-step = [{loop: {until: [a.y], iterate: []}}]"),
                "unknown key \"loop.until\"");
}

TEST(ConfReader, NamesWhatIsMissing) {
    expect_said("scenario = {}", "the key \"name\" is missing");
    expect_said("name = x", "the key \"scenario\" is missing");
    expect_said("name = x\nscenario = {}", "s.conf:2: the key \"scenario.fmus\" is missing");
    expect_said("name = x\nscenario = {}", "s.conf:2: the key \"scenario.connections\" is missing");
    expect_said("name = x\nscenario = {fmus = {}, connections = []}", "the scenario has no units");
    expect_said(
        "name = x\nscenario = {fmus = {a = {outputs = {y = {dependencies=[]}}}}, connections = []}",
        "the key \"scenario.fmus.a.outputs.y.dependencies-init\" is missing");
    expect_said("name = x\nscenario = {fmus = {a = {inputs = {u = {}}}}, connections = []}",
                "the key \"scenario.fmus.a.inputs.u.reactivity\" is missing");
}

TEST(ConfReader, RefusesWrongValues) {
    expect_said("name = x\nscenario = {fmus = {\"a.b\" = {}}, connections = []}",
                "s.conf:2: \"a.b\" cannot be the name of a unit");
    expect_said(
        "name = x\nscenario = {fmus = {a = {inputs = {u = {reactivity=delay}}}}, connections = []}",
        "did you mean \"delayed\"?");
    expect_said(ring("", "\n  max-possible-step-size = 0"),
                "s.conf:8: max-possible-step-size is 0: it must be at least 1");
    expect_said(ring("", "\n  max-possible-step-size = many"), "wants a whole number");
    expect_said("name = x\nscenario = {fmus = {a = {}}, connections = [a.y => a.u]}",
                "not valid HOCON");
    expect_said("name = x\nscenario = {fmus = {a = {}}, connections = [\"a.y to a.u\"]}",
                "\"a.y to a.u\" is not a connection");
    expect_said(ring("initialization = [{get: a.y} {set: b.u}]"),
                "a statement holds two operations: get and set");
    expect_said(ring("initialization = [get]"), "an item of initialization cannot be \"get\"");
    expect_said(ring("initialization = {}"), "initialization wants a list, not a map");
    expect_said(
        ring("",
             "\n  configuration = {configurable-inputs = [b.u], configurations = {one = {inputs = "
             "{v = {reactivity=delayed}}, cosim-step = s, connections = [a.y -> b.u]}}}"),
        "\"v\" is no configurable input");
    expect_said(ring("", "\n  configuration = {configurable-inputs = [b.u], configurations = {one "
                         "= {cosim-step = s, connections = [a.y -> b.u]}}}"),
                "configuration \"one\" has 1 connections, the scenario 2");
}

TEST(ConfReader, ReportsAllProblemsAtOnce) {
    const std::string said =
        parse_conf_text("nam = x\nscenario = {\n fmus = {a = {inputs = {u = {reactivity=1}}}}\n "
                        "connections = [a]\n}\ninitialization = [{got: a}]\n")
            .said();
    for (const char* line : {"s.conf:1:", "s.conf:3:", "s.conf:4:", "s.conf:6:"})
        EXPECT_NE(said.find(line), std::string::npos) << said;
}

TEST(ConfReader, ReadsClocksAndEventStrategies) {
    const std::string text = R"(name = clocks
scenario = {
  fmus = {
    a = {
      outputs = {y = {dependencies-init=[], dependencies=[], clocks=[s]}}
      output-clocks = {s = {type-of-clock=triggered, dependencies=[], dependencies-clocks=[t]}}
      input-clocks = {t = {type-of-clock=timed, interval=2}}
    }
    b = {
      inputs = {u = {reactivity=delayed, clocks=[r]}}
      input-clocks = {r = {type-of-clock=triggered, interval=0}}
    }
  }
  connections = [a.y -> b.u]
  clock-connections = [a.s -> b.r]
}
initialization = [{get-interval: a.t}]
cosim-step = {one = [{step: a}, {step: b}]}
event-strategies = {
  e = {clocks = [a.t, a.s, b.r], iterate = [{set-clock: a.t}, {get: a.y}, {get-clock: a.s}, {set-clock: b.r}, {set: b.u}, {next: a}, {step: b}]}
})";
    const Parsed parsed = parse_conf_text(text);
    ASSERT_EQ(parsed.said(), "");
    const Clocks& clocks = parsed.scenario.clocks.value();
    ASSERT_EQ(clocks.units.size(), 2u);
    EXPECT_EQ(clocks.units[0].inputs.at(0).interval, 2);
    EXPECT_EQ(clocks.units[0].outputs.at(0).dependencies_clocks, std::vector<std::string>{"t"});
    EXPECT_TRUE(clocks.is_clocked("b", "u"));
    EXPECT_FALSE(clocks.is_clocked("b", "y"));
    EXPECT_EQ(clocks.connections.at(0).to_clock, "r");
    EXPECT_EQ(clocks.strategies.at(0).iterate.at(2).operation, EventOperation::get_clock);

    Diagnostics diagnostics;
    EXPECT_EQ(essence(parse_conf(write_conf(parsed.scenario), "t", diagnostics)),
              essence(parsed.scenario));
    EXPECT_EQ(text_of(diagnostics), "");
}

TEST(ConfReader, ChecksClocks) {
    const std::string head = "name = x\nscenario = {fmus = {a = {input-clocks = {c = {";
    const std::string tail = "}}}}, connections = [], clock-connections = []}";
    expect_said(head + "type-of-clock=timed" + tail, "is timed with an interval of 0");
    expect_said(head + "type-of-clock=triggered, interval=2" + tail,
                "is triggered with an interval of 2");
    expect_said(head + "type-of-clock=slow" + tail, "its values are: triggered, timed");
    expect_said(ring("event-strategies = {e = {clocks = [], iterate = [{got: a.y}]}}"),
                "\"got\" is no operation of an event");
}

} // namespace
} // namespace rubato::scenario::testing
