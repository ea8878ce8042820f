// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace rubato::cli::testing {

struct Outcome {
    int code = 0;
    std::string out; ///< standard output
    std::string err; ///< standard error
};

/// Runs the built program in a folder of its own.
class Program : public ::testing::Test {
protected:
    Program() {
        std::string name = (std::filesystem::temp_directory_path() / "rubato-cli-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
        folder_ = name;
    }
    ~Program() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    Outcome rubato(const std::vector<std::string>& arguments) { return finish(start(arguments)); }

    /// The process id of a program under way.
    pid_t start(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), RUBATO_PROGRAM);
        std::vector<char*> argv;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        const std::string out = path("stdout.log").string();
        const std::string err = path("stderr.log").string();
        const pid_t child = ::fork();
        if (child != 0) return child;
        const bool ready = ::chdir(folder_.c_str()) == 0 &&
                           std::freopen(out.c_str(), "w", stdout) != nullptr &&
                           std::freopen(err.c_str(), "w", stderr) != nullptr;
        if (ready) ::execv(RUBATO_PROGRAM, argv.data());
        ::_exit(127);
    }

    Outcome finish(pid_t child) {
        int status = 0;
        ::waitpid(child, &status, 0);
        Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                        read("stdout.log"), read("stderr.log")};
        std::filesystem::remove(path("stdout.log"));
        std::filesystem::remove(path("stderr.log"));
        return outcome;
    }

    std::filesystem::path path(std::string_view name) const { return folder_ / name; }

    std::string read(std::string_view name) const {
        std::ifstream stream(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    void write(std::string_view name, std::string_view content) const {
        std::ofstream(path(name), std::ios::binary) << content;
    }

    /// What the program left behind.
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
            if (entry.is_regular_file())
                names.push_back(std::filesystem::relative(entry.path(), folder_).string());
        return names;
    }

private:
    std::filesystem::path folder_;
};

} // namespace rubato::cli::testing
