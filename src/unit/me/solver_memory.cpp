// SPDX-License-Identifier: Apache-2.0
#include "solver_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace rubato::unit {

namespace {
thread_local SolverMemory* filling = nullptr;
}

SolverMemory::~SolverMemory() {
    for (const Block& block : blocks_) std::free(block.start);
}

SolverMemory::Filling::Filling(SolverMemory& memory) : before_(std::exchange(filling, &memory)) {}

SolverMemory::Filling::~Filling() { filling = before_; }

void SolverMemory::save(std::byte* to) const {
    for (const Block& block : blocks_) {
        std::memcpy(to, block.start, block.size);
        to += block.size;
    }
}

void SolverMemory::restore(const std::byte* from) {
    for (const Block& block : blocks_) {
        std::memcpy(block.start, from, block.size);
        from += block.size;
    }
}

void* SolverMemory::add(void* block, std::size_t size) {
    if (block == nullptr) return nullptr;
    blocks_.push_back({block, size});
    size_ += size;
    return block;
}

void SolverMemory::remove(void* block) {
    const auto found = std::ranges::find(blocks_, block, &Block::start);
    if (found == blocks_.end()) return;
    size_ -= found->size;
    blocks_.erase(found);
}

} // namespace rubato::unit

// What CVODE calls instead of the C library (cmake/Sundials.cmake).
extern "C" {
void* rubato_solver_malloc(std::size_t size);
void* rubato_solver_calloc(std::size_t count, std::size_t size);
void* rubato_solver_realloc(void* block, std::size_t size);
void rubato_solver_free(void* block);
}

using rubato::unit::filling;

void* rubato_solver_malloc(std::size_t size) {
    void* const block = std::malloc(size);
    return filling == nullptr ? block : filling->add(block, size);
}

void* rubato_solver_calloc(std::size_t count, std::size_t size) {
    void* const block = std::calloc(count, size);
    return filling == nullptr ? block : filling->add(block, count * size);
}

void* rubato_solver_realloc(void* block, std::size_t size) {
    if (filling != nullptr) filling->remove(block);
    void* const moved = std::realloc(block, size);
    return filling == nullptr ? moved : filling->add(moved, size);
}

void rubato_solver_free(void* block) {
    if (filling != nullptr) filling->remove(block);
    std::free(block);
}
