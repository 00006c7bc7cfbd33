import { implementDataSource, known, ProviderError } from "../../provider-kit";
import { secret } from "./declare";
import type { BuildEnvironment } from "../build/build-environment";
import type { Workspace } from "../provider/configure";

/** How a secret of the workspace's owner is read. */
export const secretHandlers = implementDataSource(secret)<Workspace>({
  read(config, { client: { environment }, log }) {
    const { kind, name, value } = demanded(config, environment);
    log.redact(value);
    if (value === "" && isNeeded(environment)) throw missing(kind, name, config.helpMessage);
    return Promise.resolve(known({ ...config, value, id: `${kind}:${name}` }));
  },
});

/** A workspace that is built ahead has no owner yet, who could store one: its claim demands it. */
function isNeeded({ isRealBuild, transition, workspace }: BuildEnvironment): boolean {
  return isRealBuild && transition === "start" && !workspace.isPrebuild;
}

interface Demanded {
  readonly kind: "env" | "file";
  readonly name: string;
  readonly value: string;
}

function demanded(
  { env, file }: { readonly env: string | null; readonly file: string | null },
  environment: BuildEnvironment,
): Demanded {
  if (env !== null) return { kind: "env", name: env, value: environment.secretByEnv(env) };
  const name = file ?? "";
  return { kind: "file", name, value: environment.secretByFile(name) };
}

function missing(kind: Demanded["kind"], name: string, helpMessage: string): ProviderError {
  const place = kind === "env" ? "the environment variable" : "the file";
  const help = helpMessage.trim() === "" ? "" : `\n\n${helpMessage}`;
  return new ProviderError({
    summary: "Missing Secret",
    detail:
      `The workspace needs a secret for ${place} ${name}, and its owner has stored none, or an empty ` +
      `one. Store the secret, then start the workspace again.${help}`,
    path: [kind],
  });
}
