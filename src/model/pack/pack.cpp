// SPDX-License-Identifier: Apache-2.0
// rubato_pack <fmi1|fmi1_me|fmi2|fmi3> <library> <platform> <fmu>: makes an FMU of a model's shared
// library. Packing the same library twice gives the same bytes.
#include <dlfcn.h>
#include <zip.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

struct CloseLibrary {
    void operator()(void* library) const { dlclose(library); }
};
struct DiscardArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Library = std::unique_ptr<void, CloseLibrary>;
using Archive = std::unique_ptr<zip_t, DiscardArchive>;

std::string description_of(const std::string& path, const char* form) {
    const Library library(dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library == nullptr) throw std::runtime_error(dlerror());
    using Describe = const char*(const char*);
    auto* const describe =
        reinterpret_cast<Describe*>(dlsym(library.get(), "rubato_model_description"));
    if (describe == nullptr)
        throw std::runtime_error(path +
                                 " is no model: it does not export rubato_model_description");
    std::string description = describe(form);
    if (!description.starts_with('<')) throw std::runtime_error(description);
    return description;
}

Archive create(const std::string& path) {
    int code = 0;
    zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive != nullptr) return Archive(archive);
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw std::runtime_error("cannot write " + path + ": " + reason);
}

/// Adds an entry, with a date of its own: that of the library would make every build differ.
void add(const Archive& archive, const std::string& name, zip_source_t* source) {
    const zip_int64_t index =
        source == nullptr ? -1
                          : zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        throw std::runtime_error("cannot pack " + name + ": " + zip_strerror(archive.get()));
    }
    constexpr zip_uint16_t first_of_january_1980 = (1u << 5) | 1u;
    const auto entry = static_cast<zip_uint64_t>(index);
    zip_file_set_dostime(archive.get(), entry, 0, first_of_january_1980, 0);
    zip_file_set_external_attributes(archive.get(), entry, 0, ZIP_OPSYS_UNIX, 0100755u << 16);
}

void pack(const char* form, const std::string& library, const std::string& platform,
          const std::string& fmu) {
    const std::string description = description_of(library, form);
    Archive archive = create(fmu);
    add(archive, "modelDescription.xml",
        zip_source_buffer(archive.get(), description.data(), description.size(), 0));
    add(archive, "binaries/" + platform + "/" + std::filesystem::path(library).filename().string(),
        zip_source_file(archive.get(), library.c_str(), 0, -1));
    if (zip_close(archive.get()) != 0)
        throw std::runtime_error("cannot write " + fmu + ": " + zip_strerror(archive.get()));
    static_cast<void>(archive.release()); // zip_close has freed it
}

} // namespace

int main(int count, char** arguments) {
    if (count != 5) {
        std::fprintf(stderr,
                     "usage: rubato_pack <fmi1|fmi1_me|fmi2|fmi3> <library> <platform> <fmu>\n");
        return EXIT_FAILURE;
    }
    try {
        pack(arguments[1], arguments[2], arguments[3], arguments[4]);
        return EXIT_SUCCESS;
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "rubato_pack: %s\n", fault.what());
        return EXIT_FAILURE;
    }
}
