import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownValue } from "../../../core/json/plain-json";
import { type BuildContext, knownTemplate } from "./template-import";
import type { BuildReport } from "./report-text";
import { keepState, recoverState, nextRecord } from "../state/workspace-record";
import {
  type BuildRequest,
  defaultPreset,
  noPreset,
  presetInputs,
  effectiveParameters,
  type KnownTemplate,
  requireKnown,
} from "../state/build-request";
import {
  type BuildFacts,
  type BuildVariables,
  buildVariables,
  plainEnvironment,
} from "./build-variables";
import { DependencyGraph } from "../terraform/dependency-graph";
import {
  placeholderId,
  type PlaceholderOwner,
  placeholderOwner,
  prebuildsOwner,
} from "../state/placeholder-facts";
import {
  planSummary,
  plannedResources,
  type ResourceValues,
  resourcesOfState,
} from "../terraform/resource-values";
import { claimWarnings, inputFindings, refuse } from "../view/platform-checks";
import { emptyView, type PlatformReading, platformReading } from "../view/platform-view";
import type { LastBuild, WorkspaceRecord } from "../state/state-folder";
import { requireStateFile, makeWorkingCopy } from "../terraform/working-copy";
import type { Terraform } from "../terraform/terraform";
import { copyTemplate, isFolder } from "../terraform/template-archive";
import type { Preview } from "../preview/preview";
import { missingSecrets, valueRefusals } from "../preview/preview-text";

const planFile = "terraform.tfplan";
/**
 * Builds a workspace: plan, the platform's checks, apply. The state is saved even if the build fails.
 *
 * @throws LocalPlatformError
 */
export async function buildWorkspace(
  request: BuildRequest,
  context: BuildContext,
): Promise<BuildReport> {
  const { state, typePrefix } = context;
  const name = request.workspace ?? "dev";
  const before = await state.workspace(name);
  const record = nextRecord(before, { ...request, workspace: name });
  const work = join(state.workspaceFolder(name), "work");
  const recovered = await recoverState(state, name, work);
  const saved = await state.state(name);
  const report = { workspace: name, owner: record.owner, transition: request.transition };
  if (request.transition === "delete" && saved === undefined) {
    await state.removeWorkspace(name);
    const nothingDone = { skipped: true, changes: [], warnings: [], statePath: undefined };
    return { ...emptyView, ...report, ...nothingDone };
  }

  const kept = state.keptTemplate(name);
  // A stop and a deletion use the template of the last build, which may no longer be accepted otherwise.
  const usesKept = request.transition !== "start" && (await isFolder(kept));
  const folder = usesKept ? kept : context.template.folder;
  const copy = await makeWorkingCopy(folder, work, typePrefix);
  const terraform = context.terraformIn(work);
  const destroy = request.transition === "delete";
  // Until the state is saved, the only copy of it is there.
  let isSaved = true;
  try {
    await terraform.init(plainEnvironment(context.platform));
    await requireStateFile(work);
    const template = usesKept
      ? ((await state.template(name)) ?? { version: "", parameters: [], presets: [] })
      : await knownTemplate(request, copy, terraform, context);
    const chosen = request.preset ?? (before === undefined ? defaultPreset(template) : undefined);
    const preset =
      chosen === undefined || chosen === noPreset ? {} : presetInputs(chosen, template);
    if (chosen !== request.preset) context.log(`The default preset "${chosen ?? ""}" is applied.`);
    // The values of a preset replace what users entered.
    const inputs = { ...request.parameters, ...preset };
    const previous = before?.parameters ?? {};
    const { variables = {}, transition } = request;
    const owner = ownerOf(record, context.seed);
    const parameters = await buildParameters(
      template,
      { previous, entered: inputs, typed: destroy || usesKept ? {} : (request.parameters ?? {}) },
      transition === "start"
        ? async (values) => {
            const form = { parameters: values, variables, owner, triesPresets: false };
            const seen = await context.preview(form);
            const { secretEnv, secretFiles, prebuild } = request;
            const missing = prebuild === true ? [] : missingSecrets(seen, secretEnv, secretFiles);
            const options = missing.map(({ option }) => option).join(" ");
            refuse(
              missing.map(({ refusal }) => refusal),
              `Add ${options}, or enter the secret on the page.`,
            );
            return seen;
          }
        : undefined,
    );
    if (saved !== undefined) await writeFile(copy.stateFile, saved, { mode: 0o600 });
    const last = await state.lastBuild(name);
    const impossible = Object.keys(parameters).filter((key) => parameters[key]?.includes("\0"));
    refuse(impossible.map((key) => `parameter "${key}": must not contain the character NUL`));
    const env = variablesOf(request, { record, parameters, before, last }, context);
    await terraform.plan(planFile, env.plan, { destroy, variables });
    const plan = await terraform.show(env.plain, planFile);
    const planned = await readingOf(plannedResources(plan), terraform, env, context, report);
    const changes = planSummary(plan);
    const found = destroy
      ? { refusals: [], warnings: [] }
      : inputFindings(planned.view, {
          parameters: inputs,
          previous,
          externalAuth: isUserStart(request) ? (request.externalAuth ?? {}) : undefined,
        });
    refuse(destroy ? [] : [...planned.refusals, ...found.refusals]);

    if (!destroy) {
      const lasting = planned.view.parameters.filter(({ ephemeral }) => !ephemeral);
      const values = Object.fromEntries(
        lasting.map(({ name: key, value }) => [key, value ?? ownValue(parameters, key) ?? ""]),
      );
      const masked = lasting.filter(({ isMasked }) => isMasked).map(({ name: key }) => key);
      await state.saveWorkspace({ ...record, parameters: values, masked });
      if (!usesKept) {
        await copyTemplate(folder, kept);
        await state.saveTemplate(template, name);
      }
    }
    await state.saveLastBuild(name, undefined);
    try {
      await terraform.apply(planFile, env.apply);
    } finally {
      isSaved = false;
      await keepState(state, name, work);
      isSaved = true;
    }
    const resources = resourcesOfState(await terraform.show(env.plain));
    const done = await readingOf(resources, terraform, env, context, report);
    refuse(done.refusals, "Terraform has applied this, but the platform refuses the result.", "");
    // The agents of a stopped workspace have no machine to run on.
    const noAgents = { agents: [], droppedAgents: [], unattached: [] };
    const view = transition === "start" ? done.view : { ...done.view, ...noAgents };
    if (!destroy) await state.saveLastBuild(name, { transition, view, secrets: done.secrets });
    if (destroy) await state.removeWorkspace(name);
    return {
      ...view,
      ...report,
      skipped: false,
      changes,
      warnings: [
        ...recovered,
        ...copy.warnings,
        ...found.warnings,
        ...(request.claim === true ? claimWarnings(changes, typePrefix) : []),
        ...(transition === "start" ? done.warnings : []),
      ],
      statePath: destroy ? undefined : state.stateFile(name),
    };
  } finally {
    if (isSaved) await rm(work, { recursive: true, force: true });
  }
}

const ownerOf = ({ isPrebuild, owner }: WorkspaceRecord, seed: string): PlaceholderOwner =>
  placeholderOwner(seed, isPrebuild ? prebuildsOwner : owner);

/** Checks whether a user starts a workspace, and can therefore be asked for external logins. */
function isUserStart({ transition, prebuild }: BuildRequest): boolean {
  return transition === "start" && prebuild !== true;
}

const readingOf = async (
  resources: readonly ResourceValues[],
  terraform: Terraform,
  env: BuildVariables,
  { typePrefix, platform }: BuildContext,
  names: { readonly workspace: string; readonly owner: string },
): Promise<PlatformReading> => {
  const graph = new DependencyGraph(await terraform.graph(env.plain));
  return platformReading(resources, graph, typePrefix, platform.version, names);
};

function variablesOf(
  request: BuildRequest,
  workspace: {
    readonly record: WorkspaceRecord;
    readonly parameters: Readonly<Record<string, string>>;
    readonly before: WorkspaceRecord | undefined;
    readonly last: LastBuild | undefined;
  },
  { seed, buildId, template, platform }: BuildContext,
): BuildVariables {
  const { record, parameters, before, last } = workspace;
  const { name, isPrebuild, task } = record;
  const claim = request.claim === true;
  return buildVariables(platform, {
    buildId,
    transition: request.transition === "delete" ? "destroy" : request.transition,
    // A prebuild has no name chosen by a user.
    workspace: {
      id: placeholderId(seed, "workspace", `${name} ${record.made}`),
      name: isPrebuild ? `prebuild-${name}` : name,
    },
    template,
    owner: ownerOf(record, seed),
    prebuild: isPrebuild,
    claim,
    task,
    parameters,
    previousParameters: before?.parameters ?? {},
    externalAuth: request.externalAuth ?? {},
    secretEnv: request.secretEnv ?? {},
    secretFiles: request.secretFiles ?? {},
    runningAgents: claim ? runningAgents(last) : [],
  });
}

/** Returns the IDs and tokens of the agents that the platform considers running. */
function runningAgents(last: LastBuild | undefined): BuildFacts["runningAgents"] {
  const tokenOf = (agent: string) =>
    last?.secrets.find(({ address, path }) => address === agent && path[0] === "token")?.value;
  return (last?.view.agents ?? []).flatMap(({ id, address }) => {
    const token = tokenOf(address);
    return token === undefined ? [] : [{ id, token }];
  });
}

type Values = Readonly<Record<string, string>>;

/**
 * Returns the value of every parameter in a build: the entered value, otherwise the previous build's value,
 * otherwise the default.
 *
 * For a start, the template is evaluated with these values: the form may depend on them, and the platform
 * drops values for which it then has no parameter. Other builds accept the values as they are, so that
 * workspaces of a faulty template can still be stopped and deleted.
 *
 * @throws LocalPlatformError if the platform refuses a value
 */
async function buildParameters(
  template: KnownTemplate,
  values: { readonly previous: Values; readonly entered: Values; readonly typed: Values },
  preview: ((values: Values) => Promise<Preview>) | undefined,
): Promise<Values> {
  const { previous, entered, typed } = values;
  const all = effectiveParameters(template, previous, entered);
  const known = [...template.parameters, ...Object.keys(previous).map((name) => ({ name }))];
  const given = { ...previous, ...entered };
  const seen = await preview?.(given);
  requireKnown(Object.keys(typed), [...known, ...(seen?.parameters ?? [])]);
  if (seen === undefined) return all;
  refuse(valueRefusals(seen), "The platform refuses these values before it runs Terraform.");
  const parameters = seen.parameters.flatMap(({ name, value }) => {
    const used = ownValue(given, name) ?? value;
    return used === undefined ? [] : [[name, used] as const];
  });
  return Object.fromEntries(parameters);
}
