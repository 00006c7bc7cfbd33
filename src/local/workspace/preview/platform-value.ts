import { isObject } from "../../../core/json/plain-json";
import type { EvaluatedBlock } from "./evaluated-block";
import type { PreviewDiagnostic } from "./preview";
import { originalReference } from "./rewritten-code";

/** A value as the platform sees it. It converts numbers and booleans to strings, and nothing else. */
export type PlatformValue =
  | { readonly kind: "known"; readonly text: string }
  | { readonly kind: "null" }
  /** Known only when Terraform runs. */
  | { readonly kind: "unknown" }
  /** A list or an object. */
  | { readonly kind: "other"; readonly type: string };

export function valueOf(
  { values, unknown }: Pick<EvaluatedBlock, "values" | "unknown">,
  attribute: string,
): PlatformValue {
  return unknown[attribute] === undefined || unknown[attribute] === false
    ? platformValue(values[attribute])
    : { kind: "unknown" };
}

export function platformValue(value: unknown): PlatformValue {
  if (value === null || value === undefined) return { kind: "null" };
  if (typeof value === "string") return { kind: "known", text: value };
  if (typeof value === "boolean") return { kind: "known", text: String(value) };
  if (typeof value === "number") return { kind: "known", text: goNumber(value) };
  if (Array.isArray(value)) return { kind: "other", type: "tuple" };
  return { kind: "other", type: isObject(value) ? "object" : "" };
}

/** Returns an optional value: empty unless it is known. */
export function textOf(
  block: Pick<EvaluatedBlock, "values" | "unknown">,
  attribute: string,
): string {
  const value = valueOf(block, attribute);
  return value.kind === "known" ? value.text : "";
}

/** Returns the known value; undefined for any other. */
export const knownText = (value: PlatformValue): string | undefined =>
  value.kind === "known" ? value.text : undefined;

const digits = 10;

/**
 * Formats a number as the platform does: with at most 10 digits.
 *
 * @see https://pkg.go.dev/math/big#Float.String
 */
function goNumber(value: number): string {
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (value === 0) return "0";
  if (power >= -4 && power < digits) return String(Number(value.toPrecision(digits)));
  const sign = power < 0 ? "-" : "+";
  return `${String(Number(mantissa))}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Quotes a string as the platform does in messages. */
export const quoted = (text: string): string => JSON.stringify(text);

export const error = (summary: string, detail: string): PreviewDiagnostic => ({
  severity: "error",
  summary,
  detail,
});

/** The part of a block that is read of a nested one as well. */
export type NestedBlock = Pick<
  EvaluatedBlock,
  "values" | "unknown" | "label" | "references" | "isSet"
>;

/** Returns a string that must be set and known. Reports a missing one in the platform's words. */
export function requiredText(
  block: NestedBlock,
  attribute: string,
): { readonly text: string } | { readonly problem: PreviewDiagnostic } {
  const value = valueOf(block, attribute);
  const raw = block.values[attribute];
  if (value.kind === "known" && typeof raw === "string") return { text: raw };
  const isMissing = value.kind === "null" && !block.isSet(attribute);
  if (isMissing) return { problem: missing(attribute, block.label) };
  const references = block.references(attribute).flatMap((each) => originalReference(each) ?? []);
  const named = references.length === 0 ? "" : ` [${references[0] ?? ""}]`;
  const summary = `Invalid ${quoted(attribute)} attribute for block ${block.label}`;
  const detail =
    value.kind === "unknown"
      ? `Value is not known, check the references${named} are resolvable`
      : `Expected a string, got ${quoted(value.kind === "other" ? value.type : typeName(raw))}`;
  return { problem: error(summary, detail) };
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return "dynamic";
  return typeof value === "boolean" ? "bool" : typeof value;
}

export function missing(attribute: string, label: string): PreviewDiagnostic {
  return error(
    `Missing required attribute ${quoted(attribute)} for block ${quoted(label)}`,
    `The ${attribute} attribute is required`,
  );
}
