import { createHash } from "node:crypto";
import { providerRoutes } from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  type HarnessDiagnostic,
  type ResourcePlan,
  startProvider,
  type StartedProvider,
  type StoredResource,
} from "../../../../src/core/provider-kit/testing";
import type { Declaration } from "../../../../src/core/schema";
import { workspaceProvider } from "../../../../src/core/workspace/provider/declare";
import { provider as definition } from "../../../../src/core/workspace/provider-definition";
import type { Values } from "../../provider-kit/plan/planning";
import { stateOf } from "../../provider-kit/server/protocol";

export type Environment = Readonly<Record<string, string>>;

/** The build data of a build that starts a workspace. */
export const startBuild: Environment = {
  TRIVET_AGENT_URL: "https://workspaces.test/",
  TRIVET_WORKSPACE_BUILD_ID: "b1",
  TRIVET_WORKSPACE_TRANSITION: "start",
  TRIVET_WORKSPACE_TEMPLATE_ID: "t",
  TRIVET_WORKSPACE_TEMPLATE_NAME: "box",
  TRIVET_WORKSPACE_TEMPLATE_VERSION: "v1",
};

export const stopBuild: Environment = { ...startBuild, TRIVET_WORKSPACE_TRANSITION: "stop" };

export const build = (id: string, environment: Environment = startBuild): Environment => ({
  ...environment,
  TRIVET_WORKSPACE_BUILD_ID: id,
});

export const without = (environment: Environment, variable: string): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => name !== variable));

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export const parameterInput = (name: string, value: string): Environment => ({
  [`TRIVET_PARAMETER_${sha256(name)}`]: value,
});

export const previousInput = (name: string, value: string): Environment => ({
  [`TRIVET_PARAMETER_PREVIOUS_${sha256(name)}`]: value,
});

/** With the empty string for an agent: the token of the only agent. */
export const runningToken = (agentId: string, token: string): Environment => ({
  [`TRIVET_RUNNING_WORKSPACE_AGENT_TOKEN_${sha256(agentId)}`]: token,
});

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A provider, and the diagnostics of its configuration. */
export interface Process extends StartedProvider {
  readonly configured: readonly HarnessDiagnostic[];
  readonly log: readonly string[];
}

/** Starts a provider as Terraform does for each command. */
export async function start(environment: Environment = {}, config: Values = {}): Promise<Process> {
  const log: string[] = [];
  const started = await startProvider(providerRoutes(definition, environment), {
    env: environment,
    onLog: (line) => log.push(line),
  });
  closers.push(started.close);
  const configured = await createTerraformHarness(started).configure(workspaceProvider, config);
  return { ...started, log, configured };
}

/** Reads a data source in a separate process; the state is undefined if that failed. */
export async function readData(
  declaration: Declaration,
  config: Values = {},
  environment: Environment = {},
  settings: Values = {},
) {
  const process = await start(environment, settings);
  const read = await createTerraformHarness(process).dataSource(declaration).read(config);
  const { state, diagnostics } = read;
  return { state: state ?? undefined, diagnostics, log: process.log.join("") };
}

export const validateData = async (declaration: Declaration, config: Values) =>
  createTerraformHarness(await start())
    .dataSource(declaration)
    .validate(config);

export const validate = async (declaration: Declaration, config: Values) =>
  createTerraformHarness(await start())
    .resource(declaration)
    .validate(config);

/** A resource as Terraform stores it between two commands. */
export type Kept = StoredResource;

interface CommandOptions {
  readonly environment?: Environment | undefined;
  readonly settings?: Values | undefined;
  /** As `-refresh=false`. @default true */
  readonly refresh?: boolean | undefined;
  /** The environment in which a saved plan is applied. @default the same process */
  readonly appliedIn?: Environment | undefined;
}

export const planIn = (process: Process, declaration: Declaration, config: Values, kept?: Kept) =>
  createTerraformHarness(process).resource(declaration).plan(config, kept);

/** Applies a plan of this or another process. */
export async function applyIn(process: Process, declaration: Declaration, plan: ResourcePlan) {
  const result = await createTerraformHarness(process).resource(declaration).apply(plan);
  const { stored, diagnostics } = result;
  return { stored, state: stored?.state ?? null, diagnostics };
}

/** Reads the resource; the state is undefined if that failed. */
export async function readIn(process: Process, declaration: Declaration, kept: Kept) {
  const result = await createTerraformHarness(process).resource(declaration).read(kept);
  return { state: stateOf(result), diagnostics: result.diagnostics };
}

/** Refreshes, plans and applies one resource, as one command of Terraform does. */
export async function run(
  declaration: Declaration,
  config: Values,
  kept?: Kept,
  { environment = {}, settings = {}, refresh = true, appliedIn }: CommandOptions = {},
) {
  const process = await start(environment, settings);
  expect(process.configured).toEqual([]);
  const current = refresh && kept ? await refreshed(process, declaration, kept) : kept;
  const plan = await planIn(process, declaration, config, current);
  const { planned, replaces } = plan;
  if (planned === null) throw new Error(JSON.stringify(plan.diagnostics));
  const applier = appliedIn === undefined ? process : await start(appliedIn, settings);
  if (plan.action === "no-op") {
    expect((await planIn(applier, declaration, config, current)).action).toBe("no-op");
  }
  const { stored, diagnostics } = await applyIn(applier, declaration, plan);
  expect(diagnostics).toEqual([]);
  if (stored === undefined) throw new Error("the state is missing");
  const { state, private: memory } = stored;
  return { planned, replaces, refreshed: current?.state, state, private: memory };
}

export async function refreshed(
  process: Process,
  declaration: Declaration,
  kept: Kept,
): Promise<Kept> {
  const resources = createTerraformHarness(process).resource(declaration);
  const { stored, diagnostics } = await resources.read(kept);
  expect(diagnostics).toEqual([]);
  if (stored === undefined) throw new Error("the resource is missing");
  return stored;
}
