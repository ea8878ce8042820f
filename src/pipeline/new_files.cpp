// SPDX-License-Identifier: Apache-2.0
#include "new_files.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <vector>

namespace rubato::pipeline {

namespace fs = std::filesystem;

NewFiles::NewFiles(Log& log) : log_(log) {
    std::error_code gone;
    folder_ = fs::current_path(gone);
    known_ = names();
}

NewFiles::~NewFiles() {
    std::vector<std::string> added;
    std::ranges::set_difference(names(), known_, std::back_inserter(added));
    if (added.empty()) return;
    log_.write(LogLevel::info, "",
               format("new in the working directory, written by FMUs or by others: {}",
                      fmt::join(added, ", ")));
}

void NewFiles::expect(const fs::path& file) {
    const fs::path relative = fs::absolute(file).lexically_relative(folder_);
    if (!relative.empty()) known_.insert(relative.begin()->string());
}

std::set<std::string> NewFiles::names() const {
    std::set<std::string> found;
    std::error_code unreadable;
    for (fs::directory_iterator entry(folder_, unreadable), end; !unreadable && entry != end;
         entry.increment(unreadable))
        found.insert(entry->path().filename().string());
    return found;
}

} // namespace rubato::pipeline
