import { isDeepStrictEqual } from "node:util";
import { typeIn } from "../offline-plan/address";
import { isObject } from "../../core/json/plain-json";
import type { MovableResource } from "../offline-plan/offline-plan";
import type { PlanDocument } from "./plan-document";

/** A resource that is destroyed under one address and created under another, although it is the same. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds constructs that have only moved: whatever the new resource sets has the same value in the old one. Terraform
 * would destroy and create them.
 *
 * @param movable resources of other providers, as the new ones
 */
export function renamesIn(
  { resources }: PlanDocument,
  movable: readonly MovableResource[] = [],
): readonly Rename[] {
  const gone = resources
    .filter(({ change }) => String(change.actions) === "delete")
    .map(({ address, change }) => ({
      from: address,
      type: typeIn(address),
      before: change.before,
    }));
  return resources
    .filter(({ change }) => String(change.actions) === "create")
    .flatMap(({ address, change }) => {
      const same = [...gone, ...movable].filter(
        (old) => old.type === typeIn(address) && isSame(old.before, change.after),
      );
      // With several, nobody can tell which one moved.
      const [only, ...others] = same;
      if (only === undefined || others.length > 0) return [];
      return [{ from: only.from, to: address }];
    });
}

function isSame(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after)) return false;
  const set = Object.entries(after).filter(([, value]) => value !== null);
  return (
    set.length > 0 && set.every(([name, value]) => isDeepStrictEqual(before[name] ?? null, value))
  );
}

/** Says how to keep the resource. */
export const renameText = ({ from, to }: Rename): string =>
  `${from} and ${to} are the same. To keep the resource, tell Terraform that it moved: ` +
  `call moveFromId(${JSON.stringify(from)}) on the construct of ${to}.`;
