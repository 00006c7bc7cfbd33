import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AppError, AppFailure } from "../app-process/app-failure";
import { type Place, placeIn, type SourcePosition } from "../../changes/construct-place";
import { codePagePath } from "../explain/code-pages";
import type { CheckedProject, CheckedView } from "./checked-project";
import { type EditorFinding, findingsOf } from "./findings";
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
  readonly message: string;
  readonly position: SourcePosition;
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
  for (const { finding, position } of stacks.flatMap(placed)) {
    add(await diagnosticOf(finding, position ?? fallback, outlineOf));
  }
  if (failure !== undefined) {
    const at = failure.position ?? fallback;
    for (const problem of problemsIn(failure)) {
      const range = await rangeOf(at, outlineOf, problem.property);
      const shown = failureDiagnostic(failure, problem, range, stacks.length > 0);
      add({ shown, message: problem.message, position: at });
    }
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
  const { severity, message, code, property, place, rename } = finding;
  const { createdFrom = [] } = place;
  return {
    shown: {
      range: await rangeOf(position, outlineOf, property),
      severity: severities[severity],
      source: "trivet",
      message,
      ...codeFields(code),
      ...(createdFrom.length > 0 && {
        relatedInformation: createdFrom.map((each) => related(each, "created from here")),
      }),
    },
    message,
    position,
    ...(isAcknowledgeable(finding) && code !== undefined && { code }),
    ...(rename !== undefined && { rename }),
  };
}

interface Problem {
  readonly message: string;
  readonly code?: string;
  readonly property?: string;
}

/** Separates the problems of a construct, each of which is in a line of its own. */
function problemsIn({ message }: AppFailure): readonly Problem[] {
  const [head = "", ...lines] = message.split("\n");
  const isList = /: \d+ problems?$/.test(head) && lines.every((line) => line.startsWith("  "));
  if (!isList) return [{ message }];
  return lines.map((line) => {
    const [, property] = /^ {2}([\w.[\]"]+): /.exec(line) ?? [];
    const [, message = line, code] = /^(.*) \[([\w-]+)\]$/.exec(line) ?? [];
    return {
      message: message.trim(),
      ...(code !== undefined && { code }),
      ...(property !== undefined && { property }),
    };
  });
}

function failureDiagnostic(
  { causes }: AppFailure,
  { message, code }: Problem,
  range: Range,
  isPlanned: boolean,
): Diagnostic {
  const old = isPlanned ? "The plan shown is from before this edit." : "Nothing is planned.";
  return {
    range,
    severity: DiagnosticSeverity.Error,
    source: "trivet",
    message: `${message}\n${old}`,
    ...codeFields(code),
    relatedInformation: causes.flatMap(({ position: at, message: cause }: AppError) =>
      at === undefined ? [] : [related(at, cause)],
    ),
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
