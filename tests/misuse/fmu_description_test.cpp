// SPDX-License-Identifier: Apache-2.0

/// Model descriptions that are wrong: each complaint names the line. Much of it is read leniently
/// (tests/unit/unit/leniency_test.cpp) unless strictness is asked for, as here.

#include "support/error_text.hpp"
#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

namespace rubato {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FmuDescription : public testing::Test {
protected:
    std::string complaint_of(const std::string& xml,
                             unit::Strictness strictness = unit::Strictness::strict) {
        const auto file = folder_ / "m.fmu";
        test::ZipWriter()
            .add("modelDescription.xml", xml)
            .add("binaries/x86_64-linux/m.so", "")
            .save(file);
        unit::Library library(silent_log(), {}, strictness);
        return test::error_of<InputError>([&] { library.describe(file); });
    }

    /// The text with `from` replaced, which must be in it.
    static std::string replaced(std::string text, const std::string& from, const std::string& to) {
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    }

    const std::string good2_ = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
  <CoSimulation modelIdentifier="m"/>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="0" causality="input"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="2" dependencies="1"/>
    </Outputs>
    <InitialUnknowns><Unknown index="2"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)";
    const std::string good3_ = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="g">
  <CoSimulation modelIdentifier="m"/>
  <ModelVariables>
    <Float64 name="u" valueReference="7" causality="input" start="1"/>
    <Float64 name="t" valueReference="0" causality="independent"/>
    <Float64 name="y" valueReference="8" causality="output"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="8" dependencies="7"/>
    <InitialUnknown valueReference="8"/>
  </ModelStructure>
</fmiModelDescription>
)";
    test::PrivateFolder folder_;
};

TEST_F(FmuDescription, TheDescriptionsOfTheseTestsAreRightBeforeTheyAreMadeWrong) {
    EXPECT_EQ(complaint_of(good2_), "");
    EXPECT_EQ(complaint_of(good3_), "");
}

TEST_F(FmuDescription, Empty) { EXPECT_THAT(complaint_of(""), HasSubstr("not well-formed XML")); }

TEST_F(FmuDescription, MalformedXmlIsToldWithItsLine) {
    EXPECT_THAT(complaint_of(replaced(good2_, "</ModelVariables>", "</Variables>")),
                AllOf(HasSubstr("m.fmu/modelDescription.xml:7: is not well-formed XML"),
                      HasSubstr("mismatch")));
}

TEST_F(FmuDescription, EntityBomb) {
    const std::string bomb = R"(<?xml version="1.0"?>
<!DOCTYPE lolz [ <!ENTITY a "ha"> <!ENTITY b "&a;&a;&a;&a;"> <!ENTITY c "&b;&b;&b;&b;"> ]>
<fmiModelDescription fmiVersion="2.0" modelName="&c;" guid="g"/>)";
    EXPECT_THAT(complaint_of(bomb), HasSubstr("declares a document type (<!DOCTYPE"));
}

TEST_F(FmuDescription, AnotherRoot) {
    EXPECT_THAT(complaint_of("<html/>"),
                HasSubstr("modelDescription.xml:1: the root element is <html>"));
}

TEST_F(FmuDescription, UnsupportedVersions) {
    EXPECT_THAT(complaint_of(replaced(good2_, "fmiVersion=\"2.0\"", "")),
                HasSubstr("modelDescription.xml:2: lacks the attribute fmiVersion"));
    EXPECT_THAT(complaint_of(replaced(good2_, "2.0", "4.0")),
                AllOf(HasSubstr("FMI version \"4.0\" is not supported"),
                      HasSubstr("supported are 1.0, 2.0 and 3.0")));
    EXPECT_THAT(complaint_of(replaced(good3_, "3.0", "3.0-beta.2")),
                HasSubstr("FMI version \"3.0-beta.2\" is not supported"));
}

TEST_F(FmuDescription, NeitherCoSimulationNorModelExchange) {
    EXPECT_THAT(complaint_of(replaced(good3_, "<CoSimulation", "<NoInterface")),
                HasSubstr("modelDescription.xml:2: the FMU has neither a <CoSimulation> nor a "
                          "<ModelExchange> element"));
}

TEST_F(FmuDescription, ADerivativeThatIsNone) {
    const std::string exchange = replaced(good2_, "<CoSimulation", "<ModelExchange");
    EXPECT_EQ(complaint_of(exchange), "");
    EXPECT_THAT(
        complaint_of(replaced(exchange, "</Outputs>",
                              "</Outputs><Derivatives><Unknown index=\"2\"/></Derivatives>")),
        HasSubstr("variable \"y\" is listed as the derivative of a state, but is not "
                  "declared the derivative of any variable"));
    const std::string exchange3 = replaced(good3_, "<CoSimulation", "<ModelExchange");
    EXPECT_EQ(complaint_of(exchange3), "");
    EXPECT_THAT(complaint_of(replaced(exchange3, "</ModelStructure>",
                                      "<ContinuousStateDerivative valueReference=\"9\"/>"
                                      "</ModelStructure>")),
                HasSubstr("<ContinuousStateDerivative> has valueReference=\"9\", but there is no "
                          "such variable"));
}

TEST_F(FmuDescription, MissingAttributes) {
    EXPECT_THAT(
        complaint_of(replaced(good2_, "guid=\"g\"", "")),
        HasSubstr("modelDescription.xml:2: <fmiModelDescription> lacks the attribute guid"));
    EXPECT_THAT(complaint_of(replaced(good3_, "instantiationToken=\"g\"", "")),
                HasSubstr("lacks the attribute instantiationToken"));
    EXPECT_THAT(complaint_of(replaced(good2_, "modelIdentifier=\"m\"", "")),
                HasSubstr("modelDescription.xml:3: <CoSimulation> lacks the attribute "
                          "modelIdentifier"));
    EXPECT_THAT(complaint_of(replaced(good2_, "name=\"u\" ", "")),
                HasSubstr("modelDescription.xml:5: <ScalarVariable> lacks the attribute name"));
    EXPECT_THAT(complaint_of(replaced(good3_, "valueReference=\"7\" ", "")),
                HasSubstr("modelDescription.xml:5: variable \"u\" has no valueReference"));
}

TEST_F(FmuDescription, ModelIdentifierThatIsAPath) {
    EXPECT_THAT(complaint_of(replaced(good2_, "modelIdentifier=\"m\"", "modelIdentifier=\"../m\"")),
                HasSubstr("modelIdentifier=\"../m\" is not a plain name"));
}

TEST_F(FmuDescription, DuplicateNames) {
    EXPECT_THAT(complaint_of(replaced(good2_, "name=\"y\"", "name=\"u\"")),
                HasSubstr("modelDescription.xml:6: two variables are named \"u\""));
}

TEST_F(FmuDescription, DependenciesThatPointNowhere) {
    EXPECT_THAT(complaint_of(replaced(good2_, "dependencies=\"1\"", "dependencies=\"1 3\"")),
                HasSubstr("modelDescription.xml:10: the dependencies of <Unknown index=\"2\"> hold "
                          "3, but there is no such variable"));
    EXPECT_THAT(complaint_of(replaced(good2_, "index=\"2\"", "index=\"0\"")),
                HasSubstr("<Unknown> has index=\"0\", but there is no such variable"));
    EXPECT_THAT(complaint_of(replaced(good3_, "dependencies=\"7\"", "dependencies=\"9\"")),
                HasSubstr("hold 9, but there is no such variable"));
    EXPECT_THAT(complaint_of(replaced(good2_, "dependencies=\"1\"", "dependencies=\"one\"")),
                HasSubstr("dependencies=\"one\", which is not a list of whole numbers"));
}

TEST_F(FmuDescription, DerivativeOfNothing) {
    EXPECT_THAT(complaint_of(replaced(good2_, "<Real start=\"1\"/>", "<Real derivative=\"5\"/>")),
                HasSubstr("declared the derivative of variable 5, but there is no such"));
    EXPECT_THAT(complaint_of(replaced(good3_, "start=\"1\"", "derivative=\"5\"")),
                HasSubstr("declared the derivative of value reference 5, but there is no such"));
}

TEST_F(FmuDescription, UnknownWordsAndValues) {
    EXPECT_THAT(complaint_of(replaced(good2_, "\"input\"", "\"inptu\"")),
                AllOf(HasSubstr("modelDescription.xml:5: variable \"u\" has causality=\"inptu\""),
                      HasSubstr("did you mean \"input\"?")));
    EXPECT_THAT(complaint_of(replaced(good2_, "start=\"1\"", "start=\"one\"")),
                HasSubstr("modelDescription.xml:5: variable \"u\" has start=\"one\", which is not "
                          "a value of type"));
    EXPECT_THAT(complaint_of(replaced(good2_, "<Real/>", "<Complex/>")),
                HasSubstr("variable \"y\" in <ScalarVariable> has no type of the standard"));
    EXPECT_THAT(complaint_of(replaced(good3_, "<Float64 name=\"y\"", "<Float16 name=\"y\"")),
                HasSubstr("modelDescription.xml:7: variable \"y\" in <Float16> has no type"));
    EXPECT_THAT(complaint_of(replaced(good2_, "valueReference=\"0\"", "valueReference=\"-1\"")),
                HasSubstr("valueReference=\"-1\", which is not a whole number"));
    EXPECT_THAT(complaint_of(replaced(good2_, "modelIdentifier=\"m\"",
                                      "modelIdentifier=\"m\" canGetAndSetFMUstate=\"maybe\"")),
                HasSubstr("canGetAndSetFMUstate=\"maybe\", which is not true or false"));
}

TEST_F(FmuDescription, ValueReferenceOfAnotherVariable) {
    EXPECT_THAT(complaint_of(replaced(good3_, "valueReference=\"8\"", "valueReference=\"7\"")),
                HasSubstr("variable \"y\" has the value reference 7 of another one"));
}

TEST_F(FmuDescription, AllThatIsWrongIsToldAtOnce) {
    const auto twice = replaced(good2_, "guid=\"g\"", "");
    EXPECT_THAT(complaint_of(replaced(twice, "\"input\"", "\"inptu\"")),
                AllOf(HasSubstr("lacks the attribute guid"), HasSubstr("causality=\"inptu\"")));
}

TEST_F(FmuDescription, DeeplyNestedElementsAreHarmless) {
    std::string nested;
    for (int i = 0; i < 100'000; ++i) nested += "<a>";
    EXPECT_THAT(complaint_of(nested), HasSubstr("not well-formed XML"));
}

} // namespace
} // namespace rubato
