import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endpoint } from "../../src/core/ids/endpoint/declare";
import { idsProvider } from "../../src/core/ids/provider/declare";
import { provider as ids } from "../../src/core/ids/provider-definition";
import { ProviderCatalog } from "../../src/planner/offline-plan/catalog";
import { readConfiguration } from "../../src/planner/offline-plan/configuration";
import { jsonOfNative } from "../../src/planner/offline-plan/native-syntax";
import { planOffline, providerNames } from "../../src/planner/offline-plan/planner";
import { emptyState, readState } from "../../src/planner/offline-plan/state";
import { implement, type ProviderDefinition, providerRoutes } from "../../src/core/provider-kit";
import { DynamicValue } from "../../src/core/provider-kit/cty/value";
import type { ProviderRoutes } from "../../src/core/provider-kit/host/connection/provider-grpc";
import {
  createTerraformHarness,
  startProvider,
  type StoredResource,
  WireValues,
  type HarnessDiagnostic,
} from "../../src/core/provider-kit/testing";
import { providerMethods } from "../../src/core/provider-kit/wire/tfplugin6/tfplugin6";
import { type Declaration, UNKNOWN } from "../../src/core/schema";
import { agent } from "../../src/core/workspace/agent/declare";
import { workspaceProvider } from "../../src/core/workspace/provider/declare";
import { provider as workspaces } from "../../src/core/workspace/provider-definition";
import { made, settings as shop, tool } from "../core/provider-kit/server/workshop";
import {
  changeCalls,
  falsified,
  lastRead,
  lastSettings,
  plansIn,
  recorded,
  type RecordedCall,
  recordedWorkspace,
} from "./support/recording";
import { Service } from "./support/service";
import { tools } from "./support/tool";
import type { DynamicValue as DynamicValueMessage } from "../../src/core/provider-kit/wire/tfplugin6/tfplugin6-value";

type Config = Readonly<Record<string, unknown>>;

/** A configuration of one resource: as a person writes it, and as the harness is given it. */
interface Step {
  readonly what: string;
  readonly hcl: string;
  readonly config: Config;
}

interface Subject {
  readonly source: string;
  readonly routes: ProviderRoutes;
  readonly settings: Declaration;
  readonly settingsHcl?: string;
  readonly resource: Declaration;
  /** Each is planned with both, and then applied with Terraform. */
  readonly steps: readonly Step[];
}

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The provider in this process, with a record of what the harness asks. */
async function harnessFor({ routes }: Subject) {
  const calls: RecordedCall[] = [];
  const client = await startProvider(recorded(routes, calls), { env: {} });
  closers.push(client.close);
  return { terraform: createTerraformHarness(client), calls };
}

const written = ({ source, resource, settingsHcl = "" }: Subject, { hcl }: Step): string => {
  const name = source.slice(source.lastIndexOf("/") + 1);
  return `terraform {
  required_providers {
    ${name} = { source = "${source}" }
  }
}
provider "${name}" {
${settingsHcl}
}
resource "${resource.type}" "it" {
${hcl}
}
`;
};

/** Plans the same in this process, with a record of what the provider is asked. */
async function plannedOffline({ source, routes }: Subject, hcl: string, folder: string) {
  const calls: RecordedCall[] = [];
  const catalog = ProviderCatalog.of((name) =>
    name === source ? recorded(routes, calls) : undefined,
  );
  const configuration = readConfiguration(jsonOfNative(hcl));
  const providers = await catalog.start(providerNames(configuration));
  const path = join(folder, "terraform.tfstate");
  const state = existsSync(path) ? readState(JSON.parse(readFileSync(path, "utf8"))) : emptyState;
  const { diagnostics } = await planOffline({ configuration, state, providers });
  return { calls, diagnostics };
}

/** The plans of a record as plain values; sets are in one order. */
function comparable(declaration: Declaration, calls: readonly RecordedCall[]) {
  const values = new WireValues(declaration);
  const plain = (value: DynamicValueMessage | undefined) => {
    const decoded = values.decode(value);
    return decoded && values.decode({ json: new Uint8Array(), ...values.encode(decoded) });
  };
  return plansIn(calls).map(({ request, response }) => ({
    config: plain(request.config),
    priorState: plain(request.priorState),
    proposedNewState: plain(request.proposedNewState),
    priorPrivate: Buffer.from(request.priorPrivate).toString(),
    plannedState: plain(response.plannedState),
    // The request ID of a creation is a random one.
    plannedPrivate: Buffer.from(response.plannedPrivate)
      .toString()
      .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "(random)"),
    requiresReplace: response.requiresReplace,
    diagnostics: response.diagnostics,
  }));
}

async function endpoints(): Promise<Subject> {
  const service = await Service.start();
  closers.push(() => service.close());
  const own = { endpointId: "edge", network: "projects/acme/global/networks/main" };
  const hcl = `endpoint_id = "edge"\nnetwork = "projects/acme/global/networks/main"`;
  return {
    source: "trivet.local/trivet/ids",
    routes: providerRoutes(ids, { XDG_STATE_HOME: "/dev/null" }),
    settings: idsProvider,
    settingsHcl: `project = "acme"
zone = "us-central1-a"
cloud_ids_custom_endpoint = "${service.url}"
poll_interval = "10ms"`,
    resource: endpoint,
    steps: [
      {
        what: "a creation",
        hcl: `${hcl}\nseverity = "HIGH"`,
        config: { ...own, severity: "HIGH" },
      },
      {
        what: "an update",
        hcl: `${hcl}\nseverity = "HIGH"\nthreat_exceptions = ["1", "2"]\ntraffic_logs = true`,
        config: { ...own, severity: "HIGH", threatExceptions: ["1", "2"], trafficLogs: true },
      },
      {
        what: "a replacement",
        hcl: `${hcl}\nseverity = "HIGH"\nlocation = "us-central1-b"`,
        config: { ...own, severity: "HIGH", location: "us-central1-b" },
      },
    ],
  };
}

function agents(): Subject {
  const metadata = `metadata {
  key      = "cpu"
  script   = "stat cpu"
  interval = 10
  timeout  = 1
}`;
  const metadatas = [{ key: "cpu", script: "stat cpu", interval: 10, timeout: 1 }];
  const hcl = `arch = "amd64"\n${metadata}`;
  const monitoring = { memory: [{ enabled: true, threshold: 80 }] };
  return {
    source: "trivet.local/trivet/workspace",
    routes: providerRoutes(workspaces, {}),
    settings: workspaceProvider,
    resource: agent,
    steps: [
      {
        what: "a creation",
        hcl: `os = "linux"\n${hcl}\ndisplay_apps {\n  ssh_helper = false\n}`,
        config: { os: "linux", arch: "amd64", metadatas, displayApps: [{ sshHelper: false }] },
      },
      {
        what: "an update",
        hcl: `os = "linux"\n${hcl}\n${metadata.replace("cpu", "ram")}
resources_monitoring {
  memory {
    enabled   = true
    threshold = 80
  }
}`,
        config: {
          os: "linux",
          arch: "amd64",
          metadatas: [...metadatas, { ...metadatas[0], key: "ram" }],
          resourcesMonitoring: [monitoring],
        },
      },
      {
        what: "a replacement",
        hcl: `os = "windows"\n${hcl}`,
        config: { os: "windows", arch: "amd64", metadatas },
      },
    ],
  };
}

/** A resource with every kind of attribute and block, of a provider that computes whatever it can. */
function shopTools(): Subject {
  const definition: ProviderDefinition<typeof shop, null> = {
    declaration: shop,
    configure: () => null,
    resources: [
      implement(tool)<null>({
        create: (plan) => Promise.resolve(made(plan)),
        read: (state) => Promise.resolve(state),
        update: (plan) => Promise.resolve(made(plan)),
        delete: () => Promise.resolve(),
      }),
    ],
  };
  const rings = `ring {\n  colour = "red"\n}\nring {\n  colour = "blue"\n}`;
  const ring = [{ colour: "red" }, { colour: "blue" }];
  return {
    source: "example.com/test/shop",
    routes: providerRoutes(definition, {}),
    settings: shop,
    resource: tool,
    steps: [
      {
        what: "a creation",
        hcl: `tool_name = "saw"
tags = ["b", "a"]
labels = { a = "b" }
extra = { a = 1, b = [true] }
handle = { made_of = "oak" }
parts = [{ size = 1 }, { size = 2 }]
hole {
  width = 0.5
}
${rings}
box {}
timeouts {
  create = "5m"
}`,
        config: {
          toolName: "saw",
          tags: ["b", "a"],
          labels: { a: "b" },
          extra: new DynamicValue(
            {
              object: [
                { wire: "a", name: "a", type: "number" },
                { wire: "b", name: "b", type: { tuple: ["bool"] } },
              ],
            },
            { a: 1, b: [true] },
          ),
          handle: { madeOf: "oak" },
          parts: [{ size: 1 }, { size: 2 }],
          hole: [{ width: 0.5 }],
          ring,
          box: {},
          timeouts: { create: "5m" },
        },
      },
      {
        what: "an update",
        hcl: `tool_name = "saw"
handle = { made_of = "elm", key = "k" }
parts = [{ size = 2 }]
on = false
hole {
  width = 1
}
hole {
  width = 2
}
${rings}
box {
  lid = true
}`,
        config: {
          toolName: "saw",
          handle: { madeOf: "elm", key: "k" },
          parts: [{ size: 2 }],
          on: false,
          hole: [{ width: 1 }, { width: 2 }],
          ring,
          box: { lid: true },
        },
      },
      {
        what: "a change of nothing but what the provider computes",
        hcl: `tool_name = "saw"\non = false\nplace = "shed"`,
        config: { toolName: "saw", on: false, place: "shed" },
      },
      {
        what: "a replacement",
        hcl: `tool_name = "axe"\nhandle = { made_of = "elm" }`,
        config: { toolName: "axe", handle: { madeOf: "elm" } },
      },
    ],
  };
}

const subjects: readonly (readonly [string, () => Subject | Promise<Subject>])[] = [
  ["an endpoint", endpoints],
  ["an agent with nested blocks", agents],
  ["a resource of every kind", shopTools],
];

describe.each(tools)(
  "the harness and an offline plan propose the same, and get the same responses, as %s",
  (name) => {
    test.each(subjects)("for %s", async (_what, open) => {
      const subject = await open();
      const { resource, settings } = subject;
      const { workspace, calls } = await recordedWorkspace(name, subject.source, subject.routes);
      const { terraform, calls: ours } = await harnessFor(subject);
      for (const step of subject.steps) {
        calls.length = 0;
        ours.length = 0;
        workspace.write(written(subject, step));
        const offline = await plannedOffline(subject, written(subject, step), workspace.folder);
        await workspace.run("plan");
        const wire = new WireValues(settings);
        await terraform.configure(settings, wire.decode(lastSettings(calls)));
        const read = lastRead(calls);
        const state = new WireValues(resource).decode(read?.newState);
        const stored = state && read && { state, private: read.private };
        await terraform.resource(resource).plan(step.config, stored);
        const theirs = comparable(resource, calls);
        expect(theirs).not.toEqual([]);
        expect([step.what, comparable(resource, ours)]).toEqual([step.what, theirs]);
        expect([step.what, comparable(resource, offline.calls)]).toEqual([step.what, theirs]);
        await workspace.apply();
      }
    });
  },
);

describe.each(tools)("the harness calls a provider as %s does", (name) => {
  test("to create, update, replace, keep and destroy", async () => {
    const subject = agents();
    const { workspace, calls } = await recordedWorkspace(name, subject.source, subject.routes);
    const { terraform, calls: ours } = await harnessFor(subject);
    await terraform.configure(subject.settings);
    const resources = terraform.resource(subject.resource);
    let stored: StoredResource | undefined;
    const [last] = subject.steps.slice(-1);
    for (const step of [...subject.steps, ...(last === undefined ? [] : [last])]) {
      calls.length = 0;
      ours.length = 0;
      workspace.write(written(subject, step));
      await workspace.apply();
      const deployed = await resources.deploy(step.config, stored);
      expect(deployed.diagnostics).toEqual([]);
      stored = deployed.stored;
      expect([step.what, changeCalls(ours)]).toEqual([step.what, changeCalls(calls)]);
    }
    calls.length = 0;
    ours.length = 0;
    await workspace.run("destroy", "-auto-approve", "-refresh=false");
    expect(await resources.destroy(stored ?? { state: {} })).toEqual({
      stored: undefined,
      diagnostics: [],
    });
    expect(changeCalls(ours)).toEqual(changeCalls(calls));
  });
});

/** Values that a provider returns instead of its own, and the attributes for which Terraform refuses them. */
type Falsification = readonly [what: string, change: Config, refused: readonly string[]];

const plans: readonly Falsification[] = [
  ["another value than the configuration's", { toolName: "axe" }, ["tool_name"]],
  ["a value that only the configuration gives", { labels: { a: "b" } }, ["labels"]],
  ["a sensitive value that only the configuration gives", { pin: "hush" }, ["pin"]],
  [
    "nested attributes that only the configuration gives",
    { handle: { madeOf: "oak" } },
    ["handle"],
  ],
  ["another value in nested attributes", { parts: [{ size: 2 }] }, ["parts"]],
  ["more nested attributes", { parts: [{ size: 1 }, { size: 2 }] }, ["parts"]],
  ["a list block that is absent", { hole: [{ width: 1 }] }, ["hole"]],
  ["a single block that is absent", { box: { lid: true } }, ["box"]],
  ["another element of a set block", { ring: [{ colour: "blue" }] }, []],
  ["an unknown block", { ring: UNKNOWN }, ["ring"]],
  ["a value for what may be computed", { on: false, place: "shed", etag: "e" }, []],
];

const results: readonly Falsification[] = [
  ["another value than planned", { on: false }, ["on"]],
  ["no value where one was planned", { toolName: null }, ["tool_name"]],
  ["a value where none was planned", { labels: { a: "b" } }, ["labels"]],
  ["another sensitive value", { pin: "hush" }, ["pin"]],
  ["fewer nested attributes", { parts: [] }, ["parts"]],
  ["another element of a set block", { ring: [{ colour: "blue" }] }, ["ring"]],
  ["a list block more", { hole: [{ width: 1, holeId: "h" }] }, ["hole"]],
  ["a single block more", { box: { lid: true } }, ["box"]],
  ["what was unknown", { etag: null, toolId: "id", place: "shed" }, []],
  ["an unknown value", { etag: UNKNOWN }, ["etag"]],
];

const { planResourceChange, applyResourceChange } = providerMethods;

const changed = (change: Config, value: DynamicValueMessage | undefined) => {
  const values = new WireValues(tool);
  return values.encode({ ...values.decode(value), ...change });
};

const inPlan = (change: Config) => (bytes: Uint8Array) => {
  const answer = planResourceChange.response.decode(bytes);
  const plannedState = changed(change, answer.plannedState);
  return planResourceChange.response.encode({ ...answer, plannedState });
};

const inResult = (change: Config) => (bytes: Uint8Array) => {
  const answer = applyResourceChange.response.decode(bytes);
  const newState = changed(change, answer.newState);
  return applyResourceChange.response.encode({ ...answer, newState });
};

/** `attribute: summary` of each error that a command with `-json` prints. */
const errorsIn = (output: string): string[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { readonly diagnostic?: Readonly<Record<string, string>> })
    .flatMap(({ diagnostic }) => (diagnostic?.["severity"] === "error" ? [diagnostic] : []))
    .map(({ summary = "", detail = "" }) => {
      const [, name = "-"] = /(?:shop_tool\.it|new value: )\.(\w+)/.exec(detail) ?? [];
      return `${name}: ${summary}`;
    });

const once = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

describe.each(tools)("the harness and an offline plan refuse what %s refuses", (name) => {
  const subject = shopTools();
  const hcl = `tool_name = "saw"\nparts = [{ size = 1 }]\nring {\n  colour = "red"\n}`;
  const config = { toolName: "saw", parts: [{ size: 1 }], ring: [{ colour: "red" }] };

  async function compare(routes: ProviderRoutes) {
    const { workspace } = await recordedWorkspace(name, subject.source, routes);
    workspace.write(written(subject, { what: "", hcl, config }));
    const { stdout } = await workspace.attempt(["apply", "-auto-approve", "-json"]);
    const { terraform } = await harnessFor({ ...subject, routes });
    await terraform.configure(subject.settings);
    const { diagnostics } = await terraform.resource(tool).deploy(config);
    const named = ({ path, summary }: HarnessDiagnostic): string =>
      `${path?.[0] ?? "-"}: ${summary}`;
    const ours = diagnostics.map(named);
    const theirs = once(errorsIn(stdout));
    expect(once(ours)).toEqual(theirs);
    const hcls = written(subject, { what: "", hcl, config });
    const plan = await plannedOffline({ ...subject, routes }, hcls, workspace.folder);
    const offline = plan.diagnostics.map(named);
    expect(once(offline)).toEqual(theirs.filter((text) => !/result|apply/.test(text)));
    return once(diagnostics.map(({ path }) => String(path?.[0] ?? "-")));
  }

  test.each(plans)("in a plan: %s", async (_what, change, refused) => {
    const routes = falsified(subject.routes, planResourceChange.path, inPlan(change));
    expect(await compare(routes)).toEqual(refused);
  });

  test.each(results)("in a result: %s", async (_what, change, refused) => {
    const routes = falsified(subject.routes, applyResourceChange.path, inResult(change));
    expect(await compare(routes)).toEqual(refused);
  });
});
