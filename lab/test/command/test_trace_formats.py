# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The readers of ./rcc run trace: Chakra and MSCCL, from small traces that are made here, and what is refused and where. The reader of
protobuf gets mutated files; lab/test/fuzz/readers.py has those of the others. test_trace_simai.py has more of SimAI."""
import csv
import json
import os
import random
import struct
import unittest

from support import RccTest, needs_programs
from test_trace_goal import PAIR, Words, message

from command.common import RccError
from command.run import training
from command.system import probe
from command.traces import bandwidth, chakra
from command.traces.schedule import CALC, RECV, SEND

HEADER = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: {tp} ep: {ep} pp: 1 vpp: 1 ga: 1 all_gpus: {all} checkpoints: 0 " \
         "checkpoint_initiates: 0\n"
LAYERS = "2\nfirst\t-1\t1000\tALLREDUCE\t80000\t2000\tALLGATHER\t4000\t3000\tALLREDUCE\t16000\t100\n" \
         "second -1 500 ALLTOALL_EP 8000 600 NONE 0 700 REDUCESCATTER_DP_EP 6000 100\n"
SIMAI = HEADER.format(tp=2, ep=2, all=8) + LAYERS


# ---------------------------------------------------------------- files as other programs write them

def ring_xml(gpus, channels=1):
    """An all-gather in a ring as MSCCL has it: of two blocks of a GPU one sends and one receives, and sends wait for receives."""
    lines = [f'<algo name="ring" proto="Simple" nchannels="{channels}" nchunksperloop="{gpus * channels}" ngpus="{gpus}" coll="allgather" '
             'inplace="1">']
    for gpu in range(gpus):
        lines.append(f'<gpu id="{gpu}" i_chunks="{channels}" o_chunks="{gpus * channels}" s_chunks="0">')
        for channel in range(channels):
            lines.append(f'<tb id="{2 * channel}" send="{(gpu + 1) % gpus}" recv="-1" chan="{channel}">')
            for k in range(gpus - 1):
                depends = f'depid="{2 * channel + 1}" deps="{k - 1}"' if k else 'depid="-1" deps="-1"'
                lines.append(f'<step s="{k}" type="s" srcbuf="o" srcoff="{(gpu - k) % gpus}" dstbuf="o" dstoff="0" cnt="1" '
                             f'{depends} hasdep="0"/>')
            lines.append(f'</tb><tb id="{2 * channel + 1}" send="-1" recv="{(gpu - 1) % gpus}" chan="{channel}">')
            for k in range(gpus - 1):
                lines.append(f'<step s="{k}" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="{k}" cnt="1" depid="-1" deps="-1" '
                             'hasdep="1"/>')
            lines.append("</tb>")
        lines.append("</gpu>")
    return "\n".join(lines) + "\n</algo>\n"


def varint(value):
    found = b""
    while True:
        value, low = value >> 7, value & 127
        found += bytes([low | (128 if value else 0)])
        if not value:
            return found


def field(number, value):
    """A field of protobuf: a number as varint, text and bytes after their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def node(number, name, kind, us=0, data=(), ctrl=(), values="", **attributes):
    """A Node of Chakra's schema: et_def.proto has the numbers of its fields."""
    content = field(1, number) + field(2, name) + field(3, kind)
    content += field(4, b"".join(map(varint, ctrl))) if ctrl else b""
    content += b"".join(field(5, one) for one in data)
    content += field(7, us) if us else b""
    content += field(8, field(1, values)) if values else b""
    for key, value in attributes.items():
        of_value = field(27 if isinstance(value, bool) else 29 if isinstance(value, str) else 9, value)
        content += field(10, field(1, key) + of_value)
    return content


def protobuf(nodes):
    metadata = field(1, "0.0.4")
    return b"".join(varint(len(one)) + one for one in (metadata, *nodes))


def as_json(number, name, kind, us=0, data=(), ctrl=(), **attributes):
    """A node as Chakra's jsonizer writes it."""
    found = {"id": str(number), "name": name, "type": chakra.TYPES[kind], "durationMicros": str(us), "dataDeps": [str(one) for one in data],
             "ctrlDeps": [str(one) for one in ctrl],
             "attr": [{"name": key, "boolVal" if isinstance(value, bool) else "stringVal" if isinstance(value, str) else "int64Val":
                       value if isinstance(value, bool) else str(value)} for key, value in attributes.items()]}
    return found


def step(rank, make):
    """Computing, an all-reduce of all, a message to the other rank of a pair."""
    nodes = [make(1, "forward", chakra.COMP, us=10),
             make(2, "grads", chakra.COMM_COLL, data=[1], comm_type=0, comm_size=80000, is_cpu_op=False)]
    kind = chakra.COMM_RECV if rank % 2 else chakra.COMM_SEND
    peer = {"comm_src": rank - 1} if rank % 2 else {"comm_dst": rank + 1}
    return nodes + [make(3, "pipe", kind, data=[2], comm_size=5000, comm_tag=7, **peer),
                    make(4, "optimizer", chakra.COMP, us=3, data=[2, 3])]


class Files(RccTest):
    """Traces that are written and read."""

    def write(self, name, content):
        self.put(name, content)
        return self.path(name)

    def trace(self, path, **given):
        return training.read(Words(path, **given))

    def refused(self, path, expected, **given):
        with self.assertRaises(RccError) as caught:
            self.trace(path, **given)
        text = str(caught.exception)
        self.assertIn(expected, text)
        self.assertEqual(caught.exception.status, 2)
        self.assertNotIn("\n", text)
        return text


class Formats(Files):
    def feeder(self, ranks, folder="."):
        """JSON of Chakra's feeder."""
        for rank in range(ranks):
            nodes = [{"Id": n["id"], "Name": n["name"], "NodeType": n["type"], "runtime": n["us"], "data_deps": n["data"],
                      "ctrlDeps": n["ctrl"],
                      **n["attr"]} for n in step(rank, lambda number, name, kind, us=0, data=(), ctrl=(), **attributes: {
                          "id": number, "name": name, "type": kind, "us": us, "data": list(data), "ctrl": list(ctrl), "attr": attributes})]
            self.write(os.path.join(folder, f"step.{rank}.json"), json.dumps({"workload_graph": nodes}))
        return self.path(folder, "step.0.json")

    def jsonizer(self, ranks):
        for rank in range(ranks):
            objects = [{"version": "0.0.4"}, *step(rank, as_json)]
            self.write(f"other.{rank}.json", "\n".join(json.dumps(one, indent=1) for one in objects))
        return self.path("other.0.json")

    def protobuf(self, ranks):
        for rank in range(ranks):
            self.write(f"bin.{rank}.et", protobuf(step(rank, node)))
        return self.path("bin.0.et")

    # ------------------------------------------------------------ Chakra

    def test_the_forms_of_chakra_are_one(self):
        for rank, kind, peer in ((0, chakra.COMM_SEND, {"comm_dst": 1}), (1, chakra.COMM_RECV, {"comm_src": 0})):    # numbers of 64 bits
            self.put(f"high.{rank}.json", json.dumps(as_json(2**64 - 1, "m", kind, comm_size=5, comm_tag=2**63, **peer)))
        self.assertEqual(list(self.trace(self.path("high.0.json")).schedule.line), [2**64 - 1] * 2)
        found = [self.trace(path) for path in (self.feeder(4), self.jsonizer(4))]
        if probe.python_with("google.protobuf"):
            found.append(self.trace(self.protobuf(4)))
        for trace in found[1:]:
            self.assertEqual(list(trace.flows), list(found[0].flows))
            for column in ("rank", "kind", "size", "peer", "label", "line"):
                self.assertEqual(list(getattr(trace.schedule, column)), list(getattr(found[0].schedule, column)), column)
        s = found[0].schedule
        self.assertEqual([(one.kind, one.size, one.ranks) for one in s.collectives], [("all-reduce", 80000, (0, 1, 2, 3))])
        self.assertEqual(len(found[0].flows), 4 * 6 + 2)
        first = found[0].flows[0]
        self.assertEqual((first.after, first.begin), ({}, 10000))    # behind 10 us of computing

    @unittest.skipUnless(probe.python_with("google.protobuf"), "python3-protobuf is not installed")
    def test_protobuf_fields(self):
        path = self.write("all.0.et", protobuf([
            node(7, "meta", chakra.METADATA, values='["[{"pg_name": "3", "ranks": [0, 1]}]"]'),
            node(1, "name", chakra.COMP, us=1 << 20, ctrl=[7, 300]),
            node(2, "c", chakra.COMM_COLL, data=[1, 7], comm_type=2, comm_size=1 << 33, pg_name="3", is_cpu_op=False)]))
        self.write("all.1.et", protobuf([node(2, "c", chakra.COMM_COLL, comm_type=2, comm_size=1 << 33, pg_name="3")]))
        found = chakra.from_protobuf([path])[0]
        self.assertEqual([(n["id"], n["name"], n["type"], n["us"], n["data"], n["ctrl"]) for n in found],
                         [(7, "meta", 1, 0, [], []), (1, "name", 4, 1 << 20, [], [7, 300]), (2, "c", 7, 0, [1, 7], [])])
        self.assertEqual(found[2]["attr"], {"comm_type": 2, "comm_size": 1 << 33, "pg_name": "3", "is_cpu_op": False})
        one = self.trace(path).schedule.collectives[0]
        self.assertEqual((one.kind, one.size), ("all-gather", 1 << 34))     # the size for each of two ranks
        self.refused(self.write("cut.0.et", protobuf(step(0, node))[:-3]), "cut.0.et: byte ")
        self.refused(self.write("no.0.et", varint(1) + b"x" + varint(4) + b"\xff\xff\xff\xff"),
                     "no.0.et: byte 2: found a message that is no node")
        self.refused(self.write("float.0.et", protobuf([node(1, "x", chakra.COMM_COLL, comm_type=0)
                                                        + field(10, field(1, "comm_size") + varint(3 << 3 | 1) + struct.pack("<d", 1.5))])),
                     "node 1: x: found comm_size 1.5, expected comm_size of 0 to")

    def test_a_folder_of_chakra(self):
        self.feeder(2, "d")
        self.assertEqual(len(self.trace(self.path("d")).flows), 2 * 2 + 1)
        self.write("d/other.0.json", "{}")
        self.refused(self.path("d"), "d: found 2 traces (other.0.json, step.0.json), expected one")
        os.mkdir(self.path("e"))
        self.refused(self.path("e"), "e: found 0 traces, expected one")

    def chakra(self, *ranks, name="t"):
        for rank, nodes in enumerate(ranks):
            self.write(f"{name}.{rank}.json", "\n".join(json.dumps(one) for one in nodes) or "{}")
        return self.path(f"{name}.0.json")

    def test_chakra_is_refused(self):
        coll = as_json(5, "ar", chakra.COMM_COLL, comm_type=0, comm_size=100)
        send = as_json(1, "s", chakra.COMM_SEND, comm_dst=1, comm_size=9)
        receive = as_json(1, "r", chakra.COMM_RECV, comm_src=0, comm_size=9)
        cases = [
            ([[send], []], "t.1.json: found no node"),
            ([[send], [as_json(2, "x", chakra.COMP)]],
             "t.0.json: rank 0: node 1: s: found a send of 9 bytes to rank 1 with tag 0, expected a rec"),
            ([[as_json(2, "x", chakra.COMP)], [receive]],
             "t.1.json: rank 1: node 1: r: found a recv of 9 bytes from rank 0 with tag 0, expected a"),
            ([[send], [{**receive, "attr": receive["attr"][:1]}]], "t.1.json: rank 1: node 1: r: found no comm_size"),
            ([[{**send, "dataDeps": ["8"]}], [receive]],
             "t.0.json: rank 0: node 1: s: found a data dependency on node 8, expected a node of"),
            ([[send, send], [receive]], "t.0.json: rank 0: node 1: s: found its number again, expected each node once"),
            ([[coll, coll], [coll, coll]], "t.0.json: rank 0: node 5: ar: found its number again, expected each node once"),
            ([[{**send, "dataDeps": ["2"]}, as_json(2, "c", chakra.COMP, data=[1])], [receive]], "that waits for itself"),
            ([[coll], [as_json(6, "x", chakra.COMP)]],
             "t.0.json: rank 0: node 5: ar: found collective 1 of a group with rank 1, whose file "),
            ([[coll], [{**coll, "attr": [*coll["attr"][:1], {"name": "comm_size", "int64Val": "99"}]}]],
             "t.1.json: rank 1: node 5: ar: found ALL_REDUCE of 99 bytes, expected ALL_REDUCE of 100 bytes as rank 0 has in node 5"),
            ([[as_json(5, "ar", chakra.COMM_COLL, comm_type=0, comm_size=100, pg_name="9")], [coll]],
             "t.0.json: rank 0: node 5: ar: found the group 9, expected one of comm_group.json, t.json or of a metadata node"),
            ([[as_json(5, "ar", chakra.COMM_COLL, comm_type=44, comm_size=100)], [coll]],
             "found comm_type 44, expected comm_type of 0 to 9"),
            ([[as_json(5, "s", chakra.COMM_SEND, comm_dst=2, comm_size=1)], [coll]], "found comm_dst 2, expected another rank of 0 to 1"),
            ([[as_json(5, "s", chakra.COMM_SEND, comm_src=1, comm_dst=1, comm_size=1)], [coll]],
             "found comm_src 1, expected the rank itself, 0"),
            ([[{**coll, "type": "COMM"}], [coll]], "t.0.json: node 0 of the file: found the type \"COMM\""),
            ([[{**coll, "id": "x"}], [coll]], "t.0.json: node 0 of the file: found id \"x\""),
            ([[{**coll, "dataDeps": 5}], [coll]], "t.0.json: node 0 of the file: found dataDeps that is no list"),
            ([[coll, []], [coll]], "t.0.json: node 1 of the file: found no object"),
            ([[{"nodes": []}]], "t.0.json: found a trace of PyTorch's host (nodes)"),
        ]
        for ranks, expected in cases:
            with self.subTest(expected):
                self.refused(self.chakra(*ranks), expected)
                for rank in range(len(ranks)):
                    os.unlink(self.path(f"t.{rank}.json"))
        self.refused(self.write("step.0.json", "[{]"), "step.0.json:1: found no JSON")
        self.refused(self.write("step.json", '{"id": 1}'), "found the name step.json, expected NAME.RANK.et or NAME.RANK.json")
        self.chakra([send], [receive], [coll], [coll])
        os.unlink(self.path("t.2.json"))
        self.refused(self.path("t.0.json"), "t.2.json: rank 2 is missing, expected files of ranks 0 to 3")

    def test_groups_of_chakra(self):
        coll = as_json(5, "ar", chakra.COMM_COLL, comm_type=0, comm_size=100, pg_name="4")
        other = as_json(6, "x", chakra.COMP)
        path = self.chakra([coll], [other], [coll])
        self.write("comm_group.json", '{"4": [0, 2]}')
        self.assertEqual(self.trace(path).schedule.collectives[0].ranks, (0, 2))
        self.chakra([coll], [coll], [coll])
        self.refused(path,
                     "t.1.json: rank 1: node 5: ar: found a collective of group 4, which has the ranks 0, 2, expected rank 1 among them")
        for text, expected in (('{"4": [0, 3]}', "group 4: found [0, 3], expected ranks of 0 to 2, each once"), ("[]", "found no object"),
                               ("{", "found no JSON"), ('{"4": [1, 1]}', "found [1, 1]")):
            self.write("comm_group.json", text)
            self.assertIn("comm_group.json: ", self.refused(path, expected))

    def test_control_dependencies(self):
        """They are about starts, may name what is not there, and are left out where they make a circle."""
        pair = [as_json(3, "s", chakra.COMM_SEND, ctrl=[1, 99], comm_dst=1, comm_size=9), as_json(1, "c", chakra.COMP, us=50, ctrl=[2]),
                as_json(2, "d", chakra.COMP, us=20)]
        receive = [as_json(1, "r", chakra.COMM_RECV, comm_src=0, comm_size=9)]
        self.assertEqual(self.trace(self.chakra(pair, receive)).flows[0].begin, 0)
        pair[2] = as_json(2, "d", chakra.COMP, us=20, data=[1])
        trace = self.trace(self.chakra(pair, receive))
        self.assertEqual(trace.flows[0].begin, 0)
        self.assertIn("control dependencies make a circle", trace.schedule.notes[0])

    def test_dependencies_of_the_feeder(self):
        """Data dependencies by either name, and each once."""
        item = {"Id": 2, "Name": "s", "NodeType": 5, "comm_size": 9, "comm_dst": 1}
        other = {"workload_graph": [{"Id": 1, "Name": "r", "NodeType": 6, "comm_size": 9, "comm_src": 0}]}
        for name in ("data_deps", "dataDeps"):
            graph = {"workload_graph": [{"Id": 1, "Name": "c", "NodeType": 4, "runtime": 3}, {**item, name: [1]}]}
            self.assertEqual(self.trace(self.chakra([graph], [other])).flows[0].begin, 3000)
        for names in (("data_deps", "dataDeps"), ("ctrl_deps", "ctrlDeps")):
            graph = {"workload_graph": [{**item, names[0]: [], names[1]: []}]}
            self.refused(self.chakra([graph], [other]), f"t.0.json: node 0 of the file: found {names[1]} beside {names[0]}")

    def test_names_that_are_twice_in_json(self):
        send = json.dumps(as_json(1, "s", chakra.COMM_SEND, comm_dst=1, comm_size=9))
        path = self.chakra([as_json(1, "s", chakra.COMM_SEND, comm_dst=1, comm_size=9)],
                           [as_json(1, "r", chakra.COMM_RECV, comm_src=0, comm_size=9)])
        self.assertTrue(list(self.trace(path).flows))
        self.write("comm_group.json", '{"1": [0], "1": [1]}')
        self.refused(path, "comm_group.json: found '1' twice in an object, expected it once")
        os.unlink(self.path("comm_group.json"))
        self.refused(self.write("t.0.json", send[:-1] + ', "id": "1"}'), "t.0.json: found 'id' twice in an object, expected it once")

    def test_what_is_left_out_is_said(self):
        nodes = [as_json(1, "c", chakra.COMP, us=3, ctrl=[98, 99]),
                 {**as_json(2, "ar", chakra.COMM_COLL, data=[1], comm_type=0, comm_size=100)}]
        nodes[1]["attr"].append({"name": "involved_dim", "boolList": {"values": [True, False]}})
        item = {"Id": 2, "Name": "ar", "NodeType": 7, "comm_type": 0, "comm_size": 100, "involved_dim": [True, False]}
        graph = {"workload_graph": [item]}
        paths = [self.chakra(nodes, nodes), self.chakra([graph], [graph], name="f")]
        if probe.python_with("google.protobuf"):
            value = field(28, b"".join(field(1, one) for one in (True, False)))
            for rank in (0, 1):
                self.write(f"b.{rank}.et", protobuf([node(2, "ar", chakra.COMM_COLL, comm_type=0, comm_size=100)
                                                     + field(10, field(1, "involved_dim") + value)]))
            paths.append(self.path("b.0.et"))
        found = [[note.partition(": ")[2] for note in self.trace(path).schedule.notes] for path in paths]
        self.assertEqual(found[0][:1], ["4 control dependencies name nodes that are not in their file, and are left out"])
        for notes in (found[0][1:], *found[1:]):
            self.assertEqual(notes, ["involved_dim of 1 collective is left out: all ranks of a group take part"])

    def test_collectives_of_a_processor_take_the_time_of_the_trace(self):
        nodes = [as_json(1, "c10d::broadcast_", chakra.COMM_COLL, us=5, is_cpu_op=True),
                 as_json(2, "nccl", chakra.COMM_COLL, us=7, data=[1]),
                 as_json(3, "s", chakra.COMM_SEND, data=[2], comm_dst=1, comm_size=9)]
        trace = self.trace(self.chakra(nodes, [as_json(1, "r", chakra.COMM_RECV, comm_src=0, comm_size=9)]))
        self.assertEqual(trace.flows[0].begin, 12000)
        self.assertIn("1 collective without comm_size", trace.schedule.notes[0])

    def test_collectives_without_a_size_are_communication(self):
        """They take the trace's time, which is no computing: it is exposed, and no --compute scales it. What several ranks call is one."""
        nodes = [as_json(1, "sync", chakra.COMM_COLL, us=100, comm_type=0), as_json(2, "c", chakra.COMP, us=10, data=[1]),
                 as_json(3, "ar", chakra.COMM_COLL, data=[2], comm_type=0, comm_size=1000),
                 as_json(4, "late", chakra.COMM_COLL, us=7, data=[3])]
        path = self.chakra(nodes, nodes)
        for factor, computing in (("1x", 10000), ("0.5x", 5000), ("0x", 0)):
            trace = self.trace(path, compute=factor)
            self.assertEqual(trace.flows[0].begin, 100000 + computing)
            times = trace.times(lambda k, start: start + 1000, lambda k: 0)
            row = trace.rows(times)[0]
            self.assertEqual((row["compute"], row["communication"]), (computing, row["end"] - computing))
            self.assertEqual(row["exposed"], row["communication"])
            found = bandwidth.measure(trace.schedule, times, [])
            self.assertEqual([(one.name, one.kind, one.algorithm, one.ranks, one.size) for one in found],
                             [("ar", "all-reduce", "ring", 2, 1000), ("sync", "all-reduce", "trace", 2, 0),
                              ("late", "collective", "trace", 2, 0)])
            self.assertEqual([one.end - one.begin for one in found[1:]], [100000, 7000])
        self.assertIn("2 collectives without comm_size", trace.schedule.notes[0])
        nodes[0] = as_json(1, "sync", chakra.COMM_COLL, us=100, comm_type=44)
        self.refused(self.chakra(nodes, nodes), "node 1: sync: found comm_type 44, expected comm_type of 0 to 9")

    # ------------------------------------------------------------ MSCCL

    def test_msccl(self):
        for channels in (1, 2):
            trace = self.trace(self.write("a.xml", ring_xml(4, channels)), size="80000")
            self.assertEqual(len(trace.flows), 12 * channels)
            self.assertEqual({trace.schedule.size[f.operation] for f in trace.flows}, {20000 // channels})
            self.assertEqual(sum(not f.after for f in trace.flows), 4 * channels)
            self.assertEqual([(one.kind, one.size, len(one.ranks)) for one in trace.schedule.collectives], [("all-gather", 80000, 4)])
        for size, chunk in ((80000, 26667), (80001, 26667), (80002, 26668), (1, 1)):    # chunks hold all of the size
            trace = self.trace(self.write("a.xml", ring_xml(3)), size=str(size))
            self.assertEqual({trace.schedule.size[f.operation] for f in trace.flows}, {chunk})

    def test_bandwidths_that_nobody_defines(self):
        """An algorithm unknown to nccl-tests has no bus bandwidth, and a collective of unknown size has no bandwidth."""
        text = ring_xml(4).replace("allgather", "custom")
        nodes = [as_json(1, "sync", chakra.COMM_COLL, us=100, comm_type=0),
                 as_json(2, "ar", chakra.COMM_COLL, data=[1], comm_type=0, comm_size=1000)]
        for trace, rows in ((self.trace(self.write("a.xml", text), size="80000"), [(("custom", "80000"), True, False)]),
                            (self.trace(self.chakra(nodes, nodes)), [(("all-reduce", "1000"), True, True),
                                                                    (("all-reduce", "0"), False, False)])):
            times = trace.times(lambda k, start: start + 1000, lambda k: 0)
            found = bandwidth.measure(trace.schedule, times, [])
            bandwidth.write(self.scratch, found)
            self.assertEqual([((row["kind"], row["bytes"]), row["algbw_bps"] != "", row["busbw_bps"] != "")
                              for row in csv.DictReader(self.read("collectives.csv").splitlines())], rows)
            listed = {(one["kind"], str(one["bytes"])): one for one in bandwidth.summary(found)}
            for kind, algorithm, bus in rows:
                self.assertEqual((listed[kind]["mean_algbw_bps"] is not None, listed[kind]["mean_busbw_bps"] is not None),
                                 (algorithm, bus))
            shown = bandwidth.text([{"cc": "none", "step": {"collectives": list(listed.values())}}])
            self.assertIn(" - ", shown)
            self.assertNotIn(" 0 b/s", shown)

    def test_steps_that_receive_and_send(self):
        text = ('<algo name="chain" nchunksperloop="1" ngpus="3" coll="broadcast"><gpu id="0"><tb id="0" send="1" recv="-1" chan="0">'
                '<step s="0" type="s" cnt="1" depid="-1" deps="-1"/></tb></gpu><gpu id="1"><tb id="0" send="2" recv="0" chan="0">'
                '<step s="0" type="rcs" cnt="1" depid="-1" deps="-1"/><step s="1" type="nop" depid="-1" deps="-1"/></tb></gpu><gpu id="2">'
                '<tb id="0" send="-1" recv="1" chan="0"><step s="0" type="r" cnt="1" depid="-1" deps="-1"/></tb></gpu></algo>')
        trace = self.trace(self.write("a.xml", text), size="500")
        self.assertEqual([f.after for f in trace.flows], [{}, {1: 0}])
        self.assertEqual([trace.schedule.kind[i] for i in range(len(trace.schedule)) if trace.schedule.rank[i] == 1],
                         [CALC, RECV, SEND, CALC, CALC])

    def test_msccl_is_refused(self):
        good = ring_xml(2)
        for text, expected in (
                (good.replace("</algo>", ""), ": found XML that is not well formed"),
                ("<algo><tb/></algo>", ":1: found the element tb in algo, exp"),
                ("<svg/>", ":1: found the element svg, expected algo"),
                (good.replace('type="s"', 'type="send"'), "rank 0: found type='send', exp"),
                (good.replace('ngpus="2"', 'ngpus="3"'), "rank 2 is missing, expected a gpu element for each of the 3 ranks"),
                (good.replace('ngpus="2"', 'ngpus="1"'), "found 2 ranks, expected ngpus='1'"),
                (good.replace('gpu id="1"', 'gpu id="0"'), "found gpu 0 again"),
                (good.replace('tb id="1"', 'tb id="0"'), "found tb 0 again"),
                (good.replace('send="1"', 'send="0"', 1), "found a step s in a tb with send='0', expected the number of another gpu"),
                (good.replace('cnt="1"', 'cnt="x"'), "found cnt='x', expected cnt of 1 to 2"),
                (good.replace('cnt="1"', 'cnt="0"'), "found cnt='0', expected cnt of 1 to 2"),
                (good.replace('cnt="1"', 'cnt="3"', 1), ":4: rank 0: found cnt='3', expected cnt of 1 to 2"),
                (good.replace('s="0" type', 's="7" type', 1), ":4: rank 0: found s='7', expected s of 0 to 0"),
                (good.replace('type="r" ', 'type="nop" ', 1), "rank 1: found a send of"),
                (good.replace('depid="-1" deps="-1"', 'depid="7" deps="0"', 1),
                 "rank 0: found depid='7' and deps='0', expected a tb of this gpu"),
                (ring_xml(3).replace('depid="-1" deps="-1"', 'depid="0" deps="1"', 1), "that waits for itself"),
                ('<!DOCTYPE a [<!ENTITY b "c">]><algo/>', ":1: found a document type, expected none")):
            with self.subTest(expected):
                self.refused(self.write("a.xml", text), expected)
        for attribute in ('cnt="1"', 'chan="0"', 'ngpus="2"', 'type="s"'):
            name = attribute.partition("=")[0]
            found = self.refused(self.write("a.xml", good.replace(attribute, f'{name}="{"9" * 100000}"')), f"found {name}='99")
            self.assertLess(len(found), 400)
        self.refused(self.write("a.xml", good), "--size is '0', expected a number of bytes such as 64MB", size="0")

    # ------------------------------------------------------------ any

    def test_other_files(self):
        self.refused(self.write("a", "PK\x03\x04"),
                     "a:1: found 'PK\\x03\\x04', expected a schedule in GOAL's text form (num_ranks N) or its binary form, an exec")
        self.refused(self.write("a", b"\xff\xfe\x00"), "a:1: found")
        for name, head in (("b.0.json", b"{"), ("b.txt", b"MICRO "), ("b.goal", b"num_ranks 2\n")):
            self.refused(self.write(name, head + b"\xff\n1\n"), "found bytes that are no text, expected ")
        self.refused(self.write("b.0.json", '{"workload_graph": [{"Id": 1}]}'), "node 0 of the file: found an item without Id and NodeType")
        self.refused(self.write("a", ""), "a:1: found '', expected")
        with self.assertRaises(RccError):
            self.trace(self.path("nothing"))

    def test_options_that_a_format_cannot_use(self):
        """Are refused: what is given is used, or said to be wrong."""
        goal = self.write("t.goal", PAIR.format("send 9b to 1", "recv 9b from 0"))
        simai, msccl, chakra_ = self.write("w.txt", SIMAI), self.write("a.xml", ring_xml(4)), self.feeder(2)
        for path, given, expected in (
                (goal, {"gpus": "2"}, "--gpus is '2', expected none beside t.goal: only a workload of SimAI has it"),
                (goal, {"size": "1MB"}, "--size is '1MB', expected none beside t.goal: only an algorithm of MSCCL has it"),
                (goal, {"collective": "all-reduce=tree"}, "--collective is 'all-reduce=tree', expected none beside t.goal: only a trace of "
                 "Chakra or a workload of SimAI has it"),
                (simai, {"size": "1MB"}, "--size is '1MB', expected none"), (msccl, {"gpus": "4"}, "--gpus is '4', expected none"),
                (msccl, {"collective": "all-gather=ring"}, "--collective is 'all-gather=ring', expected none"),
                (chakra_, {"gpus": "2"}, "--gpus is '2', expected none"), (chakra_, {"size": "5MB"}, "--size is '5MB', expected none")):
            with self.subTest(expected):
                self.refused(path, expected.replace("t.goal", path), **given)
        for path, given in ((simai, {"gpus": "8", "collective": "all-reduce=tree"}), (msccl, {"size": "1MB"}),
                            (chakra_, {"collective": "all-reduce=tree"})):
            self.assertTrue(list(self.trace(path, **given).flows))

    def test_a_byte_order_mark(self):
        """As editors of Windows put it before a text."""
        goal = "num_ranks 2\nrank 0 {\na: send 5b to 1\n}\nrank 1 {\na: recv 5b from 0\n}\n"
        self.feeder(2)
        for name, text, given in (("t.goal", goal, {}), ("t.txt", SIMAI, {"ranks": "8"}), ("t.xml", ring_xml(4), {}),
                                  ("step.0.json", self.read("step.0.json"), {})):
            with self.subTest(name):
                found = []
                for mark in ("", "\ufeff"):
                    found.append(list(self.trace(self.write(name, mark + text), **given).flows))
                self.assertTrue(found[0])
                self.assertEqual(found[0], found[1])

    @unittest.skipUnless(probe.python_with("google.protobuf"), "python3-protobuf is not installed")
    def test_mutated_protobuf_is_read_or_refused(self):
        random_numbers = random.Random(8)
        good = protobuf(step(0, node))
        self.write("p.1.et", protobuf(step(1, node)))
        for _ in range(12):   # a process each
            content = bytearray(good)
            for _ in range(random_numbers.randint(1, 3)):
                content[random_numbers.randrange(len(content))] = random_numbers.randrange(256)
            try:
                self.trace(self.write("p.0.et", bytes(content)))
            except RccError as error:
                self.assertEqual((error.status, str(error).count("\n")), (2, 0), str(error))


@needs_programs
class Runs(RccTest):
    def test_a_ring_of_msccl_is_its_closed_form(self):
        self.put("a.xml", ring_xml(8))
        done = self.succeed("run", "trace", "a.xml", "--cc=none", "--no-plots", "--size=800000")
        found = json.loads(self.read("out", "trace", "none", "run.json"))["step"]
        self.assertAlmostEqual(found["step_s"] / (7 * message(100000)), 1, delta=0.005)
        self.assertIn("all-gather=msccl", done.stdout)


if __name__ == "__main__":
    unittest.main()
