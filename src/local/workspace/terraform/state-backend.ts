import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { objectOf, stringOf } from "./json-value";
import { LocalPlatformError } from "./local-platform-error";
import { parsedJson } from "../../../core/json/plain-json";

/** Name of the file where the platform puts the state before a build and reads it afterwards. */
export const stateFile = "terraform.tfstate";

/**
 * Returns the backend in which an initialized template keeps its state, if it is not the file that the
 * platform reads.
 *
 * `terraform init` records the backend in its data folder. Without a backend, it records nothing.
 *
 * @returns such as `backend "s3"`
 */
export async function otherBackend(folder: string): Promise<string | undefined> {
  const recorded = await readFile(join(folder, ".terraform", stateFile), "utf8").catch(() => "{}");
  const { type, config } = objectOf(objectOf(parsedJson(recorded))["backend"]);
  const name = stringOf(type);
  if (name === "") return undefined;
  if (name !== "local") return name === "cloud" ? "cloud" : `backend "${name}"`;
  const path = stringOf(objectOf(config)["path"]);
  if (path === "" || resolve(folder, path) === resolve(folder, stateFile)) return undefined;
  return `backend "local" with the path ${path}`;
}

/** Explains the platform's behaviour for a template that keeps its state elsewhere. */
export const otherBackendText = (backend: string): string =>
  `The template has ${backend}, but the platform reads the state from ${stateFile} in the build's ` +
  `folder. There, each build fails after apply with "read statefile ${stateFile}: no such file or ` +
  'directory", and a deletion destroys nothing.';

const cure =
  "Remove the backend: Trivet then writes one that the platform can read. In HCL, remove the backend or " +
  `cloud block, or set the path to "${stateFile}". Nothing was applied.`;

/**
 * Refuses a build whose state the platform would lose. The platform notices only after apply. Here, nothing
 * is applied, so nothing is left behind.
 *
 * @throws LocalPlatformError
 */
export async function requireStateFile(folder: string): Promise<void> {
  const backend = await otherBackend(folder);
  if (backend === undefined) return;
  throw new LocalPlatformError("REFUSED", otherBackendText(backend), cure);
}
