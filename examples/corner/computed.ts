import {
  block,
  computed,
  DynamicValue,
  implement,
  known,
  required,
  resource,
  t,
} from "@trivet/provider-kit";
import { keep } from "./keep";

const doc = "Nothing is done with it.";
const given = { nestedString: required(t.string(), { doc }) };
const found = { nestedString: computed(t.string(), { doc }) };
const kept = { doc, useStateForUnknown: true };

/** Each kind of attribute twice: one that is configured, and one that the creation computes and updates keep. */
const reflection = resource("corner_tfsdk_reflection", {
  doc: "Computes a value of each type when it is created.",
  attributes: {
    configBool: required(t.bool(), { doc }),
    computedBool: computed(t.bool(), kept),
    configDynamic: required(t.dynamic(), { doc }),
    computedDynamic: computed(t.dynamic(), kept),
    configFloat64: required(t.number(), { doc }),
    computedFloat64: computed(t.number(), kept),
    configInt64: required(t.int64(), { doc }),
    computedInt64: computed(t.int64(), kept),
    configString: required(t.string(), { doc }),
    computedString: computed(t.string(), kept),
    configList: required(t.list(t.string()), { doc }),
    computedList: computed(t.list(t.string()), kept),
    configMap: required(t.map(t.string()), { doc }),
    computedMap: computed(t.map(t.string()), kept),
    configMapNested: required(t.map(t.object(given)), { doc }),
    computedMapNested: computed(t.map(t.object(found)), kept),
    configObject: required(t.plainObject(given), { doc }),
    computedObject: computed(t.plainObject(found), kept),
    configSingleNested: required(t.object(given), { doc }),
    computedSingleNested: computed(t.object(found), kept),
  },
  blocks: {
    configSetNestedBlock: block.set({ attributes: given }, { doc }),
    computedListNestedBlock: block.list(
      { attributes: { nestedString: computed(t.string(), kept) } },
      { doc },
    ),
  },
});

const typeChange = resource("corner_dynamic_computed_type_change", {
  doc: "Computes a value whose type changes.",
  attributes: {
    requiredDynamic: required(t.dynamic(), { doc }),
    computedDynamicTypeChanges: computed(t.dynamic(), { doc }),
  },
});

export const computedValues = [
  implement(reflection)<unknown>({
    ...keep,
    create: (plan) =>
      Promise.resolve(
        known({
          ...plan,
          computedBool: true,
          computedDynamic: DynamicValue.of("dynamic string"),
          computedFloat64: 1.2,
          computedInt64: 100n,
          computedString: "computed string",
          computedList: ["computed", "list"],
          computedMap: { key6: "val6", key7: "val7" },
          computedMapNested: { key6: { nestedString: "val6" }, key7: { nestedString: "val7" } },
          computedObject: { nestedString: "computed string" },
          computedSingleNested: { nestedString: "computed string" },
          computedListNestedBlock: plan.computedListNestedBlock.map((_, index) => ({
            nestedString: `computed string ${index === 0 ? "one" : "two"}`,
          })),
        }),
      ),
  }),
  implement(typeChange)<unknown>({
    ...keep,
    create: (plan) =>
      Promise.resolve({ ...plan, computedDynamicTypeChanges: DynamicValue.of(true) }),
    update: (plan) =>
      Promise.resolve({ ...plan, computedDynamicTypeChanges: DynamicValue.of(200) }),
  }),
];
