import { randomUUID } from "node:crypto";
import { type Declaration, type ResourceImplementation, UNKNOWN } from "../../provider-kit";

type Values = Readonly<Record<string, unknown>>;

/**
 * How a resource is managed that exists in the state alone: the platform reads it there.
 *
 * What it computes are ids, random ones, made when it is created.
 */
export function identityOnly(declaration: Declaration): ResourceImplementation<unknown> {
  const made = (plan: Values) => Promise.resolve(withIds(declaration, plan));
  return {
    declaration,
    create: made,
    read: (state) => Promise.resolve(state),
    update: made,
    delete: () => Promise.resolve(),
  };
}

/** The plan with an id for each computed attribute that has no value yet. */
function withIds({ attributes }: Declaration, plan: Values): Values {
  const ids = Object.entries(attributes)
    .filter(([name, { presence }]) => presence === "computed" && plan[name] === UNKNOWN)
    .map(([name]) => [name, randomUUID()] as const);
  return { ...plan, ...Object.fromEntries(ids) };
}

/** The id that a plan holds, else a new one. */
export const idOf = (planned: unknown): string =>
  typeof planned === "string" ? planned : randomUUID();
