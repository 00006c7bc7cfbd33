import { environmentVariables, type EnvironmentVariables } from "./environment-variables";
import { type OwnerFacts, readOwnerFacts, type ReadVariable } from "./owner-facts";
import { readFileSync } from "node:fs";

interface TaskFacts {
  /** The ID as the platform writes it, possibly not a valid UUID. Empty outside a task. */
  readonly id: string;
  /** Empty if there is no prompt. May be set without an ID. */
  readonly prompt: string;
}

/** The build data that the platform passes in environment variables. */
export interface BuildEnvironment {
  /** The names of the variables, for messages about them. */
  readonly variables: EnvironmentVariables;
  /** True if a workspace is built: false during a template import or a local trial. */
  readonly isRealBuild: boolean;
  /** Empty outside a real build. */
  readonly buildId: string;
  /** The same as `workspace.transition`. */
  readonly transition: string;
  readonly workspace: WorkspaceFacts;
  readonly owner: OwnerFacts;
  readonly task: TaskFacts;
  /** The URL of the platform; undefined if missing or empty. */
  readonly agentUrl: string | undefined;
  /** The input for a parameter; undefined if there is none. The empty string is an input. */
  parameter(name: string): string | undefined;
  /** The input in the previous build; undefined if there was none. */
  previousParameter(name: string): string | undefined;
  /** A secret. Empty if the owner has no token for this provider, and always empty during apply. */
  externalAuthToken(id: string): string;
  /** A secret. Empty if missing. */
  secretByEnv(name: string): string;
  /** A secret. Empty if missing. The path is used literally; `~/` is not expanded. */
  secretByFile(path: string): string;
  /** The script that starts an agent, with its placeholders; undefined if the variable is missing. */
  agentScript(os: string, arch: string): string | undefined;
  /** A secret: the token of this agent if it is already running; undefined if missing or empty. */
  runningAgentToken(agentId: string): string | undefined;
  /** A secret: the token of the only running agent; undefined if missing or empty. */
  readonly soleRunningAgentToken: string | undefined;
}

/**
 * Reads the variables that begin with `prefix`. Never fails: callers decide which variables are required, and
 * when.
 *
 * @param prefix without the underscore. @default "TRIVET"
 */
export function buildEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  prefix?: string,
): BuildEnvironment {
  const variables = environmentVariables(prefix);
  const valueOf = (variable: string) => env[variable] ?? "";
  const read: ReadVariable = (variable) => (valueOf(variable) === "" ? undefined : env[variable]);
  const workspace = readWorkspaceFacts(variables, read);
  const buildId = valueOf(variables.buildId);
  return {
    variables,
    isRealBuild: buildId !== "",
    buildId,
    transition: workspace.transition,
    workspace,
    owner: readOwnerFacts(variables, read),
    task: { id: valueOf(variables.taskId), prompt: valueOf(variables.taskPrompt) },
    agentUrl: read(variables.agentUrl),
    parameter: (name) => env[variables.parameter(name)],
    previousParameter: (name) => env[variables.previousParameter(name)],
    externalAuthToken(id) {
      const variable = variables.externalAuthToken(id);
      return env[variable] ?? lostVariable(variable) ?? "";
    },
    secretByEnv: (name) => valueOf(variables.secretByEnv(name)),
    secretByFile: (path) => valueOf(variables.secretByFile(path)),
    agentScript: (os, arch) => env[variables.agentScript(os, arch)],
    runningAgentToken: (agentId) => read(variables.runningAgentToken(agentId)),
    soleRunningAgentToken: read(variables.runningAgentToken("")),
  };
}

const isShellName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/**
 * Looks up a variable whose name is not valid in shells, such as one that ends with `git-hub`.
 *
 * Providers are started through a shell, and many shells drop such variables. Terraform, the parent of
 * the shell, still has them, and Linux exposes the environment of a process to its own user.
 *
 * @param read returns the environment of the parent process. @default `/proc/<ppid>/environ`
 */
export function lostVariable(name: string, read = parentEnvironment): string | undefined {
  if (isShellName(name)) return undefined;
  const prefix = `${name}=`;
  const entry = read()
    .split("\0")
    .find((each) => each.startsWith(prefix));
  return entry?.slice(prefix.length);
}

function parentEnvironment(): string {
  try {
    return readFileSync(`/proc/${process.ppid}/environ`, "utf8");
  } catch {
    return "";
  }
}

interface WorkspaceFacts {
  /** Empty if the platform sets none, for example during a template import. */
  readonly id: string;
  /** @default "default" */
  readonly name: string;
  /**
   * `start`, `stop`, or another value of the platform (`destroy` for a deletion).
   *
   * @default "start"
   */
  readonly transition: string;
  /** 1 in a build that starts the workspace, otherwise 0. */
  readonly startCount: 0 | 1;
  /** True if the workspace is built ahead of time. False during a claim, which takes precedence. */
  readonly isPrebuild: boolean;
  /** 1 for a prebuild, otherwise 0. */
  readonly prebuildCount: 0 | 1;
  /** True if this build assigns a prebuilt workspace to its owner. */
  readonly isPrebuildClaim: boolean;
  readonly template: TemplateFacts;
}

/** The template of a workspace. Strings are empty if the platform does not set them. */
interface TemplateFacts {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The names of missing variables. A real build requires all of them. */
  readonly missingVariables: readonly string[];
}

function readWorkspaceFacts(variables: EnvironmentVariables, read: ReadVariable): WorkspaceFacts {
  const valueOf = (variable: string, otherwise = "") => read(variable) ?? otherwise;
  const flag = (variable: string) => valueOf(variable).toLowerCase() === "true";
  const transition = valueOf(variables.transition, "start");
  const isPrebuildClaim = flag(variables.isPrebuildClaim);
  const isPrebuild = flag(variables.isPrebuild) && !isPrebuildClaim;
  const { templateId, templateName, templateVersion } = variables;
  return {
    id: valueOf(variables.workspaceId),
    name: valueOf(variables.workspaceName, "default"),
    transition,
    startCount: transition === "start" ? 1 : 0,
    isPrebuild,
    prebuildCount: isPrebuild ? 1 : 0,
    isPrebuildClaim,
    template: {
      id: valueOf(templateId),
      name: valueOf(templateName),
      version: valueOf(templateVersion),
      missingVariables: [templateId, templateName, templateVersion].filter(
        (variable) => valueOf(variable) === "",
      ),
    },
  };
}
