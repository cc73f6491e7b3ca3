"""Checks a JSON document on standard input against a JSON schema.

usage: check-schema.py SCHEMA < DOCUMENT

Supports the keywords that docs/*.schema.json use: type, const, enum, required, properties,
additionalProperties, items, $ref within the schema. Exits 1 at the first mismatch and
prints its place.
"""
import json
import sys

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "null": lambda v: v is None,
}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "const",
         "enum", "required", "properties", "additionalProperties", "items"}


def check(value, schema, root, where):
    if schema is False:
        sys.exit("%s: not allowed" % where)
    unknown = set(schema) - KNOWN
    if unknown:
        sys.exit("check-schema.py does not know %s" % ", ".join(sorted(unknown)))
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target[part]
        return check(value, target, root, where)
    if "const" in schema and value != schema["const"]:
        sys.exit("%s: is %r, not %r" % (where, value, schema["const"]))
    if value not in schema.get("enum", [value]):
        sys.exit("%s: %r is none of %s" % (where, value, ", ".join(map(repr, schema["enum"]))))
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[name](value) for name in types):
        sys.exit("%s: %r is no %s" % (where, value, " or ".join(types)))
    if isinstance(value, list):
        for index, item in enumerate(value):
            check(item, schema.get("items", {}), root, "%s[%d]" % (where, index))
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                sys.exit("%s: has no %s" % (where, name))
        for name, item in value.items():
            rule = schema.get("properties", {}).get(
                name, schema.get("additionalProperties", {}))
            check(item, rule, root, "%s.%s" % (where, name))


with open(sys.argv[1], encoding="utf-8") as file:
    the_schema = json.load(file)
check(json.load(sys.stdin), the_schema, the_schema, "$")
