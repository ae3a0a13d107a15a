/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_RANK_GATEWAY_H
#define LAB_RANK_GATEWAY_H

#include "ns3/qbb-channel.h"
#include "ns3/rcc-gateway.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <mpi.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// \return processor time of this process, ns
uint64_t LabProcessorTime();

/**
 * Frames and each side's next time go in one message per pair of ranks and window: through memory that both have, where
 * they are on one machine, else through MPI. A window begins at the earliest event of all ranks and is as long as the
 * least delay of all links between ranks: nothing that happens in it reaches another rank before its end.
 */
class LabRankGateway : public RccGateway
{
  public:
    /// MPI is initialized.
    LabRankGateway();

    /// Give back what MPI has given; called by all ranks, before MPI_Finalize.
    void Close();

    void AddLink(QbbNetDevice& local, QbbNetDevice& remote, int64_t delay) override;
    void SendFrame(QbbNetDevice& to, const RccFrame& frame) override;
    void SendNotice(uint32_t rank, const Notice& notice) override;

    void Sum(uint64_t* values, size_t n) override;
    void Sum(double* values, size_t n) override;
    uint64_t GetLeast(uint64_t value) override;
    std::vector<std::vector<uint8_t>> Collect(const std::vector<uint8_t>& mine) override;

    uint32_t GetFramesAway() const override;

    std::vector<uint32_t> GetDead() const override
    {
        return m_dead;
    }

    /**
     * End this process without the dead ranks, once the first rank has written the results: MPI cannot be finalized any
     * more. Does not return. Only if there are dead ranks.
     */
    void Leave() const;

    /**
     * Exchange what the window that ends has left for others.
     * \param next time of this rank's next event, ns; INT64_MAX: none
     * \param now ns
     * \return time of the earliest event of all ranks; INT64_MAX also if a rank has died
     */
    uint64_t Exchange(uint64_t next, int64_t now);

    /// \return the least delay of all links between ranks, ns; called by all of them
    uint64_t FindLookAhead()
    {
        return GetLeast(static_cast<uint64_t>(m_lookAhead));
    }

    /// \return processor time of all exchanges without that of waiting, ns; 0 without the variable RCC_RANK_TIMES
    uint64_t GetExchangeTime() const
    {
        return m_exchangeTime;
    }

  private:
    /// A link to another rank.
    struct Link
    {
        QbbChannel* channel;
        uint32_t end;      //!< end of this rank
        uint32_t rank;     //!< rank of the other end
        uint32_t sent;     //!< frames, modulo 2^32
        uint32_t received; //!< frames, modulo 2^32
    };

    /// Begin of a message.
    struct Header
    {
        uint64_t earliest; //!< event of the sender, or of what it sends to anybody
        uint64_t bytes;    //!< bytes of the records that follow
    };

    static const size_t FIRST = 1 << 15; //!< bytes of the first message of a pair; the rest follows in a second one

    /// The first message to a rank of the same machine.
    struct alignas(64) Slot
    {
        std::atomic<uint64_t> window; //!< window of the message, from 1 on; written last
        uint8_t message[FIRST];
    };

    /// Messages to another rank and from it.
    struct Peer
    {
        std::vector<uint8_t> out, in; //!< a header and records
        Slot* sent{nullptr};          //!< two, in turn: who gets a message has read the one before it; null: not shared
        Slot* got{nullptr};           //!< two
        const uint8_t* message{nullptr}; //!< the message that came

        /// \return the header of what came
        Header Head() const
        {
            Header header;
            std::memcpy(&header, message, sizeof header);
            return header;
        }
    };

    /// Hand a record to the link or the part that it is for. \param record its begin \param now ns \return its length
    size_t Accept(const uint8_t* record, int64_t now);

    void ShareMemory();
    void Post(uint32_t rank);
    bool HasAll();

    bool ExchangeRest();
    bool Wait();
    bool FindDead();
    bool IsDead(uint32_t rank) const;
    void Tell(const char* notice) const;
    std::vector<std::vector<uint8_t>> Gather(const std::vector<uint8_t>& mine);
    template <class T, class Add> void Reduce(T* values, size_t n, Add add);

    MPI_Comm m_communicator;        //!< all ranks
    int64_t m_lookAhead{INT64_MAX}; //!< least delay of the links of this rank to others, ns
    std::vector<Link> m_links;
    std::unordered_map<const QbbNetDevice*, size_t> m_linkOf; //!< by the device of the other rank
    std::unordered_map<uint32_t, size_t> m_linkOfChannel;     //!< by the channel's id

    std::vector<Peer> m_peers;      //!< by rank
    std::vector<uint32_t> m_others; //!< ranks
    std::vector<MPI_Request> m_requests;
    MPI_Win m_shared{MPI_WIN_NULL};       //!< the memory that ranks of this machine have in common
    uint64_t m_window{0};                 //!< windows until now
    std::chrono::microseconds m_patience; //!< how long a rank waits
    std::string m_folder;                 //!< where shells say that their ranks have died; empty: nowhere
    std::vector<uint32_t> m_dead;         //!< ranks
    uint64_t m_earliest{INT64_MAX};       //!< earliest record in the peers' out, ns
    bool m_timed;
    uint64_t m_exchangeTime{0};
};

} // namespace ns3

#endif /* LAB_RANK_GATEWAY_H */
