import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { isConfiguration } from "../../../core/hcl/configuration-blocks";
import { parsedJson, type Properties } from "../../../core/json/plain-json";
import { bodiesOf, objectOf, stringOf } from "./json-value";
import { localPlatformError } from "./local-platform-error";
import { copyTemplate } from "./template-archive";

/** The file to which the platform writes the state before a build, and from which it reads it afterwards. */
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
 * Refuses a build whose state the platform would lose. The platform notices this only after apply. Here, nothing is
 * applied.
 *
 * @throws LocalPlatformError
 */
export async function requireStateFile(folder: string): Promise<void> {
  const backend = await otherBackend(folder);
  if (backend === undefined) return;
  throw localPlatformError("REFUSED", otherBackendText(backend), { advice: cure });
}

export interface WorkingCopy {
  readonly folder: string;
  readonly stateFile: string;
  readonly contentHash: string;
  readonly warnings: readonly string[];
}

export async function makeWorkingCopy(
  template: string,
  folder: string,
  typePrefix: string,
): Promise<WorkingCopy> {
  const names = await configurationNames(template);
  const files = await Promise.all(names.map((name) => parsedFile(template, name)));
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const links = await copyTemplate(template, folder);
  const warnings = [
    ...links.map(
      (link) => `${link} is a symbolic link and is left out: the platform does not get it.`,
    ),
    ...files.flatMap((file) => tagsWarning(file, typePrefix)),
  ];
  const hash = await contentHash(folder);
  return { folder, stateFile: join(folder, stateFile), contentHash: hash, warnings };
}

interface ConfigurationFile {
  readonly name: string;
  /** Parsed content of a JSON file; empty for others. */
  readonly json: Properties;
}

/** Returns the version of the platform that a stack was synthesized for. */
export function declaredVersion(template: string): string | undefined {
  try {
    const stack = objectOf(parsedJson(readFileSync(join(template, "cdk.tf.json"), "utf8")));
    return stringOf(objectOf(stack["//"])["platformVersion"]) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the names of a template's configuration files.
 *
 * @throws LocalPlatformError if the folder cannot be read, or has none
 */
export async function configurationNames(template: string): Promise<readonly string[]> {
  const found = await readdir(template).catch((cause: unknown) => {
    throw localPlatformError("FOLDER", `The template's folder ${template} cannot be read.`, {
      advice:
        "Pass the folder of a synthesized stack, such as cdktf.out/stacks/<name>, or one with .tf files.",
      cause,
    });
  });
  const names = found.filter(isConfiguration);
  if (names.length === 0) {
    throw localPlatformError("FOLDER", `${template} contains no .tf or .tf.json file.`, {
      advice: "Synthesize the stack first and pass its folder, such as cdktf.out/stacks/<name>.",
    });
  }
  return names;
}

async function parsedFile(template: string, name: string): Promise<ConfigurationFile> {
  const text = await readFile(join(template, name), "utf8");
  return { name, json: name.endsWith(".json") ? objectOf(parsedJson(text)) : {} };
}

function tagsWarning({ name, json }: ConfigurationFile, typePrefix: string): readonly string[] {
  const type = `${typePrefix}workspace_tags`;
  return bodiesOf(json["data"]).some((data) => type in data)
    ? [
        `${name} declares ${type}. Some versions of the platform read it only from .tf files when ` +
          "they import a template: declare it in a .tf file as well.",
      ]
    : [];
}

/** Returns a hash of the paths and contents of all files in a folder without links. */
async function contentHash(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const all = createHash("sha256");
  for (const path of paths) {
    const hash = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
    all.update(`${JSON.stringify(relative(folder, path))} ${hash}\n`);
  }
  return all.digest("hex");
}
