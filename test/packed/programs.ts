import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { allTests } from "../all-tests";
import { root } from "../e2e/support/build";

/** The files of the programs that `programs/package.json` names. Some are for one platform only. */
const files = {
  "Node.js 22": "node22/bin/node",
  "Node.js 24": "node24/bin/node",
  Bun: "@oven/bun-linux-x64/bin/bun",
  pnpm: "pnpm/bin/pnpm.cjs",
  "Yarn 1": "yarn-classic/bin/yarn.js",
  "Yarn 4": "@yarnpkg/cli-dist/bin/yarn.js",
} as const;

export type Program = keyof typeof files;

const folder = join(root, "dist", "programs");

if (allTests) install();

/** Installs the programs from npm's registry. Those that it does not install are missing, and their tests skipped. */
function install(): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) {
    cpSync(join(__dirname, "programs", name), join(folder, name));
  }
  const args = ["ci", "--silent", "--ignore-scripts", "--prefer-offline"];
  try {
    execFileSync("npm", args, { cwd: folder, stdio: "inherit" });
  } catch {
    // npm has said why.
  }
}

/** Returns the file of a program; undefined if it is not installed. */
export function programFile(program: Program): string | undefined {
  const file = join(folder, "node_modules", files[program]);
  return allTests && existsSync(file) ? file : undefined;
}
