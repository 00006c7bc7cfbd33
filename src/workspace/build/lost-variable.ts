import { readFileSync } from "node:fs";

const isShellName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/**
 * Looks up a variable whose name no shell takes, such as one that ends with `git-hub`.
 *
 * A provider is started through a shell, and many shells drop such variables. Terraform, which started
 * the shell, still has them; Linux shows the environment of a process to its own user.
 *
 * @param read gives the environment of the process that started this one @default Linux's own
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
