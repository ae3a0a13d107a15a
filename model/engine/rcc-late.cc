/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-late.h"

#include "ns3/abort.h"
#include "ns3/type-id.h"

namespace ns3
{

void
RccLateAccessor::RequireSame(const ObjectBase& object, const AttributeValue& value, const std::string& since) const
{
    for (TypeId tid = object.GetInstanceTypeId();; tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); i++)
        {
            const TypeId::AttributeInformation info = tid.GetAttribute(i);
            if (PeekPointer(info.accessor) != this)
            {
                continue;
            }
            Ptr<AttributeValue> now = info.checker->Create();
            const std::string given = value.SerializeToString(info.checker);
            const bool same = m_inner->Get(&object, *now) && now->SerializeToString(info.checker) == given;
            NS_ABORT_MSG_IF(!same, tid.GetName() << "::" << info.name << "=" << given << " is set after " << since
                                                 << ", which has read the attribute: set it before");
            return;
        }
        if (!tid.HasParent())
        {
            return;
        }
    }
}

} // namespace ns3
