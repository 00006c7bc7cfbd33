import { createHash } from "node:crypto";
import { providerRoutes } from "../../../src/provider-kit";
import { containsUnknown } from "../../../src/provider-kit/plan/conformity";
import { equalValues } from "../../../src/provider-kit/plan/draft";
import { startProvider, type StartedProvider, WireValues } from "../../../src/provider-kit/testing";
import type { Diagnostic } from "../../../src/provider-kit/wire/tfplugin6/tfplugin6";
import type { Declaration } from "../../../src/schema";
import { workspaceProvider } from "../../../src/workspace/provider/declare";
import { provider as definition } from "../../../src/workspace/provider-definition";
import type { Values } from "../../provider-kit/plan/planning";
import { applied, decode, encode, planned, read } from "../../provider-kit/server/protocol";

export type Environment = Readonly<Record<string, string>>;

/** What the platform says to a build that starts a workspace. */
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

/** With the empty text for an agent: the token of the only agent. */
export const runningToken = (agentId: string, token: string): Environment => ({
  [`TRIVET_RUNNING_WORKSPACE_AGENT_TOKEN_${sha256(agentId)}`]: token,
});

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A provider, and what it said when it was configured. */
export interface Process extends StartedProvider {
  readonly configured: readonly Diagnostic[];
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
  const { diagnostics } = await started.configureProvider({
    terraformVersion: "1.11.4",
    config: encode(workspaceProvider, config),
  });
  return { ...started, log, configured: diagnostics };
}

/** Reads a data source in a process of its own; the state is undefined when that failed. */
export async function readData(
  declaration: Declaration,
  config: Values = {},
  environment: Environment = {},
  settings: Values = {},
) {
  const process = await start(environment, settings);
  const answer = await process.readDataSource({
    typeName: declaration.type,
    config: encode(declaration, config),
  });
  const { diagnostics } = answer;
  const hasFailed = diagnostics.some(({ severity }) => severity === "ERROR");
  const state = hasFailed ? undefined : (decode(declaration, answer.state) ?? undefined);
  return { state, diagnostics, log: process.log.join("") };
}

export async function validateData(declaration: Declaration, config: Values) {
  const process = await start();
  const { diagnostics } = await process.validateDataResourceConfig({
    typeName: declaration.type,
    config: encode(declaration, config),
  });
  return diagnostics;
}

export async function validate(declaration: Declaration, config: Values) {
  const process = await start();
  const { diagnostics } = await process.validateResourceConfig({
    typeName: declaration.type,
    config: encode(declaration, config),
  });
  return diagnostics;
}

/** A resource as Terraform keeps it between two commands. */
export interface Kept {
  readonly state: Values;
  readonly private: Uint8Array;
}

export interface CommandOptions {
  readonly environment?: Environment | undefined;
  readonly settings?: Values | undefined;
  /** As `-refresh=false`. @default true */
  readonly refresh?: boolean | undefined;
  /** The environment in which a saved plan is applied. @default the same process */
  readonly appliedIn?: Environment | undefined;
}

/** Plans as Terraform does, which plans a replacement twice. */
export async function planIn(
  process: Process,
  declaration: Declaration,
  config: Values,
  kept?: Kept,
) {
  const first = await planned(process, declaration, config, kept?.state ?? null, kept?.private);
  if (first.replaces.length === 0) return { ...first, prior: kept?.state ?? null };
  const second = await planned(process, declaration, config, null, first.private);
  return { ...second, replaces: first.replaces, prior: null };
}

/**
 * Refreshes, plans and applies one resource, as one command of Terraform does: when it applies, it plans
 * once more, from the state alone, and what was known in the first plan must come out again.
 */
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
  if (plan.planned === null) throw new Error(JSON.stringify(plan.diagnostics));
  const applier = appliedIn === undefined ? process : await start(appliedIn, settings);
  const memory = plan.prior === null ? undefined : current?.private;
  const final = await planned(applier, declaration, config, plan.prior, memory);
  for (const [name, value] of Object.entries(plan.planned)) {
    if (!containsUnknown(value)) expect([name, final.planned?.[name]]).toEqual([name, value]);
  }
  const told = { planned: plan.planned, replaces: plan.replaces, refreshed: current?.state };
  const { type } = new WireValues(declaration);
  if (plan.prior !== null && current && equalValues(type, final.planned, plan.prior)) {
    return { ...told, state: current.state, private: current.private };
  }
  const result = await applied(applier, declaration, final.planned, plan.prior, final.private);
  expect(result.diagnostics).toEqual([]);
  if (result.state === null) throw new Error("there is no state");
  return { ...told, state: result.state, private: result.private };
}

export async function refreshed(
  process: Process,
  declaration: Declaration,
  kept: Kept,
): Promise<Kept> {
  const answer = await read(process, declaration, kept.state, kept.private);
  expect(answer.diagnostics).toEqual([]);
  if (!answer.state) throw new Error("the resource is gone");
  return { state: answer.state, private: answer.private };
}
