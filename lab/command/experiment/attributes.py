# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--attr and --base, TYPE.NAME=VALUE, and the attributes that options are."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional

from . import algorithms, quantity
from .option_values import Given, attribute_items
from .model import Algorithm, Default
from .refusal import Refusal, refuse_item
from ..run import options

FORM = "expected TYPE.NAME=VALUE, such as QbbSwitch.EgressAlpha=2"
# options of a quantity that are an attribute by another name
OPTIONS = {"QbbNetDevice.DataRate": "rate", "QbbChannel.Delay": "delay", "QbbSwitch.BufferSize": "buffer", "RdmaNic.Mtu": "mtu",
           "RdmaNic.AckEvery": "ack-every", "RdmaNic.RetransmissionTimeout": "rto", "RdmaNic.RetryLimit": "retry-limit"}
# options that set an attribute beside what else they do: none of them is given with it
SET_TOO = {"QbbSwitch.LosslessClasses": ("lossless", "lossy"), "RdmaNic.LosslessClasses": ("lossless", "lossy"),
           "QbbSwitch.Alpha": ("lossy",), "RdmaNic.DscpMap": ("dscp-map",), "QbbSwitch.DscpMap": ("dscp-map",),
           "QbbNetDevice.StrictClasses": ("strict",)}
DEVICE_MTU = 1500                        # default MTU of QbbNetDevice, bytes
LEAST_MTU, LARGEST_MTU = 576, 9000       # limits of a TCP/IP host, bytes
TCP_IP_HEADERS = 52                      # IPv4 20, TCP 20, timestamps 12
SOCKET_BUFFER = 4 << 20
LOSSY_ALPHA = "1024"    # beyond what one port could take of the buffer


class Item(NamedTuple):
    """One item of --attr or --base."""
    text: str
    type: str        # with ns3::
    name: str
    value: str

    def short(self) -> str:
        """Return TYPE.NAME as messages and tables have it."""
        return f"{self.type[len('ns3::'):]}.{self.name}"


def read_item(option: str, text: str) -> Item:
    """Read TYPE.NAME=VALUE. The program checks the names and the value."""
    head, equal, value = text.partition("=")
    kind, dot, name = head.rpartition(".")
    if not equal or not dot or not value:
        raise Refusal(option, "has", text, f", {FORM}")
    kind = kind[len("ns3::"):] if kind.startswith("ns3::") else kind
    return Item(text, f"ns3::{kind}", name, value)


def read_items(given: Given, option: str) -> List[Item]:
    """Read the items of --attr or --base, each attribute once."""
    found: List[Item] = []
    for text in attribute_items(given.text(option)) if option in given.options else ():
        item = read_item(option, text)
        if any(item.short() == other.short() for other in found):
            raise Refusal(option, "has", text, f", {item.short()} is given twice")
        found.append(item)
    return found


class Attributes:
    """The attributes of an experiment."""

    def __init__(self, given: Given):
        self.given = given
        self.items = read_items(given, "attr")
        self.base = read_items(given, "base")
        self.forwarded: Dict[str, str] = {}    # option by TYPE.NAME
        for item in self.items:
            self.give_to_option(item)
        for item in self.base:
            option = given.options.get(OPTIONS.get(item.short(), ""))
            if option and not option.given and option.name in options.OF_TOPOLOGY:    # each link has a value of its own, or the option's
                text = rate_text(item.value)
                option.value, expected = quantity.read_within(option.unit, text, option.declared.low, option.declared.high)
                if expected:
                    raise Refusal("base", "has", item.text, f", expected {expected}")
                option.text, option.forwarded = text, True

    def find(self, name: str) -> Optional[Item]:
        """Return the item of --attr that sets TYPE.NAME."""
        return next((item for item in self.items if item.short() == name), None)

    def give_to_option(self, item: Item) -> None:
        """Give an attribute's value to the option of the same quantity."""
        own = OPTIONS.get(item.short())
        for name in (own,) if own else SET_TOO.get(item.short(), ()):
            option = self.given.options.get(name)
            if own and option and option.hidden:
                refuse_item("attr", item.text, "each link's own of the topology file")
            if not option or option.hidden:
                continue
            if option.given:
                refuse_item("attr", item.text, f"no --{name} beside it, which sets it too")
            if own:
                text = rate_text(item.value) if own == "rate" else item.value
                value, expected = quantity.read_within(option.unit, text, option.declared.low, option.declared.high)
                if expected:
                    refuse_item("attr", item.text, f"{expected} as --{name}")
                option.text, option.value = text, value
                option.given = option.forwarded = True
                self.forwarded[item.short()] = name

    def defaults(self, algorithm: Algorithm, lossless: list, strict: list) -> List[Default]:
        """List the defaults of all attributes: those of options, then --base, then --attr. `lossless`, `strict`: classes."""
        given = self.given
        mask = sum(1 << cls for cls in lossless)
        dscp = ",".join(given.items("dscp-map"))
        lossy = given.flag("lossy")
        found: List[Default] = []

        def add(kind: str, name: str, value: object) -> None:
            found.append(Default(f"ns3::{kind}", name, str(value)))

        found += list_timeouts(given)
        add("QbbSwitch", "BufferSize", given.quantity("buffer"))
        add("RdmaNic", "Mtu", given.quantity("mtu"))
        add("RdmaNic", "AckEvery", given.quantity("ack-every"))
        if given.is_set("nic"):
            found += algorithms.find_nic(given).defaults
        add("QbbSwitch", "LosslessClasses", 0 if lossy else mask)
        if lossy:
            add("QbbSwitch", "Alpha", LOSSY_ALPHA)
        add("RdmaNic", "LosslessClasses", 0 if lossy else mask)
        add("RdmaNic", "DscpMap", dscp)
        add("QbbSwitch", "DscpMap", dscp)
        add("QbbNetDevice", "StrictClasses", sum(1 << cls for cls in strict))
        if given.flag("cioq") and "sample_base" in algorithm.parameters:
            add("CioqSwitch", "KeepAliveBytes", algorithm.parameters["sample_base"])
        if given.is_set("tcp"):
            found += self.list_tcp_defaults()
        return found + [Default(item.type, item.name, item.value) for item in self.base] + self.list_attr_defaults()

    def list_tcp_defaults(self) -> List[Default]:
        """List the defaults of ns-3's TCP, whose segments fill the packets of the devices."""
        found = [item for item in [*self.base, *self.items] if item.short() == "QbbNetDevice.Mtu"]
        mtu = quantity.read_whole(found[-1].value, 65535) if found else None
        mtu = DEVICE_MTU if mtu is None else mtu    # the program refuses other text
        if not LEAST_MTU <= mtu <= LARGEST_MTU:
            raise Refusal("attr", "has", f"QbbNetDevice.Mtu={mtu}", f", expected {LEAST_MTU} to {LARGEST_MTU} beside --tcp")
        return [Default("ns3::TcpSocket", "SegmentSize", str(mtu - TCP_IP_HEADERS)),
                Default("ns3::TcpSocket", "SndBufSize", str(SOCKET_BUFFER)), Default("ns3::TcpSocket", "RcvBufSize", str(SOCKET_BUFFER)),
                Default("ns3::TcpSocketBase", "MinRto", "200ms")]

    def list_attr_defaults(self) -> List[Default]:
        """List the defaults of --attr, but those that are options."""
        return [Default(item.type, item.name, item.value) for item in self.items if item.short() not in self.forwarded]


def list_timeouts(given: Given) -> List[Default]:
    """List the defaults that --rto and --retry-limit are."""
    found = []
    if given.is_set("rto"):
        found.append(Default("ns3::RdmaNic", "RetransmissionTimeout", f"{given.quantity('rto')}ns"))
    if given.is_set("retry-limit"):
        found += [Default("ns3::RdmaNic", "RetransmissionBackoff", "true"),
                  Default("ns3::RdmaNic", "RetryLimit", str(given.quantity("retry-limit")))]
    return found


def rate_text(value: str) -> str:
    """Return a rate of ns-3, such as 100Mb/s, as an option has it."""
    return value.replace("b/s", "bps")
