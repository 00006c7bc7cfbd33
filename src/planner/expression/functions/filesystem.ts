import { posix } from "node:path";
import type { TerraformFunction } from "../function";
import { NotComputed } from "../value";
import { ofString } from "./arguments";

/** As Go's `filepath.Clean` does, for the paths of all systems but Windows. */
function cleaned(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 ? normal.replace(/\/$/, "") : normal;
}

function base(path: string): string {
  if (path === "") return ".";
  return path.replace(/\/+$/, "").split("/").at(-1) ?? "";
}

/** The path, if it is the same in the folder and for the user of Terraform. */
function fixed(path: string, isFixed: boolean): string {
  if (!isFixed) throw new NotComputed();
  return path;
}

/** The functions of paths. Those that read files are not computed. */
export const filesystemFunctions: Readonly<Record<string, TerraformFunction>> = {
  abspath: ofString("path", (path) => cleaned(fixed(path, path.startsWith("/")))),
  basename: ofString("path", (path) => base(path) || "/"),
  dirname: ofString("path", (path) => cleaned(path.slice(0, path.lastIndexOf("/") + 1))),
  pathexpand: ofString("path", (path) => fixed(path, !path.startsWith("~"))),
};
