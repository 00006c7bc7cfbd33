import { randomBytes } from "node:crypto";
import { environmentVariables } from "../../build/environment-variables";
import { placeholderAgentScripts, type PlaceholderOwner } from "../state/placeholder-facts";

type Variables = Readonly<Record<string, string>>;

/** The variables of a build, by the command that gets them. */
export interface BuildVariables {
  /** For init, show and graph. */
  readonly plain: NodeJS.ProcessEnv;
  readonly plan: NodeJS.ProcessEnv;
  /** Without parameters and without tokens of external providers: the platform gives apply none. */
  readonly apply: NodeJS.ProcessEnv;
}

export interface BuildFacts {
  readonly buildId: string;
  readonly transition: "start" | "stop" | "destroy";
  readonly workspace: { readonly id: string; readonly name: string };
  readonly template: { readonly id: string; readonly name: string; readonly version: string };
  readonly owner: PlaceholderOwner;
  readonly prebuild: boolean;
  readonly claim: boolean;
  readonly task: { readonly id: string; readonly prompt: string } | undefined;
  readonly parameters: Variables;
  readonly previousParameters: Variables;
  readonly externalAuth: Variables;
  readonly secretEnv: Variables;
  readonly secretFiles: Variables;
  readonly runningAgents: readonly { readonly id: string; readonly token: string }[];
}

export interface PlatformFacts {
  /** The environment of the platform itself. */
  readonly env: NodeJS.ProcessEnv;
  readonly prefix: string;
  readonly accessUrl: string;
}

/** The variables of a template's import: no owner, no workspace, no build, no inputs. */
export function importVariables(
  platform: PlatformFacts,
  transition: "start" | "stop",
): Omit<BuildVariables, "apply"> {
  const names = environmentVariables(platform.prefix);
  const plain = plainEnvironment(platform);
  // The platform sets them all; lists of nobody are `null` there.
  const empty = Object.values(names).filter((name) => typeof name === "string");
  const plan = {
    ...plain,
    ...Object.fromEntries(empty.map((name) => [name, ""])),
    [names.ownerGroups]: "null",
    [names.ownerRbacRoles]: "null",
    ...always(platform),
    [names.transition]: transition,
  };
  // Flags are there only when they are true.
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
  const scripts = placeholderAgentScripts().map(({ os, arch, script }) => [
    names.agentScript(os, arch),
    script,
  ]);
  return {
    [names.agentUrl]: accessUrl,
    ...Object.fromEntries<string>(scripts.map(([name = "", script = ""]) => [name, script])),
  };
}

function named(values: Variables, nameOf: (key: string) => string): Variables {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [nameOf(key), value]));
}

/** The host's environment without what only the platform may say, and what would move the state. */
export function plainEnvironment({ env, prefix }: PlatformFacts): NodeJS.ProcessEnv {
  const product = Object.keys(env).filter((name) => name.startsWith(`${prefix}_`));
  const kept = without(env, [...product, "TF_DATA_DIR", "TF_WORKSPACE"]);
  return { ...kept, CHECKPOINT_DISABLE: "1" };
}

function without(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
