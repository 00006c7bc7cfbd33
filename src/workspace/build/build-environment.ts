import { environmentVariables, type EnvironmentVariables } from "./environment-variables";
import { lostVariable } from "./lost-variable";
import { type OwnerFacts, readOwnerFacts } from "./owner-facts";
import type { ReadVariable } from "./reading";
import { readWorkspaceFacts, type WorkspaceFacts } from "./workspace-facts";

/** What the platform says about the task that a workspace is built for. */
export interface TaskFacts {
  /** As the platform wrote it, which may be no UUID. Empty outside a task. */
  readonly id: string;
  /** Empty when there is none; given whether or not there is an id. */
  readonly prompt: string;
}

/** What the platform says to a build, read from the variables of the process. */
export interface BuildEnvironment {
  /** The names of the variables, for messages about them. */
  readonly variables: EnvironmentVariables;
  /** Whether a workspace is built: false while a template is imported or somebody just tries it. */
  readonly isRealBuild: boolean;
  /** Empty outside a real build. */
  readonly buildId: string;
  /** The same as `workspace.transition`. */
  readonly transition: string;
  readonly workspace: WorkspaceFacts;
  readonly owner: OwnerFacts;
  readonly task: TaskFacts;
  /** The address of the platform; undefined when it is absent or empty. */
  readonly agentUrl: string | undefined;
  /** The input for a parameter: undefined when there is none. The empty text is an input. */
  parameter(name: string): string | undefined;
  /** The input of the build before: undefined when there was none. */
  previousParameter(name: string): string | undefined;
  /** A secret. Empty when the owner has none for this provider, and always during apply. */
  externalAuthToken(id: string): string;
  /** A secret. Empty when it is missing. */
  secretByEnv(name: string): string;
  /** A secret. Empty when it is missing. The path is taken as it was written, `~/` and all. */
  secretByFile(path: string): string;
  /** The script that starts an agent, with its placeholders; undefined when the variable is absent. */
  agentScript(os: string, arch: string): string | undefined;
  /** A secret: the token with which this agent runs already; undefined when absent or empty. */
  runningAgentToken(agentId: string): string | undefined;
  /** A secret: the token with which the only agent runs already; undefined when absent or empty. */
  readonly soleRunningAgentToken: string | undefined;
}

/**
 * Reads the variables that begin with `prefix`. Nothing fails here: what must not be missing, and
 * when, is the caller's business.
 *
 * @param prefix without the underscore; `TRIVET` when it is left out
 */
export function buildEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  prefix?: string,
): BuildEnvironment {
  const variables = environmentVariables(prefix);
  const text = (variable: string) => env[variable] ?? "";
  const read: ReadVariable = (variable) => (text(variable) === "" ? undefined : env[variable]);
  const workspace = readWorkspaceFacts(variables, read);
  const buildId = text(variables.buildId);
  return {
    variables,
    isRealBuild: buildId !== "",
    buildId,
    transition: workspace.transition,
    workspace,
    owner: readOwnerFacts(variables, read),
    task: { id: text(variables.taskId), prompt: text(variables.taskPrompt) },
    agentUrl: read(variables.agentUrl),
    parameter: (name) => env[variables.parameter(name)],
    previousParameter: (name) => env[variables.previousParameter(name)],
    externalAuthToken(id) {
      const variable = variables.externalAuthToken(id);
      return env[variable] ?? lostVariable(variable) ?? "";
    },
    secretByEnv: (name) => text(variables.secretByEnv(name)),
    secretByFile: (path) => text(variables.secretByFile(path)),
    agentScript: (os, arch) => env[variables.agentScript(os, arch)],
    runningAgentToken: (agentId) => read(variables.runningAgentToken(agentId)),
    soleRunningAgentToken: read(variables.runningAgentToken("")),
  };
}
