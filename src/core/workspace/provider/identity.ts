import type { Properties } from "../../json/plain-json";
import { randomUUID } from "node:crypto";
import { type Declaration, type ResourceImplementation, UNKNOWN } from "../../provider-kit";

/**
 * Returns the handlers of a resource that exists only in the state, where the platform reads it.
 *
 * Its computed attributes are random IDs, which are generated on creation.
 */
export function identityOnly(declaration: Declaration): ResourceImplementation<unknown> {
  const write = (plan: Properties) => Promise.resolve(withIds(declaration, plan));
  return {
    declaration,
    create: write,
    read: (state) => Promise.resolve(state),
    update: write,
    delete: () => Promise.resolve(),
  };
}

/** Returns the plan with a random ID for each computed attribute that has no value yet. */
function withIds({ attributes }: Declaration, plan: Properties): Properties {
  const ids = Object.entries(attributes)
    .filter(([name, { presence }]) => presence === "computed" && plan[name] === UNKNOWN)
    .map(([name]) => [name, randomUUID()] as const);
  return { ...plan, ...Object.fromEntries(ids) };
}

/** Returns the planned ID, or a new random one if it is unknown. */
export const idOf = (planned: unknown): string =>
  typeof planned === "string" ? planned : randomUUID();
