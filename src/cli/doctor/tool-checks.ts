import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Check, type Observation, ok, problem } from "./check";
import { parseTrustedJson } from "../../json/plain-json";

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

/** Finds out which of Terraform and OpenTofu are installed. */
export const checkTerraform: Check = async ({ run }) => {
  const found: Observation[] = [];
  for (const tool of ["terraform", "tofu"]) {
    const outcome = await run(tool, ["version", "-json"]);
    if (outcome.kind === "missing") continue;
    const version = /"terraform_version":\s*"([^"]+)"/.exec(outcome.stdout)?.[1];
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

/** The commands of cdktf and of cdktn. The package of each has the same name with `-cli`. */
const synthesizers = ["cdktf", "cdktn"] as const;

/** Finds out whether the command of cdktf or of cdktn is installed. */
export const checkCdktf: Check = async ({ around, run }) => {
  for (const command of synthesizers) {
    const local = await installedVersion(`${command}-cli`, around.workingFolder);
    if (local !== undefined) return ok(`${command}-cli ${local} in this project`);
  }
  for (const command of synthesizers) {
    const outcome = await run(command, ["--version"]);
    if (outcome.kind === "ended" && outcome.ok) {
      return ok(`${command}-cli ${outcome.stdout.trim()}`);
    }
  }
  return ok("no cdktf or cdktn command is installed (optional: `trivet deploy` does the same)");
};

/** Reads the version of a package from package.json, since starting its command takes seconds. */
async function installedVersion(name: string, start: string): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name, "package.json");
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined) return (parseTrustedJson(text) as { version?: string }).version;
    if (dirname(folder) === folder) return undefined;
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
