import { readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { type Acknowledged, type AnnotatedRemark, readAnnotation } from "../../core/schema";
import { becauseOf, headingOf } from "../../planner/changes/diagnostic";
import { parseTrustedJson, type Properties, propertiesOf } from "../../core/json/plain-json";
import { printable, printableLine } from "../../core/redaction/printable";
import { CommandError } from "../invocation/failure";
import {
  type Place,
  placeIn,
  placeText,
  type Positions,
} from "../../planner/changes/construct-place";
import type { Project } from "./project";

export interface Stack {
  readonly name: string;
  /** The folder in which Terraform works. */
  readonly folder: string;
  /** Its configuration, in JSON or, if the app chooses that, in HCL. */
  readonly file: string;
  /** The names of the stacks whose outputs it uses. */
  readonly dependencies: readonly string[];
  readonly annotations: readonly Annotation[];
  /** What the app acknowledges, in this stack and in others. */
  readonly acknowledgements: readonly Acknowledgement[];
  /** The places of the app's constructs in the user's code. */
  readonly positions: Positions;
}

/** A remark of a construct, added with `Annotations`. */
export interface Annotation extends Place, AnnotatedRemark {
  /** An acknowledged warning is still a warning. */
  readonly level: "info" | "warning" | "error";
  readonly constructPath: string;
}

/** A warning that is accepted for the construct at a path, and for those beneath it. */
export interface Acknowledgement extends Acknowledged {
  readonly code: string;
}

/** Returns the file in which the library lists the synthesized stacks. */
export const manifestFile = ({ folder, output }: Project): string =>
  resolve(folder, output, "manifest.json");

/** Formats a remark for people. */
export const annotationText = (annotation: Annotation): string => {
  const { level, constructPath, message, acknowledged } = annotation;
  const word = { info: "Note", warning: "Warning", error: "Error" }[level];
  const place = placeText(annotation);
  const at = `${constructPath}${place === "" ? "" : ` (${place})`}`;
  return printable(`${headingOf(word, annotation)} at ${at}: ${message}${becauseOf(acknowledged)}`);
};

/**
 * @param positions the places of the app's constructs in the user's code
 * @throws CommandError if the app has not written a manifest
 */
export async function readManifest(
  project: Project,
  positions: Positions = {},
): Promise<readonly Stack[]> {
  const file = manifestFile(project);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) {
    throw new CommandError(
      `"${project.app}" ended without writing ${file}.`,
      "Check that the app calls `synth()`, and does not set `outdir`.",
    );
  }
  const manifest = parseTrustedJson(text);
  const entries = Object.values(propertiesOf(propertiesOf(manifest)["stacks"])).map(propertiesOf);
  const nameOf = (path: unknown): string =>
    textIn(entries.find(({ constructPath }) => constructPath === path) ?? {}, "name") ||
    String(path);
  const annotationsOf = (entry: Properties): readonly Annotation[] =>
    listIn(entry, "annotations").map((each) => annotationOf(propertiesOf(each), positions));
  const acknowledgements = entries.flatMap(annotationsOf).flatMap(acknowledgementIn);
  return entries.map((entry) => ({
    name: visible(project, textIn(entry, "name")),
    folder: inside(project, textIn(entry, "workingDirectory")),
    file: inside(project, textIn(entry, "synthesizedStackPath")),
    dependencies: listIn(entry, "dependencies").map(nameOf),
    annotations: annotationsOf(entry),
    acknowledgements,
    positions,
  }));
}

function annotationOf(entry: Properties, positions: Positions): Annotation {
  const written = textIn(entry, "level");
  const level = (["error", "info"] as const).find((each) => written.endsWith(each));
  const constructPath = textIn(entry, "constructPath");
  const place = placeIn(positions, constructPath);
  // A message about an error is only text.
  if (level === "error")
    return { level, constructPath, message: textIn(entry, "message"), ...place };
  const remark = readAnnotation(textIn(entry, "message"));
  return {
    level: remark.acknowledged === undefined ? (level ?? "warning") : "warning",
    constructPath,
    ...remark,
    ...place,
  };
}

function acknowledgementIn({ code, acknowledged, stale }: Annotation): Acknowledgement[] {
  const found = acknowledged ?? stale;
  return code === undefined || found === undefined ? [] : [{ code, ...found }];
}

/** Names of stacks are printed, and completed by shells. */
function visible(project: Project, name: string): string {
  if (printableLine(name) === name) return name;
  throw new CommandError(
    `${manifestFile(project)} has a stack whose name contains invisible characters: "${printableLine(name)}".`,
    "Use only letters, digits, hyphens and underscores in the name of the stack.",
  );
}

function inside({ folder, output }: Project, path: string): string {
  const root = resolve(folder, output);
  const found = join(root, path);
  if (path === "" || relative(root, found).split(sep)[0] === "..") {
    throw new CommandError(
      `The manifest in ${root} contains a path outside of that folder: "${path}".`,
      "Delete the folder, and run the command again.",
    );
  }
  return found;
}

const textIn = (entry: Properties, name: string): string => {
  const value = entry[name];
  return typeof value === "string" ? value : "";
};

const listIn = (entry: Properties, name: string): readonly unknown[] => {
  const value = entry[name];
  return Array.isArray(value) ? value : [];
};
