import { readFileSync, statSync } from "node:fs";
import { isObject, isRecord, parsedJson, type Properties } from "../../json/plain-json";
import {
  type Breach,
  type IsUnknown,
  knownElements,
  type ResourceRule,
  warning,
} from "../../schema";
import { predicateTypes, predicateTypeUri } from "./predicate-type";

type Name = "predicates" | "predicateFiles";
type At = Pick<Breach<Name>, "name" | "path">;

/** A file without a checksum, which the construct reads. */
interface OpenFile {
  readonly at: (field: string) => At;
  readonly path: unknown;
  /** The URI of the predicate type, if known. */
  readonly type: string | undefined;
}

function* openFiles({
  predicates,
  predicateFiles,
  predicateType,
}: Properties): Generator<OpenFile> {
  for (const [outer, { type, files }] of knownElements(predicates)) {
    for (const [inner, { path, sha256 }] of knownElements(files)) {
      if ((sha256 ?? null) !== null) continue;
      const at = (field: string): At => ({
        name: "predicates",
        path: [...outer, "files", ...inner, field],
      });
      yield { at, path, type: uriOf(type) };
    }
  }
  for (const [step, { path, sha256 }] of knownElements(predicateFiles)) {
    if ((sha256 ?? null) !== null) continue;
    const at = (field: string): At => ({ name: "predicateFiles", path: [...step, field] });
    yield { at, path, type: uriOf(predicateType) };
  }
}

const uriOf = (type: unknown): string | undefined =>
  typeof type === "string" ? predicateTypeUri(type) : undefined;

function fileRule(
  rule: Pick<ResourceRule<Name>, "code" | "severity" | "warning">,
  doc: string,
  broken: (file: OpenFile, path: string, isUnknown: IsUnknown) => Breach<Name> | undefined,
): ResourceRule<Name> {
  return {
    ...rule,
    inputs: [],
    doc: () => doc,
    broken: (values, _label, isUnknown) =>
      [...openFiles(values)].flatMap((file) => {
        if (typeof file.path !== "string") return [];
        return broken(file, file.path, isUnknown) ?? [];
      }),
  };
}

/** Requires `sha256` if the path is unknown: the file cannot be read before synthesis. */
export const knownPaths = fileRule(
  { code: "MISSING", severity: "error" },
  "a file whose path is known only to Terraform needs its SHA-256",
  ({ at }, path, isUnknown) =>
    isUnknown(path)
      ? { ...at("sha256"), message: "must be set, because only Terraform knows the path" }
      : undefined,
);

/** Requires a file without `sha256` to be readable, and to contain a JSON object. */
export const readableFiles = fileRule(
  { code: "INVALID_ARGUMENT", severity: "error" },
  "a file without SHA-256 must be readable and contain a JSON object",
  ({ at }, path, isUnknown) => {
    if (isUnknown(path)) return undefined;
    const read = readPredicate(path);
    return "problem" in read ? { ...at("path"), message: read.problem } : undefined;
  },
);

/** Fields of which every document of a type has one. */
const marks: Readonly<
  Record<string, { readonly fields: readonly string[]; readonly what: string }>
> = {
  [predicateTypes.spdx]: { fields: ["spdxVersion", "@context"], what: "an SPDX document" },
  [predicateTypes.cyclonedx]: { fields: ["bomFormat"], what: "a CycloneDX document" },
};

const fields = warning(
  "predicate-file-fields",
  "a file should have the fields of its document type",
);

/** Warns if a file is not a document of its predicate type. */
export const sensibleFiles = fileRule(
  { code: "ADVICE", severity: "warning", warning: fields.code },
  fields.doc,
  ({ at, type }, path, isUnknown) => {
    const mark = type === undefined ? undefined : marks[type];
    if (mark === undefined || isUnknown(path)) return undefined;
    const read = readPredicate(path);
    if ("problem" in read || mark.fields.some((field) => Object.hasOwn(read.predicate, field))) {
      return undefined;
    }
    const { fields, what } = mark;
    const missing = fields.map((field) => `\`${field}\``).join(" or ");
    const message = `should be ${what}, but has no ${missing} (got ${JSON.stringify(path)})`;
    return { ...at("path"), message };
  },
);

const maxBytes = 32 * 1024 * 1024;

/** The JSON object in a file, or a message that begins with "must". */
function readPredicate(
  path: string,
): { readonly predicate: object } | { readonly problem: string } {
  const got = `(got ${JSON.stringify(path)})`;
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) return { problem: `must be a file ${got}` };
    if (found.size > maxBytes) return { problem: `must be a file of at most 32 MiB ${got}` };
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = isRecord(error) && "code" in error ? error["code"] : error;
    return { problem: `must be a readable file: reading it failed with ${String(code)} ${got}` };
  }
  const value = parsedJson(text);
  if (isObject(value)) return { predicate: value };
  return { problem: `must be a file that contains a JSON object ${got}` };
}
