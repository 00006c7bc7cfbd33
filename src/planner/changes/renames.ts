import { isDeepStrictEqual } from "node:util";
import { typeIn } from "../offline-plan/address";
import { isObject } from "../../core/json/plain-json";
import type { PlanDocument, PlannedResource } from "./plan-document";

/** A resource that is destroyed under one address and created under another, although it is the same. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds constructs that have only moved: whatever the new resource sets has the same value in the old one. Terraform
 * would destroy and create them.
 */
export function renamesIn({ resources }: PlanDocument): readonly Rename[] {
  const gone = resources.filter(({ change }) => String(change.actions) === "delete");
  return resources
    .filter(({ change }) => String(change.actions) === "create")
    .flatMap((created) => {
      const same = gone.filter(
        (old) => typeIn(old.address) === typeIn(created.address) && isSame(old, created),
      );
      // With several, nobody can tell which one moved.
      const [only, ...others] = same;
      if (only === undefined || others.length > 0) return [];
      return [{ from: only.address, to: created.address }];
    });
}

function isSame({ change: old }: PlannedResource, { change: created }: PlannedResource): boolean {
  const { before } = old;
  const { after } = created;
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
