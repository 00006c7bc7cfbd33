import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type ConstructOf,
  type Place,
  placeIn,
  type SourcePosition,
} from "../../planner/changes/construct-place";
import type { Correction, Remark } from "../../core/schema";
import { codePagePath } from "../explain/code-pages";
import type { CheckedProject, CheckedView } from "./project-session";
import { type Diagnostic, DiagnosticSeverity, type Range } from "./protocol";
import type { SourceOutline } from "./source-outline";
import type { AttributeChange } from "../../planner/changes/attribute-changes";
import type { Changes, ResourceChange, Rename } from "../../planner/changes/changes";
import type { AppError, AppFailure, AppFinding } from "../app-process/app-report";
import { valueText } from "../../planner/changes/masked-value";
import type { CheckedStack } from "../check/check-stack";

type OutlineOf = (path: string) => Promise<SourceOutline | undefined>;

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

export interface PlacedDiagnostic {
  readonly shown: Diagnostic;
  readonly position: SourcePosition;
  readonly correction?: Correction;
  /** The code, if it is a warning that can be acknowledged. */
  readonly code?: string;
  readonly rename?: EditorFinding["rename"];
}

/**
 * Returns the diagnostics of a project by file. Findings without a place are shown in its cdktf.json.
 *
 * @param folder the folder of the project
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
    // Several stacks may have the same finding.
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

/** Gives each finding its own place, or else that of the stack. */
function placed(view: CheckedView): readonly PlacedFinding[] {
  const { stack, checked, constructOf } = view;
  const own: Place = placeIn(stack.positions, stack.name);
  const seen = new Set<string>();
  return findingsOf(checked, constructOf).flatMap((finding) => {
    const position = finding.place.position ?? own.position;
    // A construct and its provider can have the same finding.
    const key = JSON.stringify([finding.code, position]);
    if (isAcknowledgeable(finding) && seen.has(key)) return [];
    seen.add(key);
    return [{ finding, position }];
  });
}

const isAcknowledgeable = ({ code, severity }: EditorFinding): boolean =>
  code !== undefined && severity === "warning";

/** Links the page of a code, which is a file of this package. */
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

/** Returns the range of the property in the code, or else of the expression that creates the construct. */
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

/** Converts a position to the protocol's, which counts from 0. */
function pointAt({ line, column }: SourcePosition): Range {
  const start = { line: line - 1, character: column - 1 };
  return { start, end: start };
}

/** A finding that an editor shows at a construct. The property is in the spelling of the construct or of Terraform. */
export interface EditorFinding extends Remark {
  readonly severity: "error" | "warning" | "information";
  readonly place: Place;
  readonly causes?: readonly AppError[];
  /** Set if a construct has only moved. */
  readonly rename?: Rename;
}

/** Lists the findings of a checked stack: errors, warnings and losses. */
function findingsOf(
  { annotations, diagnostics, changes, renames, refused }: CheckedStack,
  constructOf: ConstructOf,
): readonly EditorFinding[] {
  return [
    ...annotations.flatMap((each): readonly EditorFinding[] => {
      if (each.level === "info" || each.acknowledged !== undefined) return [];
      return [{ ...each, severity: each.level, place: each }];
    }),
    ...diagnostics.flatMap((each): readonly EditorFinding[] => {
      if (each.acknowledged !== undefined) return [];
      const { summary, detail, attribute } = each;
      return [
        {
          ...each,
          message: [summary, detail.trim()].filter((text) => text !== "").join("\n"),
          place: each,
          ...(attribute !== undefined && { property: attribute }),
        },
      ];
    }),
    ...renames.map((rename): EditorFinding => ({
      severity: "warning",
      message: `Renaming the construct destroys ${rename.from} and creates ${rename.to}. To keep the resource, call moveFromId(…) on the construct.`,
      place: constructOf(rename.to),
      rename,
    })),
    ...losses(changes, renames, new Set(refused)),
  ];
}

/** Lists the findings of a failed app: those of its constructs, or else the error. */
function failureFindings(
  { message, position, causes, findings = [] }: AppFailure,
  isPlanned: boolean,
): readonly EditorFinding[] {
  const old = isPlanned ? "The plan is from before this edit." : "Nothing is planned.";
  const shown: readonly AppFinding[] =
    findings.length > 0 ? findings : [{ message, severity: "error" }];
  const thrown = position === undefined ? {} : { position };
  return shown.map((each) => ({
    ...each,
    message: `${each.message}\n${old}`,
    place: each.position === undefined ? thrown : each,
    causes,
  }));
}

function losses(
  changes: Changes | undefined,
  renames: readonly Rename[],
  refused: ReadonlySet<string>,
): readonly EditorFinding[] {
  const isRenamed = (address: string): boolean => renames.some(({ from }) => from === address);
  return (changes?.resources ?? []).flatMap((change): readonly EditorFinding[] => {
    const { address } = change;
    const isRefused = refused.has(address);
    const isLoss =
      change.action === "replace" || (change.action === "delete" && !isRenamed(address));
    if (!isRefused && !isLoss) return [];
    const [first] = forcingAttributes(change);
    return [
      {
        severity: isRefused ? "error" : "information",
        message: `${lossText(change)}${isRefused ? " --refuse does not allow this." : ""}`,
        place: change,
        ...(first !== undefined && { property: first.path }),
      },
    ];
  });
}

const verbs: Readonly<Record<ResourceChange["action"], string>> = {
  create: "creates",
  update: "changes",
  replace: "replaces",
  delete: "destroys",
  read: "reads",
  move: "moves",
  import: "imports",
  forget: "forgets",
};

function lossText(change: ResourceChange): string {
  const why = forcingAttributes(change).map(
    ({ path, before, after }) => `${path} changes from ${valueText(before)} to ${valueText(after)}`,
  );
  const because = change.action === "replace" && why.length > 0 ? `: ${why.join(", ")}` : "";
  return `The plan ${verbs[change.action]} ${change.address}${because}.`;
}

const forcingAttributes = ({ attributes }: ResourceChange): readonly AttributeChange[] =>
  attributes.filter(({ forcesReplacement }) => forcesReplacement);
