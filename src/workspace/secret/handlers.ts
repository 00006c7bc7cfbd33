import { implementDataSource, known, ProviderError } from "../../provider-kit";
import { secret } from "./declare";
import type { BuildEnvironment } from "../build/build-environment";
import type { Workspace } from "../provider/configure";

/** Handlers of `workspace_secret`: reads a secret of the workspace's owner from the build data. */
export const secretHandlers = implementDataSource(secret)<Workspace>({
  read(config, { client: { environment }, log }) {
    const { kind, name, value } = requested(config, environment);
    log.redact(value);
    if (value === "" && isNeeded(environment)) throw missing(kind, name, config.helpMessage);
    return Promise.resolve(known({ ...config, value, id: `${kind}:${name}` }));
  },
});

/** A prebuild has no owner yet who could store a secret. Its claim requires the secret. */
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
