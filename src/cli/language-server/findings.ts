import type { AttributeChange } from "../../changes/attribute-changes";
import type { Changes, ResourceChange } from "../../changes/changes";
import type { ConstructOf, Place } from "../../changes/construct-place";
import type { Rename } from "../../changes/renames";
import { valueText } from "../../changes/masked-value";
import type { CheckedStack } from "../check/check-stack";

/** Something that an editor shows at a construct. */
export interface EditorFinding {
  readonly severity: "error" | "warning" | "information";
  readonly message: string;
  readonly place: Place;
  /** The code of an error or a warning. A warning can be acknowledged by it. */
  readonly code?: string;
  /** The property that it is about, in the words of the construct or of Terraform. */
  readonly property?: string;
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
      const [, property] = /^([\w.[\]"]+): /.exec(each.message) ?? [];
      return [
        {
          severity: each.level,
          message: each.message,
          place: each,
          ...(each.code !== undefined && { code: each.code }),
          ...(property !== undefined && { property }),
        },
      ];
    }),
    ...diagnostics.flatMap((each): readonly EditorFinding[] => {
      if (each.acknowledged !== undefined) return [];
      const { severity, summary, detail, attribute, code } = each;
      return [
        {
          severity,
          message: [summary, detail.trim()].filter((text) => text !== "").join("\n"),
          place: each,
          ...(code !== undefined && { code }),
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
