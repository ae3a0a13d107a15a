/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_LATE_H
#define RCC_LATE_H

#include "ns3/attribute.h"
#include "ns3/object-base.h"

#include <string>

namespace ns3
{

/**
 * The accessor of an attribute that is set late: after its object has read it. ns-3 would store the value, and nobody
 * would look at it again. Such an attribute either takes effect (RccApply) or ends the program with the reason
 * (RccFix).
 */
class RccLateAccessor : public AttributeAccessor
{
  public:
    /// \param inner accessor that stores the value
    explicit RccLateAccessor(Ptr<const AttributeAccessor> inner) : m_inner(inner)
    {
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        return m_inner->Get(object, value);
    }

    bool HasGetter() const override
    {
        return m_inner->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_inner->HasSetter();
    }

  protected:
    /// Abort unless the value is the one that the object has. \param object of the attribute \param value that is set
    /// \param since what has happened that fixed the attribute
    void RequireSame(const ObjectBase& object, const AttributeValue& value, const std::string& since) const;

    Ptr<const AttributeAccessor> m_inner; //!< stores the value
};

/**
 * Make an accessor that refuses another value once the object has read the attribute.
 * \tparam Owner class of the object
 * \param inner accessor that stores the value
 * \param describe says what has read the attribute; empty before that
 * \return the accessor
 */
template <class Owner>
Ptr<const AttributeAccessor>
RccFix(Ptr<const AttributeAccessor> inner, std::string (Owner::*describe)() const = &Owner::DescribeStart)
{
    class Accessor : public RccLateAccessor
    {
      public:
        Accessor(Ptr<const AttributeAccessor> stores, std::string (Owner::*function)() const)
            : RccLateAccessor(stores),
              m_describe(function)
        {
        }

        bool Set(ObjectBase* object, const AttributeValue& value) const override
        {
            auto owner = dynamic_cast<const Owner*>(object);
            const std::string since = owner ? (owner->*m_describe)() : "";
            if (since.empty())
            {
                return m_inner->Set(object, value);
            }
            RequireSame(*object, value, since);
            return true;
        }

      private:
        std::string (Owner::*m_describe)() const;
    };

    return Ptr<const AttributeAccessor>(new Accessor(inner, describe), false);
}

/**
 * Make an accessor that hands the value on at once.
 * \param inner accessor that stores the value
 * \param apply called after each store; does nothing before the object reads its attributes
 * \return the accessor
 */
template <class Owner>
Ptr<const AttributeAccessor>
RccApply(Ptr<const AttributeAccessor> inner, void (Owner::*apply)())
{
    class Accessor : public RccLateAccessor
    {
      public:
        Accessor(Ptr<const AttributeAccessor> stores, void (Owner::*function)())
            : RccLateAccessor(stores),
              m_apply(function)
        {
        }

        bool Set(ObjectBase* object, const AttributeValue& value) const override
        {
            auto owner = dynamic_cast<Owner*>(object);
            if (!owner || !m_inner->Set(object, value))
            {
                return false;
            }
            (owner->*m_apply)();
            return true;
        }

      private:
        void (Owner::*m_apply)();
    };

    return Ptr<const AttributeAccessor>(new Accessor(inner, apply), false);
}

} // namespace ns3

#endif /* RCC_LATE_H */
