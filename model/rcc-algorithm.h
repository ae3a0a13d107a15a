/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_ALGORITHM_H
#define RCC_ALGORITHM_H

#include "ns3/object.h"
#include "ns3/rcc.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * One algorithm of the core with a set of parameters, as an ns-3 object.
 *
 * For every line of core/algorithms.def there is a TypeId, "ns3::Rcc" and the
 * name in camel case (ns3::RccDcqcn, ns3::RccDcqcnPlus, ns3::RccQcn), whose
 * attributes are made from the algorithm's field table: CnpInterval (Time),
 * RAi (DataRate), Kmin (Uinteger, bytes), Pmax (Double), MarkAt (String).
 *
 * Many queue pairs, ports and NICs share one object. Parameters are fixed once
 * something uses it.
 */
class RccAlgorithm : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param name as in --cc, e.g. "dcqcn-plus"
     * \param preset a preset's name, empty for the first
     * \return null if there is no such algorithm or preset
     */
    static Ptr<RccAlgorithm> Create(const std::string& name, const std::string& preset = "");

    /// \return "ns3::RccDcqcnPlus" for "dcqcn-plus"
    static std::string TypeIdName(const std::string& name);
    /// \return "CnpInterval" for "cnp_interval"
    static std::string AttributeName(const std::string& field);

    const rcc_algorithm* GetCore() const
    {
        return m_core;
    }

    /**
     * Set a parameter from text: "55us", "40Mbps", "5KB", "1/256", "1%", a choice.
     * \return empty, or what was found and what was expected
     */
    std::string SetParameter(const std::string& field, const std::string& text);
    /// The same at one line rate only (bit/s): thresholds by link rate.
    std::string SetParameterAt(uint64_t lineRate, const std::string& field, const std::string& text);
    /// \return a parameter in its field's unit
    int64_t GetParameter(const std::string& field) const;
    /// \return it at a line rate (bit/s)
    int64_t GetParameterAt(uint64_t lineRate, const std::string& field) const;
    /// \return a parameter as text with its unit, e.g. "55 us"
    std::string FormatParameter(size_t index) const;
    bool HasParameter(const std::string& field) const;

    /// \return empty, or why the parameters contradict each other at a line rate (bit/s)
    std::string Check(uint64_t lineRate) const;

    /// Profiles are shared and live as long as this object. Abort if Check fails.
    const void* GetRpProfile(uint64_t lineRate);
    const void* GetNpProfile(uint64_t lineRate);
    const void* GetCpProfile(uint64_t lineRate);

    /// For the attribute accessors.
    void SetIndex(size_t index, int64_t value);

    int64_t GetIndex(size_t index) const
    {
        return m_params[index];
    }

  protected:
    explicit RccAlgorithm(const rcc_algorithm* core);

    /// Add an attribute for every field.
    static TypeId AddFields(TypeId tid, const rcc_algorithm* core);

  private:
    std::vector<int64_t> ParamsAt(uint64_t lineRate) const;
    std::string ReadParameter(const std::string& field, const std::string& text, size_t* index, int64_t* value) const;

    using Profile = std::vector<uint64_t>;
    using Derive = bool (*)(const int64_t*, const rcc_env*, void*, const char**);
    const void* GetProfile(std::map<uint64_t, Profile>& cache, uint64_t lineRate, size_t size, Derive derive);

    const rcc_algorithm* m_core;
    std::vector<int64_t> m_params;
    std::map<uint64_t, std::map<size_t, int64_t>> m_paramsAt; //!< by line rate and index
    std::map<uint64_t, Profile> m_rp, m_np, m_cp;             //!< by line rate
};

} // namespace ns3

#endif /* RCC_ALGORITHM_H */
