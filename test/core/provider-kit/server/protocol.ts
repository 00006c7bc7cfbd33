import {
  type HarnessDiagnostic,
  readDiagnostics,
  type ResourceResult,
} from "../../../../src/core/provider-kit/testing";
import type { Diagnostic } from "../../../../src/core/provider-kit/wire/tfplugin6/tfplugin6-value";

/** Diagnostics as data, from the harness or from the wire. */
type AnyDiagnostic = HarnessDiagnostic | Diagnostic;

const asData = (each: AnyDiagnostic): readonly HarnessDiagnostic[] =>
  "path" in each ? [each] : readDiagnostics([each]);

/** `SEVERITY path summary` of each diagnostic. */
export const summaries = (diagnostics: readonly AnyDiagnostic[]): string[] =>
  diagnostics
    .flatMap(asData)
    .map(({ severity, summary, path }) => `${severity} ${path?.join(".") ?? "-"} ${summary}`);

export const details = (diagnostics: readonly AnyDiagnostic[]): string =>
  diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");

/** The state after a read: undefined when it failed, null when the resource no longer exists. */
export const stateOf = ({ stored, diagnostics }: ResourceResult) =>
  diagnostics.some(({ severity }) => severity === "ERROR") ? undefined : (stored?.state ?? null);
