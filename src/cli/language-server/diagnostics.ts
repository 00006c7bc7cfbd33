import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Place, placeIn, type SourcePosition } from "../../planner/changes/construct-place";
import type { Correction } from "../../core/schema";
import { codePagePath } from "../explain/code-pages";
import type { CheckedProject, CheckedView } from "./project-session";
import { type EditorFinding, failureFindings, findingsOf } from "./findings";
import { type Diagnostic, DiagnosticSeverity, type Range } from "./protocol";
import type { SourceOutline } from "./source-outline";

/** Reads the outline of a file. */
type OutlineOf = (path: string) => Promise<SourceOutline | undefined>;

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** A diagnostic, with what code actions need. */
export interface PlacedDiagnostic {
  readonly shown: Diagnostic;
  readonly position: SourcePosition;
  readonly correction?: Correction;
  /** The code of a warning that can be acknowledged. */
  readonly code?: string;
  readonly rename?: EditorFinding["rename"];
}

/**
 * Returns the diagnostics of a project by the paths of the files.
 *
 * @param folder of the project. What has no place is shown in its cdktf.json
 */
export async function diagnosticsOf(
  { stacks, failure }: CheckedProject,
  folder: string,
  outlineOf: OutlineOf,
): Promise<ReadonlyMap<string, readonly PlacedDiagnostic[]>> {
  const fallback: SourcePosition = { file: resolve(folder, "cdktf.json"), line: 1, column: 1 };
  const byFile = new Map<string, Map<string, PlacedDiagnostic>>();
  const add = (diagnostic: PlacedDiagnostic): void => {
    const { file } = diagnostic.position;
    const known = byFile.get(file) ?? new Map<string, PlacedDiagnostic>();
    // Several stacks may create the same construct.
    byFile.set(file, known.set(JSON.stringify(diagnostic), diagnostic));
  };
  const failed = failure === undefined ? [] : failureFindings(failure, stacks.length > 0);
  for (const { finding, position } of [
    ...stacks.flatMap(placed),
    ...failed.map((finding) => ({ finding, position: finding.place.position })),
  ]) {
    add(await diagnosticOf(finding, position ?? fallback, outlineOf));
  }
  return new Map([...byFile].map(([file, found]) => [file, [...found.values()]]));
}

/** Gives each finding a place: its own, else that of the stack. */
function placed(view: CheckedView): readonly PlacedFinding[] {
  const { stack, checked, constructOf } = view;
  const own: Place = placeIn(stack.positions, stack.name);
  const seen = new Set<string>();
  return findingsOf(checked, constructOf).flatMap((finding) => {
    const position = finding.place.position ?? own.position;
    // A construct and its provider find the same.
    const key = JSON.stringify([finding.code, position]);
    if (isAcknowledgeable(finding) && seen.has(key)) return [];
    seen.add(key);
    return [{ finding, position }];
  });
}

const isAcknowledgeable = ({ code, severity }: EditorFinding): boolean =>
  code !== undefined && severity === "warning";

/** Names the page of a code, which editors link. The page is a file of this package. */
function codeFields(code: string | undefined): Pick<Diagnostic, "code" | "codeDescription"> {
  if (code === undefined) return {};
  const path = codePagePath(code);
  if (path === undefined) return { code };
  return { code, codeDescription: { href: pathToFileURL(path).href } };
}

interface PlacedFinding {
  readonly finding: EditorFinding;
  readonly position: SourcePosition | undefined;
}

async function diagnosticOf(
  finding: EditorFinding,
  position: SourcePosition,
  outlineOf: OutlineOf,
): Promise<PlacedDiagnostic> {
  const { severity, message, code, property, place, rename, correction, causes = [] } = finding;
  const { createdFrom = [] } = place;
  const relatedInformation = [
    ...createdFrom.map((each) => related(each, "created from here")),
    ...causes.flatMap((cause) => (cause.position ? [related(cause.position, cause.message)] : [])),
  ];
  return {
    shown: {
      range: await rangeOf(position, outlineOf, property),
      severity: severities[severity],
      source: "trivet",
      message,
      ...codeFields(code),
      ...(relatedInformation.length > 0 && { relatedInformation }),
    },
    position,
    ...(correction !== undefined && { correction }),
    ...(isAcknowledgeable(finding) && code !== undefined && { code }),
    ...(rename !== undefined && { rename }),
  };
}

const related = (position: SourcePosition, message: string) => ({
  location: { uri: pathToFileURL(position.file).href, range: pointAt(position) },
  message,
});

/** Returns the property in the code that creates a construct, else what it creates, else the rest of the line. */
async function rangeOf(
  position: SourcePosition,
  outlineOf: OutlineOf,
  property?: string,
): Promise<Range> {
  const outline = await outlineOf(position.file);
  const { start } = pointAt(position);
  const creation = outline?.creationAt(start.line, start.character);
  if (outline === undefined || creation === undefined) {
    return { start, end: { line: start.line, character: start.character + 1 } };
  }
  const found = property === undefined ? undefined : outline.propertyOf(creation, property);
  return (
    found ?? {
      start: outline.rangeOf(creation).start,
      end: outline.rangeOf(creation.expression).end,
    }
  );
}

/** The protocol counts from 0. */
function pointAt({ line, column }: SourcePosition): Range {
  const start = { line: line - 1, character: column - 1 };
  return { start, end: start };
}
