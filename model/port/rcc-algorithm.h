/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_ALGORITHM_H
#define RCC_ALGORITHM_H

#include "ns3/rcc-compiler.h"

#include "ns3/object.h"
#include "ns3/rcc.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * One algorithm of the core with a set of parameters, as an ns-3 object.
 *
 * For every line of core/cc/algorithms.def there is a TypeId, "ns3::Rcc" and the
 * name in camel case (ns3::RccDcqcn, ns3::RccDcqcnPlus, ns3::RccQcn), whose
 * attributes are made from the algorithm's field table: CnpInterval (Time),
 * RAi (DataRate), Kmin (Uinteger, bytes), Pmax (Double), MarkAt (String).
 *
 * Many queue pairs, ports and NICs share one object. Parameters are fixed once
 * something uses it: setting one after the first profile was made aborts.
 */
class RccAlgorithm : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * Create an algorithm. The program ends with a message if there is no such algorithm or preset.
     * \param name as in --cc, e.g. "dcqcn-plus"
     * \param preset a preset's name, empty for the first; that of a variant makes the variant: "dcqcn" with "cx4" is
     *        "dcqcn-nic"
     * \return the algorithm, never null
     */
    static Ptr<RccAlgorithm> Create(const std::string& name, const std::string& preset = "");

    /**
     * Create an algorithm whose name may be a user's mistake.
     * \param name as in --cc, e.g. "dcqcn-plus"
     * \param preset a preset's name, empty for the first
     * \param[out] why what was found and what was expected, if the result is null
     * \return the algorithm, or null if there is no such algorithm or preset
     */
    static Ptr<RccAlgorithm> TryCreate(const std::string& name, const std::string& preset, std::string* why);

    /**
     * \param name of an algorithm, e.g. "dcqcn-plus"
     * \return the name of its TypeId, "ns3::RccDcqcnPlus"
     */
    static std::string TypeIdName(const std::string& name);

    /**
     * \param field name of a parameter, e.g. "cnp_interval"
     * \return the name of its attribute, "CnpInterval"
     */
    static std::string AttributeName(const std::string& field);

    /// \return the algorithm in the core's registry, which lives for ever
    const rcc_algorithm* GetCore() const
    {
        return m_core;
    }

    /**
     * Set a parameter from text.
     * \param field name of the parameter, e.g. "timer"
     * \param text a value with its unit: "55us", "40Mbps", "5KB", "1/256", "1%", or the name of a choice
     * \return empty, or what was found and what was expected; nothing is changed then
     */
    RCC_NODISCARD std::string SetParameter(const std::string& field, const std::string& text);

    /**
     * Set a parameter.
     * \param field name of the parameter
     * \param value in the field's unit (ns, bit/s, bytes, 1e-9, a count); of a choice its index
     * \return empty, or what was found and what was expected; nothing is changed then
     */
    RCC_NODISCARD std::string SetParameter(const std::string& field, int64_t value);

    /**
     * Set a parameter at one line rate only: thresholds by link rate.
     * \param lineRate bit/s
     * \param field name of the parameter
     * \param value as for SetParameter
     * \return empty, or what was found and what was expected; nothing is changed then
     */
    RCC_NODISCARD std::string SetParameterAt(uint64_t lineRate, const std::string& field, int64_t value);

    /**
     * \param field name of a parameter that exists; aborts otherwise
     * \return its value in the field's unit
     */
    int64_t GetParameter(const std::string& field) const;

    /**
     * \param lineRate bit/s
     * \param field name of a parameter that exists; aborts otherwise
     * \return its value at that line rate, in the field's unit
     */
    int64_t GetParameterAt(uint64_t lineRate, const std::string& field) const;

    /**
     * \param field a name
     * \return true if the algorithm has a parameter of that name
     */
    bool HasParameter(const std::string& field) const;

    /**
     * \param lineRate bit/s
     * \param[out] error gets what is wrong, if something is; may be null
     * \return empty, or why the parameters cannot be used at this line rate
     */
    RCC_NODISCARD std::string Check(uint64_t lineRate, rcc_error* error = nullptr) const;

    /// The properties of a path that a reaction point's profile depends on beside the line rate; 0 = not known.
    struct Path
    {
        uint64_t rate;   //!< rate of the receiver's port, bit/s
        int64_t baseRtt; //!< round-trip time without queues, ns
        uint32_t mtu;    //!< payload of a full packet, bytes

        /// \param other another one \return whether it comes before that one in some order
        bool operator<(const Path& other) const
        {
            return std::tie(rate, baseRtt, mtu) < std::tie(other.rate, other.baseRtt, other.mtu);
        }
    };

    /**
     * The profile of a role, made at the first call for a line rate, shared, and valid as long as this object.
     * Aborts if Check fails or the algorithm has no such role.
     * \param lineRate bit/s
     * \param path of the queue pair; algorithms that want nothing of the host have one profile for all
     * \return the reaction point's profile, for rcc_rp_start
     */
    const rcc_profile* GetRpProfile(uint64_t lineRate, const Path& path = {0, 0, 0})
    {
        return GetProfile(RCC_RP, lineRate, m_core->needs.wants ? path : Path{0, 0, 0});
    }

    /**
     * \param lineRate bit/s
     * \return the notification point's profile, for rcc_np_start; see GetRpProfile
     */
    const rcc_profile* GetNpProfile(uint64_t lineRate)
    {
        return GetProfile(RCC_NP, lineRate);
    }

    /**
     * \param lineRate bit/s
     * \return the congestion point's profile, for rcc_cp_start; see GetRpProfile
     */
    const rcc_profile* GetCpProfile(uint64_t lineRate)
    {
        return GetProfile(RCC_CP, lineRate, Path{0, m_baseRtt, 0});
    }

    /**
     * Give the congestion points that are configured from now on the base RTT of the network, which those of HPCC with
     * PINT average over; the parameter base_rtt goes before it.
     * \param ns base RTT; 0 = not known
     */
    void SetBaseRtt(int64_t ns)
    {
        m_baseRtt = ns;
    }

    /**
     * For the attribute accessors.
     * \param index of the parameter in the field table
     * \param value in the field's unit and range
     */
    void SetIndex(size_t index, int64_t value);

    /**
     * For the attribute accessors.
     * \param index of the parameter in the field table
     * \return its value in the field's unit
     */
    int64_t GetIndex(size_t index) const
    {
        return m_params[index];
    }

  protected:
    /// \param core an algorithm of the registry
    explicit RccAlgorithm(const rcc_algorithm* core);

    /// Add an attribute for every field. \param tid of a subclass \param core its algorithm \return tid
    static TypeId AddFields(TypeId tid, const rcc_algorithm* core);

  private:
    std::vector<int64_t> ParamsAt(uint64_t lineRate) const;
    std::string FindParameter(const std::string& field, size_t* index) const;
    std::string Assign(uint64_t lineRate, size_t index, int64_t value, const std::string& text);
    std::string DescribeValue(size_t index, const std::string& text, const std::string& expected) const;
    void AbortIfUsed(size_t index) const;
    std::string Describe(const rcc_error& error) const;
    const rcc_profile* GetProfile(rcc_role role, uint64_t lineRate, const Path& path = {0, 0, 0});

    const rcc_algorithm* m_core;
    std::vector<int64_t> m_params;
    std::map<uint64_t, std::map<size_t, int64_t>> m_paramsAt; //!< by line rate and index
    int64_t m_baseRtt{0};                                     //!< that congestion points take, ns
    std::map<std::tuple<rcc_role, uint64_t, Path>, std::vector<uint64_t>> m_profiles; //!< memory, by what it is for
};

} // namespace ns3

#endif /* RCC_ALGORITHM_H */
