import { formatPath, type Path } from "../../schema/finding";
import { bugText, isBugText } from "../../schema/finding-text";
import { UNKNOWN } from "../../schema/type";
import { wirePath } from "../cty/type";
import type { Diagnostic } from "../wire/tfplugin6/tfplugin6-value";
import type { SchemaBlock } from "./schema";

/** A part of a provider's response that Terraform refuses. */
export interface Problem {
  /** The path of the value, in the declaration's names. */
  readonly path: Path;
  readonly message: string;
}

/** Formats a value for a message, as JSON. */
export function shown(value: unknown): string {
  if (value === UNKNOWN) return "(unknown)";
  return JSON.stringify(value ?? null, (_key, inner: unknown) => {
    if (typeof inner === "bigint") return String(inner);
    return inner === UNKNOWN ? "(unknown)" : inner;
  });
}

/** A diagnostic of a provider, or of Terraform about a provider. */
export interface CoreDiagnostic {
  readonly severity: "ERROR" | "WARNING";
  readonly summary: string;
  readonly detail: string;
  /** The path of the value to blame, in Terraform's names; undefined for the whole resource. */
  readonly path: Path | undefined;
  /** Set if only the authors of the provider can act on it. */
  readonly isBug?: true;
}

export const isError = ({ severity }: Pick<CoreDiagnostic, "severity">): boolean =>
  severity === "ERROR";

export const hasErrors = (diagnostics: readonly CoreDiagnostic[]): boolean =>
  diagnostics.some(isError);

/** Converts the diagnostics of a response to plain data. */
export function readDiagnostics(diagnostics: readonly Diagnostic[]): CoreDiagnostic[] {
  return diagnostics.map(({ severity, summary, detail, attribute }) => ({
    severity: severity === "WARNING" ? "WARNING" : "ERROR",
    summary,
    detail,
    path: attribute && readPath(attribute),
    ...(isBugText(detail) && { isBug: true }),
  }));
}

export const readPath = ({ steps }: NonNullable<Diagnostic["attribute"]>): Path =>
  steps.map(
    ({ attributeName, elementKeyString, elementKeyInt }) =>
      attributeName ?? elementKeyString ?? Number(elementKeyInt),
  );

/** A type, for messages about its values. */
interface NamedSchema {
  /** Such as `ids_endpoint`. */
  readonly name: string;
  readonly schema: Pick<SchemaBlock, "type">;
}

/** Returns the diagnostics that Terraform's core shows for a response that it refuses. */
export function refused(
  { name, schema }: NamedSchema,
  summary: string,
  problems: readonly Problem[],
): CoreDiagnostic[] {
  return problems.map(({ path, message }) => {
    const at = wirePath(schema.type, path);
    const where = at.length === 0 ? name : `${name}.${formatPath(at)}`;
    return {
      severity: "ERROR",
      summary,
      detail: bugText(`${where}: ${message}.`, "core"),
      path: at.length === 0 ? undefined : at,
      isBug: true,
    };
  });
}

/** Removes duplicate diagnostics. Keeps the order of first occurrence. */
export function distinct(diagnostics: readonly CoreDiagnostic[]): CoreDiagnostic[] {
  const byText = new Map(diagnostics.map((each) => [JSON.stringify(each), each] as const));
  return [...byText.values()];
}
