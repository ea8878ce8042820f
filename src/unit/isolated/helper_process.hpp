// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace rubato::unit {

/// The program that holds an isolated unit: what the environment variable RUBATO_UNIT_HELPER names,
/// else `rubato-unit` next to this program, in ../libexec/rubato from there, or where Rubato was
/// configured to be installed. Throws Error when there is none.
std::filesystem::path find_helper();

/// A descriptor, closed with the object.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { close(); }
    void close();
    int number() const { return number_; }

private:
    int number_;
};

/// A helper process of this program. It has descriptors for its memories (channel.hpp), no
/// input, and for output what this program has for errors, so that nothing an FMU prints gets into
/// results. It ends when this program ends, by whatever means.
class HelperProcess {
public:
    /// `memories`: descriptors, in the order of RemoteDescriptor. `name` is for lists of processes;
    /// temporary files go to `folder`, and its working directory is within it. Throws Error.
    HelperProcess(const std::string& name, std::span<const int> memories,
                  const std::filesystem::path& folder);
    /// Kills it if it has not ended.
    ~HelperProcess();
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    /// How it has ended: "ended by SIGSEGV (segmentation fault)", "exited with code 3"; nullopt: it
    /// has not.
    const std::optional<std::string>& find_end();
    /// The same without looking: what was found last.
    const std::optional<std::string>& known_end() const { return end_; }
    /// Whether it has ended, and as it should.
    bool has_ended_well() const { return ended_well_; }
    void kill();
    /// Waits for it to end by itself; kills it when that takes longer.
    void end(std::chrono::milliseconds patience);

private:
    bool has_ended(bool wait);

    pid_t process_ = -1;
    Descriptor lifeline_; ///< its end shows the helper that this program has ended
    std::optional<std::string> end_;
    bool ended_well_ = false;
};

} // namespace rubato::unit
