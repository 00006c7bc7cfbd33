import { randomBytes } from "node:crypto";
import { environmentVariables } from "../../../core/workspace/build/environment-variables";
import { placeholderAgentScripts, type PlaceholderOwner } from "../state/placeholder-facts";

type Variables = Readonly<Record<string, string>>;

/** The environment variables of a build, by the Terraform command that receives them. */
export interface BuildVariables {
  /** For init, show and graph. */
  readonly plain: NodeJS.ProcessEnv;
  /** For plan: everything, including parameters and external tokens. */
  readonly plan: NodeJS.ProcessEnv;
  /** Without parameters and external tokens, which the platform does not pass to apply. */
  readonly apply: NodeJS.ProcessEnv;
}

export interface BuildFacts {
  readonly buildId: string;
  readonly transition: "start" | "stop" | "destroy";
  readonly workspace: { readonly id: string; readonly name: string };
  readonly template: { readonly id: string; readonly name: string; readonly version: string };
  readonly owner: PlaceholderOwner;
  /** True if the workspace is an unclaimed prebuild. */
  readonly prebuild: boolean;
  /** True if this build assigns a prebuild to its owner. */
  readonly claim: boolean;
  readonly task: { readonly id: string; readonly prompt: string } | undefined;
  readonly parameters: Variables;
  readonly previousParameters: Variables;
  /** Access tokens by the ID of the external provider. */
  readonly externalAuth: Variables;
  readonly secretEnv: Variables;
  readonly secretFiles: Variables;
  /** The agents whose machines are already running, with their tokens. */
  readonly runningAgents: readonly { readonly id: string; readonly token: string }[];
}

export interface PlatformFacts {
  readonly env: NodeJS.ProcessEnv;
  /** Prefix of the variables' names, without the underscore. */
  readonly prefix: string;
  readonly accessUrl: string;
  /** The version of coder to behave like. Undefined for the newest one whose rules are known. */
  readonly version: string | undefined;
}

/** Returns the variables of a template import: no owner, workspace, build or inputs. */
export function importVariables(
  platform: PlatformFacts,
  transition: "start" | "stop",
): Omit<BuildVariables, "apply"> {
  const names = environmentVariables(platform.prefix);
  const plain = plainEnvironment(platform);
  // The platform sets all of them.
  const empty = Object.values(names).filter((name) => typeof name === "string");
  const plan = {
    ...plain,
    ...Object.fromEntries(empty.map((name) => [name, ""])),
    [names.ownerGroups]: JSON.stringify(["Everyone"]),
    [names.ownerRbacRoles]: "null",
    ...always(platform),
    [names.transition]: transition,
  };
  // The platform sets flags only when they are true.
  return { plain, plan: without(plan, [names.isPrebuild, names.isPrebuildClaim]) };
}

export function buildVariables(platform: PlatformFacts, build: BuildFacts): BuildVariables {
  const names = environmentVariables(platform.prefix);
  const plain = plainEnvironment(platform);
  const { workspace, template, owner, task, runningAgents } = build;
  const tokenName = (id: string) => names.runningAgentToken(runningAgents.length === 1 ? "" : id);
  const apply = {
    ...plain,
    ...always(platform),
    [names.buildId]: build.buildId,
    [names.transition]: build.transition,
    [names.workspaceId]: workspace.id,
    [names.workspaceName]: workspace.name,
    ...(build.prebuild ? { [names.isPrebuild]: "true" } : {}),
    ...(build.claim ? { [names.isPrebuildClaim]: "true" } : {}),
    [names.templateId]: template.id,
    [names.templateName]: template.name,
    [names.templateVersion]: template.version,
    [names.ownerId]: owner.id,
    [names.ownerName]: owner.name,
    [names.ownerFullName]: owner.fullName,
    [names.ownerEmail]: owner.email,
    [names.ownerLoginType]: owner.loginType,
    [names.ownerGroups]: JSON.stringify(owner.groups),
    [names.ownerRbacRoles]: JSON.stringify(owner.rbacRoles),
    [names.ownerSshPublicKey]: owner.sshPublicKey,
    [names.ownerSshPrivateKey]: owner.sshPrivateKey,
    [names.ownerSessionToken]:
      build.transition === "start" ? randomBytes(32).toString("base64url") : "",
    [names.ownerOidcAccessToken]: "",
    [names.taskId]: task?.id ?? "",
    [names.taskPrompt]: task?.prompt ?? "",
    ...named(build.secretEnv, names.secretByEnv),
    ...named(build.secretFiles, names.secretByFile),
    ...Object.fromEntries(runningAgents.map(({ id, token }) => [tokenName(id), token])),
  };
  const plan = {
    ...apply,
    ...named(build.parameters, names.parameter),
    ...named(build.previousParameters, names.previousParameter),
    ...named(build.externalAuth, names.externalAuthToken),
  };
  return { plain, plan, apply };
}

function always({ prefix, accessUrl }: PlatformFacts): Variables {
  const names = environmentVariables(prefix);
  return { [names.agentUrl]: accessUrl, ...placeholderAgentScripts(names.agentScript) };
}

function named(values: Variables, nameOf: (key: string) => string): Variables {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [nameOf(key), value]));
}

/**
 * Returns the host's environment, without the platform's own variables and variables that would move the state.
 */
export function plainEnvironment({ env, prefix }: PlatformFacts): NodeJS.ProcessEnv {
  const product = Object.keys(env).filter((name) => name.startsWith(`${prefix}_`));
  const kept = without(env, [...product, "TF_DATA_DIR", "TF_WORKSPACE"]);
  return { ...kept, CHECKPOINT_DISABLE: "1" };
}

function without(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
