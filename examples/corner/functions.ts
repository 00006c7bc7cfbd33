import {
  DynamicValue,
  implementFunction,
  optional,
  parameter,
  providerFunction,
  t,
  type Type,
  variadic,
} from "@trivet/provider-kit";

const doc = "What it returns.";

/** Declares a function that returns its argument. */
const identity = <T extends Type>(name: string, type: T) =>
  providerFunction(name, {
    summary: "Returns its argument.",
    doc: "Returns its argument.",
    parameters: { value: parameter(type, { doc }) },
    returns: type,
  });

const same = <V>({ value }: { readonly value: V }): V => value;

const pair = t.plainObject({
  attr1: optional(t.string(), { doc }),
  attr2: optional(t.int64(), { doc }),
});
const anyPair = t.plainObject({
  dynamicAttr1: optional(t.dynamic(), { doc }),
  dynamicAttr2: optional(t.dynamic(), { doc }),
});

const all = {
  summary: "Returns its arguments.",
  doc: "Returns its arguments.",
};

export const functions = [
  implementFunction(identity("bool", t.bool()))(same),
  implementFunction(identity("dynamic", t.dynamic()))(same),
  implementFunction(identity("float32", t.float32()))(same),
  implementFunction(identity("float64", t.number()))(same),
  implementFunction(identity("int32", t.int32()))(same),
  implementFunction(identity("int64", t.int64()))(same),
  implementFunction(identity("list", t.list(t.nullable(t.string()))))(same),
  implementFunction(identity("map", t.map(t.nullable(t.string()))))(same),
  implementFunction(identity("number", t.decimal()))(same),
  implementFunction(identity("object", pair))(same),
  implementFunction(identity("object_with_dynamic", anyPair))(same),
  implementFunction(identity("set", t.set(t.nullable(t.string()))))(same),
  implementFunction(identity("string", t.string()))(same),
  implementFunction(
    providerFunction("variadic", {
      ...all,
      parameters: { values: variadic(t.string(), { doc }) },
      returns: t.list(t.string()),
    }),
  )(({ values }) => values),
  implementFunction(
    providerFunction("dynamic_variadic", {
      ...all,
      parameters: { values: variadic(t.dynamic(), { doc }) },
      returns: t.dynamic(),
    }),
  )(({ values }) => DynamicValue.of(values.filter((each) => each instanceof DynamicValue))),
];
