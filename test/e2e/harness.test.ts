import { endpoint } from "../../src/ids/endpoint/declare";
import { idsProvider } from "../../src/ids/provider/declare";
import { provider as ids } from "../../src/ids/provider-definition";
import { implement, type ProviderDefinition, providerRoutes } from "../../src/provider-kit";
import { DynamicValue } from "../../src/provider-kit/cty/value";
import type { ProviderRoutes } from "../../src/provider-kit/host/connection/provider-grpc";
import {
  createTerraformHarness,
  startProvider,
  type StoredResource,
  WireValues,
} from "../../src/provider-kit/testing";
import type { DynamicValue as DynamicValueMessage } from "../../src/provider-kit/wire/tfplugin6/tfplugin6";
import type { Declaration } from "../../src/schema";
import { agent } from "../../src/workspace/agent/declare";
import { workspaceProvider } from "../../src/workspace/provider/declare";
import { provider as workspaces } from "../../src/workspace/provider-definition";
import { made, settings as shop, tool } from "../provider-kit/server/workshop";
import {
  changeCalls,
  lastRead,
  lastSettings,
  plansIn,
  recorded,
  type RecordedCall,
  recordedWorkspace,
} from "./support/recording";
import { Service } from "./support/service";
import { tools } from "./support/tool";

jest.setTimeout(180_000);

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
    plannedPrivate: Buffer.from(response.plannedPrivate).toString(),
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
    routes: providerRoutes(ids, { XDG_STATE_HOME: "/nonexistent" }),
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

describe.each(tools)("the harness proposes and is answered what %s is", (name) => {
  test.each(subjects)("for %s", async (_what, open) => {
    const subject = await open();
    const { resource, settings } = subject;
    const { workspace, calls } = await recordedWorkspace(name, subject.source, subject.routes);
    const { terraform, calls: ours } = await harnessFor(subject);
    for (const step of subject.steps) {
      calls.length = 0;
      ours.length = 0;
      workspace.write(written(subject, step));
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
      await workspace.apply();
    }
  });
});

describe.each(tools)("the harness calls a provider as %s does", (name) => {
  test("while it creates, updates, replaces, leaves alone and destroys", async () => {
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
