import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { providerRoutes } from "../../../src/core/provider-kit";
import { startReattach } from "../../../src/core/provider-kit/host/reattach";
import type { BuildReport } from "../../../src/local/workspace/build/report-text";
import { LocalPlatform } from "../../../src/local/workspace/local-platform";
import { provider } from "../../../src/core/workspace/provider-definition";
import { installation } from "./installation";
import type { Tool } from "./tool";
import { Workspace } from "./workspace";

const endings: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Values by their names in Terraform. */
export type Values = Readonly<Record<string, unknown>>;

/** A template, and a platform that builds workspaces of it with the installed provider. */
interface Template {
  readonly workspace: Workspace;
  readonly platform: LocalPlatform;
  /** What Terraform has said in all builds. */
  readonly said: readonly string[];
}

export function template(tool: Tool, env: NodeJS.ProcessEnv = {}): Template {
  const workspace = newWorkspace(tool);
  const said: string[] = [];
  const platform = new LocalPlatform({
    template: workspace.folder,
    stateFolder: join(workspace.folder, "..", "platform"),
    terraform: tool,
    env: { ...workspace.env, ...env },
    log: (line) => said.push(line),
  });
  return { workspace, platform, said };
}

/** A folder whose provider runs in this process, and the variables that it reads there. */
export interface AttachedTemplate {
  readonly workspace: Workspace;
  /** Changed by {@link AttachedTemplate.become}. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the platform says to all commands from now on. */
  become(environment: Readonly<Record<string, string>>): void;
}

export async function attachedTemplate(tool: Tool): Promise<AttachedTemplate> {
  const workspace = newWorkspace(tool);
  const environment: Record<string, string> = {};
  const attached = await startReattach({
    source: "trivet.local/trivet/workspace",
    routes: providerRoutes(provider, environment),
    env: {},
  });
  endings.push(attached.close);
  Object.assign(workspace.env, attached.env);
  const become = (next: Readonly<Record<string, string>>): void => {
    for (const name of Object.keys(environment)) Reflect.deleteProperty(environment, name);
    Object.assign(environment, next);
  };
  return { workspace, environment, become };
}

function newWorkspace(tool: Tool): Workspace {
  const workspace = new Workspace(tool);
  endings.push(async () => {
    const left = await workspace.outliving();
    workspace.remove();
    expect(left).toEqual([]);
  });
  return workspace;
}

/** A configuration with the installed provider. */
export const templateText = (body: string): string => `terraform {
  required_providers {
    workspace = {
      source  = "trivet.local/trivet/workspace"
      version = "${installation().workspaceVersion}"
    }
  }
}

${body}`;

/** Writes one of the templates in `workspace-templates`, and has it ask for the installed provider. */
export function writeTemplate({ folder }: Workspace, name: string): void {
  const file = join(__dirname, "..", "workspace-templates", `${name}.tf`);
  const source = '      source = "trivet.local/trivet/workspace"\n';
  const text = readFileSync(file, "utf8");
  expect(text).toContain(source);
  const version = `      version = "${installation().workspaceVersion}"\n`;
  rmSync(join(folder, "main.tf"), { force: true });
  writeFileSync(join(folder, "main.tf"), text.replace(source, source + version));
}

interface StateFile {
  readonly resources: readonly {
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly index_key?: string | number;
      readonly attributes: Values;
    }[];
  }[];
}

/** What a build has left in the state, by addresses. */
export function stateOf({ statePath }: BuildReport): ReadonlyMap<string, Values> {
  if (statePath === undefined) return new Map();
  const { resources } = JSON.parse(readFileSync(statePath, "utf8")) as StateFile;
  return new Map(
    resources.flatMap(({ mode, type, name, instances }) =>
      instances.map(({ index_key: key, attributes }) => {
        const address = `${mode === "data" ? "data." : ""}${type}.${name}`;
        return [key === undefined ? address : `${address}[${JSON.stringify(key)}]`, attributes];
      }),
    ),
  );
}

/** `update workspace_agent.main` for each change of a build. */
export const changesOf = ({ changes }: BuildReport): string[] =>
  changes.map(({ action, address }) => `${action} ${address}`).sort();
