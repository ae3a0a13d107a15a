# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Each field of a trace is used, refused or reported by ./rcc run trace, and files of related tools are named and refused."""
import json
import unittest

from test_trace_formats import Files, as_json, field, node, protobuf

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
        more = [self.collective(comm_priority=3, comm_tag=4, comm_src=1), {"Id": 2, "NodeType": 4, "runtime": 5, "rf_id": 8, "weight\x07": 2,
                                                                           "comm_priority": 1}]
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


if __name__ == "__main__":
    unittest.main()
