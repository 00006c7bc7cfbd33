import {
  block,
  computed,
  conflicts,
  exactlyOneOf,
  implement,
  moveFromJson,
  optional,
  preferWriteOnly,
  ProviderError,
  required,
  requires,
  resource,
  t,
  upgradeFromJson,
} from "@trivet/provider-kit";
import { address } from "./addresses";
import { keep } from "./keep";

const doc = "Nothing is done with it.";
const secret = { doc, writeOnly: true } as const;
const one = {
  stringAttr: required(t.string(), { doc }),
  writeonlyString: optional(t.string(), secret),
};

const everywhere = resource("corner_writeonly", {
  doc: "Write-only values at each depth, which reach the handlers and no state.",
  attributes: {
    computedAttr: computed(t.string(), { doc }),
    writeonlyCustomIpv6: optional(t.string(address("IPv6")), secret),
    writeonlyString: optional(t.string(), secret),
    writeonlyList: optional(t.list(t.string()), secret),
    writeonlyNestedObject: optional(
      t.object({
        writeonlyInt64: required(t.int64(), { doc }),
        writeonlyBool: required(t.bool(), { doc }),
        writeonlyNestedList: required(
          t.list(t.object({ writeonlyString: required(t.string(), { doc }) })),
          { doc },
        ),
      }),
      secret,
    ),
    nestedMap: required(
      t.map(
        t.object({
          stringAttr: required(t.string(), { doc }),
          writeonlyFloat64: optional(t.number(), secret),
        }),
      ),
      { doc },
    ),
  },
  blocks: {
    nestedBlockList: block.list(
      {
        attributes: one,
        blocks: {
          doubleNestedObject: block.single(
            {
              attributes: {
                boolAttr: required(t.bool(), { doc }),
                writeonlyBool: optional(t.bool(), secret),
              },
            },
            { doc },
          ),
        },
      },
      { doc },
    ),
  },
});

const once = resource("corner_writeonce", {
  doc: "Needs its secret when it is created, and never again.",
  attributes: {
    triggerAttr: required(t.string(), { doc, requiresReplace: true }),
    writeonceString: optional(t.string(), secret),
  },
});

const imported = resource("corner_writeonly_import", {
  doc: "Is imported without its secret.",
  attributes: one,
  importId: ["{stringAttr}"],
});

const moved = resource("corner_writeonly_move", {
  doc: "Takes the place of a `terraform_data`.",
  attributes: one,
});

const validated = resource("corner_writeonly_validations", {
  doc: "Has a password in the state, or none.",
  attributes: {
    oldPasswordAttr: optional(t.string(), { doc, requiresReplace: true }),
    passwordVersion: optional(t.string(), { doc, requiresReplace: true }),
    writeonlyPassword: optional(t.string(), secret),
  },
  rules: [
    exactlyOneOf("oldPasswordAttr", "writeonlyPassword"),
    conflicts("oldPasswordAttr", "passwordVersion"),
    requires("passwordVersion", "writeonlyPassword"),
    requires("writeonlyPassword", "passwordVersion"),
    preferWriteOnly("oldPasswordAttr", "writeonlyPassword"),
  ],
});

/** The resource whose states of version 0 are upgraded, in one of its versions. */
const upgraded = (version: 0 | 1) =>
  implement(
    resource("corner_writeonly_upgrade", { doc: "Changes.", version, attributes: one }),
  )<unknown>({
    ...keep,
    upgrades: [upgradeFromJson(0, () => ({ stringAttr: "world!", writeonlyString: null }))].filter(
      (upgrade) => upgrade.version < version,
    ),
  });

/** What the service accepts. */
function checkPassword(given: string | null | undefined, ...accepted: readonly string[]): void {
  if (given === null || given === undefined || accepted.includes(given)) return;
  throw new ProviderError({
    summary: "Password Not Accepted",
    detail: "The service does not know the password. Write the one that it knows.",
  });
}

export const writeOnly = (version: 0 | 1) => [
  implement(everywhere)<unknown>({
    ...keep,
    create(plan, { config }) {
      checkPassword(config.writeonlyString, "fakepassword");
      checkPassword(
        config.writeonlyNestedObject?.writeonlyNestedList[0]?.writeonlyString,
        "fakepassword1",
      );
      checkPassword(config.nestedBlockList[1]?.writeonlyString, "fakepassword2");
      return keep.create({ ...plan, computedAttr: "computed_val" });
    },
    update: (plan) => keep.update({ ...plan, computedAttr: "computed_val" }),
  }),
  implement(once)<unknown>({
    ...keep,
    plan({ config, prior }) {
      if (prior !== undefined || config.writeonceString !== null) return {};
      throw new ProviderError({
        summary: "Attribute Required when Creating",
        detail: "The creation needs `writeonce_string`. You can remove it afterwards.",
        path: ["writeonceString"],
      });
    },
    create(plan, { config }) {
      checkPassword(config.writeonceString, "fakepassword");
      return keep.create(plan);
    },
  }),
  implement(imported)<unknown>(keep),
  implement(moved)<unknown>({
    ...keep,
    moves: [
      moveFromJson("terraform_data", ({ output }) => ({
        stringAttr: valueIn(output),
        writeonlyString: null,
      })),
    ],
  }),
  implement(validated)<unknown>({
    ...keep,
    create(plan, { config }) {
      checkPassword(config.writeonlyPassword, "newpassword", "newpassword2");
      return keep.create(plan);
    },
  }),
  upgraded(version),
];

/** The string in a value of any type, as a state has it. */
const valueIn = (stored: unknown): string =>
  typeof stored === "object" && stored !== null && "value" in stored ? String(stored.value) : "";
