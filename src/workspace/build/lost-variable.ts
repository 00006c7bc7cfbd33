import { readFileSync } from "node:fs";

const isShellName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/**
 * Looks up a variable whose name is not valid in shells, such as one that ends with `git-hub`.
 *
 * Providers are started through a shell, and many shells drop such variables. Terraform, the parent of
 * the shell, still has them, and Linux exposes the environment of a process to its own user.
 *
 * @param read returns the environment of the parent process. @default `/proc/<ppid>/environ`
 */
export function lostVariable(name: string, read = parentEnvironment): string | undefined {
  if (isShellName(name)) return undefined;
  const prefix = `${name}=`;
  const entry = read()
    .split("\0")
    .find((each) => each.startsWith(prefix));
  return entry?.slice(prefix.length);
}

function parentEnvironment(): string {
  try {
    return readFileSync(`/proc/${process.ppid}/environ`, "utf8");
  } catch {
    return "";
  }
}
