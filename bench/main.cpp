// SPDX-License-Identifier: Apache-2.0
// What orchestration costs, against the bare FMI calls on the same instances in the same process.
#include "isolation.hpp"
#include "measure.hpp"
#include "ring.hpp"
#include "synthesis.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/csv_recorder.hpp>
#include <rubato/report/text_table.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>

namespace {

using namespace rubato;        // NOLINT(google-build-using-namespace)
using namespace rubato::bench; // NOLINT(google-build-using-namespace)

// Many short programs: on a machine that others use, some of them are not interrupted.
constexpr int unit_steps_at_once = 10'000;
constexpr int unit_steps_of_rings = 150'000 * 100;
constexpr int repetitions = 15;
constexpr int ring_sizes[] = {2, 10, 100, 1000, 10'000};
constexpr std::span small_rings = std::span(ring_sizes).first(4);

/// Of a ring of FMUs that do nothing.
double limit_of_ring(int nodes) {
    switch (nodes) {
    case 2: return 1.3;
    case 10: return 1.15;
    case 10'000: return 1.25; // they do not fit in the cache
    default: return 1.08;
    }
}

struct Measurement {
    std::string name;
    int n = 0;
    double ns = 0, floor_ns = 0;
    double limit = 0; ///< that ns / floor_ns is to keep

    double ratio() const { return ns / floor_ns; }
};

/// Per unit-step.
double nanoseconds(double seconds, int steps, int nodes) {
    return seconds * 1e9 / (static_cast<double>(steps) * nodes);
}

Measurement measure_ring(const std::string& name, int nodes, std::int64_t work, int unit_steps,
                         double limit, int threads = 1,
                         scenario::Recipe recipe = scenario::Recipe::jacobi) {
    const int steps = std::max(2, unit_steps / nodes);
    const int repetitions_of_ring =
        work == 0 ? unit_steps_of_rings / (steps * nodes) : 100; // the others take longer
    Ring ring(nodes, work, threads, Processes::this_one, recipe);
    Floor floor(ring, nodes);
    const std::function<void()> programs[] = {[&] { ring.step(steps); },
                                              [&] { floor.step(steps); }};
    const auto seconds = best_of(repetitions_of_ring, programs);
    return {name, nodes, nanoseconds(seconds[0], steps, nodes),
            nanoseconds(seconds[1], steps, nodes), limit};
}

/// The ring as a unit of another scenario; the floor is the ring on its own.
Measurement measure_nested_ring(const std::string& name, int nodes) {
    constexpr int unit_steps = 1'000'000;
    const int steps = std::max(10, unit_steps / nodes);
    Ring nested(nodes, 0, 1, Processes::this_one, scenario::Recipe::jacobi, Levels::two);
    Ring flat(nodes, 0);
    const std::function<void()> programs[] = {[&] { nested.step(steps); },
                                              [&] { flat.step(steps); }};
    const auto seconds = best_of(repetitions, programs);
    return {name, nodes, nanoseconds(seconds[0], steps, nodes),
            nanoseconds(seconds[1], steps, nodes), 1.15};
}

/// Rounds of work that make a bare node cost about a microsecond.
std::int64_t work_of_a_microsecond() {
    constexpr std::int64_t trial = 1000;
    const auto cost = [](std::int64_t work) {
        return measure_ring("", 2, work, 3'000, 0).floor_ns;
    };
    const double idle = cost(0);
    return std::llround(static_cast<double>(trial) * (1000 - idle) / (cost(trial) - idle));
}

/// Holds the values of every recorded instant, for the floor of recording.
class Memory final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
    }
    void record(Time time) override {
        rows.emplace_back(1, time.seconds);
        for (const engine::Column& column : columns_) {
            rows.back().push_back(*static_cast<const double*>(column.value));
        }
    }
    void end() override {}

    std::vector<std::vector<double>> rows;

private:
    std::vector<engine::Column> columns_;
};

/// Formats the rows with to_chars into a large buffer, again from its start when it is full.
void format_bare(const std::vector<std::vector<double>>& rows, std::vector<char>& buffer) {
    char* out = buffer.data();
    const char* const last = buffer.data() + buffer.size();
    for (const auto& row : rows) {
        if (last - out < static_cast<std::ptrdiff_t>(row.size() * 32)) out = buffer.data();
        for (const double value : row) {
            out = std::to_chars(out, out + 31, value).ptr;
            *out++ = ',';
        }
        out[-1] = '\n';
    }
}

scenario::Scenario recorded_scenario(int nodes, int steps) {
    scenario::Scenario scenario = Ring::scenario(nodes, 0);
    scenario.experiment.stop = steps * scenario.experiment.step;
    return scenario;
}

void run(const pipeline::Assembly& assembly, unit::Library& library, engine::Recorder* recorder,
         double& seconds) {
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
    seconds = std::min(seconds, seconds_of([&] { (void)simulation.run({.recorder = recorder}); }));
}

/// What recording adds to a run, per number, against formatting the same numbers.
Measurement measure_recording(int nodes) {
    const int steps = std::max(20, 200'000 / nodes);
    const auto file = std::filesystem::temp_directory_path() / "rubato-bench.csv";
    unit::Library library(silent_log());
    Diagnostics diagnostics;
    const pipeline::Assembly assembly =
        pipeline::assemble(recorded_scenario(nodes, steps), library, diagnostics);
    diagnostics.throw_if_errors();
    Memory memory;
    double unused = 1e9, silent = 1e9, recorded = 1e9, bare = 1e9;
    run(assembly, library, &memory, unused);
    std::vector<char> buffer(std::size_t{1} << 20);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        report::CsvRecorder recorder(file);
        run(assembly, library, nullptr, silent);
        run(assembly, library, &recorder, recorded);
        bare = std::min(bare, seconds_of([&] { format_bare(memory.rows, buffer); }));
    }
    std::filesystem::remove(file);
    return {"recording", nodes, nanoseconds(recorded - silent, steps, nodes),
            nanoseconds(bare, steps, nodes), 1.5};
}

void ignore_message(fmi2::ComponentEnvironment, fmi2::String, fmi2::Status, fmi2::String,
                    fmi2::String, ...) {}

struct Loading {
    double seconds = 0;
    double megabytes = 0; ///< beyond what the FMU itself takes
};

/// A thousand instances of one FMU, from the file to the first communication point.
Loading measure_loading() {
    constexpr int instances = 1000;
    const std::size_t before = heap_bytes();
    std::unique_ptr<Ring> ring;
    Loading result;
    result.seconds = seconds_of([&] { ring = std::make_unique<Ring>(instances, 0); });
    const std::size_t ours_and_theirs = heap_bytes() - before;

    auto& unit = dynamic_cast<unit::Fmi2Unit&>(ring->simulation().unit(UnitId{0}));
    const std::size_t between = heap_bytes();
    const fmi2::CallbackFunctions callbacks{ignore_message, std::calloc, std::free, nullptr,
                                            nullptr};
    std::vector<fmi2::Component> bare;
    for (int i = 0; i < instances; ++i) {
        bare.push_back(unit.functions().instantiate("bare", fmi2::Type::co_simulation,
                                                    unit.description().identifier.c_str(), "",
                                                    &callbacks, fmi2::no, fmi2::no));
    }
    const std::size_t theirs = heap_bytes() - between;
    for (const fmi2::Component component : bare) unit.functions().free_instance(component);
    result.megabytes =
        static_cast<double>(ours_and_theirs - std::min(theirs, ours_and_theirs)) / 1e6;
    return result;
}

/// Those whose name begins with `only`.
std::vector<Measurement> measure(std::string_view only) {
    std::vector<Measurement> results;
    const auto each = [&](const std::string& name, std::span<const int> sizes, auto measure_one) {
        if (!name.starts_with(only)) return;
        for (const int n : sizes) results.push_back(measure_one(name, n));
    };
    const std::int64_t work = work_of_a_microsecond();
    each("ring", ring_sizes, [](const std::string& name, int n) {
        return measure_ring(name, n, 0, unit_steps_at_once, limit_of_ring(n));
    });
    each("ring, default algorithm", ring_sizes, [](const std::string& name, int n) {
        return measure_ring(name, n, 0, unit_steps_at_once, limit_of_ring(n), 1,
                            scenario::Recipe::synthesized);
    });
    each("ring in one composite", std::array{10, 100, 1000}, measure_nested_ring);
    each("ring-1us", small_rings,
         [&](const std::string& name, int n) { return measure_ring(name, n, work, 3'000, 1.02); });
    each("ring-10us, 2 threads", std::array{10, 100}, [&](const std::string& name, int n) {
        return measure_ring(name, n, 10 * work, 1'000, 0.6, 2);
    });
    each("recording", small_rings, [](const std::string&, int n) { return measure_recording(n); });
    return results;
}

void print(const std::vector<Measurement>& results, const Loading& loading) {
    using report::Align;
    report::TextTable table({{"benchmark"},
                             {"N", Align::right},
                             {"ns per unit-step", Align::right},
                             {"floor", Align::right},
                             {"ratio", Align::right},
                             {"limit", Align::right}});
    for (const Measurement& m : results) {
        table.add({m.name, std::to_string(m.n), format("{:.2f}", m.ns),
                   format("{:.2f}", m.floor_ns), format("{:.3f}", m.ratio()),
                   format("{:.2f}", m.limit)});
    }
    std::fputs(table.to_string().c_str(), stdout);
    std::puts(
        format(
            "\n  loading and initializing 1000 instances of one FMU: {:.3f} s (limit 2), {:.1f} MB "
            "beyond the FMUs' own memory (limit 64)",
            loading.seconds, loading.megabytes)
            .c_str());
}

void print(const std::vector<SynthesisCost>& costs) {
    using report::Align;
    report::TextTable table({{"system"},
                             {"units", Align::right},
                             {"connections", Align::right},
                             {"synthesize", Align::right},
                             {"verify", Align::right}});
    for (const SynthesisCost& cost : costs) {
        table.add({cost.system, std::to_string(cost.units), std::to_string(cost.connections),
                   report::human_duration(cost.synthesis),
                   report::human_duration(cost.verification)});
    }
    std::printf("\n%s", table.to_string().c_str());
}

void print(const std::vector<IsolationCost>& costs) {
    using report::Align;
    const auto microseconds = [](double seconds) { return format("{:.3f}", seconds * 1e6); };
    report::TextTable table({{"isolation"},
                             {"in process [us]", Align::right},
                             {"isolated [us]", Align::right},
                             {"price [us]", Align::right}});
    for (const IsolationCost& cost : costs) {
        table.add({cost.what, microseconds(cost.inside), microseconds(cost.isolated),
                   microseconds(cost.isolated - cost.inside)});
    }
    std::printf("\n%s", table.to_string().c_str());
}

void write_json(const std::vector<Measurement>& results, const char* path) {
    nlohmann::json entries = nlohmann::json::array();
    for (const Measurement& m : results) {
        entries.push_back({{"name", m.name},
                           {"n", m.n},
                           {"ns", m.ns},
                           {"floor_ns", m.floor_ns},
                           {"ratio", m.ratio()}});
    }
    std::ofstream(path) << entries.dump(2) << "\n";
    std::printf("  written to %s\n", path);
}

} // namespace

int main(int argc, char** argv) try {
    const bool with_json = argc == 3 && std::strcmp(argv[1], "--json") == 0;
    const bool with_only = argc == 3 && std::strcmp(argv[1], "--only") == 0;
    if (argc != 1 && !with_json && !with_only) {
        std::fputs("usage: rubato_bench [--json FILE | --only BEGINNING-OF-A-NAME]\n", stderr);
        return 2;
    }
    const Loading loading = measure_loading();
    const std::vector<Measurement> results = measure(with_only ? argv[2] : "");
    print(results, loading);
    if (with_only) return 0;
    ::setenv("RUBATO_UNIT_HELPER", RUBATO_HELPER, 0);
    print(measure_isolation());
    print(measure_synthesis());
    if (with_json) write_json(results, argv[2]);
} catch (const std::exception& error) {
    std::fprintf(stderr, "rubato_bench: %s\n", error.what());
    return 1;
}
