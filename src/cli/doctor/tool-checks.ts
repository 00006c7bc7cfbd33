import { blocksIn } from "../../core/hcl/configuration-blocks";
import { userConfigurations } from "../exec/cli-configuration";
import type { CommandEnvironment } from "../invocation/command-environment";
import type { RunTool } from "../invocation/run-tool";
import type { BuiltPackage } from "../package/built-package";
import { providerHost } from "../package/mirror";

export interface Observation {
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  /** How to fix it. Every warning and problem has one. */
  readonly fix?: string;
}

export interface Examined {
  readonly around: CommandEnvironment;
  /** The folder of the mirror, as an absolute path. */
  readonly mirror: string;
  /** Terraform's name of the platform, such as `linux_amd64`. */
  readonly platform: string;
  readonly nodeVersion: string;
  /** Undefined if the providers are not built. */
  readonly built: readonly BuiltPackage[] | undefined;
  /** Runs a tool; a test passes its own. */
  readonly run: RunTool;
}

/** A check of the doctor, which returns lines of the report. */
export type Check = (examined: Examined) => Checked | Promise<Checked>;

/** One or several observations. */
export type Checked = Observation | readonly Observation[];

export const ok = (message: string): Observation => ({ status: "ok", message });

/** Reports a possible problem. */
export const warning = (message: string, fix: string): Observation => ({
  status: "warning",
  message,
  fix,
});

/** Reports a problem that makes a command fail. */
export const problem = (message: string, fix: string): Observation => ({
  status: "problem",
  message,
  fix,
});

const minimumNode = [20, 20] as const;

/** Checks whether a version of Node.js can run the providers. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needed, neededMinor] = minimumNode;
  return major > needed || (major === needed && minor >= neededMinor);
}

/** Finds a Node.js that is too old. */
export const checkNode: Check = ({ nodeVersion }) => {
  return isSupportedNode(nodeVersion)
    ? ok(`Node.js ${nodeVersion}`)
    : problem(
        `Node.js ${nodeVersion} is too old.`,
        `Install Node.js ${minimumNode.join(".")} or newer.`,
      );
};

/** Reads what `terraform version -json` printed. Warnings can be around the JSON, such as about a missing configuration. */
export const terraformVersion = (printed: string): string | undefined =>
  /"terraform_version":\s*"([^"]+)"/.exec(printed)?.[1];

/** Finds out which of Terraform and OpenTofu are installed. */
export const checkTerraform: Check = async ({ run }) => {
  const found: Observation[] = [];
  for (const tool of ["terraform", "tofu"]) {
    const outcome = await run(tool, ["version", "-json"]);
    if (outcome.kind === "missing") continue;
    const version = terraformVersion(outcome.stdout);
    found.push(
      outcome.ok && version !== undefined
        ? ok(`${tool} ${version}`)
        : problem(
            `${tool} does not run: ${firstLine(outcome.stderr)}`,
            `Run \`${tool} version\` and fix the error that it reports.`,
          ),
    );
  }
  return found.length > 0
    ? found
    : problem("Neither terraform nor tofu is on PATH.", "Install Terraform or OpenTofu.");
};

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

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
