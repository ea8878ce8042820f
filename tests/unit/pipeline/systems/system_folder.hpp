// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/run_scenario.hpp"

#include <rubato/files/archive.hpp>
#include <rubato/files/archive_writer.hpp>
#include <rubato/files/temporary_folder.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace rubato::test {

/// A folder with the files of a system of another tool.
class SystemFolder : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = folder_.path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }
    void copy_fmu(const std::string& fmu, const std::string& name) const {
        std::filesystem::create_directories((folder_.path() / name).parent_path());
        std::filesystem::copy_file(std::string(FMUS "/") + fmu, folder_.path() / name);
    }
    /// The same FMU with a text in its description replaced, wherever it stands.
    void copy_changed_fmu(const std::string& fmu, const std::string& name, const std::string& from,
                          const std::string& to) const {
        const files::TemporaryFolder unpacked;
        files::Archive(FMUS "/" + fmu, {.name = "FMU", .marker = "modelDescription.xml"}, {})
            .unpack(unpacked.path());
        const auto description = unpacked.path() / "modelDescription.xml";
        std::ifstream stream(description);
        std::string text{std::istreambuf_iterator<char>(stream), {}};
        ASSERT_NE(text.find(from), std::string::npos) << text;
        for (auto at = text.find(from); at != std::string::npos;
             at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
        std::ofstream(description, std::ios::binary) << text;
        std::filesystem::remove(folder_.path() / name);
        files::ArchiveWriter archive(folder_.path() / name);
        for (const auto& entry : std::filesystem::recursive_directory_iterator(unpacked.path()))
            if (entry.is_regular_file())
                archive.add_file(entry.path().lexically_relative(unpacked.path()).string(),
                                 entry.path());
        archive.finish();
    }
    /// All files of the folder in an archive outside of it.
    std::filesystem::path pack(const std::string& name) const {
        const std::filesystem::path file = archives_.path() / name;
        files::ArchiveWriter archive(file);
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
            if (entry.is_regular_file())
                archive.add_file(entry.path().lexically_relative(folder_.path()).string(),
                                 entry.path());
        archive.finish();
        return file;
    }
    const std::filesystem::path& folder() const { return folder_.path(); }

    /// What is said of a system, without notes; the folder's path removed.
    static std::string said(const std::filesystem::path& file, const std::string& variant = {}) {
        Diagnostics diagnostics;
        (void)pipeline::read(file, diagnostics, {.variant = variant});
        std::string text;
        for (const Diagnostic& each : diagnostics.all())
            if (each.severity != Severity::note) text += to_string(each) + "\n";
        const std::string path = file.parent_path().string() + "/";
        for (auto at = text.find(path); at != std::string::npos; at = text.find(path))
            text.erase(at, path.size());
        return text;
    }
    static scenario::Scenario read(const std::filesystem::path& file,
                                   const std::string& variant = {}) {
        Diagnostics diagnostics;
        scenario::Scenario scenario = pipeline::read(file, diagnostics, {.variant = variant});
        diagnostics.throw_if_errors();
        return scenario;
    }

private:
    files::TemporaryFolder folder_, archives_;
};

/// A description of an SSP package around what stands in its system.
inline std::string ssd(const std::string& system, const std::string& more = {}) {
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
    xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping"
    name="system" version="1.0">
<ssd:System name="root">)" +
           system + "</ssd:System>" + more +
           R"(<ssd:DefaultExperiment startTime="0" stopTime="2"/></ssd:SystemStructureDescription>)";
}

inline std::string connector(const std::string& name, const std::string& kind,
                             const std::string& type = "<ssc:Real/>") {
    return R"(<ssd:Connector name=")" + name + R"(" kind=")" + kind + R"(">)" + type +
           "</ssd:Connector>";
}

inline std::string connection(const std::string& from, const std::string& to,
                              const std::string& inside = {}, const std::string& more = {}) {
    const auto end = [](const std::string& which, const std::string& name) {
        const auto dot = name.find('.');
        const std::string element = dot == std::string::npos
                                        ? std::string()
                                        : which + R"(Element=")" + name.substr(0, dot) + R"(" )";
        return element + which + R"(Connector=")" +
               (dot == std::string::npos ? name : name.substr(dot + 1)) + R"(" )";
    };
    return "<ssd:Connection " + end("start", from) + end("end", to) + more + ">" + inside +
           "</ssd:Connection>\n";
}

inline std::string parameter_set(const std::string& parameters, const std::string& units = {}) {
    return R"(<ssv:ParameterSet xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="p">
<ssv:Parameters>)" +
           parameters + "</ssv:Parameters>" + units + "</ssv:ParameterSet>";
}

inline std::string parameter(const std::string& name, const std::string& value,
                             const std::string& type = "Real", const std::string& more = {}) {
    return R"(<ssv:Parameter name=")" + name + R"("><ssv:)" + type + R"( value=")" + value +
           R"(" )" + more + "/></ssv:Parameter>\n";
}

inline std::string binding(const std::string& set, const std::string& mapping = {},
                           const std::string& attributes = {}) {
    return "<ssd:ParameterBinding " + attributes + "><ssd:ParameterValues>" + set +
           "</ssd:ParameterValues>" + mapping + "</ssd:ParameterBinding>";
}

inline std::string bindings(const std::string& all) {
    return "<ssd:ParameterBindings>" + all + "</ssd:ParameterBindings>";
}

inline std::string component(const std::string& name, const std::string& source,
                             const std::string& connectors, const std::string& more = {}) {
    return R"(<ssd:Component name=")" + name + R"(" source=")" + source + R"("><ssd:Connectors>)" +
           connectors + "</ssd:Connectors>" + more + "</ssd:Component>\n";
}

inline std::string elements(const std::string& all) {
    return "<ssd:Elements>" + all + "</ssd:Elements>";
}
inline std::string connections(const std::string& all) {
    return "<ssd:Connections>" + all + "</ssd:Connections>";
}

inline std::string msd1(const std::string& more = {}) {
    return component(
        "msd1", "resources/msd1.fmu",
        connector("x1", "output") + connector("v1", "output") + connector("Fc", "input"), more);
}
inline std::string msd2(const std::string& more = {}) {
    return component("msd2", "resources/msd2.fmu",
                     connector("x1", "input") + connector("v1", "input") +
                         connector("Fc", "output") + connector("x2", "output"),
                     more);
}

} // namespace rubato::test
