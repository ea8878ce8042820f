// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>
#include <pugixml.hpp>

namespace rubato::cli {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;

constexpr auto controlled = R"(rubato: 1
name: controlled
units: {plant: {model: msd1}}
experiment: {stop: 1, step: 0.125}
hla:
  outputs: {plant.x1: {class: Vehicle.Car, attribute: position}}
  inputs: {plant.Fc: {class: Controller, instance: controller, encoding: HLAfloat32LE}}
)";

class Fom : public testing::Program {
protected:
    Fom() { write("controlled.yaml", controlled); }
};

TEST_F(Fom, IsWrittenWithoutAnRti) {
    const Outcome outcome = rubato({"fom", "controlled.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(outcome.out.c_str()));
    const auto attribute = document.select_node(
        "//objectClass[name='HLAobjectRoot']/objectClass[name='Vehicle']/objectClass[name='Car']"
        "/attribute[name='position']");
    ASSERT_TRUE(attribute);
    const std::string type = attribute.node().child_value("dataType");
    const std::string query = "//simpleData[name='" + type + "']/representation";
    EXPECT_STREQ(document.select_node(query.c_str()).node().child_value(), "HLAfloat64BE");
    EXPECT_TRUE(document.select_node("//objectClass[name='Controller']/attribute[name='Fc']"));
}

TEST_F(Fom, ReplacesNoFileUnlessForced) {
    EXPECT_EQ(rubato({"fom", "controlled.yaml", "-o", "fom.xml"}).code, 0);
    EXPECT_THAT(read("fom.xml"), HasSubstr("<name>controlled</name>"));
    EXPECT_THAT(rubato({"fom", "controlled.yaml", "-o", "fom.xml"}).err,
                HasSubstr("exists already"));
    EXPECT_EQ(rubato({"fom", "controlled.yaml", "-o", "fom.xml", "--force"}).code, 0);
}

TEST_F(Fom, ReportsMappingsThatAreWrong) {
    const Outcome outcome =
        rubato({"fom", "controlled.yaml", "--set", "connections=[plant.x1 -> plant.Fc]"});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("controlled.yaml:7"));
    EXPECT_THAT(outcome.err, HasSubstr("plant.Fc is connected to an output already"));
}

TEST_F(Fom, IsOfNoConcernToARunInOneProcess) {
    const Outcome outcome = rubato({"run", "controlled.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("controlled.yaml:5: hla has no effect, since the run is no "
                                       "federation (--hla); its inputs keep their start values"));
}

} // namespace
} // namespace rubato::cli
