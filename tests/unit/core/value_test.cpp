// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/value.hpp>

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace rubato {
namespace {

TEST(ValueType, EveryTypeHasAStorage) {
    EXPECT_EQ(storage_of(ValueType::float32), Storage::real);
    EXPECT_EQ(storage_of(ValueType::float64), Storage::real);
    for (const ValueType type :
         {ValueType::int8, ValueType::uint8, ValueType::int16, ValueType::uint16, ValueType::int32,
          ValueType::uint32, ValueType::int64, ValueType::uint64, ValueType::enumeration}) {
        EXPECT_EQ(storage_of(type), Storage::integer) << to_string(type);
    }
    EXPECT_EQ(storage_of(ValueType::boolean), Storage::boolean);
    EXPECT_EQ(storage_of(ValueType::clock), Storage::boolean);
    EXPECT_EQ(storage_of(ValueType::string), Storage::string);
    EXPECT_EQ(storage_of(ValueType::binary), Storage::string);
}

TEST(ValueType, EveryTypeHasItsOwnName) {
    std::set<std::string_view> names;
    for (int type = 0; type <= static_cast<int>(ValueType::clock); ++type)
        names.insert(to_string(static_cast<ValueType>(type)));
    EXPECT_EQ(names.size(), 15u);
    EXPECT_EQ(to_string(ValueType::clock), "clock");
    EXPECT_EQ(to_string(ValueType::enumeration), "enumeration");
}

TEST(Value, AlternativesStandInTheOrderOfStorage) {
    EXPECT_EQ(Value(1.5).index(), static_cast<std::size_t>(Storage::real));
    EXPECT_EQ(Value(std::int64_t{1}).index(), static_cast<std::size_t>(Storage::integer));
    EXPECT_EQ(Value(true).index(), static_cast<std::size_t>(Storage::boolean));
    EXPECT_EQ(Value(std::string("x")).index(), static_cast<std::size_t>(Storage::string));
}

TEST(Value, IsWrittenPlainly) {
    EXPECT_EQ(to_string(Value(0.1)), "0.1");
    EXPECT_EQ(to_string(Value(std::int64_t{-3})), "-3");
    EXPECT_EQ(to_string(Value(false)), "false");
    EXPECT_EQ(to_string(Value(std::string("a b"))), "a b");
}

TEST(Storage, HasNames) {
    EXPECT_EQ(to_string(Storage::real), "real");
    EXPECT_EQ(to_string(Storage::string), "string");
}

TEST(Bulk, ShowsItsDataAsItsType) {
    std::array<double, 2> values = {1, 2};
    const std::array<ValueRef, 2> references = {7, 8};
    const Bulk bulk{ValueType::float64, references, values.data(), values.size()};
    bulk.reals()[1] = 5;
    EXPECT_EQ(values[1], 5);
    EXPECT_EQ(bulk.reals().size(), 2u);
}

} // namespace
} // namespace rubato
