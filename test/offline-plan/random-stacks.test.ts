import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { provider as idsProvider } from "../../src/ids/provider-definition";
import { createLocalIds } from "../../src/ids/local/local-ids";
import { readConfiguration } from "../../src/offline-plan/configuration";
import type { OfflinePlan } from "../../src/offline-plan/offline-plan";
import { planOffline, providerNames } from "../../src/offline-plan/planner";
import type { JsonResourceChange } from "../../src/offline-plan/plan-json";
import { ProviderCatalog } from "../../src/offline-plan/catalog";
import { emptyState, readState } from "../../src/offline-plan/state";
import { TerraformFailure, TerraformProject } from "../../src/provider-kit/testing";
import { providerRoutes } from "../../src/provider-kit/server/calls/routes";
import { provider as workspaceProvider } from "../../src/workspace/provider-definition";
import { sample } from "../all-tests";
import { randomStack } from "./random-stack";

const sources = {
  ids: "trivet.local/trivet/ids",
  workspace: "trivet.local/trivet/workspace",
} as const;

const env = { PATH: process.env["PATH"] };
const routes = new Map([
  [sources.ids, providerRoutes(idsProvider, env)],
  [sources.workspace, providerRoutes(workspaceProvider, env)],
]);
const catalog = new ProviderCatalog((source) => routes.get(source as typeof sources.ids));

/** The seeds of the stacks. FIRST_STACK and STACKS choose others. */
const first = Number(process.env["FIRST_STACK"] ?? 1);
const count = Number(process.env["STACKS"] ?? sample(1000, 12));
const seeds = Array.from({ length: count }, (_, at) => first + at);
const batchSize = 20;
const batches = Array.from({ length: Math.ceil(count / batchSize) }, (_, at) =>
  seeds.slice(at * batchSize, (at + 1) * batchSize),
);

const unknownToUs = new Map<string, number>();
let project: TerraformProject;
let close: () => Promise<void>;
let url: string;

beforeAll(async () => {
  const service = createLocalIds({ pollsUntilDone: 0, quota: 10_000 });
  ({ url } = await service.listen({ port: 0 }));
  project = await TerraformProject.open({
    source: sources.ids,
    routes: providerRoutes(idsProvider, env),
    otherProviders: [{ source: sources.workspace, routes: providerRoutes(workspaceProvider, env) }],
  });
  close = () => service.close();
});

afterAll(async () => {
  const unknown = Object.fromEntries([...unknownToUs].toSorted(([, a], [, b]) => b - a));
  console.log(`Terraform knows, but an offline plan does not: ${JSON.stringify(unknown)}`);
  await project.close();
  await close();
});

const withProviders = (stack: object): object => ({
  terraform: {
    required_providers: Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, { source }]),
    ),
  },
  provider: {
    ids: { project: "p", zone: "us-central1-a", cloud_ids_custom_endpoint: url },
    workspace: {},
  },
  ...stack,
});

test.each(batches.map((batch) => [batch[0], batch] as const))(
  "plans random stacks from %d on as Terraform does",
  async (_, batch) => {
    const differences: string[] = [];
    let planned = 0;
    for (const seed of batch) {
      const found = await compared(seed);
      if (found === undefined) continue;
      planned += 1;
      differences.push(...found.map((text) => `stack ${seed}: ${text}`));
    }
    expect(differences).toEqual([]);
    expect(planned).toBeGreaterThan(batch.length / 2);
  },
);

/** @returns the differences; undefined if the first stack cannot be deployed */
async function compared(seed: number): Promise<readonly string[] | undefined> {
  const { deployed, changed } = randomStack(seed);
  await project.write(withProviders({}));
  await project.apply();
  await project.write(withProviders(deployed));
  const differences = [...(await comparedPlan(withProviders(deployed)))];
  try {
    await project.apply("-refresh=false");
  } catch (error) {
    if (error instanceof TerraformFailure) return differences.length > 0 ? differences : undefined;
    throw error;
  }
  await project.write(withProviders(changed));
  return [...differences, ...(await comparedPlan(withProviders(changed)))];
}

async function comparedPlan(stack: object): Promise<readonly string[]> {
  const [theirs, ours] = [await terraformPlan(), await ownPlan(stack)];
  const ourErrors = ours.findings.filter(({ severity }) => severity === "error");
  if (typeof theirs === "string") {
    return ourErrors.length > 0 ? [] : [`Terraform fails, we do not: ${theirs.slice(0, 600)}`];
  }
  if (ourErrors.length > 0) return [`we fail, Terraform does not: ${JSON.stringify(ourErrors[0])}`];
  return differencesOf(theirs, ours);
}

interface JsonPlan {
  readonly resource_changes?: readonly JsonResourceChange[];
  readonly output_changes?: OfflinePlan["outputChanges"];
}

async function terraformPlan(): Promise<JsonPlan | string> {
  try {
    await project.report("plan", "-out=random.plan");
  } catch (error) {
    if (error instanceof TerraformFailure) return error.message;
    throw error;
  }
  const { output } = await project.run("show", "-json", "random.plan");
  return JSON.parse(output) as JsonPlan;
}

async function ownPlan(stack: object): Promise<OfflinePlan> {
  const configuration = readConfiguration(stack);
  const providers = await catalog.start(providerNames(configuration));
  const text = await readFile(join(project.folder, "terraform.tfstate"), "utf8").catch(
    () => undefined,
  );
  const state = text === undefined ? emptyState : readState(JSON.parse(text));
  return await planOffline({ configuration, state, providers });
}

function differencesOf(theirs: JsonPlan, ours: OfflinePlan): readonly string[] {
  const found: string[] = [];
  const byKey = (changes: readonly JsonResourceChange[]) =>
    new Map(changes.map((each) => [`${each.address}${each.deposed ?? ""}`, each]));
  const [left, right] = [byKey(theirs.resource_changes ?? []), byKey(ours.resourceChanges)];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const [their, our] = [left.get(key), right.get(key)];
    const facts = (each: JsonResourceChange | undefined) =>
      each && [
        each.change.actions,
        each.change.replace_paths ?? [],
        each.previous_address,
        each.action_reason,
      ];
    if (JSON.stringify(facts(their)) !== JSON.stringify(facts(our))) {
      found.push(
        `${key}: ${JSON.stringify(facts(their))} but we say ${JSON.stringify(facts(our))}`,
      );
    } else if (their !== undefined && our !== undefined) {
      found.push(...valueDifferences(key, their.change, our.change));
    }
  }
  for (const [name, their] of Object.entries(theirs.output_changes ?? {})) {
    const our = ours.outputChanges[name];
    if (our === undefined) found.push(`output ${name}: missing`);
    else {
      if (String(their.actions) !== String(our.actions)) {
        found.push(`output ${name}: ${String(their.actions)} but we say ${String(our.actions)}`);
      }
      found.push(...valueDifferences(`output ${name}`, their, our));
    }
  }
  return found;
}

type Change = JsonResourceChange["change"];

/** Known values must be the same. What we do not know, but Terraform does, is counted. */
function valueDifferences(key: string, theirs: Change, ours: Change): readonly string[] {
  const found: string[] = [];
  const sides = [
    ["before", leaves(theirs.before), leaves(ours.before)],
    ["after", leaves(theirs.after), leaves(ours.after)],
  ] as const;
  const unknown = leaves(ours.after_unknown);
  const theirUnknown = leaves(theirs.after_unknown);
  for (const [side, left, right] of sides) {
    for (const path of new Set([...left.keys(), ...right.keys()])) {
      const [their, our] = [left.get(path) ?? "null", right.get(path) ?? "null"];
      if (their === our) continue;
      const isOpen = side === "after" && isCovered(path, unknown);
      const isOpenThere = side === "after" && isCovered(path, theirUnknown);
      if (isOpen && !isOpenThere) {
        const name = `${key.replace(/\..*/, "")}${path}`;
        unknownToUs.set(name, (unknownToUs.get(name) ?? 0) + 1);
      } else if (!(isOpen && isOpenThere)) {
        found.push(`${key} ${side}${path}: ${their} but we say ${our}`);
      }
    }
  }
  const known = [...theirUnknown.keys()].filter((path) => !isCovered(path, unknown));
  if (known.length > 0) found.push(`${key}: we know ${known.join(", ")}`);
  const marks = (change: Change) =>
    JSON.stringify([...leaves(change.after_sensitive).keys()].sort());
  if (marks(theirs) !== marks(ours)) {
    found.push(`${key}: sensitive ${marks(theirs)} but we say ${marks(ours)}`);
  }
  return found;
}

/** The leaves of a JSON value by their paths, without what is false or null. */
function leaves(value: unknown, path = ""): Map<string, string> {
  if (value === null || value === undefined || value === false) return new Map();
  if (typeof value !== "object") return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [...leaves(part, `${path}.${name}`)]),
  );
}

function isCovered(path: string, marks: ReadonlyMap<string, string>): boolean {
  const steps = path.split(".");
  return steps.some((_, at) => marks.has(steps.slice(0, at + 1).join(".")));
}
