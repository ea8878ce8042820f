// SPDX-License-Identifier: Apache-2.0
#include "decorators/own_steps.hpp"
#include "decorators/sub_stepping.hpp"
#include "fmu/fmu_factory.hpp"
#include "links/link_factory.hpp"
#include "native/native_factory.hpp"
#include "table/table_factory.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/floating_point.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/library.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace rubato::unit {

namespace fs = std::filesystem;

namespace {

/// The ports that a scenario lets move within steps, and between them.
template <class Port>
std::vector<MovingVariable> moving_ports(const std::vector<Port>& ports,
                                         const scenario::UnitDescription& description) {
    std::vector<MovingVariable> moving;
    for (const Port& port : ports) {
        if (!port.approximation || *port.approximation == scenario::Approximation::constant)
            continue;
        const bool is_linear = *port.approximation == scenario::Approximation::linear;
        if (const auto variable = description.find_variable(port.name))
            moving.push_back({*variable, is_linear ? 1U : 2U});
    }
    return moving;
}

/// Lets a unit make the steps that the scenario gives it.
std::unique_ptr<Unit> with_steps_of(const scenario::Unit& unit, std::unique_ptr<Unit> made) {
    const std::vector<MovingVariable> inputs = moving_ports(unit.inputs, made->description());
    if (unit.sub_steps) {
        std::vector<std::uint32_t> moving;
        for (const MovingVariable& input : inputs) moving.push_back(input.variable);
        made = make_sub_stepping(std::move(made), static_cast<unsigned>(*unit.sub_steps), moving);
    }
    if (!unit.step) return made;
    const std::vector<MovingVariable> outputs = moving_ports(unit.outputs, made->description());
    return make_own_steps(std::move(made), Duration{*unit.step}, inputs, outputs);
}

} // namespace

struct Library::Implementation {
    Log& log;
    std::vector<std::unique_ptr<UnitFactory>> factories; ///< the newest last
    FmuFactory* fmus = nullptr;
    NativeFactory* natives = nullptr;

    template <class Factory, class... Arguments>
    Factory& add(Arguments&&... arguments) {
        auto factory = std::make_unique<Factory>(std::forward<Arguments>(arguments)...);
        Factory& added = *factory;
        factories.push_back(std::move(factory));
        return added;
    }

    UnitFactory& find(const scenario::Unit& unit) const;

    /// Newer factories may use older ones.
    ~Implementation() {
        while (!factories.empty()) factories.pop_back();
    }
};

UnitFactory& Library::Implementation::find(const scenario::Unit& unit) const {
    for (auto factory = factories.rbegin(); factory != factories.rend(); ++factory)
        if ((*factory)->makes(unit.origin)) return **factory;
    throw InputError(
        unit.is_only_declared()
            ? format("unit \"{}\" is only declared: nothing can run it", unit.name)
            : format("this program cannot make units such as \"{}\"", unit.name),
        "give it an FMU or a native model, or add a unit factory for it to the library");
}

Library::Library(Log& log, files::ArchiveLimits limits, Strictness strictness)
    : implementation_(new Implementation{.log = log, .factories = {}}) {
    implementation_->fmus = &implementation_->add<FmuFactory>(log, limits, strictness);
    implementation_->natives = &implementation_->add<NativeFactory>();
    implementation_->add<TableFactory>(log);
    implementation_->add<LinkFactory>();
}

Library::~Library() = default;

void Library::add(const model::ModelType& type) { implementation_->natives->add(type); }

void Library::add(std::unique_ptr<UnitFactory> factory) {
    implementation_->factories.push_back(std::move(factory));
}

const scenario::UnitDescription& Library::describe(const scenario::Unit& unit,
                                                   const fs::path& folder) {
    return implementation_->find(unit).describe(unit, folder);
}

const scenario::UnitDescription& Library::describe(const fs::path& fmu) {
    return implementation_->fmus->open(fmu).outline();
}

fs::path Library::find_copyable_fmu(const scenario::Unit& unit, const fs::path& folder) {
    Fmu& fmu = implementation_->fmus->open(unit, folder);
    fmu.require_copyable(unit.type);
    return fmu.absolute_file();
}

std::vector<fs::path> Library::files() const {
    std::vector<fs::path> files;
    for (const auto& factory : implementation_->factories)
        std::ranges::copy(factory->files(), std::back_inserter(files));
    return files;
}

std::unique_ptr<Unit> Library::instantiate(const scenario::Unit& unit, const fs::path& folder) {
    return instantiate_by([&] { return implementation_->find(unit).instantiate(unit, folder); },
                          unit);
}

std::unique_ptr<Unit> Library::instantiate_by(const std::function<std::unique_ptr<Unit>()>& make,
                                              const scenario::Unit& unit) try {
    const FloatingPointMode mode;
    std::unique_ptr<Unit> made = make();
    if (!mode.is_in_force()) {
        mode.restore();
        implementation_->log.write(
            LogLevel::info, unit.name,
            "changes how this process computes when it is loaded or instantiated (rounding mode, "
            "flushing tiny numbers to zero): that is undone");
    }
    made = with_steps_of(unit, std::move(made));
    note_no_call();
    return made;
} catch (...) {
    rethrow_as_error(unit.name);
}

} // namespace rubato::unit
