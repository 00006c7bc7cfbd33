// The corner cases of Go's framework, with the provider in examples/corner: Terraform decides. Those of Go's own provider
// are run with TRIVET_CORNER_PROVIDER, the executable of a provider that serves HashiCorp's `framework6provider`.
import { corner, type Corner } from "../../examples/corner/provider";
import { groups, type Need, type Scenario, type Step } from "../../examples/corner/scenarios";
import {
  implement,
  providerRoutes,
  type ResourceImplementation,
} from "../../src/core/provider-kit";
import {
  TerraformProject,
  type TerraformProjectOptions,
} from "../../src/core/provider-kit/testing";
import { computed, provider, required, resource, t } from "../../src/core/schema";
import { until } from "../until";
import { nameOf, type Outcome, runScenarios } from "./corner/run";
import { toolVersion } from "./support/tool";

const all = Object.values(groups).flat();
const version = Number(/^1\.(\d+)/.exec(toolVersion("terraform") ?? "")?.[1]);
const minor = (text: string): number => Number(text.split(".")[1]);

const isMet = ({ from, below }: Need): boolean =>
  (from !== undefined || below !== undefined) &&
  (from === undefined || version >= minor(from)) &&
  (below === undefined || version < minor(below));

const runnable = all.filter(
  ({ steps, needs }) => steps !== undefined && (needs === undefined || isMet(needs)),
);

const doc = "Stands in.";

/** Stores an ephemeral value, which Terraform itself stores nowhere. */
const echo = resource("echo_value", {
  doc,
  attributes: {
    value: required(t.dynamic(), { doc, writeOnly: true }),
    seen: computed(t.dynamic(), { doc, useStateForUnknown: true }),
  },
});

const random = resource("random_string", {
  doc,
  attributes: {
    length: required(t.integer(), { doc }),
    result: computed(t.string(), { doc, useStateForUnknown: true }),
  },
});

const routesOf = (name: string, ...resources: ResourceImplementation<unknown>[]) =>
  providerRoutes({
    declaration: provider(name, { doc, attributes: {} }),
    configure: () => null,
    resources,
  });

const nothing = { delete: () => Promise.resolve() };
const same = <S>(state: S) => Promise.resolve(state);

/** @param ready ends when a value may be stored */
const echoRoutes = (ready = () => Promise.resolve()) =>
  routesOf(
    "echo",
    implement(echo)<unknown>({
      ...nothing,
      async create(plan, { config }) {
        await ready();
        return { ...plan, seen: config.value };
      },
      read: same,
      update: (_plan, state) => Promise.resolve(state),
    }),
  );

const otherProviders: TerraformProjectOptions["otherProviders"] = [
  {
    source: "example.test/tools/echo",
    routes: echoRoutes(),
  },
  {
    source: "registry.terraform.io/hashicorp/random",
    routes: routesOf(
      "random",
      implement(random)<unknown>({
        ...nothing,
        create: ({ length }) => Promise.resolve({ length, result: "a".repeat(Number(length)) }),
        read: same,
        update: (_plan, state) => Promise.resolve(state),
      }),
    ),
  },
];

/** Each scenario with a variable gets a value from the environment. */
const env = Object.fromEntries(
  runnable.flatMap(({ steps = [] }, index) =>
    steps.some(({ config }) => /variable "NAME" \{\n {2}type = string\n\}/.test(config))
      ? [[`TF_VAR_${nameOf(index)}`, "Ada"]]
      : [],
  ),
);

/** What a step must do with a provider. */
const expectedOf = (step: Step, withGo: boolean): Partial<Step> =>
  withGo && step.go !== undefined ? step.go : step;

function check(step: Partial<Step>, outcome: Outcome): void {
  const { errors, later, change, unknownOutput, values, output, type } = outcome;
  const actions = { "no-op": ["no-op"], create: ["create"], update: ["update"] };
  const { refused, action } = step;
  if (refused === undefined) expect({ errors, later }).toEqual({ errors: [], later: [] });
  else expect(errors.map(({ text }) => text).join("\n")).toContain(refused);
  if (action !== undefined) {
    const names = action === "replace" ? ["delete", "create"] : actions[action];
    expect(change).toMatchObject({ actions: names });
  }
  if (step.unknown !== undefined) {
    const unknown = Object.entries(change?.["after_unknown"] ?? {}).filter(([, is]) => is === true);
    expect(unknown.map(([name]) => name)).toEqual(step.unknown);
  }
  if (step.planned !== undefined) expect(change).toMatchObject({ after: step.planned });
  if (step.unknownOutput === true) expect(unknownOutput).toBe(true);
  if (step.state !== undefined) expect(values).toMatchObject(step.state);
  if ("output" in step) expect(output).toEqual(step.output);
  if (step.type !== undefined) expect(type).toEqual(step.type);
}

/** Tests each scenario, when all of them have run. */
function testAll(
  scenarios: readonly Scenario[],
  withGo: boolean,
  run: () => Promise<ReadonlyMap<string, readonly Outcome[]>>,
): void {
  let outcomes: ReadonlyMap<string, readonly Outcome[]> = new Map();
  beforeAll(async () => {
    outcomes = await run();
  });
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    (name, { steps = [] }) => {
      const found = outcomes.get(name) ?? [];
      expect(found).toHaveLength(steps.length);
      found.forEach((outcome, index) => {
        check(expectedOf(steps[index] ?? { config: "" }, withGo), outcome);
      });
    },
  );
}

describe("with the kit", () => {
  testAll(runnable, false, async () => {
    let round = 0;
    const service: Corner = { users: new Map(), renewed: 0, closed: 0 };
    const project = await TerraformProject.open({
      source: "trivet.local/trivet/corner",
      // From the second step on, the provider has a newer version.
      routes: (host) => {
        const routes = providerRoutes(corner(round === 0 ? 0 : 1, service));
        return typeof routes === "function" ? routes(host) : routes;
      },
      otherProviders,
      env,
    });
    try {
      return await runScenarios(project, runnable, {
        prefix: "corner",
        beforeRound: (index) => (round = index),
      });
    } finally {
      await project.close();
      expect(service.users.size).toBe(0);
    }
  });
});

for (const { name, needs, instead } of all.filter(
  (each) => each.needs && !runnable.includes(each),
)) {
  test.skip(`${name}, because it needs ${needs?.what}. ${instead}`, () => undefined);
}

test("a token is renewed while it is used, and then closed", async () => {
  const service: Corner = { users: new Map(), renewed: 0, closed: 0 };
  const renewed = () => until(() => service.renewed > 0);
  const project = await TerraformProject.open({
    source: "trivet.local/trivet/corner",
    routes: providerRoutes(corner(0, service)),
    otherProviders: [{ source: "example.test/tools/echo", routes: echoRoutes(renewed) }],
  });
  try {
    await project.write(`
      ephemeral "corner_lifecycle" "it" { name = "John Doe" }
      resource "echo_value" "it" { value = ephemeral.corner_lifecycle.it }`);
    await project.apply();
    expect(service.renewed).toBeGreaterThan(0);
    expect(service.closed).toBe(2);
  } finally {
    await project.close();
  }
});

test("what Go does otherwise is explained, and nothing else is", () => {
  const differing = all.filter(({ steps = [] }) =>
    steps.some(({ go, refused }) => go && !(refused !== undefined && go.refused !== undefined)),
  );
  expect(differing).toEqual(all.filter(({ why, steps }) => why !== undefined && steps));
});

describe.each([
  ["Go's framework", "TRIVET_CORNER_PROVIDER", "framework", false],
  ["SDKv2", "TRIVET_CORNER_SDK_PROVIDER", "corner", true],
])("with %s", (_name, variable, prefix, isSdk) => {
  const executable = process.env[variable];
  if (executable === undefined) {
    test.skip(`the scenarios, because of ${variable}, which is not set`, () => undefined);
    return;
  }
  const possible = runnable.filter(
    ({ notInGo, sdk = false }) => notInGo === undefined && sdk === isSdk,
  );
  testAll(possible, true, async () => {
    const project = await TerraformProject.open({
      source: `registry.terraform.io/hashicorp/${prefix}`,
      // Prints what Terraform needs to find it, as our own providers do.
      executable: [
        "bash",
        "-c",
        `exec "$0" -debug > >(sed -un "s/.*TF_REATTACH_PROVIDERS='\\(.*\\)'/\\1/p")`,
        executable,
      ],
      otherProviders,
      env,
    });
    try {
      // Without the others, but with the names that the variables have.
      const all = runnable.map((each) => (possible.includes(each) ? each : { name: each.name }));
      return await runScenarios(project, all, { prefix });
    } finally {
      await project.close();
    }
  });
});
