import {
  block,
  ephemeralResource,
  implement,
  implementEphemeralResource,
  known,
  optional,
  resource,
  t,
} from "@trivet/provider-kit";
import { keep } from "./keep";

const doc = "Nothing is done with it.";
const text = optional(t.string(), { doc });
const anything = { dynamicAttribute: optional(t.dynamic(), { doc }) };

/** An attribute of each type, and a block of each kind. */
const everything = {
  doc: "Stores what it is given.",
  attributes: {
    boolAttribute: optional(t.bool(), { doc }),
    dynamicAttribute: optional(t.dynamic(), { doc }),
    float32Attribute: optional(t.float32(), { doc }),
    float64Attribute: optional(t.number(), { doc }),
    int32Attribute: optional(t.int32(), { doc }),
    int64Attribute: optional(t.int64(), { doc }),
    listAttribute: optional(t.list(t.string()), { doc }),
    listNestedAttribute: optional(t.list(t.object({ listNestedAttributeAttribute: text })), {
      doc,
    }),
    mapAttribute: optional(t.map(t.string()), { doc }),
    mapNestedAttribute: optional(t.map(t.object({ mapNestedAttributeAttribute: text })), { doc }),
    numberAttribute: optional(t.decimal(), { doc }),
    objectAttribute: optional(t.plainObject({ objectAttributeAttribute: text }), { doc }),
    objectAttributeWithDynamic: optional(t.plainObject(anything), { doc }),
    setAttribute: optional(t.set(t.string()), { doc }),
    setNestedAttribute: optional(t.set(t.object({ setNestedAttributeAttribute: text })), { doc }),
    singleNestedAttribute: optional(t.object({ singleNestedAttributeAttribute: text }), { doc }),
    singleNestedAttributeWithDynamic: optional(t.object(anything), { doc }),
    stringAttribute: text,
  },
  blocks: {
    listNestedBlock: block.list({ attributes: { listNestedBlockAttribute: text } }, { doc }),
    setNestedBlock: block.set({ attributes: { setNestedBlockAttribute: text } }, { doc }),
    singleNestedBlock: block.single({ attributes: { singleNestedBlockAttribute: text } }, { doc }),
    singleNestedBlockWithDynamic: block.single({ attributes: anything }, { doc }),
  },
};

export const schema = implement(resource("corner_schema", everything))<unknown>(keep);

export const schemaEphemeral = implementEphemeralResource(
  ephemeralResource("corner_schema", everything),
)<unknown>({ open: (config) => Promise.resolve(known(config)) });
