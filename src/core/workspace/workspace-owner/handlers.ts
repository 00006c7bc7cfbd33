import {
  type Context,
  implementDataSource,
  implementEphemeralResource,
  known,
  type PlanOf,
  ProviderError,
} from "../../provider-kit";
import type { BuildEnvironment } from "../build/build-environment";
import { derivedUuid, type Workspace } from "../provider/configure";
import {
  ephemeralExternalAuth,
  ephemeralSecret,
  externalAuth,
  secret,
  workspaceOwner,
} from "./declare";

/** Handlers of `workspace_workspace_owner`: reads the owner from the build data. */
export const workspaceOwnerHandlers = implementDataSource(workspaceOwner)<Workspace>({
  read(_config, { client: { environment }, log }) {
    const { id, groups, rbacRoles, ...facts } = environment.owner;
    for (const value of [facts.sshPrivateKey, facts.sessionToken, facts.oidcAccessToken]) {
      log.redact(value);
    }
    if (!groups.ok || !rbacRoles.ok) {
      const problems = [groups, rbacRoles].flatMap((read) => (read.ok ? [] : [read.problem]));
      throw new ProviderError({
        summary: "Invalid Owner Data",
        detail: problems.join("\n"),
      });
    }
    return Promise.resolve({
      ...facts,
      id: id === "" ? derivedUuid("owner", facts.name) : id,
      groups: groups.value,
      rbacRoles: rbacRoles.value,
    });
  },
});

/** Handlers of `workspace_external_auth`: reads the access token from the build data. */
export const externalAuthHandlers = implementDataSource(externalAuth)<Workspace>({
  read(config, { client: { environment }, log, warn }) {
    const accessToken = environment.externalAuthToken(config.id);
    log.redact(accessToken);
    // Not an error: the platform passes no tokens during apply.
    if (accessToken === "" && isLoginNeeded(config, environment)) {
      warn(missingToken(config.id, environment, ": access_token is empty"));
    }
    return Promise.resolve(known({ ...config, accessToken }));
  },
});

/** Handlers of the ephemeral `workspace_external_auth`: reads the same token, in each phase that needs it. */
export const ephemeralExternalAuthHandlers = implementEphemeralResource(
  ephemeralExternalAuth,
)<Workspace>({
  open(config, { client: { environment }, log }) {
    const accessToken = environment.externalAuthToken(config.id);
    log.redact(accessToken);
    if (accessToken === "" && isLoginNeeded(config, environment)) {
      throw new ProviderError(missingToken(config.id, environment, ""));
    }
    return Promise.resolve(known({ ...config, accessToken }));
  },
});

const isLoginNeeded = (
  { optional }: { readonly optional: boolean | null },
  { isRealBuild, transition }: BuildEnvironment,
): boolean => isRealBuild && transition === "start" && optional !== true;

/** @param consequence a clause after "which is not optional" */
const missingToken = (id: string, { variables }: BuildEnvironment, consequence: string) => ({
  summary: "Missing External Token",
  detail:
    `The build starts a workspace, but there is no access token for ${JSON.stringify(id)}, ` +
    `which is not optional${consequence}. The owner must log in to the service. The ` +
    `platform passes the token as ${variables.externalAuthToken(id)}, and only ` +
    "during the plan.",
  path: ["id"],
});

/** Handlers of `workspace_secret`: reads a secret of the workspace's owner from the build data. */
export const secretHandlers = implementDataSource(secret)<Workspace>({
  read: (config, context) => Promise.resolve(found(config, context)),
});

/** Handlers of the ephemeral `workspace_secret`: reads the same secret, in each phase that needs it. */
export const ephemeralSecretHandlers = implementEphemeralResource(ephemeralSecret)<Workspace>({
  open: (config, context) => Promise.resolve(found(config, context)),
});

function found(
  config: PlanOf<typeof secret>,
  { client: { environment }, log }: Context<Workspace>,
) {
  const { kind, name, value } = requested(config, environment);
  log.redact(value);
  if (value === "" && isSecretNeeded(environment))
    throw missingSecret(kind, name, config.helpMessage);
  return known({ ...config, value, id: `${kind}:${name}` });
}

/**
 * Checks whether a missing secret is an error. A prebuild has no owner yet who could store a secret; its
 * claim requires it.
 */
function isSecretNeeded({ isRealBuild, transition, workspace }: BuildEnvironment): boolean {
  return isRealBuild && transition === "start" && !workspace.isPrebuild;
}

interface Requested {
  readonly kind: "env" | "file";
  readonly name: string;
  readonly value: string;
}

function requested(
  { env, file }: { readonly env: string | null; readonly file: string | null },
  environment: BuildEnvironment,
): Requested {
  if (env !== null) return { kind: "env", name: env, value: environment.secretByEnv(env) };
  const name = file ?? "";
  return { kind: "file", name, value: environment.secretByFile(name) };
}

function missingSecret(kind: Requested["kind"], name: string, helpMessage: string): ProviderError {
  const place = kind === "env" ? "the environment variable" : "the file";
  const help = helpMessage.trim() === "" ? "" : `\n\n${helpMessage}`;
  return new ProviderError({
    summary: "Missing Secret",
    detail:
      `The workspace needs a secret for ${place} ${name}, but its owner has not stored one, or it is ` +
      `empty. Store the secret, then start the workspace again.${help}`,
    path: [kind],
  });
}
