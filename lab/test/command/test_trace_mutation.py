# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Each field that a reader of traces accepts is changed alone, wherever it is in a file that has all of them: the messages, what they wait
for or what is computed changes, or the file is refused, or a note names the field; or it is listed here with the reason why it has no
effect. A field of the list that has an effect is a failure as well."""
import copy
import json
import unittest
import xml.etree.ElementTree as ElementTree

from test_trace_formats import Files

from command.common import RccError
from command.traces import chakra, htsim, msccl, simai

# Reasons why a field has no effect, by what has it and its name.
CHAKRA = {
    ("COMP_NODE", "is_cpu_op"): "a computation takes its duration on either processor",
    ("MEM_LOAD_NODE", "tensor_size"): "a node with a duration takes it",
    ("COMP_NODE", "num_ops"): "a node with a duration takes it",
    ("COMM_COLL_NODE", "runtime"): "the simulation has its duration",
    ("COMM_SEND_NODE", "runtime"): "the simulation has its duration",
    ("COMM_SEND_NODE", "tensor_size"): "comm_size has the bytes of a message",
    ("COMM_SEND_NODE", "is_cpu_op"): "a message is one of either processor",
    ("COMM_SEND_NODE", "rf_id"): "it numbers operators of a profiler",
}
MSCCL = {
    ("algo", "nchannels"): "the blocks have their channels", ("algo", "proto"): "protocols add no bytes here (lab/doc/workload.md)",
    ("algo", "inplace"): "a place in memory", ("algo", "outofplace"): "a place in memory",
    ("algo", "nthreadblocks"): "the blocks are counted", ("algo", "redop"): "a reduction takes no time",
    ("gpu", "i_chunks"): "nchunksperloop has the chunks of the whole size", ("gpu", "o_chunks"): "nchunksperloop has the chunks",
    ("gpu", "s_chunks"): "a place in memory",
    ("copy", "i_off"): "a copy inside a GPU takes no time", ("copy", "o_off"): "a copy inside a GPU takes no time",
    ("tb -", "send"): "a block without sends", ("tb -", "recv"): "a block without receives", ("tb -", "chan"): "a block without messages",
    ("step", "srcbuf"): "a place in memory", ("step", "srcoff"): "a place in memory", ("step", "dstbuf"): "a place in memory",
    ("step", "dstoff"): "a place in memory", ("step", "hasdep"): "depid and deps of the step that waits say it",
    ("step cpy", "cnt"): "a copy takes no time",
}
SIMAI = {
    ("header", "pp_comm"): "bytes between stages, which a note says are not simulated where there are stages",
    ("header", "vpp"): "AICB writes its number of layers; a matter of stages in SimAI",
    ("header", "ga"): "AICB writes the layers of all micro-batches; a matter of stages in SimAI",
    ("layer without collectives", "update"): "an update follows a collective, as in ASTRA-sim",
}
GOAL = {
    ("send", "cpu"): "operations of a cpu do not wait for one another (lab/doc/workload.md)",
    ("recv", "cpu"): "as of a send", ("calc", "cpu"): "as of a send", ("calc", "nic"): "computing takes no NIC",
}
HTSIM = {("connection", "id"): "it numbers a connection"}


class Mutation(Files):
    maxDiff = None

    def outcome(self, path, **given):
        """Return what the trace at `path` makes, without the numbers and places that an error has."""
        try:
            trace = self.trace(path, **given)
        except RccError as error:
            return str(error)
        s = trace.schedule
        ends = {}

        def end_of(k, start):
            ends[k] = start + 1000 + s.size[trace.flows.operation[k]]
            return ends[k]

        flows = [(s.rank[f.operation], s.peer[f.operation], s.size[f.operation], f.after, f.begin) for f in trace.flows]
        times = trace.times(end_of, ends.__getitem__)
        return (s.ranks, flows, list(times), [(s.label[i], s.line[i]) for i in range(len(s))], s.notes,
                [(one.name, one.kind, one.size, one.ranks) for one in s.collectives])

    def check(self, base, mutants, reasons):
        """Compare the outcome of each mutant, (what has the field, its name, function that makes the outcome), with `base`. A field at one
        place may have several mutants, of which one has to tell."""
        self.assertIsInstance(base, tuple, base)
        told, met = {}, set()
        for number, (owner, name, make) in enumerate(mutants):
            place = (owner, name, make.place)
            told[place] = told.get(place, False) or make() != base
            met.add((owner, name))
        self.assertGreater(number, 20)
        silent = {place[:2] for place, tells in told.items() if not tells and not any(f"{place[1]} (" in note for note in base[4])}
        self.assertEqual(sorted(silent - set(reasons)), [], "no effect, no note and no reason")
        self.assertEqual(sorted(set(reasons) - silent), [], "a reason for a field that has an effect, or that no file has")
        return met


class Make:
    """The outcome of a file that is changed at a place."""

    def __init__(self, place, make):
        self.place, self.make = place, make

    def __call__(self):
        return self.make()


def changed(value):
    """Yield other values of a field."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value + 7000)
    elif isinstance(value, list):
        yield from ([*value, 1], [])
        if value and isinstance(value[0], bool):
            yield [not one for one in value]
    elif str(value).lstrip("-").isdigit():
        yield from (str(int(value) + 1), str(int(value) + 7000), *([str(int(value) - 1)] if int(value) > 1 else []))
    else:
        yield from (value + "x", value[:-1])


def as_protobuf(item):
    """Return a node of the feeder as JSON of protobuf has it."""
    names = {"Id": "id", "Name": "name", "runtime": "durationMicros", "data_deps": "dataDeps", "ctrlDeps": "ctrlDeps"}
    kind = item["NodeType"]
    found = {"type": chakra.TYPES[kind] if kind < len(chakra.TYPES) else kind, "attr": []}
    for name, value in item.items():
        if name in names:
            found[names[name]] = [str(one) for one in value] if isinstance(value, list) else str(value)
        elif name == "values":
            found["inputs"] = {"values": value, "shapes": "[]"}
        elif name != "NodeType":
            key = "boolVal" if isinstance(value, bool) else "int64Val" if isinstance(value, int) else "stringVal"
            found["attr"].append({"name": name, "boolList": {"values": value}} if isinstance(value, list) else
                                 {"name": name, key: str(value) if key == "int64Val" else value})
    return found


class OfFormats(Mutation):
    def nodes(self):
        """The nodes of two ranks of Chakra's feeder: with each attribute, on each type that the list above names."""
        members = '["[{"pg_name": "5", "ranks": [0, 1]}]"]'
        ranks = []
        for rank in (0, 1):
            ranks.append([
                {"Id": 1, "NodeType": chakra.METADATA, "values": members},
                {"Id": 2, "Name": "f", "NodeType": chakra.COMP, "runtime": 10 + rank, "num_ops": 8, "is_cpu_op": False},
                {"Id": 3, "Name": "m", "NodeType": chakra.MEM_LOAD, "runtime": 20, "tensor_size": 5, "data_deps": [2]},
                {"Id": 4, "Name": "a", "NodeType": chakra.COMM_COLL, "runtime": 3, "comm_type": 0, "comm_size": 9000, "pg_name": "5",
                 "is_cpu_op": False, "involved_dim": [True, True], "data_deps": [3]},
                {"Id": 5, "Name": "b", "NodeType": chakra.COMM_COLL, "comm_type": 5, "comm_size": 800, "comm_group": "5", "comm_src": 0,
                 "data_deps": [4], "is_cpu_op": False},
                {"Id": 6, "Name": "s", "NodeType": chakra.COMM_SEND + rank, "comm_size": 70, "comm_src": 0, "comm_dst": 1, "comm_tag": 4,
                 "data_deps": [3], "ctrlDeps": [5], "runtime": 4, "tensor_size": 5, "is_cpu_op": False, "rf_id": 7, "pg_name": "5"},
                {"Id": 7, "Name": "o", "NodeType": chakra.COMP, "runtime": 7, "data_deps": [5, 6]}][rank:])
        return ranks

    def outcome_of_nodes(self, ranks, of_protobuf):
        """Return the outcome of nodes as the feeder's JSON or as that of protobuf, in which numbers are texts."""
        for rank, nodes in enumerate(ranks):
            text = "\n".join(json.dumps(as_protobuf(one)) for one in nodes) if of_protobuf else json.dumps({"workload_graph": nodes})
            self.write(f"t.{rank}.json", text)
        return self.outcome(self.path("t.0.json"))

    def mutants_of_nodes(self, of_protobuf):
        for k, node in enumerate(self.nodes()[0]):
            for name, value in node.items():
                for other in changed(value):
                    ranks = copy.deepcopy(self.nodes())
                    ranks[0][k][name] = other
                    make = Make(k, lambda ranks=ranks: self.outcome_of_nodes(ranks, of_protobuf))
                    yield chakra.TYPES[node["NodeType"]], name, make

    def test_chakra(self):
        for of_protobuf in (False, True):
            with self.subTest(of_protobuf):
                base = self.outcome_of_nodes(self.nodes(), of_protobuf)
                met = self.check(base, list(self.mutants_of_nodes(of_protobuf)), CHAKRA)
                self.assertEqual(sorted(set(chakra.ATTRIBUTES) - {name for _, name in met}), [], "attributes that no mutant changes")

    TREE = """<algo name="p" coll="allgather" ngpus="2" nchunksperloop="2" minBytes="63999999" maxBytes="64000000" nchannels="1"
 proto="Simple" inplace="0" outofplace="1" nthreadblocks="2" redop="nop">
<gpu id="0" i_chunks="2" o_chunks="2" s_chunks="0"><copy i_off="0" o_off="0"/>
<tb id="0" send="1" recv="-1" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
<step s="1" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="2" depid="1" deps="0" hasdep="0"/></tb>
<tb id="1" send="-1" recv="1" chan="0">
<step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="1"/></tb></gpu>
<gpu id="1" i_chunks="2" o_chunks="2" s_chunks="0">
<tb id="0" send="0" recv="0" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
<step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
<step s="2" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="2" depid="2" deps="0" hasdep="0"/></tb>
<tb id="2" send="-1" recv="-1" chan="0">
<step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0" deps="1" hasdep="1"/></tb></gpu></algo>"""

    def outcome_of_tree(self, tree):
        return self.outcome(self.write("a.xml", ElementTree.tostring(tree, "unicode")), size="64MB")

    def owner_of_element(self, element, name):
        """Return which key of MSCCL an attribute belongs to."""
        types = {step.get("type") for step in element.iter("step")}
        if element.tag == "tb" and ((name == "send" and "s" not in types) or (name == "recv" and "r" not in types) or types == {"cpy"}) \
                and name != "id":
            return "tb -"
        return "step cpy" if element.tag == "step" and types == {"cpy"} and name == "cnt" else element.tag

    def mutants_of_tree(self):
        elements = list(ElementTree.fromstring(self.TREE).iter())
        for k, element in enumerate(elements):
            for name, value in element.items():
                for other in changed(value):
                    tree = ElementTree.fromstring(self.TREE)
                    list(tree.iter())[k].set(name, other)
                    yield self.owner_of_element(element, name), name, Make(k, lambda tree=tree: self.outcome_of_tree(tree))

    def test_msccl(self):
        met = self.check(self.outcome_of_tree(ElementTree.fromstring(self.TREE)), list(self.mutants_of_tree()), MSCCL)
        known = {(tag, name) for tag, names in msccl.KNOWN.items() if tag != "op" for name in names}
        self.assertEqual(sorted(known - {(owner.split()[0], name) for owner, name in met}), [], "attributes that no mutant changes")

    WORKLOAD = "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 1 ga: 1 all_gpus: 8 checkpoints: 0 " \
               "checkpoint_initiates: 0 pp_comm: 0\n2\na -1 100 ALLREDUCE 80000 200 ALLTOALL_EP 4000 300 REDUCESCATTER_DP_EP 16000 50\n" \
               "b -1 100 NONE 0 200 NONE 0 300 NONE 0 50\n"
    LAYER = ("name", "dependency", *(f"{phase} {field}" for phase in simai.PHASES for field in ("ns", "collective", "bytes")), "update")

    def mutants_of_workload(self):
        lines = [line.split() for line in self.WORKLOAD.splitlines()]
        for row, words in enumerate(lines):
            for column, word in enumerate(words):
                owner = ("header", "count", "layer", "layer without collectives")[row]
                name = self.LAYER[column] if row > 1 else (words[column - 1].rstrip(":") if column and not word.endswith(":") else word)
                for other in changed(word):
                    mutant = [list(one) for one in lines]
                    mutant[row][column] = other
                    text = "\n".join(map(" ".join, mutant)) + "\n"
                    yield owner, name, Make(column, lambda text=text: self.outcome(self.write("w.txt", text)))

    def test_simai(self):
        met = self.check(self.outcome(self.write("w.txt", self.WORKLOAD)), list(self.mutants_of_workload()), SIMAI)
        self.assertEqual(sorted({*simai.HEADER} - {name for _, name in met}), [], "names that no mutant changes")

    SCHEDULE = "num_ranks 2\nrank 0 {\nc: calc 500 cpu 0 nic 0\ns: send 90b to 1 tag 3 cpu 0 nic 0\ns requires c\nd: calc 70 cpu 0\n" \
               "d irequires s\nt: send 80b to 1\nt requires d\n}\nrank 1 {\nr: recv 90b from 0 tag 3 cpu 0 nic 0\nq: recv 80b from 0\n}\n"

    def mutants_of_words(self, name, content, owner_of, others_of=changed):
        """Yield a text with one word changed, for each word and each of its changes. `owner_of`: names the kind of a line of words."""
        lines = [line.split() for line in content.splitlines()]
        for row, words in enumerate(lines):
            for column, word in enumerate(words):
                for other in others_of(word):
                    mutant = [list(one) for one in lines]
                    mutant[row][column] = other
                    text = "\n".join(map(" ".join, mutant)) + "\n"
                    yield owner_of(words), words[column - 1] if column else word, Make((row, column), lambda text=text: self.outcome(
                        self.write(name, text)))

    def test_goal(self):
        self.check(self.outcome(self.write("t.goal", self.SCHEDULE)), list(self.mutants_of_words(
            "t.goal", self.SCHEDULE, lambda words: next((one for one in ("send", "recv", "calc") if one in words), "line"))), GOAL)

    MATRIX = "Nodes 3\nConnections 3\nTriggers 1\nFailures 0\n0->1 id 1 start 5000 size 90 send_done_trigger 4 prio 2\n" \
             "2->1 id 2 start 2000 size 80 recv_done_trigger 4\n1->0 id 3 trigger 4 size 70 msg 1\ntrigger id 4 barrier count 2\n"

    def test_htsim(self):
        met = self.check(self.outcome(self.write("t.cm", self.MATRIX)), list(self.mutants_of_words(
            "t.cm", self.MATRIX, lambda words: "connection" if "->" in words[0] else words[0],
            lambda word: ("0->2", "9->1") if "->" in word else changed(word))), HTSIM)
        self.assertEqual(sorted({*htsim.FIELDS, *htsim.HEADER} - {name for _, name in met}), [], "names that no mutant changes")


if __name__ == "__main__":
    unittest.main()
