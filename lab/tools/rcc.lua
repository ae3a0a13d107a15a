-- SPDX-License-Identifier: GPL-2.0-only
-- SPDX-FileCopyrightText: 2026 rcc contributors
-- Wireshark and tshark: congestion notification of IEEE 802.1Qau (CNM, CN-TAG), the period in RoCEv2 CNPs, and the
-- acknowledgements of selective repeat.
--
--     tshark -X lua_script:lab/tools/rcc.lua -r receiver.pcap -Y cnp -T fields -e frame.time_epoch -e cnp.period
--     cp lab/tools/rcc.lua ~/.local/lib/wireshark/plugins/      (Help > About > Folders has the place of your version)
--
-- Lua 5.2 (Wireshark 2 to 4.2) and 5.4 (from 4.4 on). A frame cut by a short snap length shows what there is of it.

local ETHERTYPE_CNM, ETHERTYPE_CN_TAG, ETHERTYPE_VLAN, ETHERTYPE_IPV4 = 0x22e7, 0x22e9, 0x8100, 0x0800
local OPCODE_CNP, OPCODE_SACK = 0x81, 0xd1
local BTH_BYTES, AETH_BYTES, SACK_BYTES = 12, 4, 20
local PDU_BYTES = 24

local types = { [ETHERTYPE_CNM] = "CNM", [ETHERTYPE_CN_TAG] = "CN-TAG", [ETHERTYPE_VLAN] = "802.1Q", [ETHERTYPE_IPV4] = "IPv4" }

-- ---------------------------------------------------------------- CN-TAG

local cntag = Proto("cntag", "IEEE 802.1Qau Congestion Notification Tag")
local tag = {
    flow = ProtoField.uint16("cntag.flow_id", "Flow identifier", base.DEC),
    type = ProtoField.uint16("cntag.type", "Type", base.HEX, types),
}
cntag.fields = tag

local ethertypes = DissectorTable.get("ethertype")

function cntag.dissector(tvb, pinfo, tree)
    if tvb:len() < 2 then
        return 0
    end
    local item = tree:add(cntag, tvb(0, math.min(4, tvb:len())))
    item:add(tag.flow, tvb(0, 2))
    item:append_text(", flow " .. tvb(0, 2):uint())
    if tvb:len() < 4 then
        return tvb:len()
    end
    item:add(tag.type, tvb(2, 2))
    pinfo.cols.protocol = "CN-TAG"
    if tvb:len() > 4 then
        ethertypes:try(tvb(2, 2):uint(), tvb(4):tvb(), pinfo, tree)
    end
    return tvb:len()
end

ethertypes:add(ETHERTYPE_CN_TAG, cntag)

-- ---------------------------------------------------------------- CNM

local cnm = Proto("cnm", "IEEE 802.1Qau Congestion Notification Message")
local pdu = {
    version = ProtoField.uint8("cnm.version", "Version", base.DEC),
    qfb = ProtoField.uint8("cnm.qfb", "Quantised feedback", base.DEC),
    cpid = ProtoField.bytes("cnm.cpid", "Congestion point identifier"),
    qoffset = ProtoField.int16("cnm.qoffset", "Queue offset (units of 64 bytes)", base.DEC),
    qdelta = ProtoField.int16("cnm.qdelta", "Queue delta (units of 64 bytes)", base.DEC),
    priority = ProtoField.uint8("cnm.priority", "Encapsulated priority", base.DEC),
    mac = ProtoField.ether("cnm.mac", "Encapsulated destination MAC address"),
    length = ProtoField.uint16("cnm.msdu_length", "Encapsulated MSDU length", base.DEC),
    msdu = ProtoField.bytes("cnm.msdu", "Encapsulated MSDU"),
}
cnm.fields = pdu
local cut = ProtoExpert.new("cnm.truncated", "CNM is cut short", expert.group.MALFORMED, expert.severity.WARN)
cnm.experts = { cut }

function cnm.dissector(tvb, pinfo, tree)
    pinfo.cols.protocol = "CNM"
    local there = tvb:len()
    local item = tree:add(cnm, tvb(0, math.min(PDU_BYTES, there)))
    if there < PDU_BYTES then
        if tvb:reported_len() < PDU_BYTES then
            item:add_proto_expert_info(cut)
        end
        return there
    end
    local qfb = tvb(0, 2):bitfield(10, 6)
    local offset, delta = tvb(10, 2):int(), tvb(12, 2):int()
    item:add(pdu.version, tvb(0, 1), tvb(0, 1):bitfield(0, 4))
    item:add(pdu.qfb, tvb(1, 1), qfb)
    item:add(pdu.cpid, tvb(2, 8))
    item:add(pdu.qoffset, tvb(10, 2)):append_text(" = " .. offset * 64 .. " bytes")
    item:add(pdu.qdelta, tvb(12, 2)):append_text(" = " .. delta * 64 .. " bytes")
    item:add(pdu.priority, tvb(14, 1), tvb(14, 1):bitfield(0, 3))
    item:add(pdu.mac, tvb(16, 6))
    item:add(pdu.length, tvb(22, 2))
    local length = math.min(tvb(22, 2):uint(), there - PDU_BYTES)
    if length > 0 then
        item:add(pdu.msdu, tvb(PDU_BYTES, length))
    end
    pinfo.cols.info = "CNM Fb=" .. qfb .. " Qoff=" .. offset * 64 .. " Qdelta=" .. delta * 64
    return there
end

ethertypes:add(ETHERTYPE_CNM, cnm)

-- ---------------------------------------------------------------- CNP

-- The infiniband dissector knows the opcode as a number and the 16 bytes behind the BTH as the vendor's.
local cnp = Proto("cnp", "RoCEv2 Congestion Notification Packet")
local period = ProtoField.uint32("cnp.period", "Period (ns; 0: a CNP of plain DCQCN)", base.DEC)
local queue = ProtoField.uint24("cnp.destqp", "Destination queue pair", base.HEX)
cnp.fields = { period, queue }

local opcode = Field.new("infiniband.bth.opcode")
local bth = Field.new("infiniband.bth")

function cnp.dissector(_, pinfo, tree)
    local code, header = opcode(), bth()
    if not code or code.value ~= OPCODE_CNP or not header then
        return
    end
    local bytes, at = header.source, header.offset
    if at + BTH_BYTES > bytes:len() then
        return
    end
    local item = tree:add(cnp, bytes(at, math.min(BTH_BYTES + 16, bytes:len() - at)))
    item:add(queue, bytes(at + 5, 3))
    local text = "CNP QP=0x" .. string.format("%06x", bytes(at + 5, 3):uint())
    if at + BTH_BYTES + 4 <= bytes:len() then
        item:add(period, bytes(at + BTH_BYTES, 4))
        text = text .. " period=" .. bytes(at + BTH_BYTES, 4):uint() .. " ns"
    end
    pinfo.cols.info = text
end

register_postdissector(cnp)

-- ---------------------------------------------------------------- acknowledgement of selective repeat

-- This project's own header behind the AETH, see core/wire/rcc_wire_sack.h; the infiniband dissector does not know the opcode.
local sack = Proto("sack", "Selective acknowledgement")
local said = {
    queue = ProtoField.uint24("sack.destqp", "Destination queue pair", base.HEX),
    nak = ProtoField.bool("sack.nak", "NAK"),
    trimmed = ProtoField.bool("sack.trimmed", "The missing packet was trimmed"),
    expected = ProtoField.uint24("sack.expected", "First packet that has not arrived", base.DEC),
    base = ProtoField.uint24("sack.base", "PSN of bit 0", base.DEC),
    missing = ProtoField.uint24("sack.missing", "First missing packet", base.DEC),
    lost = ProtoField.uint24("sack.lost", "Missing packets", base.DEC),
    bits = ProtoField.uint64("sack.bits", "Packets that have arrived", base.HEX),
}
sack.fields = said

function sack.dissector(_, pinfo, tree)
    local code, header = opcode(), bth()
    if not code or code.value ~= OPCODE_SACK or not header then
        return
    end
    local bytes, at = header.source, header.offset
    local aeth = at + BTH_BYTES
    local head = aeth + AETH_BYTES
    if head + SACK_BYTES > bytes:len() then
        return
    end
    local nak = bytes(aeth, 1):uint() >= 0x60
    local psn = bytes(at + 9, 3):uint()
    local item = tree:add(sack, bytes(at, BTH_BYTES + AETH_BYTES + SACK_BYTES))
    item:add(said.queue, bytes(at + 5, 3))
    item:add(said.nak, bytes(aeth, 1), nak)
    item:add(said.expected, bytes(at + 9, 3), nak and psn or (psn + 1) % 0x1000000)
    item:add(said.trimmed, bytes(head, 1), bytes(head, 1):uint() >= 0x80)
    item:add(said.base, bytes(head + 1, 3))
    item:add(said.missing, bytes(head + 5, 3))
    item:add(said.lost, bytes(head + 9, 3))
    item:add(said.bits, bytes(head + 12, 8))
    pinfo.cols.info = (nak and "NAK" or "SACK") .. " missing=" .. bytes(head + 5, 3):uint() .. "+" .. bytes(head + 9, 3):uint()
end

register_postdissector(sack)
