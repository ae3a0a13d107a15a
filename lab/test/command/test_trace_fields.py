# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Each field of a trace is used, refused or reported by ./rcc run trace, and files of related tools are named and refused."""
import json
import struct
import unittest
from unittest import mock

from test_trace_formats import Files, as_json, field, node, protobuf, ring_xml, varint
from test_trace_goal import PAIR

from command.system import probe
from command.traces import chakra


class Chakra(Files):
    def write_ranks(self, *ranks, name="w"):
        """Write the nodes of each rank as Chakra's feeder has them in JSON."""
        for rank, nodes in enumerate(ranks):
            self.write(f"{name}.{rank}.json", json.dumps({"workload_graph": nodes}))
        return self.path(f"{name}.0.json")

    def collective(self, **attributes):
        return {"Id": 1, "Name": "ar", "NodeType": 7, "comm_type": 0, "comm_size": 1000, **attributes}

    def test_either_name_of_a_group(self):
        """comm_group is the name of pg_name in traces for older versions of ASTRA-sim, by STAGE as a number."""
        self.write("comm_group.json", '{"1": [0, 1], "2": [2, 3]}')
        for name in ("pg_name", "comm_group"):
            for one, two in (("1", "2"), (1, 2)):
                path = self.write_ranks(*([self.collective(**{name: value})] for value in (one, one, two, two)))
                trace = self.trace(path)
                self.assertEqual([one.ranks for one in trace.schedule.collectives], [(0, 1), (2, 3)], name)
                self.assertEqual(trace.schedule.notes, [])
                for rank, value in enumerate((one, one, two, two)):
                    self.write(f"j.{rank}.json", json.dumps(as_json(1, "ar", chakra.COMM_COLL, comm_type=0, comm_size=1000,
                                                                    **{name: value})))
                self.assertEqual([one.ranks for one in self.trace(self.path("j.0.json")).schedule.collectives], [(0, 1), (2, 3)], name)
        if probe.python_with("google.protobuf"):
            for rank, value in enumerate((1, 1, 2, 2)):
                self.write(f"b.{rank}.et", protobuf([node(1, "ar", 7, comm_type=0, comm_size=1000, comm_group=value)]))
            self.assertEqual([one.ranks for one in self.trace(self.path("b.0.et")).schedule.collectives], [(0, 1), (2, 3)])
        self.write("w.0.json", json.dumps({"workload_graph": [self.collective(pg_name="1", comm_group=2)]}))
        self.refused(path, "w.0.json: rank 0: node 1: ar: found pg_name 1 and comm_group 2, expected one group")

    def test_groups_of_collectives_without_a_size(self):
        """Two groups call one each, not one of all ranks."""
        nodes = [[{"Id": 1, "NodeType": 7, "runtime": 5, "comm_group": group},
                  {"Id": 2, "NodeType": 5 + rank, "comm_size": 9, "comm_dst" if not rank else "comm_src": 1 - rank}]
                 for rank, group in enumerate((1, 2))]
        self.assertEqual([one.ranks for one in self.trace(self.write_ranks(*nodes)).schedule.collectives], [(0,), (1,)])

    def test_the_file_of_groups_has_the_name_of_the_trace(self):
        """As STAGE writes it: NAME.json beside NAME.RANK.et."""
        path = self.write_ranks(*([self.collective(pg_name=name)] for name in ("1", "1", "2", "2")))
        self.refused(path, "found the group 1, expected one of comm_group.json, w.json or of a metadata node")
        self.write("w.json", '{"1": [0, 1], "2": [2, 3]}')
        self.assertEqual([one.ranks for one in self.trace(path).schedule.collectives], [(0, 1), (2, 3)])
        self.write("w.json", '{"1": [0, 7], "2": [2, 3]}')
        self.refused(path, "w.json: group 1: found [0, 7], expected ranks of 0 to 3, each once")
        self.write("w.json", '{"1": [0, 1], "2": [2, 3], "3": [0, 3]}')
        self.write("comm_group.json", '{"1": [0, 1], "2": [2, 3]}')
        self.refused(path, "w.json: found other groups than those of ")
        for other in ("no JSON", '{"nodes": []}', "[1]", '{"schema": 3}'):    # a file that has nothing to do with groups
            self.write("w.json", other)
            self.assertEqual(len(self.trace(path).schedule.collectives), 2)

    def metadata(self, groups):
        return {"Id": 9, "NodeType": 1, "values": json.dumps([json.dumps(groups)]).replace('\\"', '"')}

    def test_one_name_of_two_groups(self):
        """PyTorch numbers groups by process: the same name in metadata of two ranks may be two groups."""
        first, second = [{"pg_name": "1", "ranks": [0, 1]}], [{"pg_name": "1", "ranks": [2, 3]}]
        ranks = [[self.metadata(groups), self.collective(pg_name="1")] for groups in (first, first, second, second)]
        self.assertEqual([one.ranks for one in self.trace(self.write_ranks(*ranks)).schedule.collectives], [(0, 1), (2, 3)])
        ranks[3] = ranks[3][1:]     # the metadata of rank 2 alone has the group of rank 3
        self.assertEqual([one.ranks for one in self.trace(self.write_ranks(*ranks)).schedule.collectives], [(0, 1), (2, 3)])
        ranks[0][0] = self.metadata([{"pg_name": "1", "ranks": [0, 1, 3]}])
        self.refused(self.write_ranks(*ranks), "w.3.json: rank 3: node 1: ar: found the group 1, which metadata nodes of other ranks have "
                     "with 2 sets of ranks, expected a metadata node of this rank with it")
        self.write("comm_group.json", '{"1": [0, 1]}')
        self.refused(self.write_ranks(*ranks), "found the group 1 with other ranks in a metadata node than in a file of groups")

    def test_fields_without_effect_are_named_in_one_line(self):
        plain = [self.collective(), {"Id": 2, "NodeType": 4, "runtime": 5}]
        more = [self.collective(comm_priority=3, comm_tag=4, comm_src=1),
                {"Id": 2, "NodeType": 4, "runtime": 5, "rf_id": 8, "weight\x07": 2, "comm_priority": 1}]
        notes = self.trace(self.write_ranks(plain, more)).schedule.notes
        self.assertEqual(notes, [f"{self.path('w.0.json')}: fields that have no effect: comm_priority (2), comm_tag (1), weight\\x07 (1), "
                                 "comm_src (1)"])
        self.assertEqual(self.trace(self.write_ranks(plain, plain)).schedule.notes, [])
        item = {**as_json(1, "ar", chakra.COMM_COLL, comm_type=0, comm_size=9, comm_priority=1), "speed": 3, "startTimeMicros": "7"}
        for rank in (0, 1):
            self.write(f"j.{rank}.json", json.dumps(item))
        self.assertIn(": fields that have no effect: speed (2), comm_priority (2)", self.trace(self.path("j.0.json")).schedule.notes[0])
        if probe.python_with("google.protobuf"):
            content = protobuf([node(1, "ar", chakra.COMM_COLL, comm_type=0, comm_size=9, comm_priority=1, rf_id=2) + field(77, 5)])
            for rank in (0, 1):
                self.write(f"b.{rank}.et", content)
            self.assertIn(": fields that have no effect: numbers that the schema does not have (2), comm_priority (2)",
                          self.trace(self.path("b.0.et")).schedule.notes[0])

    def test_work_without_a_duration_is_reported(self):
        """STAGE has operations and bytes of memory, of which ASTRA-sim's model of a processor makes a time."""
        nodes = [self.collective(), {"Id": 2, "NodeType": 4, "num_ops": 5000, "tensor_size": 7}, {"Id": 3, "NodeType": 2, "tensor_size": 7},
                 {"Id": 4, "NodeType": 4, "runtime": 3, "num_ops": 5000}]
        self.assertEqual([note.partition(": ")[2] for note in self.trace(self.write_ranks(nodes, nodes)).schedule.notes],
                         ["4 nodes with num_ops or tensor_size alone take no time: they have no duration"])

    def test_names_of_the_schema(self):
        """JSON of protobuf with the names of the schema, as of MessageToJson(preserving_proto_field_name=True)."""
        for rank, kind, peer in ((0, "COMM_SEND_NODE", "comm_dst"), (1, "COMM_RECV_NODE", "comm_src")):
            nodes = [{"id": "1", "type": "COMP_NODE", "duration_micros": "5"},
                     {"id": "2", "type": kind, "data_deps": ["1"], "attr": [{"name": peer, "int32_val": 1 - rank},
                                                                            {"name": "comm_size", "int64_val": "9"}]}]
            self.write(f"w.{rank}.json", "\n".join(map(json.dumps, nodes)))
        trace = self.trace(self.path("w.0.json"))
        self.assertEqual((trace.flows[0].begin, trace.schedule.notes), (5000, []))
        for first, second in (({"int32_val": 1}, {"int64Val": 2}), ({"int32Val": 1}, {"int32_val": 2})):
            nodes[1]["attr"][0] = {"name": "comm_src", **first, **second}
            self.write("w.1.json", "\n".join(map(json.dumps, nodes)))
            self.refused(self.path("w.0.json"), "w.1.json: node 1 of the file: found " + ("int32Val by two names" if "int32Val" in first
                                                                                                  else "two values of the attribute"))

    @unittest.skipUnless(probe.python_with("google.protobuf"), "python3-protobuf is not installed")
    def test_the_first_schema(self):
        """Schema v0.0.1 has no metadata, and other numbers of fields and types."""
        content = field(1, 1) + field(2, "ar") + field(3, 6) + field(13, 1) + field(18, 1000)
        self.refused(self.write("b.0.et", varint(len(content)) + content), "b.0.et: byte 0: found a node before the metadata, as in "
                     "Chakra's schema v0.0.1, expected v0.0.4 (STAGE: --chakra_schema_version v0.0.4)")

    @unittest.skipUnless(probe.python_with("google.protobuf"), "python3-protobuf is not installed")
    def test_attributes_of_stage(self):
        """Lists of texts, and 32 bits for what others have as a truth value."""
        names = field(10, field(1, "inputs") + field(30, field(1, "x") + field(1, "5")))
        of_cpu = field(10, field(1, "is_cpu_op") + varint(7 << 3) + varint(0))
        nodes = [node(1, "c", chakra.COMP, num_ops=5, tensor_size=3, op_type="M") + names,
                 node(2, "ar", chakra.COMM_COLL, data=[1], comm_size=1000, comm_type=0, pg_name="0") + names + of_cpu]
        for rank in (0, 1):
            self.write(f"b.{rank}.et", protobuf(nodes))
        self.write("b.json", '{"0": [1, 0]}')
        s = self.trace(self.path("b.0.et")).schedule
        self.assertEqual([one.ranks for one in s.collectives], [(1, 0)])
        self.assertEqual([note.partition(": ")[2] for note in s.notes],
                         ["2 nodes with num_ops or tensor_size alone take no time: they have no duration"])

    def test_the_end_of_a_text_is_found_once(self):
        """A look at the whole text for each node would take time that is quadratic."""
        looks = []

        class Text(str):
            def rstrip(self, *words):
                looks.append(len(self))
                return super().rstrip(*words)

        text = Text("\n".join(json.dumps(as_json(k, "c", chakra.COMP)) for k in range(50)) + "\n")
        with mock.patch.object(chakra, "read_text", lambda *words: text):
            self.assertEqual(len(chakra.from_json("t.0.json")), 50)
        self.assertLessEqual(len(looks), 1)

    def test_one_root_of_all_ranks(self):
        nodes = [[self.collective(comm_type=5, comm_src=root)] for root in (0, 1)]
        self.refused(self.write_ranks(*nodes), "w.1.json: rank 1: node 1: ar: found comm_src 1, expected 0 as rank 0 has in node 1")

    def test_json_of_other_tools(self):
        for text, expected in (
                ({"name": "plan", "collective": "allreduce", "protocol": "Simple", "gpus": [{"id": 0}]},
                 "found an execution plan of MSCCL++ (gpus), which is not read; expected an algorithm of MSCCL as XML"),
                ({"nodes": [{"id": 1, "node_type": "coll_comm_node"}]},
                 "found STAGE's JSON (node_type), which is not read; expected STAGE's NAME.RANK.et: --chakra_schema_version v0.0.4"),
                ({"nodes": [{"id": 1, "name": "x"}]}, "found a trace of PyTorch's host (nodes), expected one of Chakra, which"),
                ({"traceEvents": []}, "found a trace of PyTorch's profiler (traceEvents), expected one of Chakra, which"),
                ({"flows": []}, "found an experiment (flows), expected a trace; ./rcc run FILE runs it")):
            for name in ("plan.json", "w.0.json"):
                with self.subTest(expected):
                    self.refused(self.write(name, json.dumps(text)), f"{name}: {expected}")


class SimAI(Files):
    HEAD = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4 checkpoints: 0 " \
           "checkpoint_initiates: 0 pp_comm: 4096\n"
    LAYER = "l -1 1000 ALLREDUCE 80000 10 NONE 0 10 NONE 0 1\n"

    def notes(self, text, **given):
        return [note.partition(": ")[2] for note in self.trace(self.write("w.txt", text), **given).schedule.notes]

    def test_quotients_of_aicb(self):
        """AICB divides in Python: whole numbers are written as 1048576.0."""
        whole = self.trace(self.write("w.txt", self.HEAD + "1\n" + self.LAYER))
        for old, new in (("4096", "4096.0"), ("80000", "80000.0"), ("1000", "1000.00"), ("ep: 1", "ep: 1.0")):
            trace = self.trace(self.write("w.txt", (self.HEAD + "1\n" + self.LAYER).replace(old, new)))
            self.assertEqual((list(trace.flows), list(trace.schedule.size)), (list(whole.flows), list(whole.schedule.size)), new)
        for new in ("80000.5", "80000.", ".0", "8e4", "80000.0.0", "-.0"):
            self.refused(self.write("w.txt", self.HEAD + "1\n" + self.LAYER.replace("80000", new)),
                         f":3: found '{new}', expected a number of bytes of 0 to")

    def test_policies_that_are_not_simulated(self):
        for policy in ("HYBRID_DLRM", "HYBRID_DLRM_ENHANCED", "HYBRID_CUSTOMIZED", "DISTRIBUTED_INFERENCE"):
            self.refused(self.write("w.txt", f"{policy} 1\n1\n" + self.LAYER),
                         f"w.txt:1: found the policy {policy} of SimAI and ASTRA-sim, which is not simulated, expected one of MICRO, DATA,")

    def test_a_workload_without_a_number_of_ranks(self):
        head = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: {} checkpoints: 0 checkpoint_initiates: 0\n1\n"
        path = self.write("w.txt", head.format(1) + "l -1 1000 NONE 0 10 NONE 0 10 ALLREDUCE 80000 1\n")
        self.refused(path, "w.txt:1: found 'HYBRID_TRANSFORMER_FWD_IN_BCKWD' without all_gpus, which is 1 rank, expected all_gpus: N, or "
                     "--gpus=N beside it")
        self.assertEqual(self.trace(path, gpus="4").schedule.ranks, 4)
        self.assertEqual(self.notes(head.format(2) + self.LAYER),
                         ["all_gpus is missing: 2 ranks, the product of the tensor, expert and pipeline parallelism; --gpus=N has more of "
                          "them"])
        self.assertNotIn("all_gpus is missing", str(self.notes(head.format(2) + self.LAYER, gpus="4")))

    def test_lines_behind_the_layers(self):
        """SimAI reads as many layers as the second line says."""
        text = self.HEAD + "1\n" + self.LAYER + "later 1 2 3\n" + self.LAYER
        self.assertEqual(self.notes(text), ["2 lines behind the 1 layer of line 2 ignored, here the first"])
        self.assertIn("w.txt:4: ", self.trace(self.path("w.txt")).schedule.notes[0])
        self.assertEqual(len(self.trace(self.path("w.txt")).flows), 2 * 2 * 2)
        self.refused(self.write("w.txt", self.HEAD + "2\n" + self.LAYER), "w.txt:2: found 2, expected the number of the layers that follow")

    def test_fields_without_effect(self):
        for old, new, expected in (("vpp: 1", "vpp: 2 vp: 3", "vp: 3 (1)"), ("ga: 1", "ga: 4 word", "word (1)"),
                                   ("ep: 1", "ep: 1 sp: 1", "sp: 1 (1)"), ("l -1", "l 0", "dependency on a layer (1)"),
                                   ("NONE 0 1\n", "NONE 7 1\n", "bytes beside NONE (1)")):
            self.assertEqual(self.notes((self.HEAD + "1\n" + self.LAYER).replace(old, new)),
                             [f"fields that have no effect: {expected}"], new)
        self.assertEqual(self.notes(self.HEAD + "1\n" + self.LAYER), [])


class Msccl(Files):
    def test_copies_inside_a_gpu_take_no_time(self):
        plain = ring_xml(2)
        whole = self.trace(self.write("a.xml", plain))
        trace = self.trace(self.write("a.xml", plain.replace('s_chunks="0">', 's_chunks="0">\n<copy i_off="0" o_off="1"/>')))
        self.assertEqual((list(trace.flows), trace.schedule.notes), (list(whole.flows), []))
        for text, expected in (('<copy i_off="x" o_off="1"/>', "rank 0: found i_off='x', expected i_off of 0 to"),
                               ('<copy><tb id="0"/></copy>', "rank 0: found the element tb in copy, expected no element")):
            self.refused(self.write("a.xml", plain.replace('s_chunks="0">', f's_chunks="0">{text}')), expected)

    def test_attributes_without_effect(self):
        plain = ring_xml(2)
        text = plain.replace('<algo ', '<algo weight="3" ').replace('cnt="1"', 'cnt="1" relay="2"').replace(' chan=', ' proto="LL" chan=')
        self.assertEqual(self.trace(self.write("a.xml", text)).schedule.notes,
                         [f"{self.path('a.xml')}: fields that have no effect: algo weight (1), tb proto (4), step relay (4)"])
        self.refused(self.write("a.xml", plain.replace("</tb>", "word</tb>", 1)), "found the text 'word', expected elements alone")

    def test_the_other_form_of_steps(self):
        """MSCCL-tools with old_format=False: elements `op`, numbered by `step`, without what is 1, -1 or 0."""
        plain = ring_xml(3)
        other = plain.replace("<step s=", "<op step=").replace(' depid="-1" deps="-1"', "").replace(' cnt="1"', "")
        for old, new in (('srcbuf="o" srcoff=', 'buf="o" off='), ('srcbuf="i" srcoff="0" dstbuf="o" dstoff=', 'buf="o" off='),
                         (' dstbuf="o" dstoff="0"', "")):
            other = other.replace(old, new)
        whole, trace = self.trace(self.write("a.xml", plain)), self.trace(self.write("a.xml", other))
        self.assertEqual((list(trace.flows), trace.schedule.notes), (list(whole.flows), []))
        self.refused(self.write("a.xml", other.replace('step="1"', 'step="2"', 1)), "found step='2', expected step of 1 to 1")

    def test_sizes_that_msccl_does_not_use_it_for(self):
        for bounds, count in (('minBytes="0" maxBytes="9223372036854775807"', 0), ('minBytes="64000000"', 0), ('maxBytes="63999999"', 1),
                              ('maxBytes="64000000"', 0), ('maxBytes="0"', 0), ('minBytes="0" maxBytes="18446744073709551615"', 0),
                              ('minBytes="70000000"', 1)):
            notes = self.trace(self.write("a.xml", ring_xml(2).replace("<algo ", f"<algo {bounds} "))).schedule.notes
            self.assertEqual(len(notes), count, bounds)
            self.assertTrue(all(" MSCCL does not use the algorithm for 64 MB, the --size here" in note for note in notes), notes)

    def test_a_tag_without_end(self):
        """The parser would begin it again with each block: a megabyte is enough."""
        for text in ('<algo name="' + "x" * (3 << 20) + '"/>', "<algo><!--" + "x" * (3 << 20) + "--></algo>"):
            self.refused(self.write("a.xml", text), ":1: found a tag or comment of more than 1048576 bytes, expected a shorter one")
        text = ring_xml(2).replace("<gpu", "<!--" + "x" * 900000 + "-->" + "\n" * (3 << 20) + "<gpu")
        self.assertEqual(len(self.trace(self.write("a.xml", text)).flows), 2)


class Goal(Files):
    def test_receives_of_any_source_or_tag(self):
        for text, expected in (("r: recv 5b from -1", "'from -1' (any source), expected a rank: a receive is matched before the run"),
                               ("recv 5b from 0 tag -1", "'tag -1' (any tag), expected a tag: a receive is matched before the run"),
                               ("recv 5b from 0 tag -1 cpu 0 nic 0", "'tag -1' (any tag), expected a tag")):
            self.refused(self.write("a.goal", PAIR.format("s: send 5b to 1", text)), f":6: rank 1: found {expected}")

    def test_nics(self):
        """A rank has one NIC: a warning counts the messages of others."""
        for first, second, expected in (("cpu 0 nic 0", "", []), ("cpu 1", "cpu 2 nic 00", []),
                                        ("cpu 0 nic 1", "nic 2 cpu 0", ["2 messages of nic 1, 2"]), ("nic 3", "", ["1 message of nic 3"])):
            text = PAIR.format(f"send 5b to 1 tag 1 {first}\ncalc 5 cpu 1", f"recv 5b from 0 tag 1 {second}")
            notes = self.trace(self.write("a.goal", text)).schedule.notes
            self.assertEqual(notes, [f"{self.path('a.goal')}: {one}: here a rank has one NIC for all its messages" for one in expected])


class Binary(Files):
    """GOAL's binary form, as Parser.hpp of LogGOPSim writes it."""
    # The operations of each rank: (type, peer, size, tag, cpu, nic, waits for the ends of, waits for the starts of)
    RANKS = (((3, 0, 500, 0, 0, 0, (), ()), (1, 1, 90, 3, 0, 0, (0,), ()), (3, 0, 70, 0, 1, 0, (), (1,)), (1, 1, 80, 0, 0, 0, (2, 0), ())),
             ((2, 0, 90, 3, 0, 0, (), ()), (2, 0, 80, 0, 0, 0, (), ())))
    TEXT = "num_ranks 2\nrank 0 {\na: calc 500\nb: send 90b to 1 tag 3\nb requires a\nc: calc 70\nc irequires b\nd: send 80b to 1\n" \
           "d requires a\nd requires c\n}\nrank 1 {\nr: recv 90b from 0 tag 3\nq: recv 80b from 0\n}\n"

    def binary(self, ranks, count=None):
        places, content = [], b""
        begin = 6 + 16 * len(ranks)
        for operations in ranks:
            rows, appendix = [], []
            for number, (kind, peer, size, tag, cpu, nic, ends, starts) in enumerate(operations):
                sides = []
                for side in (6, 7):
                    later = [k for k, one in enumerate(operations) if number in one[side]]
                    sides += [len(later), len(appendix)]
                    appendix += later
                rows.append(struct.pack("<IBIQIBBIIII", len(ends) + len(starts), kind, peer, size, tag, cpu, nic, *sides))
            roots = [k for k, one in enumerate(operations) if not one[6] + one[7]]
            one = struct.pack(f"<II{len(roots)}I", len(rows), len(roots), *roots) + b"".join(rows)
            one += struct.pack(f"<{len(appendix)}I", *appendix)
            places.append(struct.pack("<QQ", begin + len(content), begin + len(content) + len(one)))
            content += one
        return struct.pack("<QIBB", 4223, count or len(ranks), 1, 0) + b"".join(places) + content

    def changed(self, rank, number, column, value):
        ranks = [[list(one) for one in operations] for operations in self.RANKS]
        ranks[rank][number][column] = value
        return self.write("t.bin", self.binary(ranks))

    def test_it_is_the_text(self):
        text, binary = self.trace(self.write("t.goal", self.TEXT)), self.trace(self.write("t.bin", self.binary(self.RANKS)))
        self.assertEqual(list(binary.flows), list(text.flows))
        self.assertEqual(binary.flows[1].begin, 570)
        for column in ("rank", "kind", "size", "peer", "tag", "partner"):
            self.assertEqual(list(getattr(binary.schedule, column)), list(getattr(text.schedule, column)), column)
        self.assertEqual(self.trace(self.changed(0, 1, 5, 2)).schedule.notes,
                         [f"{self.path('t.bin')}: 1 message of nic 2: here a rank has one NIC for all its messages"])

    def test_refused(self):
        for path, expected in (
                ((0, 0, 0, 4), "rank 0: operation 0: found the type 4, expected 1 (send), 2 (recv) or 3 (calc)"),
                ((1, 0, 1, 2**32 - 1), "rank 1: operation 0: found a recv of any source, expected a rank: a receive is matched before"),
                ((1, 0, 3, 2**32 - 1), "rank 1: operation 0: found a recv of any tag, expected a tag: a receive is matched before"),
                ((0, 1, 1, 2), "rank 0: operation 1: found rank 2, expected another rank of 0 to 1"),
                ((0, 1, 2, 2**60), "rank 0: operation 1: found 1152921504606846976 bytes, expected at most"),
                ((0, 1, 2, 91), "rank 1: operation 0: found a recv of 90 bytes from rank 0 with tag 3, expected 91 bytes"),
                ((0, 0, 6, (3,)), "that waits for itself, by way of others")):
            self.refused(self.changed(*path), "t.bin: " + expected if "itself" not in expected else expected)
        good = self.binary(self.RANKS)
        for text, expected in ((good[:-1], "found the end of the file in rank 1, expected "),
                               (good[:9], "found the end of the file in the header"),
                               (good[:8] + b"\0\0\0\0" + good[12:], "found 0 ranks, expected 1 to 65536 ranks"),
                               (good[:30] + b"\0" * 8 + good[38:], "rank 1: found the place 0 to "),
                               (good[:38] + b"\0" * 8 + good[46:], "rank 1: found the place "),
                               (good[:214] + b"\x63" + good[215:], "rank 0: operation 0: found operation 99 that waits, expected one of"),
                               (good[:81] + b"\x05" + good[82:], "rank 0: found an appendix of 4 numbers, expected as many as operations"),
                               (good[:14 + 32] + b"\xff" + good[14 + 33:], "rank 0: found 255 operations and 1 roots in "),
                               (good[:14 + 40] + b"\1" + good[14 + 41:], "rank 0: found 1 roots, expected the operations that wait for n"),
                               (good[:14 + 44] + b"\5" + good[14 + 45:], "rank 0: operation 0: found 5 operations that it waits for, exp")):
            self.refused(self.write("t.bin", text), f"t.bin: {expected}")


class Htsim(Files):
    CHAIN = "# made by hand\nNodes 4\nConnections 4\nTriggers 2\n0->1 id 1 start 2000000 size 500 send_done_trigger 1\n" \
            "0->2 id 2 trigger 1 size 600 recv_done_trigger 2\n3->2 id 3 start 0 size 700 recv_done_trigger 2\n" \
            "2->1 id 4 trigger 2 size 800 prio 3\ntrigger id 1 oneshot\ntrigger id 2 barrier count 2\n"

    def test_matrix(self):
        trace = self.trace(self.write("a.cm", self.CHAIN), compute="7x")
        s = trace.schedule
        found = [(s.rank[f.operation], s.peer[f.operation], s.size[f.operation], f.begin) for f in trace.flows]
        self.assertEqual(sorted(found), [(0, 1, 500, 2000), (0, 2, 600, -1), (2, 1, 800, -1), (3, 2, 700, 0)])
        number = {s.size[f.operation]: k for k, f in enumerate(trace.flows)}
        after = {s.size[f.operation]: f.after for f in trace.flows}
        self.assertEqual(after, {500: {}, 600: {2 * number[500]: 0}, 700: {},
                                 800: {2 * number[600] + 1: 0, 2 * number[700] + 1: 0}})
        self.assertEqual(s.notes, [f"{self.path('a.cm')}: fields that have no effect: prio (1)"])
        rows = trace.rows(trace.times(lambda k, start: start + 1000, lambda k: 900))
        self.assertEqual([row["compute"] for row in rows], [0] * 4)
        for text, ns in (("1499", 1), ("1500", 2), ("0.75", 0), ("2000000.0", 2000)):
            text = self.CHAIN.replace("start 2000000", "start " + text)
            trace = self.trace(self.write("a.cm", text))
            self.assertEqual([f.begin for f in trace.flows if trace.schedule.size[f.operation] == 500], [ns], text)

    def test_a_trigger_of_another_node(self):
        """A trigger of htsim starts connections of any node."""
        text = "Nodes 4\nConnections 2\nTriggers 1\n0->1 id 1 start 0 size 500 send_done_trigger 9\n2->3 id 2 trigger 9 size 600\n" \
               "trigger id 9 oneshot\n"
        self.assertEqual([f.after for f in self.trace(self.write("a.cm", text)).flows], [{}, {0: 0}])

    def test_refused(self):
        line = "0->1 id 1 start 2000000 size 500 send_done_trigger 1"
        for old, new, expected in (
                ("Nodes 4\n", "", ":4: found a connection, expected Nodes N before it"),
                ("Nodes 4", "Nodes 0", ":2: found '0', expected a number of 1 to 65536"),
                ("Nodes 4", "Nodes 4 5", ":2: found 'Nodes 4 5', expected one number after Nodes, once"),
                ("Connections 4", "Connections 3", ": found Connections 3, expected 4, as many as follow"),
                ("Triggers 2", "Triggers 3", ": found Triggers 3, expected 2, as many as follow"),
                ("0->1", "0->4", ":5: found '4', expected a node of 0 to 3"), ("0->1", "1->1", ":5: found '1->1', expected two nodes"),
                (line, line + " size 4", ":5: found 'size', expected each of id, msg, start, size"),
                (line, line + " path 4", ":5: found 'path', expected each of id"),
                (line, line + " prio", ":5: found 'the end of the line'"),
                ("start 2000000 ", "", ":5: found a connection with id, size, send_done_trigger, expected size, and one of start and"),
                ("start 2000000", "start 1.x", ":5: found '1.x', expected a time in ps"), ("size 500", "size 0", ":5: found '0', expected"),
                ("id 2 t", "id 1 t", ":6: found id 1 again, expected each once"),
                ("oneshot", "multishot", ":9: found a multishot trigger, expected oneshot or barrier"),
                ("trigger id 1 oneshot", "trigger id 1", ":9: found a trigger with id, expected id and one of oneshot"),
                ("trigger id 1 oneshot", "trigger id 2 oneshot", ":10: found trigger 2 again"),
                ("id 1 oneshot", "id 1 oneshot count 1", ":9: found oneshot with count"), ("barrier count 2", "barrier", "without count"),
                ("barrier count 2", "barrier count 3", ":10: found barrier trigger 2 that 2 connections fire, expected 3 of them"),
                ("recv_done_trigger 2\n3", "recv_done_trigger 1\n3", "found oneshot trigger 1 that 2 connections fire, expected 1 of them"),
                ("trigger 1 size 600", "trigger 5 size 600", ":6: found trigger 5, expected a line 'trigger id N oneshot'"),
                ("trigger id 1 oneshot", "failure switch_type TOR switch_id 0 link_id 1", ":9: found a failure of a link, expected none"),
                ("trigger id 1 oneshot", "word", ":9: found 'word', expected SRC->DST, trigger or failure"),
                ("0->2 id 2 trigger 1 size 600", "2->0 id 2 trigger 2 size 600", "waits for itself")):
            with self.subTest(expected):
                self.assertIn(old, self.CHAIN)
                text = self.CHAIN.replace(old, new, 1)
                self.refused(self.write("a.cm", text.replace("send_done_trigger 1", "prio 1").replace("trigger id 1 oneshot\n", "")
                                        .replace("Triggers 2", "Triggers 1") if "itself" in expected else text), expected)


if __name__ == "__main__":
    unittest.main()
