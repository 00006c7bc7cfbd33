import { blocksIn } from "../../core/hcl/configuration-blocks";
import { userConfigurations } from "../exec/cli-configuration";
import type { CommandEnvironment } from "../invocation/command-environment";
import { providerHost } from "../package/mirror";

export interface Observation {
  /** A problem makes a command fail. */
  readonly status: "warning" | "problem";
  readonly message: string;
  readonly fix: string;
}

export const warning = (message: string, fix: string): readonly Observation[] => [
  { status: "warning", message, fix },
];

/** Finds a CLI configuration that hides the plugin folder from Terraform. */
export async function checkConfiguration(
  around: CommandEnvironment,
): Promise<readonly Observation[]> {
  const files = await userConfigurations(around, "terraform");
  const own = files.find(({ text }) =>
    blocksIn(text).some(({ name }) => name === "provider_installation"),
  );
  if (own === undefined || own.text.includes(providerHost)) return [];
  return warning(
    `${own.path} has a provider_installation block without ${providerHost}, so Terraform does not search the plugin folder.`,
    "Use `trivet exec -- …`, or add a filesystem_mirror for that host to the block.",
  );
}

/** Finds proxies that would also receive requests to this machine. */
export function checkProxies({ env }: CommandEnvironment): readonly Observation[] {
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];
  const set = names.filter((name) => (env[name] ?? "") !== "");
  const except = env["no_proxy"] ?? env["NO_PROXY"] ?? "";
  // As in src/core/http/node-transport.ts, "*" counts only as the only entry.
  const isExcluded =
    except.trim() === "*" ||
    except.split(/[\s,]+/).some((host) => /^(localhost|127\..*)$/.test(host));
  if (set.length === 0 || isExcluded) return [];
  return warning(
    `${set.join(", ")} is set, and NO_PROXY does not exclude the loopback interface.`,
    "Add 127.0.0.1,localhost to NO_PROXY. Otherwise a local back end may be unreachable.",
  );
}

/** Variables for the development of providers, and their effect. */
const leftovers: Readonly<Record<string, string>> = {
  TF_REATTACH_PROVIDERS: "Terraform connects to a provider process that was started by hand",
  TF_DISABLE_PLUGIN_TLS: "Terraform connects to providers without TLS",
  TF_SKIP_PROVIDER_VERIFY: "Terraform does not verify providers",
  TF_PLUGIN_MAGIC_COOKIE:
    "a provider that is started by hand behaves as if Terraform had started it",
};

/** Finds variables that are left over from the development of providers. */
export const checkLeftovers = ({ env }: CommandEnvironment): readonly Observation[] =>
  Object.entries(leftovers)
    .filter(([name]) => (env[name] ?? "") !== "")
    .flatMap(([name, effect]) => warning(`${name} is set: ${effect}.`, `Unset ${name}.`));
