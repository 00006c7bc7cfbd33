// Terraform itself decides on these plans, with a provider that runs in this process.
import { implement, known, providerRoutes, type StateOf } from "../../../../src/core/provider-kit";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  block,
  computed,
  optional,
  optionalComputed,
  provider,
  required,
  resource,
  sameDuration,
  sameJson,
  sameUrl,
  t,
} from "../../../../src/core/schema";

const doc = "x";
const inner = {
  policy: optional(t.string(), { doc, semanticEquals: sameJson }),
  note: optional(t.string(), { doc }),
};
const gate = resource("shop_gate", {
  doc,
  attributes: {
    policy: required(t.string(), { doc, semanticEquals: sameJson, requiresReplace: true }),
    wait: optional(t.string(), { doc, semanticEquals: sameDuration }),
    url: optionalComputed(t.string(), { doc, semanticEquals: sameUrl }),
    one: optional(t.object(inner), { doc }),
    rows: optional(t.list(t.object(inner)), { doc }),
    byName: optional(t.map(t.object(inner)), { doc }),
    gateId: computed(t.string(), { doc, wire: "id" }),
  },
  blocks: { part: block.list({ attributes: inner }, { doc }) },
});

type Gate = StateOf<typeof gate>;

/** What the service stores: JSON in its own form, durations in seconds, URLs in lower case. */
const normalized = (state: Gate): Gate => {
  const json = <Text extends string | null>(text: Text): Text =>
    (text === null ? null : JSON.stringify(JSON.parse(text))) as Text;
  const nested = <Each extends { readonly policy: string | null }>(each: Each): Each => ({
    ...each,
    policy: json(each.policy),
  });
  return {
    ...state,
    policy: json(state.policy),
    wait: state.wait === "2m" ? "120s" : state.wait,
    url: state.url?.toLowerCase() ?? null,
    one: state.one && nested(state.one),
    rows: state.rows?.map(nested) ?? null,
    byName:
      state.byName &&
      Object.fromEntries(Object.entries(state.byName).map(([key, each]) => [key, nested(each)])),
    part: state.part.map(nested),
  };
};

let updates = 0;
let drifted: string | undefined;

const routes = () =>
  providerRoutes({
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => null,
    resources: [
      implement(gate)<null>({
        create: (plan) =>
          Promise.resolve(
            normalized(known({ ...plan, url: String(plan.url), gateId: "g" }) as unknown as Gate),
          ),
        read: (state) => Promise.resolve(normalized({ ...state, policy: drifted ?? state.policy })),
        update: (plan) => {
          updates += 1;
          return Promise.resolve(
            normalized(known({ ...plan, url: String(plan.url), gateId: "g" }) as unknown as Gate),
          );
        },
        delete: () => Promise.resolve(),
      }),
    ],
  });

let project: TerraformProject;

beforeEach(async () => {
  updates = 0;
  drifted = undefined;
  project = await TerraformProject.open({ source: "example.test/tools/shop", routes: routes() });
});

afterEach(async () => {
  await project.close();
});

const gateOf = (policy: string, wait: string, url: string, note = "n"): string => `
  resource "shop_gate" "it" {
    policy  = ${JSON.stringify(policy)}
    wait    = "${wait}"
    url     = "${url}"
    one     = { policy = ${JSON.stringify(policy)} }
    rows    = [{ policy = ${JSON.stringify(policy)} }]
    by_name = { a = { policy = ${JSON.stringify(policy)} } }
    part {
      policy = ${JSON.stringify(policy)}
      note   = "${note}"
    }
  }`;

const first = gateOf('{ "a": [1, 2], "b": null }', "2m", "https://Shop.Example");
const planned = async (configuration: string) => {
  await project.write(configuration);
  return (await project.plan()).changes.get("shop_gate.it");
};

test("values that mean the same plan no change, at any depth, after a creation and a read", async () => {
  await project.write(first);
  await project.apply();
  expect((await planned(first))?.action).toBe("no-op");
  const other = gateOf('{"b":null,"a":[1,2]}', "120s", "https://shop.example:443/");
  expect((await planned(other))?.action).toBe("no-op");
  const stored = (await project.resources())["shop_gate.it"];
  expect(stored).toMatchObject({ policy: '{ "a": [1, 2], "b": null }', wait: "2m" });
});

test("another value is planned, and everything that means the same stays", async () => {
  await project.write(first);
  await project.apply();
  const other = gateOf('{"b":null,"a":[1,2]}', "120s", "https://shop.example:443/", "other");
  expect(await planned(other)).toMatchObject({
    action: "update",
    after: { policy: '{ "a": [1, 2], "b": null }', wait: "2m", part: [{ note: "other" }] },
  });
  await project.apply();
  expect(updates).toBe(1);
  expect((await planned(other))?.action).toBe("no-op");
});

test("a value that means something else is a change, and drift", async () => {
  await project.write(first);
  await project.apply();
  expect(await planned(gateOf('{ "a": [2, 1] }', "2m", "https://shop.example/"))).toMatchObject({
    action: "replace",
    replacePaths: [["policy"]],
  });
  drifted = '{"a":[2,1]}';
  expect(await planned(first)).toMatchObject({
    action: "replace",
    before: { policy: '{"a":[2,1]}' },
  });
});

test.each([
  [sameJson, "[1]", "[ 1 ]", true],
  [sameJson, '{"a":1,"b":2}', '{"b":2,"a":1}', true],
  [sameJson, '{"a":1}', '{"a":1,"b":2}', false],
  [sameJson, '{"a":1,"__proto__":1}', '{"a":1,"toString":1}', false],
  [sameJson, "[]", "{}", false],
  [sameJson, "9007199254740993", "9007199254740992", false],
  [sameJson, "{", "{", false],
  [sameDuration, "60s", "1m", true],
  [sameDuration, "60s", "1h", false],
  [sameDuration, "soon", "soon", false],
  [sameUrl, "https://A.example:443", "https://a.example/", true],
  [sameUrl, "https://a.example/a", "https://a.example/A", false],
  [sameUrl, "a", "a", false],
])("%p compares %s and %s", (same, one, other, expected) => {
  expect(same(one, other)).toBe(expected);
  expect(same(other, one)).toBe(expected);
});
