// SPDX-License-Identifier: Apache-2.0
#include "support/system_builder.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/algorithm/verify.hpp>
#include <rubato/synthesis/roll_back.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <gmock/gmock.h>

namespace rubato::test {
namespace {

using scenario::Reactivity;

TEST(Negotiation, TakesBackUnitsWhoseValuesArriveThroughAnother) {
    SystemBuilder builder;
    builder.unit("source").output("y");
    builder.unit("gain").input("u", Reactivity::delayed).output("y", {"u"});
    builder.unit("sink").can_reject_step().input("u", Reactivity::reactive);
    builder.link("source.y", "gain.u").link("gain.y", "sink.u").largest_step(2);
    const scenario::System system = builder.build();

    const algorithm::Algorithm algorithm = synthesis::synthesize(system, {}).algorithm;
    EXPECT_THAT(synthesis::units_to_roll_back(algorithm),
                testing::ElementsAre(UnitId{0}, UnitId{1}, UnitId{2}));
    EXPECT_TRUE(algorithm::verify(system, algorithm).correct()) << to_text(algorithm, system);
}

} // namespace
} // namespace rubato::test
