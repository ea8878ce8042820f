// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "formats/foreign.hpp"
#include "formats/ssp/model.hpp"
#include "formats/xml_source.hpp"

#include <rubato/scenario/system_files.hpp>

#include <filesystem>
#include <memory>
#include <vector>

namespace rubato::scenario::formats::ssp {

/// Names that hold within one file: its units of measure and its enumerations.
class Definitions {
public:
    /// Reads the elements Units and Enumerations of the root of a file.
    Definitions(const XmlSource& source, pugi::xml_node root);

    /// A unit that the file does not define is looked up among those that are generally known.
    MeasureName measure(const XmlSource& source, pugi::xml_node node, const char* attribute) const;
    std::shared_ptr<const Items> items(const std::string& enumeration) const;

private:
    std::map<std::string, Measure> units_;
    std::map<std::string, std::shared_ptr<const Items>> enumerations_;
};

/// The transformation among the children of an element.
Transformation read_transformation(const XmlSource& source, pugi::xml_node node);

/// The values of a parameter set, from a file or from within a description.
std::vector<ParameterValue> read_parameter_set(const XmlSource& source, pugi::xml_node set);

/// The bindings of an element, in their order. `base` is the folder of the file that they stand in.
std::vector<std::vector<ParameterValue>> read_bindings(const XmlSource& source,
                                                       pugi::xml_node element, SystemFiles& files,
                                                       const std::filesystem::path& folder);

/// What annotations of an element say of solvers. Others are named: they have no effect.
std::vector<SolverHints> read_hints(const XmlSource& source, pugi::xml_node element);

/// Reads descriptions and all that they name. Keeps open what the structure refers to.
class Reader {
public:
    explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    Structure read(const std::filesystem::path& file, SystemFiles& files);

private:
    struct File; ///< what is being read

    std::unique_ptr<Element> read_root(const std::filesystem::path& file, SystemFiles& files,
                                       Structure* structure);
    std::unique_ptr<Element> read_system(File& file, pugi::xml_node node);
    void read_common(File& file, pugi::xml_node node, Element& element);
    void read_elements(File& file, pugi::xml_node node, Element& system);
    std::unique_ptr<Element> read_component(File& file, pugi::xml_node node);
    void read_fmu(File& file, pugi::xml_node node, const std::filesystem::path& source,
                  Element& component);
    std::unique_ptr<Element> read_inner(File& file, pugi::xml_node node,
                                        const std::filesystem::path& source,
                                        const std::string& fragment, bool is_package);
    std::unique_ptr<Element> read_again(File& file, pugi::xml_node node, const std::string& id);
    std::unique_ptr<Element> read_reference(File& file, pugi::xml_node node);
    void read_dictionaries(File& file, pugi::xml_node node, Element& system);
    bool is_too_deep(File& file, pugi::xml_node node);
    Connector read_connector(File& file, pugi::xml_node node);

    Diagnostics& diagnostics_;
    std::vector<std::unique_ptr<SystemFiles>> opened_;
    std::vector<std::string> chain_; ///< of descriptions within each other, by their labels
    int depth_ = 0;                  ///< of systems within each other
    int count_ = 0;                  ///< of elements
};

} // namespace rubato::scenario::formats::ssp
