import { parsedJson } from "../json/plain-json";
import {
  type Finding,
  formatPath,
  type Severity,
  type Correction,
  correctionText,
} from "./finding";

/** A finding in words, with the data that tools use. */
export interface Remark {
  /** Begins with the property, if there is one. */
  readonly message: string;
  /** The path of the value, such as `option[0].name`. */
  readonly property?: string;
  /** Other libraries' warnings have none. */
  readonly code?: string;
  readonly correction?: Correction;
}

/** A remark in an error of the library. */
export interface ConstructRemark extends Remark {
  readonly severity: Severity;
  readonly constructPath?: string;
}

/** Where a warning was acknowledged, and why. */
export interface Acknowledged {
  /** The path of the node that was given to `acknowledge`; empty for the app. */
  readonly path: string;
  readonly reason: string;
}

export interface AnnotatedRemark extends Remark {
  /** Set if the warning is acknowledged. */
  readonly acknowledged?: Acknowledged;
  /** Set if this is about an acknowledgement without a warning. */
  readonly stale?: Acknowledged;
}

export function remarkOf({ path, message, code, warning, correction }: Finding) {
  const property = formatPath(path);
  return {
    message: property === "" ? message : `${property}: ${message}`,
    ...(property !== "" && { property }),
    code: warning ?? code,
    ...(correction !== undefined && { correction }),
  };
}

// Annotations of cdktf and diagnostics of Terraform are strings, without a field for a code. Only the functions below
// write codes into them and read them back.

const staleMessage =
  "the acknowledgement matches no warning: remove it, unless `trivet check` shows such a warning";

export function annotationText({ message, code, acknowledged, stale }: AnnotatedRemark): string {
  const text = code === undefined ? message : `${message} [${code}]`;
  const { path, reason } = acknowledged ?? stale ?? {};
  if (path === undefined) return text;
  return `${text} (acknowledged at ${JSON.stringify(path)}: ${JSON.stringify(reason)})`;
}

/** An annotation about an acknowledgement that matches no warning. */
export const staleRemark = (code: string, stale: Acknowledged): AnnotatedRemark => ({
  message: staleMessage,
  code,
  stale,
});

/** Writes the detail of a diagnostic: the code is the last line. */
export const detailText = (detail: string, code: string | undefined): string =>
  code === undefined ? detail : `${detail}\n\nCode: ${code}`;

/** The end of a detail that only the authors of a provider can act on, by where it is written. */
const bugEndings = {
  core: "This is a bug in the provider.",
  provider: "This is a bug in the provider: please report it to its authors.",
  project: "This is a bug in a provider of this project.",
} as const;

/** Writes the detail of a diagnostic that blames the provider. */
export const bugText = (what: string, from: keyof typeof bugEndings): string =>
  `${what}\n\n${bugEndings[from]}`;

/** Reads whether a detail blames the provider. */
export const isBugText = (detail: string): boolean =>
  Object.values(bugEndings).some((ending) => detail.endsWith(`\n\n${ending}`));

const json = String.raw`"(?:[^"\\]|\\.)*"`;
const name = String.raw`[A-Za-z_]\w*`;
const step = String.raw`\[(?:\d+|${json})\]`;
const propertyForm = new RegExp(String.raw`^((?:${name}|${step})(?:\.${name}|${step})*): `);
const correctionForm = new RegExp(
  `${correctionText({ got: "", meant: "" })
    .replace(/[(?)]/g, String.raw`\$&`)
    .replaceAll('""', `(${json})`)}\\.?$`,
);
const annotationForm = new RegExp(
  String.raw`^(.*) \[([a-z]+(?:-[a-z\d]+)+)\](?: \(acknowledged at (${json}): (${json})\))?$`,
  "s",
);

/** Reads an annotation. An annotation of another library is only a message. */
export function readAnnotation(text: string): AnnotatedRemark {
  const [, message, code, at, because] = annotationForm.exec(text) ?? [];
  if (message === undefined || code === undefined) return { message: text };
  const remark = codedRemark(message, code);
  if (at === undefined || because === undefined) return remark;
  const acknowledged = { path: unquoted(at), reason: unquoted(because) };
  return message === staleMessage ? staleRemark(code, acknowledged) : { ...remark, acknowledged };
}

/** Reads the detail of a diagnostic. A detail of another provider is only a message. */
export function readDetail(detail: string): Remark {
  const [whole, code] = /\n\nCode: ([A-Za-z][\w-]*)$/.exec(detail) ?? [];
  if (whole === undefined || code === undefined) return { message: detail };
  return codedRemark(detail.slice(0, -whole.length), code);
}

function codedRemark(message: string, code: string): Remark {
  const [, property] = propertyForm.exec(message) ?? [];
  const [, got, meant] = correctionForm.exec(message) ?? [];
  return {
    message,
    ...(property !== undefined && { property }),
    code,
    ...(got !== undefined &&
      meant !== undefined && { correction: { got: unquoted(got), meant: unquoted(meant) } }),
  };
}

/** The rule in a message, without the property, which constructs and providers spell differently. */
export const ruleIn = (message: string): string =>
  message.replace(propertyForm, "").replace(/\.\s*$/, "");

const unquoted = (text: string): string => String(parsedJson(text));
