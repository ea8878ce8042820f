// SPDX-License-Identifier: Apache-2.0
#include "models.hpp"

#include <rubato/model/declare.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rubato::model {
namespace {

template <class Model>
std::string fault_of() {
    try {
        make_model_type<Model>("sample");
        return "";
    } catch (const std::logic_error& fault) {
        return fault.what();
    }
}

TEST(Declaration, NumbersVariablesInTheirOrderAndAddsTheKits) {
    std::vector<std::string> names;
    for (const VariableType& variable : model_named("msd2").variables)
        names.push_back(variable.name);
    EXPECT_THAT(names,
                testing::ElementsAre("m2", "c2", "d2", "cc", "dc", "x1", "v1", "x2", "v2", "Fc",
                                     "time", "solver", "inner_step", "der(x2)", "der(v2)",
                                     "der(x1)", "der(x1,2)", "der(v1)", "der(v1,2)"));
}

TEST(Declaration, RemembersWhatFeedsThrough) {
    const ModelType& type = model_named("msd2");
    EXPECT_THAT(type.variables[reference(type, "Fc")].feedthrough,
                testing::ElementsAre(reference(type, "x1"), reference(type, "v1")));
}

TEST(Declaration, DerivesUnits) {
    const ModelType& type = model_named("msd2");
    EXPECT_EQ(type.variables[reference(type, "der(x1)")].unit, "m/s");
    EXPECT_EQ(type.variables[reference(type, "der(x1,2)")].unit, "m/s2");
    EXPECT_EQ(type.variables[reference(type, "der(v1,2)")].unit, "m/s3");
}

struct Twice {
    double x = 0;
    static void declare(Declaration<Twice>& model) {
        model.parameter(&Twice::x, "x", "", "");
        model.parameter(&Twice::x, "x", "", "");
    }
};

struct Stuck {
    double x = 0;
    static void declare(Declaration<Stuck>& model) { model.state(&Stuck::x, "x", "", ""); }
};

struct Silent {
    double y = 0;
    static void declare(Declaration<Silent>& model) { model.output(&Silent::y, "y", "", ""); }
};

struct Unfed {
    double u = 0, y = 0;
    static void declare(Declaration<Unfed>& model) {
        model.output(&Unfed::y, "y", "", "").fed_by(&Unfed::u);
    }
    void outputs() { y = u; }
};

struct Frozen {
    std::int32_t n = 0;
    static void declare(Declaration<Frozen>& model) { model.discrete(&Frozen::n, "n", "", ""); }
};

struct Unheeded {
    static void declare(Declaration<Unheeded>&) {}
    std::array<double, 1> crossings() const { return {1}; }
};

struct HalfVaried {
    double x = 0;
    static void declare(Declaration<HalfVaried>& model) {
        model.state(&HalfVaried::x, "x", "", "");
    }
    void derivatives(HalfVaried& der) const { der.x = x; }
    void variations(const HalfVaried& d, HalfVaried& result) const { result.x = d.x; }
    std::array<double, 1> crossings() const { return {x}; }
    void event() {}
};

TEST(Declaration, RefusesWhatMakesNoSense) {
    EXPECT_THAT(fault_of<Twice>(), testing::HasSubstr("two variables are called \"x\""));
    EXPECT_THAT(fault_of<Stuck>(), testing::HasSubstr("no derivatives()"));
    EXPECT_THAT(fault_of<Silent>(), testing::HasSubstr("no outputs()"));
    EXPECT_THAT(fault_of<Unfed>(), testing::HasSubstr("fed_by()"));
    EXPECT_THAT(fault_of<Frozen>(),
                testing::HasSubstr("\"n\" is discrete, but there is no event()"));
    EXPECT_THAT(fault_of<Unheeded>(), testing::HasSubstr("no event()"));
    EXPECT_THAT(fault_of<HalfVaried>(), testing::HasSubstr("variations()"));
}

struct Gain {
    double k = 2, u = 0, y = 0;
    static void declare(Declaration<Gain>& model) {
        model.parameter(&Gain::k, "k", "", "");
        model.input(&Gain::u, "u", "", "");
        model.output(&Gain::y, "y", "", "").fed_by(&Gain::u);
    }
    void outputs() { y = k * u; }
};

TEST(Declaration, AModelNeedsNoStates) {
    const ModelType type = make_model_type<Gain>("gain");
    for (const Solver solver : {Solver::euler, Solver::rk4, Solver::exact}) {
        Named gain(type);
        gain.solve_with(solver);
        gain.initialize();
        gain.assign("u", 3);
        gain.derive("u", 1, 1);
        gain.step(0, 0.5);
        EXPECT_EQ(gain.value("y"), 7);
    }
}

TEST(Declaration, TheIdentifierTellsModelsApart) {
    const ModelType gain = make_model_type<Gain>("gain");
    const ModelType same = make_model_type<Gain>("gain");
    const ModelType renamed = make_model_type<Gain>("gain2");
    EXPECT_EQ(gain.identifier, same.identifier);
    EXPECT_NE(gain.identifier, renamed.identifier);
    EXPECT_EQ(gain.identifier.size(), 38u);
}

} // namespace
} // namespace rubato::model
