import { userConfigurations } from "../exec/user-configuration";
import { blocksIn } from "../../core/hcl/configuration-blocks";
import { providerHost } from "../package/mirror";
import { type Check, ok, warning } from "./check";

/** Variables for the development of providers. If they stay set, Terraform behaves unexpectedly. */
const leftovers: Readonly<Record<string, string>> = {
  TF_REATTACH_PROVIDERS: "terraform connects to a provider process that was started manually",
  TF_DISABLE_PLUGIN_TLS: "terraform connects to providers without TLS",
  TF_SKIP_PROVIDER_VERIFY: "terraform does not verify providers",
  TF_PLUGIN_MAGIC_COOKIE:
    "a provider that is started manually behaves as if terraform had started it",
};

/** Finds a CLI configuration that hides the plugin folder from Terraform. */
export const checkConfiguration: Check = async ({ around }) => {
  const files = await userConfigurations(around, "terraform");
  const own = files.find(({ text }) => hasInstallation(text));
  if (own !== undefined && !own.text.includes(providerHost)) {
    return warning(
      `${own.path} has a provider_installation block without ${providerHost}: terraform then ` +
        "does not search the plugin folder.",
      "Use `trivet exec -- …`, or add a filesystem_mirror for that host to the block.",
    );
  }
  const names = files.map(({ path }) => path).join(", ");
  return ok(`CLI configuration: ${names === "" ? "none" : names}`);
};

/** Finds proxies that would also receive requests to this machine. */
export const checkProxies: Check = ({ around: { env } }) => {
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];
  const set = names.filter((name) => (env[name] ?? "") !== "");
  if (set.length === 0) return [];
  const except = env["no_proxy"] ?? env["NO_PROXY"] ?? "";
  // As in src/core/http/node-transport.ts, "*" counts only as the only entry.
  const hosts = except.split(/[\s,]+/);
  const loopback =
    except.trim() === "*" || hosts.some((host) => /^(localhost|127\..*)$/.test(host));
  return loopback
    ? ok(`proxies: ${set.join(", ")}, not for the loopback interface`)
    : warning(
        `${set.join(", ")} is set, and NO_PROXY does not exclude the loopback interface.`,
        "Add 127.0.0.1,localhost to NO_PROXY. Otherwise a local back end may be unreachable.",
      );
};

/** Finds variables that are left over from provider development. */
export const checkLeftovers: Check = ({ around: { env } }) =>
  Object.entries(leftovers)
    .filter(([name]) => (env[name] ?? "") !== "")
    .map(([name, effect]) => warning(`${name} is set: ${effect}.`, `Unset ${name}.`));

function hasInstallation(text: string): boolean {
  return blocksIn(text).some(({ name }) => name === "provider_installation");
}
