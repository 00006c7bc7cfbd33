import { forecastOf } from "../../../src/planner/changes/forecast";
import { provider as idsProvider } from "../../../src/core/ids/provider-definition";
import { terraformFunctions } from "../../../src/planner/expression/functions";
import { ProviderCatalog } from "../../../src/planner/offline-plan/catalog";
import { readConfiguration } from "../../../src/planner/offline-plan/configuration";
import type { OfflinePlan } from "../../../src/planner/offline-plan/plan-json";
import { planOffline, providerNames } from "../../../src/planner/offline-plan/planner";
import { emptyState, type State } from "../../../src/planner/offline-plan/state";
import { providerRoutes } from "../../../src/core/provider-kit/server/calls/routes";

const source = "trivet.local/trivet/ids";
const routes = providerRoutes(idsProvider, {});
const catalog = ProviderCatalog.of((found) => (found === source ? routes : undefined));

async function planned(json: object, state: State = emptyState): Promise<OfflinePlan> {
  const configuration = readConfiguration({
    terraform: { required_providers: { ids: { source } } },
    provider: { ids: { project: "p", zone: "us-central1-a" } },
    ...json,
  });
  const providers = await catalog.start(providerNames(configuration));
  return await planOffline({ configuration, state, providers });
}

const outputsOf = ({ outputChanges }: OfflinePlan): unknown =>
  Object.fromEntries(Object.entries(outputChanges).map(([name, { after }]) => [name, after]));

const outputs = (values: Readonly<Record<string, unknown>>): object => ({
  output: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
});

/** Locals `a0`, `a1` … each made of the one before, up to `a30`. */
const doubled = (next: (before: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: 31 }, (_, at) => [`a${at}`, at === 0 ? "ab" : next(`local.a${at - 1}`)]),
  );

const nested = (depth: number, inside: string): string =>
  depth === 0 ? inside : `[for x${depth} in range(1000) : ${nested(depth - 1, inside)}]`;

const sets = `\${length(${nested(4, "toset([for y in range(1000) : [y]])")})}`;

const heavy: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "loops of huge numbers": { x: `\${${nested(4, "1e9000 * x1 / 7 < 1e9001")}}` },
  "loops of sets": { x: sets },
  "doubled lists": doubled((before) => `\${[${before}, ${before}]}`),
  "doubled lists as JSON": {
    ...doubled((before) => `\${[${before}, ${before}]}`),
    x: "${jsonencode(local.a30)}",
  },
  "doubled objects that are compared": {
    ...doubled((before) => `\${{ a = ${before}, b = ${before} }}`),
    x: "${local.a30 == local.a29}",
  },
  "doubled templates": doubled((before) => `\${${before}}\${${before}}`),
  "doubled templates of a directive": doubled(
    (before) => `%{ for x in [1, 2] }\${${before}}%{ endfor }`,
  ),
  "a number of loops": Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, sets])),
};

describe("an expression that takes too much work", () => {
  test.each(Object.entries(heavy))(
    "%s: ends, is not known, and names what took it",
    async (_, locals) => {
      const last = Object.keys(locals).at(-1) ?? "";
      const found = await planned({
        locals: { ...locals, plain: "${1 + 1}" },
        ...outputs({ plain: "${local.plain}", [last]: `\${local.${last} == "ab"}` }),
      });
      expect(found.diagnostics).toEqual([]);
      const [first] = found.notPlanned;
      expect(first).toMatchObject({ why: "work" });
      expect(Object.keys(locals).map((name) => `local.${name}`)).toContain(first?.address);
      expect(outputsOf(found)).toMatchObject({ plain: 2 });
    },
    300_000,
  );

  it("hides no destruction, and makes only what depends on it not known", async () => {
    const endpoint = (severity: string): object => ({
      endpoint_id: "edge",
      network: "projects/p/global/networks/n",
      severity,
    });
    const { diagnostics, notPlanned, unknowns, resourceChanges } = await planned({
      locals: { x: sets },
      resource: {
        ids_endpoint: {
          one: endpoint('${local.x == 1 ? "HIGH" : "LOW"}'),
          two: { count: "${local.x}", ...endpoint("HIGH") },
          three: endpoint("HIGH"),
        },
      },
    });
    expect(diagnostics).toEqual([]);
    expect(notPlanned).toEqual([
      { address: "local.x", why: "work", reasons: [] },
      {
        address: "ids_endpoint.two",
        why: "instances",
        reasons: [{ kind: "evaluation", of: "local.x" }],
      },
    ]);
    expect(unknowns).toMatchObject([
      { address: "ids_endpoint.one", attribute: "severity", reasons: [{ of: "local.x" }] },
    ]);
    expect(resourceChanges.map(({ address }) => address).toSorted()).toEqual([
      "ids_endpoint.one",
      "ids_endpoint.three",
    ]);
    const forecast = forecastOf(
      { resourceChanges, outputChanges: {}, diagnostics, notPlanned, unknowns, movable: [] },
      () => ({}),
    );
    expect(forecast.notPlanned).toEqual([
      { address: "local.x", reason: "not known: too much work" },
      { address: "ids_endpoint.two", reason: "the number of its instances depends on local.x" },
    ]);
  });
});

const repeated = (count: number, text: string): string => text.repeat(count);

describe("long and deep expressions", () => {
  it("have the values that Terraform gives them", async () => {
    const found = await planned({
      locals: { a: 1 },
      ...outputs({
        sum: `\${1${repeated(8000, " + 1")}}`,
        references: `\${local.a${repeated(5000, " + local.a")}}`,
        and: `\${true${repeated(8000, " && true")}}`,
        attributes: `\${can(local.a${repeated(5000, ".a")})}`,
        ladder: `\${${repeated(100, "1 == 2 ? 1 : ")}3}`,
        set: `\${length(toset(flatten([for x in range(100) : [for y in range(80) : "\${x}-\${y}"]])))}`,
      }),
    });
    expect(found.diagnostics).toEqual([]);
    expect(outputsOf(found)).toEqual({
      sum: 8001,
      references: 5001,
      and: true,
      attributes: false,
      ladder: 3,
      set: 8000,
    });
  });

  it("are not known where they are nested too deeply", async () => {
    const deep: unknown = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));
    const { diagnostics, notPlanned } = await planned({
      locals: {
        parentheses: `\${${"(".repeat(9000)}1${")".repeat(9000)}}`,
        ladder: `\${${repeated(9000, "1 == 2 ? 1 : ")}3}`,
        directives: `${repeated(9000, "%{ if true }")}a${repeated(9000, "%{ endif }")}`,
        json: deep,
      },
    });
    expect(diagnostics).toEqual([]);
    expect(notPlanned.map(({ address, why }) => `${address} ${why}`)).toEqual([
      "local.parentheses work",
      "local.ladder work",
      "local.directives work",
      "local.json work",
    ]);
  });
});

test("numbers beyond what is computed are not known, and end nothing", async () => {
  const found = await planned(
    outputs({
      product: "${1e6000 * 1e6000 > 5}",
      quotient: "${1 / 1e9999 / 1e9999}",
      power: "${pow(1e18, 1024)}",
      huge: "${pow(1e9999, 1000)}",
      sum: "${sum([1e9999, 9e9999])}",
      decoded: '${jsondecode("1e9999") * 10}',
      literal: "${1e99999}",
      json: JSON.parse("1e999") as number,
      known: "${1e20 * 10}",
    }),
  );
  expect(found.diagnostics).toEqual([]);
  expect(outputsOf(found)).toMatchObject({ known: 1e21 });
  expect(found.notPlanned.map(({ address }) => address)).toEqual(["output.literal", "output.json"]);
});

describe("a fault", () => {
  it("in the syntax of one expression is found there, and ends nothing", async () => {
    const { diagnostics, outputChanges } = await planned({
      locals: { n: 1, x: "${1 +}" },
      ...outputs({ x: "${local.x}", y: "${local.n}" }),
    });
    expect(diagnostics).toMatchObject([{ address: "local.x", severity: "ERROR" }]);
    expect(outputChanges["y"]).toMatchObject({ after: 1 });
  });

  it("of ours is a warning without values, ends nothing, and hides nothing", async () => {
    const upper = terraformFunctions.get("upper");
    if (upper === undefined) throw new Error("there is no function upper");
    const broken = jest.spyOn(upper, "call").mockImplementation(() => {
      throw new TypeError("hunter2");
    });
    const { diagnostics, notPlanned, outputChanges } = await planned({
      locals: { x: '${upper("hunter2")}' },
      ...outputs({ x: "${local.x}", y: 1 }),
    });
    broken.mockRestore();
    expect(diagnostics).toMatchObject([
      { address: "local.x", severity: "WARNING", summary: "Could not be evaluated here" },
    ]);
    expect(diagnostics[0]?.detail).toMatch(
      /^This is probably a bug in trivet\. .*: TypeError at .*:\d+/,
    );
    expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
    expect(notPlanned).toEqual([{ address: "local.x", why: "bug", reasons: [] }]);
    expect(outputChanges).toMatchObject({ x: { after_unknown: true }, y: { after: 1 } });
  });
});
