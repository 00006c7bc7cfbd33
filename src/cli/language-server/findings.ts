import type { AttributeChange } from "../../planner/changes/attribute-changes";
import type { Changes, ResourceChange, Rename } from "../../planner/changes/changes";
import type { ConstructOf, Place } from "../../planner/changes/construct-place";
import type { AppError, AppFailure, AppFinding } from "../app-process/app-failure";
import type { Remark } from "../../core/schema";
import { valueText } from "../../planner/changes/masked-value";
import type { CheckedStack } from "../check/check-stack";

/** Something that an editor shows at a construct. The property is in the words of the construct or of Terraform. */
export interface EditorFinding extends Remark {
  readonly severity: "error" | "warning" | "information";
  readonly place: Place;
  /** What caused the failure of the app. */
  readonly causes?: readonly AppError[];
  /** Set if the construct has only moved. */
  readonly rename?: Rename;
}

/** Lists what an editor shows of a checked stack: what is wrong, and what would be lost. */
export function findingsOf(
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

/** Lists what an editor shows of an app that has failed: what the library found, else the error. */
export function failureFindings(
  { message, position, causes, findings = [] }: AppFailure,
  isPlanned: boolean,
): readonly EditorFinding[] {
  const old = isPlanned ? "The plan shown is from before this edit." : "Nothing is planned.";
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

/** Tells what is replaced, what is destroyed, and what is refused. */
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
        message: `${lossText(change)}${isRefused ? " --refuse does not allow that." : ""}`,
        place: change,
        ...(first !== undefined && { property: first.path }),
      },
    ];
  });
}

const happens: Readonly<Record<Exclude<ResourceChange["action"], "replace">, string>> = {
  create: "created",
  update: "changed",
  delete: "destroyed",
  read: "read",
  move: "moved",
  import: "imported",
  forget: "forgotten",
};

function lossText(change: ResourceChange): string {
  const { address, action } = change;
  if (action !== "replace") return `${address} is ${happens[action]}.`;
  const why = forcingAttributes(change).map(
    ({ path, before, after }) => `${path} changes from ${valueText(before)} to ${valueText(after)}`,
  );
  return `${address} is replaced${why.length === 0 ? "" : `: ${why.join(", ")}`}.`;
}

const forcingAttributes = ({ attributes }: ResourceChange): readonly AttributeChange[] =>
  attributes.filter(({ forcesReplacement }) => forcesReplacement);
