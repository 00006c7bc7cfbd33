import { type Check, type Observation, ok, problem, warning } from "./check";
import { installedPackage } from "./installed-package";

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

/** Call the compiler of TypeScript 5 and 6, which TypeScript 7 no longer has. */
const compilerUsers = ["ts-node", "ts-jest"] as const;

/** Finds a TypeScript that is too new for ts-node or ts-jest, such as the one that `cdktf init` installs. */
export const checkTypeScript: Check = async ({ around }) => {
  const folder = around.workingFolder;
  const version = String((await installedPackage("typescript", folder))?.manifest["version"]);
  if (!(Number.parseInt(version, 10) >= 7)) return [];
  const found = await Promise.all(compilerUsers.map((name) => installedPackage(name, folder)));
  const users = compilerUsers.filter((_, index) => found[index] !== undefined);
  if (users.length === 0) return [];
  return warning(
    `${users.join(" and ")} cannot run with TypeScript ${version}.`,
    "Run `npm install --save-dev typescript@5.9`.",
  );
};

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
