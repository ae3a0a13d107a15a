# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Execution traces of Chakra in protobuf form as lines of JSON, for chakra.py. A process of its own: the python3 that runs ./rcc may not be
the one that has protobuf. Of each file that is named one list, a line; an object with "error" is the last line.

A file is a sequence of messages, each after its length as a varint: GlobalMetadata first, then a Node each. The fields below are those of
Chakra's schema (github.com/mlcommons/chakra, schema/protobuf/et_def.proto)."""
from __future__ import annotations

import json
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory  # type: ignore

FIELD = descriptor_pb2.FieldDescriptorProto
MESSAGE_MAX = 1 << 26     # bytes
METADATA = 1              # type of a node
# name: (number, type)
VALUES = {"double_val": (3, FIELD.TYPE_DOUBLE), "float_val": (5, FIELD.TYPE_FLOAT), "int32_val": (7, FIELD.TYPE_INT32),
          "int64_val": (9, FIELD.TYPE_INT64), "uint32_val": (11, FIELD.TYPE_UINT32), "uint64_val": (13, FIELD.TYPE_UINT64),
          "sint32_val": (15, FIELD.TYPE_SINT32), "sint64_val": (17, FIELD.TYPE_SINT64), "fixed32_val": (19, FIELD.TYPE_FIXED32),
          "fixed64_val": (21, FIELD.TYPE_FIXED64), "sfixed32_val": (23, FIELD.TYPE_SFIXED32), "sfixed64_val": (25, FIELD.TYPE_SFIXED64),
          "bool_val": (27, FIELD.TYPE_BOOL), "string_val": (29, FIELD.TYPE_BYTES)}
VALUES_MORE = {"doc_string": (2, FIELD.TYPE_BYTES), "bytes_val": (31, FIELD.TYPE_BYTES),
               **{f"list_{number}": (number, FIELD.TYPE_BYTES) for number in (*range(4, 28, 2), 30, 32)}}    # lists as their bytes
IO_INFO = {"values": (1, FIELD.TYPE_BYTES), "shapes": (2, FIELD.TYPE_BYTES), "types": (3, FIELD.TYPE_BYTES)}
NODE = {"id": (1, FIELD.TYPE_UINT64), "name": (2, FIELD.TYPE_BYTES), "type": (3, FIELD.TYPE_INT32),
        "start_time_micros": (6, FIELD.TYPE_UINT64),
        "duration_micros": (7, FIELD.TYPE_UINT64), "outputs": (9, FIELD.TYPE_BYTES)}
LISTS = {"ctrl_deps": (4, FIELD.TYPE_UINT64), "data_deps": (5, FIELD.TYPE_UINT64)}
WANTED = ("comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "pg_name", "comm_group", "is_cpu_op", "num_ops", "tensor_size",
          "involved_dim")    # attributes
UNKNOWN = "numbers that the schema does not have"


def message_type():
    """Return the class of a Node."""
    file = descriptor_pb2.FileDescriptorProto(name="rcc-chakra.proto", package="rcc.chakra", syntax="proto2")

    def add(owner, fields: dict, label: int = FIELD.LABEL_OPTIONAL) -> None:
        for name, (number, kind) in fields.items():
            owner.field.add(name=name, number=number, type=kind, label=label)

    attribute = file.message_type.add(name="Attribute")
    add(attribute, {"name": (1, FIELD.TYPE_BYTES), **VALUES, **VALUES_MORE})
    attribute.field.add(name="bool_list", number=28, type=FIELD.TYPE_MESSAGE, type_name=".rcc.chakra.BoolList", label=FIELD.LABEL_OPTIONAL)
    add(file.message_type.add(name="BoolList"), {"values": (1, FIELD.TYPE_BOOL)}, FIELD.LABEL_REPEATED)
    add(file.message_type.add(name="Values"), IO_INFO)
    node = file.message_type.add(name="Node")
    add(node, NODE)
    add(node, LISTS, FIELD.LABEL_REPEATED)
    node.field.add(name="inputs", number=8, type=FIELD.TYPE_MESSAGE, type_name=".rcc.chakra.Values", label=FIELD.LABEL_OPTIONAL)
    node.field.add(name="attr", number=10, type=FIELD.TYPE_MESSAGE, type_name=".rcc.chakra.Attribute", label=FIELD.LABEL_REPEATED)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    descriptor = pool.FindMessageTypeByName("rcc.chakra.Node")
    if hasattr(message_factory, "GetMessageClass"):     # from protobuf 4.22 on
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


def messages(content: bytes):
    """Yield the offset and the bytes of each message. Raises ValueError."""
    at = 0
    while at < len(content):
        length = shift = 0
        begin = at
        while True:
            if at >= len(content) or shift > 63:
                raise ValueError(f"byte {begin}: found a length that is cut off, expected a message of Chakra")
            byte = content[at]
            at += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        if length > MESSAGE_MAX or at + length > len(content):
            raise ValueError(f"byte {begin}: found a message of {length} bytes, expected at most the {len(content) - at} that are left")
        yield begin, content[at:at + length]
        at += length


def has_unknown(node) -> bool:
    """True if a message has fields that no descriptor has; they are removed."""
    before = node.ByteSize()
    node.DiscardUnknownFields()
    return node.ByteSize() != before


def plain(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def as_object(node) -> dict:
    """Return a node as chakra.py reads it."""
    found = {"id": node.id, "name": plain(node.name)[:200], "type": node.type, "us": node.duration_micros, "ctrl": list(node.ctrl_deps),
             "data": list(node.data_deps), "attr": {}, "other": [UNKNOWN] if has_unknown(node) else []}
    if node.type == METADATA and node.HasField("inputs"):
        found["values"] = plain(node.inputs.values)
    for attribute in node.attr:
        name = plain(attribute.name)
        if name in WANTED:
            found["attr"][name] = list(attribute.bool_list.values) if attribute.HasField("bool_list") else \
                next((plain(getattr(attribute, field)) for field in VALUES if attribute.HasField(field)), [])
        else:
            found["other"].append(name)
    return found


def read(path: str, kind) -> list:
    """Read the nodes of a file. Raises ValueError, OSError."""
    with open(path, "rb") as f:
        content = f.read()
    nodes = []
    for number, (begin, one) in enumerate(messages(content)):
        if number == 0:    # GlobalMetadata, in which no number has the field 1 of a node
            if one[:1] == b"\x08":
                raise ValueError("byte 0: found a node before the metadata, as in Chakra's schema v0.0.1, expected v0.0.4 "
                                 "(STAGE: --chakra_schema_version v0.0.4)")
            continue
        node = kind()
        try:
            node.ParseFromString(one)
        except (message.DecodeError, ValueError) as error:
            raise ValueError(f"byte {begin}: found a message that is no node, expected one of Chakra's schema") from error
        nodes.append(as_object(node))
    return nodes


def main(paths: list) -> int:
    kind = message_type()
    for path in paths:
        try:
            print(json.dumps(read(path, kind)))
        except (ValueError, OSError) as error:
            print(json.dumps({"error": f"{path}: {error.strerror if isinstance(error, OSError) else error}"}))
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
