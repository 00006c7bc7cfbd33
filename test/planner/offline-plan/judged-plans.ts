import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { provider as idsProvider } from "../../../src/core/ids/provider-definition";
import { createLocalIds } from "../../../src/local/ids/local-ids";
import { ProviderCatalog } from "../../../src/planner/offline-plan/catalog";
import { readConfiguration } from "../../../src/planner/offline-plan/configuration";
import type { JsonResourceChange, OfflinePlan } from "../../../src/planner/offline-plan/plan-json";
import {
  assumedState,
  planOffline,
  providerNames,
} from "../../../src/planner/offline-plan/planner";
import { emptyState, readState } from "../../../src/planner/offline-plan/state";
import { providerRoutes } from "../../../src/core/provider-kit/server/calls/routes";
import { TerraformProject } from "../../../src/core/provider-kit/testing";
import { provider as workspaceProvider } from "../../../src/core/workspace/provider-definition";
import { changeDifferences, differencesOf, type JsonPlan } from "./plan-differences";

const sources = {
  ids: "trivet.local/trivet/ids",
  workspace: "trivet.local/trivet/workspace",
} as const;

const env = { PATH: process.env["PATH"] };
const routes = new Map([
  [sources.ids, providerRoutes(idsProvider, env)],
  [sources.workspace, providerRoutes(workspaceProvider, env)],
]);
const catalog = ProviderCatalog.of((source) => routes.get(source as typeof sources.ids));

async function configured(stack: object) {
  const configuration = readConfiguration(stack);
  return { configuration, providers: await catalog.start(providerNames(configuration)) };
}

/** A plan of ours that is compared with that of Terraform. */
interface JudgedPlan {
  readonly ours: OfflinePlan;
  /** The summaries of what Terraform refuses. */
  readonly refusals: readonly string[];
  readonly differences: readonly string[];
}

interface Refusal {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
}

/** A line that `terraform plan -json` prints. */
interface Message {
  readonly diagnostic?: Refusal;
}

interface StateFile {
  readonly resources: readonly { readonly instances: readonly object[] }[];
}

export type Json = Readonly<Record<string, unknown>>;

/** A stack of resources, which are given by address, and of other blocks. */
export function stackOf(parts: readonly Json[], others: Json = {}): object {
  const resource: Record<string, Record<string, unknown>> = {};
  for (const [address, body] of parts.flatMap(Object.entries)) {
    const [type = "", name = ""] = address.split(".");
    (resource[type] ??= {})[name] = body;
  }
  const variable = { secret: { type: "string", default: "hidden", sensitive: true } };
  return { variable, ...(Object.keys(resource).length > 0 && { resource }), ...others };
}

/** Describes the changes of scripts by their names: the actions, where it was before, and the reason. */
export const scriptChanges = (changes: readonly JsonResourceChange[]): object =>
  Object.fromEntries(
    changes.map(({ address, previous_address: previous, change, action_reason: reason }) => [
      scriptName(address),
      [
        change.actions.join(" "),
        ...(previous === undefined ? [] : [` from ${scriptName(previous)}`]),
        ...(reason === undefined ? [] : [`: ${reason}`]),
      ].join(""),
    ]),
  );

const scriptName = (address: string): string => address.replace("workspace_script.", "");

function moduleAndName(address: string): { readonly module?: string; readonly name: string } {
  const [, module, name = ""] = /^(?:(.*)\.)?(\w+)$/.exec(address) ?? [];
  return { ...(module !== undefined && { module }), name };
}

/** Plans of stacks of two providers, which are compared with those of Terraform. */
export class JudgedPlans {
  /** How often only Terraform knew the value of an attribute. */
  readonly unknownToUs = new Map<string, number>();

  readonly #project: TerraformProject;
  readonly #url: string;

  private constructor(
    project: TerraformProject,
    url: string,
    readonly close: () => Promise<void>,
  ) {
    this.#project = project;
    this.#url = url;
  }

  static async open(): Promise<JudgedPlans> {
    const service = createLocalIds({ pollsUntilDone: 0, quota: 10_000 });
    const { url } = await service.listen({ port: 0 });
    const project = await TerraformProject.open({
      source: sources.ids,
      routes: providerRoutes(idsProvider, env),
      otherProviders: [
        { source: sources.workspace, routes: providerRoutes(workspaceProvider, env) },
      ],
    });
    return new JudgedPlans(project, url, async () => {
      await project.close();
      await service.close();
    });
  }

  /** Destroys what is deployed. */
  async clear(): Promise<void> {
    await this.#project.write(this.#withProviders({}));
    await this.#project.apply();
  }

  /**
   * @param values those of variables, which only Terraform is given
   * @throws TerraformFailure when the stack cannot be deployed
   */
  async deploy(stack: object, values: Json = {}): Promise<void> {
    await writeFile(join(this.#project.folder, "terraform.tfvars.json"), JSON.stringify(values));
    await this.#project.write(this.#withProviders(stack));
    await this.#project.apply("-refresh=false");
  }

  /** Writes a module that a stack can call with the source `./NAME`. */
  async writeModule(name: string, parts: Json): Promise<void> {
    const folder = join(this.#project.folder, name);
    const terraform = { required_providers: { workspace: { source: sources.workspace } } };
    await mkdir(folder);
    await writeFile(join(folder, "main.tf.json"), JSON.stringify({ terraform, ...parts }));
  }

  /**
   * Gives the only deployed object to all of these instances instead: names, after the address of their module, with keys
   * as they are in the state.
   */
  async spread(instances: readonly (readonly [name: string, key?: string | number])[]) {
    const path = join(this.#project.folder, "terraform.tfstate");
    const state = JSON.parse(await readFile(path, "utf8")) as StateFile;
    const [resource] = state.resources;
    const [object] = resource?.instances ?? [];
    const names = new Set(instances.map(([name]) => name));
    const resources = [...names].map((name) => ({
      ...resource,
      ...moduleAndName(name),
      instances: instances
        .filter(([each]) => each === name)
        .map(([, key]) => ({ ...object, ...(key !== undefined && { index_key: key }) })),
    }));
    await writeFile(path, JSON.stringify({ ...state, resources }));
  }

  /** Plans a stack in place of the one that is deployed. Returns our plan, and its differences from Terraform's. */
  async plan(parts: object): Promise<JudgedPlan> {
    const stack = this.#withProviders(parts);
    await this.#project.write(stack);
    if ("module" in parts) await this.#project.run("get");
    const [theirs, ours] = [await this.#terraformPlan(), await this.#ownPlan(stack)];
    const refusals = Array.isArray(theirs) ? theirs : [];
    return {
      ours,
      refusals: refusals.map(({ summary }) => summary),
      differences: this.#differences(theirs, ours),
    };
  }

  /**
   * Plans a stack in place of the one that is deployed, without its state and its variables.
   *
   * @returns the differences from Terraform in what changes
   */
  async planStandIns(deployed: object, changed: object): Promise<readonly string[]> {
    const stack = this.#withProviders(changed);
    await this.#project.write(stack);
    const theirs = await this.#terraformPlan();
    const before = await configured(this.#withProviders(deployed));
    const { state, diagnostics } = await assumedState(before);
    const ours = await planOffline({ ...(await configured(stack)), state });
    const errors = [...diagnostics, ...ours.diagnostics];
    if (Array.isArray(theirs) || errors.length > 0) return [JSON.stringify([theirs, errors])];
    return changeDifferences(theirs, ours);
  }

  #differences(theirs: JsonPlan | Refusal[], ours: OfflinePlan): readonly string[] {
    const ourErrors = ours.diagnostics.filter(({ severity }) => severity === "ERROR");
    if (Array.isArray(theirs)) {
      const problem = `Terraform fails, we do not: ${JSON.stringify(theirs).slice(0, 600)}`;
      return ourErrors.length > 0 ? [] : [problem];
    }
    if (ourErrors.length > 0) {
      return [`we fail, Terraform does not: ${JSON.stringify(ourErrors[0])}`];
    }
    return differencesOf(theirs, ours, (name) => {
      this.unknownToUs.set(name, (this.unknownToUs.get(name) ?? 0) + 1);
    });
  }

  async #terraformPlan(): Promise<JsonPlan | Refusal[]> {
    const args = ["plan", "-json", "-input=false", "-out=random.plan"];
    const { code, output: messages } = await this.#project.run(...args);
    if (code !== 0) {
      const all = messages.trim().split("\n");
      return all.flatMap((line) => {
        const { diagnostic } = JSON.parse(line) as Message;
        return diagnostic?.severity === "error" ? diagnostic : [];
      });
    }
    const { output } = await this.#project.run("show", "-json", "random.plan");
    return JSON.parse(output) as JsonPlan;
  }

  async #ownPlan(stack: object): Promise<OfflinePlan> {
    const text = await readFile(join(this.#project.folder, "terraform.tfstate"), "utf8").catch(
      () => undefined,
    );
    const state = text === undefined ? emptyState : readState(JSON.parse(text));
    return await planOffline({ ...(await configured(stack)), state });
  }

  #withProviders(stack: object): object {
    return {
      terraform: {
        required_providers: Object.fromEntries(
          Object.entries(sources).map(([name, source]) => [name, { source }]),
        ),
      },
      provider: {
        ids: { project: "p", zone: "us-central1-a", cloud_ids_custom_endpoint: this.#url },
        workspace: {},
      },
      ...stack,
    };
  }
}
