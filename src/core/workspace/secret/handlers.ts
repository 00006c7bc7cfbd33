import {
  type Context,
  implementDataSource,
  implementEphemeralResource,
  known,
  type PlanOf,
  ProviderError,
} from "../../provider-kit";
import { ephemeralSecret, secret } from "./declare";
import type { BuildEnvironment } from "../build/build-environment";
import type { Workspace } from "../provider/configure";

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
  if (value === "" && isNeeded(environment)) throw missing(kind, name, config.helpMessage);
  return known({ ...config, value, id: `${kind}:${name}` });
}

/**
 * Checks whether a missing secret is an error. A prebuild has no owner yet who could store a secret; its
 * claim requires it.
 */
function isNeeded({ isRealBuild, transition, workspace }: BuildEnvironment): boolean {
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

function missing(kind: Requested["kind"], name: string, helpMessage: string): ProviderError {
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
