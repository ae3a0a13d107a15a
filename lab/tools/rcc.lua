-- SPDX-License-Identifier: GPL-2.0-only
-- SPDX-FileCopyrightText: 2026 rcc contributors
-- Wireshark and tshark: congestion notification of IEEE 802.1Qau (CNM, CN-TAG), the period in RoCEv2 CNPs, the acknowledgements of
-- selective repeat, and in-band telemetry.
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

-- This project's own header before the ICRC, see core/wire/rcc_wire_sack.h; the infiniband dissector does not know the opcode. Telemetry
-- stands between it and the AETH.
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
local sack_udp_length = Field.new("udp.length")

function sack.dissector(_, pinfo, tree)
    local code, header = opcode(), bth()
    if not code or code.value ~= OPCODE_SACK or not header then
        return
    end
    local bytes, at = header.source, header.offset
    local aeth = at + BTH_BYTES
    local length = sack_udp_length()
    local head = length and at - 8 + length.value - 4 - SACK_BYTES
    if not head or head < aeth + AETH_BYTES or head + SACK_BYTES > bytes:len() then
        return
    end
    local nak = bytes(aeth, 1):uint() >= 0x60
    local psn = bytes(at + 9, 3):uint()
    local item = tree:add(sack, bytes(at, head + SACK_BYTES - at))
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

-- ---------------------------------------------------------------- telemetry

-- In-band telemetry before the payload or the ICRC (core/wire/rcc_wire.h), and the delay and the hops of Swift's acknowledgements. No
-- header says that it is there: the first acknowledgement between two hosts with one UDP source port does, by its length. Data packets
-- before it are decoded in a second pass (Wireshark; tshark -2 -R udp), or with the preference telemetry.form.
local telemetry = Proto("telemetry", "In-band telemetry")
local NONE, PAPER, SIMULATOR, PINT, DELAY, AUTO = 0, 1, 2, 3, 4, 5
local names = { [NONE] = "none", [PAPER] = "paper", [SIMULATOR] = "simulator", [PINT] = "pint", [DELAY] = "delay" }
local RATES = { [0] = 25000, 50000, 100000, 200000, 400000, 0, 10000, 40000, 800000, 1000, 1600000, 2500, 5000, 20000, 3200000, 6400000 }
local hop_field = {
    form = ProtoField.uint8("telemetry.form", "Form", base.DEC, names),
    hops = ProtoField.uint16("telemetry.hops", "Switches passed", base.DEC),
    path = ProtoField.uint16("telemetry.path", "XOR of the switches' ids", base.HEX),
    rate = ProtoField.uint32("telemetry.rate", "Rate of the port (Mb/s, the nearest code; 0: not known)", base.DEC),
    time = ProtoField.uint32("telemetry.time", "Time (ns, 24 bits)", base.DEC),
    sent = ProtoField.uint32("telemetry.sent", "Sent (bytes, in units of 128, 20 bits of them)", base.DEC),
    queue = ProtoField.uint32("telemetry.queue", "Queued behind it (bytes, in units of 80)", base.DEC),
    exponent = ProtoField.uint16("telemetry.exponent", "Exponent of the largest utilisation", base.DEC),
    remote = ProtoField.uint32("telemetry.remote", "Delay in the receiver (ns)", base.DEC),
    echo = ProtoField.bool("telemetry.ce_echo", "The acknowledged packet carried CE (BECN)"),
    record = ProtoField.bytes("telemetry.record", "Record of a switch"),
}
telemetry.fields = hop_field
telemetry.prefs.form = Pref.enum("Form", AUTO, "What data packets and acknowledgements carry", {
    { 1, "auto", AUTO }, { 2, "none", NONE }, { 3, "paper", PAPER }, { 4, "simulator", SIMULATOR }, { 5, "pint", PINT },
    { 6, "delay", DELAY } }, false)
telemetry.prefs.units = Pref.uint("Multiplier of the simulator form's units", 1, "INT_MULTI of the HPCC paper's simulator")

local addresses, port_of = { Field.new("ip.src"), Field.new("ip.dst") }, Field.new("udp.srcport")
local udp_length = sack_udp_length
local told = {}  -- form by data's source, destination and UDP source port

-- Bytes between the BTH and what may be telemetry, for opcodes of data: those of the RETH.
local data_headers = { [0x00] = 0, [0x01] = 0, [0x02] = 0, [0x04] = 0, [0x06] = 16, [0x07] = 0, [0x08] = 0, [0x0a] = 16 }
local OPCODE_ACK, ICRC_BYTES, UDP_BYTES = 0x11, 4, 8

-- What `size` bytes of an acknowledgement are, the first two of which are `word`.
local function form_of(size, word)
    local hops = math.floor(word / 0x1000)
    if size == 0 then
        return NONE
    elseif size == 5 then
        return DELAY
    elseif hops > 0 and size == 2 + 8 * math.min(hops, 8) then
        return PAPER
    elseif size == 42 then
        return SIMULATOR
    elseif size == 2 then
        return word > 0 and PINT or nil
    end
    return NONE
end

local function add_records(item, bytes, at, form, units)
    local word = bytes(at, 2):uint()
    local hops = form == PAPER and math.floor(word / 0x1000) or word
    local queue_bits = form == PAPER and 16 or 17
    item:add(hop_field.hops, bytes(at, 2), hops)
    if form == PAPER then
        item:add(hop_field.path, bytes(at, 2), word % 0x1000)
    end
    for hop = 0, math.min(hops, form == PAPER and 8 or 5) - 1 do
        local place = at + 2 + 8 * hop
        if place + 8 > bytes:len() then
            return
        end
        local record = bytes(place, 8)
        local one = item:add(hop_field.record, record)
        local rest = 64 - queue_bits
        one:add(hop_field.rate, record, RATES[record:bitfield(0, 20 - queue_bits)])
        one:add(hop_field.time, record, record:bitfield(rest - 44, 24))
        one:add(hop_field.sent, record, record:bitfield(rest - 20, 20) * 128 * units)
        one:add(hop_field.queue, record, record:bitfield(rest, queue_bits) * 80 * units)
    end
end

function telemetry.dissector(_, pinfo, tree)
    if pinfo.number == 1 and not pinfo.visited then -- of another file; init would forget between two passes
        told = {}
    end
    local code, header, udp, source, target, port = opcode(), bth(), udp_length(), addresses[1](), addresses[2](), port_of()
    if not (code and header and udp and source and target and port) then
        return
    end
    local bytes, at = header.source, header.offset + BTH_BYTES
    local answer = code.value == OPCODE_ACK or code.value == OPCODE_SACK
    if answer and at <= bytes:len() and bytes(at - BTH_BYTES + 4, 1):bitfield(1, 1) == 1 then
        tree:add(telemetry, bytes(at - BTH_BYTES + 4, 1)):add(hop_field.echo, bytes(at - BTH_BYTES + 4, 1), true)
    end
    local skip = answer and AETH_BYTES or data_headers[code.value]
    if not skip then
        return
    end
    local size = udp.value - UDP_BYTES - BTH_BYTES - ICRC_BYTES - skip - (code.value == OPCODE_SACK and SACK_BYTES or 0)
    at = at + skip
    local there = at + 2 <= bytes:len()
    local from, to = tostring(source.value), tostring(target.value)
    local key = (answer and to .. " " .. from or from .. " " .. to) .. " " .. port.value
    local form = telemetry.prefs.form
    if form == AUTO then
        if answer and told[key] == nil and (size == 0 or there) then
            told[key] = form_of(size, size > 0 and bytes(at, 2):uint() or 0)
        end
        form = told[key]
    end
    if not form or form == NONE or not there or (form == DELAY and not answer) or size < 2 then
        return
    end
    local item = tree:add(telemetry, bytes(at, math.min(size, bytes:len() - at)))
    item:add(hop_field.form, form)
    if form == PINT then
        item:add(hop_field.exponent, bytes(at, 2))
    elseif form == DELAY then
        if at + 5 <= bytes:len() then
            item:add(hop_field.remote, bytes(at, 4))
            item:add(hop_field.hops, bytes(at + 4, 1))
        end
    else
        add_records(item, bytes, at, form, form == SIMULATOR and telemetry.prefs.units or 1)
    end
end

register_postdissector(telemetry)
