import { UNKNOWN } from "../../../../../src/core/schema";
import { isRecord } from "../../../../../src/core/json/plain-json";
import type { Args } from "../../tables";

/** A value that is known only when Terraform applies. */
export class Open {
  constructor(readonly value: unknown) {}

  toString(): string {
    return `Open(${JSON.stringify(this.value)})`;
  }
}

/** An output of another part of the template, which is known when that part was applied. */
export class Reference {
  constructor(
    readonly part: string,
    readonly output: string,
  ) {}
}

/** Arguments with a replacement for every unknown value. */
export function settled(args: Args, settle: (open: Open | Reference) => unknown): Args {
  const replaced = (value: unknown): unknown => {
    if (value instanceof Open || value instanceof Reference) return settle(value);
    if (Array.isArray(value)) return value.map(replaced);
    return isRecord(value) ? settled(value, settle) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, replaced(value)]));
}

/** Arguments as they are during the plan. */
export const whilePlanning = (args: Args): Args => settled(args, () => UNKNOWN);
