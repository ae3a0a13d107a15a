/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Frames, lines and slabs: a pool of any size gives each frame once, and objects begin with a line of the cache. */
#include "rcc-test.h"

#include "ns3/rcc-frame.h"
#include "ns3/rcc-lines.h"
#include "ns3/rcc-slabs.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

/// Write over `bytes` bytes; what is written says the `value`.
void
Fill(void* memory, size_t bytes, size_t value)
{
    std::memset(memory, static_cast<int>(value % 251), bytes);
}

/// \return whether one of the bytes is no longer what Fill wrote
bool
HasChanged(const void* memory, size_t bytes, size_t value)
{
    const auto first = static_cast<const unsigned char*>(memory);
    return std::count(first, first + bytes, value % 251) != static_cast<ptrdiff_t>(bytes);
}

bool
BeginsLine(const void* object)
{
    return reinterpret_cast<uintptr_t>(object) % RCC_LINE == 0;
}

const size_t MANY = 60000; // frames, of dozens of slabs

void
FramesOfAnyNumber()
{
    Ptr<RccFramePool> pool = RccFramePool::Current();
    const RccFrame zero = {};
    for (int round = 0; round < 2; round++)
    {
        std::vector<RccFrame*> frames;
        bool clear = true;
        bool aligned = true;
        for (size_t i = 0; i < MANY; i++)
        {
            frames.push_back(pool->Get());
            clear = clear && std::memcmp(frames.back(), &zero, sizeof zero) == 0;
            aligned = aligned && reinterpret_cast<uintptr_t>(frames.back()) % alignof(RccFrame) == 0;
            std::memset(static_cast<void*>(frames.back()), 0xa5, sizeof zero);
        }
        RCC_CHECK(clear, "every frame is zeroed");
        RCC_CHECK(aligned, "and begins a cache line");
        RCC_CHECK_EQ(pool->InUse(), MANY, "in use");
        std::sort(frames.begin(), frames.end());
        bool apart = true;
        for (size_t i = 1; i < MANY; i++)
        {
            apart = apart && frames[i] - frames[i - 1] >= 1;
        }
        RCC_CHECK(apart, "no two of them share memory");
        for (RccFrame* f : frames)
        {
            f->telemetry = f->sacked = false; // with one of them set, the pool would take the path back
            pool->PutPlain(f);
        }
        RCC_CHECK_EQ(pool->InUse(), 0, "all are back");
    }
}

struct alignas(RCC_LINE) OnLines : RccOnLines
{
    char bytes[3 * RCC_LINE];
};

/// Each of many objects begins a line, none reaches into the next one, and all are given back.
void
ObjectsOnLines()
{
    std::vector<std::unique_ptr<OnLines>> objects;
    size_t wrong = 0;
    for (size_t i = 0; i < 1000; i++)
    {
        objects.emplace_back(new OnLines);
        Fill(objects.back()->bytes, sizeof(OnLines), i);
        wrong += !BeginsLine(objects.back().get());
        objects.emplace_back(nullptr); // delete of null does nothing
    }
    RCC_CHECK_EQ(wrong, 0, "objects that do not begin with a line");
    for (size_t i = 0; i < 1000; i++)
    {
        wrong += HasChanged(objects[2 * i]->bytes, sizeof(OnLines), i);
    }
    RCC_CHECK_EQ(wrong, 0, "objects that have changed");
    std::vector<OnLines, RccLineAllocator<OnLines>> row;
    std::deque<OnLines, RccLineAllocator<OnLines>> queue;
    for (size_t i = 0; i < 100; i++) // which moves them now and then
    {
        row.emplace_back();
        queue.emplace_back();
        wrong += !BeginsLine(row.data());
        wrong += !BeginsLine(&queue.back());
    }
    RCC_CHECK_EQ(wrong, 0, "elements of containers that do not begin with a line");
}

struct alignas(RCC_LINE) InSlabs : RccInSlabs<InSlabs>
{
    virtual ~InSlabs() = default;
    char bytes[RCC_LINE];
};

struct Derived : InSlabs
{
    char more[100 * RCC_LINE];
};

/// A class that is derived from one in slabs is larger than their spaces, and has one of its own.
void
DerivedFromOneInSlabs()
{
    std::vector<std::unique_ptr<InSlabs>> objects;
    size_t wrong = 0;
    for (size_t i = 0; i < 100; i++)
    {
        auto derived = new Derived;
        objects.emplace_back(derived);
        Fill(derived->more, sizeof derived->more, 0xa5);
        wrong += !BeginsLine(derived);
        objects.emplace_back(new InSlabs);
        Fill(objects.back()->bytes, RCC_LINE, i);
        wrong += !BeginsLine(objects.back().get());
        objects.emplace_back(nullptr); // delete of null does nothing
    }
    RCC_CHECK_EQ(wrong, 0, "objects that do not begin with a line");
    for (size_t i = 0; i < 100; i++)
    {
        wrong += HasChanged(objects[3 * i + 1]->bytes, RCC_LINE, i);
    }
    RCC_CHECK_EQ(wrong, 0, "objects that have changed");
}

/// Objects in slabs begin with a line, do not overlap, and space that was given back is used again.
void
ObjectsInSlabs()
{
    const size_t size = 3 * RCC_LINE;
    RccSlabs slabs(size);
    slabs.Put(nullptr); // has no effect
    void* const first = slabs.Get();
    slabs.Put(first);
    RCC_CHECK_EQ(slabs.Get() == first, true, "one object at a time has one place");
    slabs.Put(first);
    for (int round = 0; round < 2; round++) // the second after all memory went back
    {
        std::vector<unsigned char*> spaces;
        size_t wrong = 0;
        for (size_t i = 0; i < 1000; i++)
        {
            spaces.push_back(static_cast<unsigned char*>(slabs.Get()));
            Fill(spaces[i], size, i);
            wrong += !BeginsLine(spaces[i]);
        }
        RCC_CHECK_EQ(wrong, 0, "objects that do not begin with a line");
        for (size_t i = 0; i < 1000; i += 2)
        {
            slabs.Put(spaces[i]);
        }
        RCC_CHECK_EQ(slabs.InUse(), 500, "half is left");
        for (size_t i = 0; i < 1000; i += 2)
        {
            auto space = static_cast<unsigned char*>(slabs.Get());
            wrong += std::count(spaces.begin(), spaces.end(), space) != 1;
            std::memset(space, 255, size);
        }
        RCC_CHECK_EQ(wrong, 0, "spaces that are not among those given back");
        for (size_t i = 1; i < 1000; i += 2)
        {
            wrong += HasChanged(spaces[i], size, i);
        }
        RCC_CHECK_EQ(wrong, 0, "objects that have changed");
        for (unsigned char* space : spaces)
        {
            slabs.Put(space);
        }
        RCC_CHECK_EQ(slabs.InUse(), 0, "all are back");
    }
}

RccTestSuite g_memorySuite("rcc-memory", {{"frames-of-any-number", FramesOfAnyNumber},
                                          {"objects-on-lines", ObjectsOnLines},
                                          {"objects-in-slabs", ObjectsInSlabs},
                                          {"derived-from-one-in-slabs", DerivedFromOneInSlabs}});

} // namespace
