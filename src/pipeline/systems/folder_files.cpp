// SPDX-License-Identifier: Apache-2.0
#include "systems/folder_files.hpp"

#include <rubato/core/log.hpp>
#include <rubato/files/archive.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/ssp.hpp>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <utility>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{256} << 20;

/// Whether a path leads out of the folder that it is relative to.
bool leads_out(const fs::path& relative) {
    return relative.is_absolute() || (!relative.empty() && *relative.begin() == "..");
}

} // namespace

SystemStore::SystemStore() : library_(silent_log()) { add_native_models(library_); }

namespace {

struct Folders {
    std::mutex mutex;
    std::vector<std::unique_ptr<files::TemporaryFolder>> all;
};
Folders& folders() {
    static Folders instance;
    return instance;
}

} // namespace

fs::path SystemStore::make_folder() {
    const std::lock_guard lock(folders().mutex);
    folders().all.push_back(std::make_unique<files::TemporaryFolder>());
    return folders().all.back()->path();
}

bool SystemStore::holds(const fs::path& file) {
    const std::lock_guard lock(folders().mutex);
    return std::ranges::any_of(folders().all, [&](const auto& each) {
        return !leads_out(file.lexically_relative(each->path().lexically_normal()));
    });
}

fs::path SystemStore::unpack(const fs::path& archive, std::string_view marker) {
    const files::ArchiveKind kind{.name = "package", .marker = marker};
    const files::Archive opened(archive, kind, {});
    if (opened.is_folder()) return archive;
    const fs::path folder = make_folder();
    opened.unpack(folder);
    return folder;
}

FolderFiles::FolderFiles(SystemStore& store, fs::path root, fs::path folder, std::string label,
                         Access access)
    : store_(store), root_(std::move(root)), folder_(std::move(folder)), label_(std::move(label)),
      access_(access) {}

fs::path FolderFiles::locate(const fs::path& file) const {
    const fs::path path = (folder_ / file).lexically_normal();
    if (access_ == Access::within_root &&
        (file.is_absolute() || leads_out(path.lexically_relative(root_.lexically_normal()))))
        throw InputError("leads out of the package, where it must not look",
                         "store the file in the package");
    return path;
}

std::string FolderFiles::label(const fs::path& file) const {
    if (file.is_absolute()) return file.string();
    const fs::path within = folder_.lexically_relative(root_);
    return (fs::path(label_) / within / file).lexically_normal().string();
}

bool FolderFiles::exists(const fs::path& file) const {
    std::error_code ignored;
    try {
        return fs::exists(locate(file), ignored);
    } catch (const InputError&) {
        return false;
    }
}

std::string FolderFiles::read(const fs::path& file) const {
    const fs::path path = locate(file);
    std::error_code trouble;
    if (!fs::is_regular_file(path, trouble))
        throw InputError(fs::exists(path, trouble) ? "is no file" : "there is no such file");
    if (fs::file_size(path, trouble) > largest_file)
        throw InputError(format("is larger than {} MB", largest_file >> 20));
    std::ifstream stream(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad()) throw InputError("cannot be read", "check its permissions");
    return text;
}

fs::path FolderFiles::path_of(const fs::path& file) const {
    const fs::path path = locate(file);
    if (access_ == Access::within_root || file.is_absolute()) return fs::absolute(path);
    return path.lexically_relative(root_.lexically_normal());
}

fs::path FolderFiles::keep(const std::string& name, const std::string& text) {
    const fs::path file = store_.make_folder() / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

const scenario::UnitDescription* FolderFiles::describe(const scenario::Unit& unit) {
    try {
        return &store_.library().describe(unit, root_);
    } catch (const InputError&) {
        return nullptr; // who assembles the scenario says why
    }
}

std::unique_ptr<scenario::SystemFiles> FolderFiles::open(const fs::path& file) {
    const fs::path path = locate(file);
    std::error_code trouble;
    if (!fs::exists(path, trouble)) throw InputError("there is no such file");
    const bool is_description = fs::is_regular_file(path, trouble) && path.extension() == ".ssd";
    if (is_description)
        return std::make_unique<FolderFiles>(store_, root_, path.parent_path(), label_, access_);
    const fs::path folder = store_.unpack(path, scenario::default_ssd);
    return std::make_unique<FolderFiles>(store_, folder, folder, label(file), Access::within_root);
}

} // namespace rubato::pipeline
