import { environmentVariables, type EnvironmentVariables } from "./environment-variables";
import { lostVariable } from "./lost-variable";
import { type OwnerFacts, readOwnerFacts } from "./owner-facts";
import type { ReadVariable } from "./reading";
import { readWorkspaceFacts, type WorkspaceFacts } from "./workspace-facts";

/** The task that a workspace is built for, as the platform describes it. */
export interface TaskFacts {
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
