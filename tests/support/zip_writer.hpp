// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::test {

/// Writes zip archives byte by byte, so that each field can lie. Entries are stored, not
/// compressed.
class ZipWriter {
public:
    struct Entry {
        std::string name;
        std::string bytes;
        std::uint32_t mode = 0100644;                           ///< of Unix
        std::uint16_t flags = 0;                                ///< 1: encrypted
        std::uint32_t declared_size = undeclared;               ///< what it claims to unpack to
        std::uint32_t checksum = undeclared;                    ///< what it claims
        static constexpr std::uint32_t undeclared = 0xffffffff; ///< the truth
    };

    ZipWriter& add(Entry entry) {
        entries_.push_back(std::move(entry));
        return *this;
    }
    ZipWriter& add(std::string name, std::string bytes) {
        return add(Entry{std::move(name), std::move(bytes)});
    }

    std::string bytes() const {
        std::string archive, directory;
        for (const Entry& entry : entries_) {
            const auto offset = archive.size();
            archive += "PK\3\4" + number(20, 2) + common_fields(entry) + number(0, 2) + entry.name;
            archive += entry.bytes;
            directory += "PK\1\2" + number(3 << 8 | 20, 2) + number(20, 2) + common_fields(entry);
            directory += number(0, 8) + number(std::uint64_t{entry.mode} << 16, 4);
            directory += number(offset, 4) + entry.name;
        }
        const auto count = number(entries_.size(), 2);
        const auto start = archive.size();
        return archive + directory + "PK\5\6" + number(0, 4) + count + count +
               number(directory.size(), 4) + number(start, 4) + number(0, 2);
    }

    void save(const std::filesystem::path& file) const {
        std::ofstream(file, std::ios::binary) << bytes();
    }

private:
    static std::string number(std::uint64_t value, unsigned size) {
        std::string text;
        for (unsigned i = 0; i < size; ++i, value >>= 8) text += static_cast<char>(value & 0xff);
        return text;
    }

    /// CRC-32 of ISO 3309, bit by bit.
    static std::uint32_t checksum_of(std::string_view bytes) {
        std::uint32_t crc = 0xffffffff;
        for (const char c : bytes) {
            crc ^= static_cast<unsigned char>(c);
            for (int bit = 0; bit < 8; ++bit)
                crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        }
        return ~crc;
    }

    /// From the flags to the length of the name, which local header and directory share.
    static std::string common_fields(const Entry& entry) {
        constexpr std::uint32_t the_truth = Entry::undeclared;
        const auto size = static_cast<std::uint32_t>(entry.bytes.size());
        return number(entry.flags, 2) + number(0, 2) + number(0x21 << 16, 4) +
               number(entry.checksum == the_truth ? checksum_of(entry.bytes) : entry.checksum, 4) +
               number(size, 4) +
               number(entry.declared_size == the_truth ? size : entry.declared_size, 4) +
               number(entry.name.size(), 2);
    }

    std::vector<Entry> entries_;
};

} // namespace rubato::test
