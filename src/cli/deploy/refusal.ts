import type { Changes, ResourceChange } from "../../planner/changes/changes";
import { typeIn } from "../../planner/offline-plan/address";
import { CommandError, ExitCode } from "../invocation/failure";

const actions = {
  create: "create",
  update: "update",
  replace: "replace",
  destroy: "delete",
} as const;

/** A change that is not allowed: an action, for all resources or those of one type. */
export interface Refusal {
  readonly action: (typeof actions)[keyof typeof actions];
  readonly type: string | undefined;
}

/**
 * Parses the values of `--refuse`, such as `replace,destroy:ids_endpoint`.
 *
 * @throws CommandError for an unknown action
 */
export function parseRefusals(texts: readonly string[]): readonly Refusal[] {
  return texts
    .flatMap((text) => text.split(","))
    .map((text) => {
      const [name = "", type] = text.trim().split(":");
      const action = Object.entries(actions).find(([known]) => known === name)?.[1];
      if (action !== undefined && type !== "") return { action, type };
      throw new CommandError(
        `The option --refuse has the value "${text.trim()}", which is not a change.`,
        "Write create, update, replace or destroy, each with an optional type: --refuse replace,destroy:ids_endpoint.",
        ExitCode.usage,
      );
    });
}

const wouldBe: Partial<Readonly<Record<ResourceChange["action"], string>>> = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "destroyed",
};

/** @param refused addresses of changes */
export function refusalTexts(
  changes: Changes | undefined,
  refused: readonly string[],
): readonly string[] {
  return refused.map((address) => {
    const change = changes?.resources.find((each) => each.address === address);
    return `refused by --refuse: ${address} would be ${wouldBe[change?.action ?? "delete"] ?? "changed"}`;
  });
}

/** Returns the changes that are refused. A replacement also destroys. */
export function refusedChanges(
  { resources }: Changes,
  refusals: readonly Refusal[],
): readonly ResourceChange[] {
  return resources.filter((change) =>
    refusals.some(
      ({ action, type }) =>
        (action === change.action || (action === "delete" && change.action === "replace")) &&
        (type === undefined || typeIn(change.address) === type),
    ),
  );
}
