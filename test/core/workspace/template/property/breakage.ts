import * as fc from "fast-check";
import type { Fields } from "../../../../../src/core/schema";
import { isRecord } from "../../../../../src/core/json/plain-json";
import type { Expected } from "../../../../accept/table";
import type { Args } from "../../tables";
import { declarationOf } from "../../provider/noun-run";
import { invalidValues } from "./invalid-value";
import { Open, Reference } from "./open";
import { clashesOf } from "./clash";
import { nounOf, providerNoun, type Part, type Template } from "./template";
import { validValues } from "./valid-value";

type At = Expected["path"];

/** One way to break the arguments of one part. */
export interface Breakage {
  readonly name: string;
  /** What must be found in any case. */
  readonly found: Expected;
  readonly apply: (args: Args) => Args;
}

/** A template with one to three broken parts. */
interface BrokenTemplate extends Template {
  /** What must be found in a part with one broken place; the settings are under the empty string. */
  readonly broken: ReadonlyMap<string, readonly Expected[]>;
}

/** Sets the value at a path whose parents exist. */
function withValue(values: Args, path: At, value: unknown): Args {
  const set = (at: unknown, [step, ...rest]: At): unknown => {
    if (step === undefined) return value;
    if (Array.isArray(at)) {
      return at.map((each: unknown, index) => (index === step ? set(each, rest) : each));
    }
    return isRecord(at) ? { ...at, [step]: set(at[step], rest) } : at;
  };
  return set(values, path) as Args;
}

/** Everything that can be broken in given arguments. */
export function breakagesOf(type: string, args: Args): readonly Breakage[] {
  const noun = type === "" ? providerNoun : nounOf(type);
  const all = attributeBreakages(declarationOf(noun), args, noun.typeName, []);
  return [...all, ...clashesOf(type)];
}

const samples: Readonly<Record<string, unknown>> = { bool: true, integer: 1, string: "x" };

function* attributeBreakages(
  { attributes, blocks = {} }: Fields,
  args: Args,
  path: string,
  at: At,
): Generator<Breakage> {
  const breaks = (name: string, code: Expected["code"], where: At, value: unknown): Breakage => ({
    name: `${path}: ${name}`,
    found: { code, path: where },
    apply: (all) => withValue(all, where, value),
  });
  for (const [name, { presence, type }] of Object.entries(attributes)) {
    const where = [...at, name];
    if (presence === "computed") {
      // The spec lists no outputs of blocks, and not all other outputs.
      if (at.length > 0 || !(name in nounOf(path).outputs)) continue;
      const value = samples[type.kind] ?? [];
      yield breaks(`${name} is an output`, "UNKNOWN_PROPERTY", where, value);
      continue;
    }
    const isDefaulted = `${path}.${name}` === "workspace_env.name";
    // The construct ID is the name of the variable.
    if (presence === "required" && !isDefaulted)
      yield breaks(`no ${name}`, "MISSING", where, undefined);
    const key = `${path}.${name}`;
    for (const value of invalidValues[key] ?? []) {
      yield breaks(`${name} ${JSON.stringify(value)}`, "INVALID_ARGUMENT", where, value);
    }
    if (key in validValues && !(key in invalidValues))
      throw new Error(`invalidValues needs ${key}`);
    if (type.kind === "integer") yield breaks(`${name} 1.5`, "WRONG_TYPE", where, 1.5);
    if (type.kind === "string" && type.values !== undefined) {
      for (const value of ["other", "", type.values[0]?.toUpperCase() ?? ""]) {
        yield breaks(`${name} ${value}`, "INVALID_ARGUMENT", where, value);
      }
    }
    const map = args[name];
    if (type.kind === "map" && (map === undefined || (isRecord(map) && !isOpen(map)))) {
      yield {
        ...breaks(`null in ${name}`, "WRONG_TYPE", [...where, "none"], null),
        apply: (all) => withValue(all, where, { ...map, none: null }),
      };
    }
  }
  for (const [name, { fields, min = 0, max }] of Object.entries(blocks)) {
    const block = args[name];
    const where = [...at, name];
    const inner = `${path}.${name}`;
    if (min > 0 && max !== 1) yield breaks(`no ${name}`, "MISSING", where, []);
    if (Array.isArray(block)) {
      for (const [index, each] of block.entries()) {
        yield* attributeBreakages(fields, each as Args, inner, [...where, index]);
      }
    } else if (isRecord(block)) yield* attributeBreakages(fields, block, inner, where);
  }
}

const isOpen = (value: unknown): boolean => value instanceof Open || value instanceof Reference;

/** Breaks a valid template at one to three places. */
export function brokenTemplate(valid: fc.Arbitrary<Template>): fc.Arbitrary<BrokenTemplate> {
  const choices = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 });
  return fc.tuple(valid, choices).map(([template, chosen]) => {
    let { settings } = template;
    const parts: Part[] = [...template.parts];
    const broken = new Map<string, Expected[]>();
    for (const [which, how] of chosen) {
      const index = (which % (parts.length + 1)) - 1;
      const part = parts[index];
      const all = breakagesOf(part?.type ?? "", part?.args ?? settings);
      const breakage = all[how % Math.max(1, all.length)];
      if (breakage === undefined) continue;
      if (part === undefined) settings = breakage.apply(settings);
      else parts[index] = { ...part, args: breakage.apply(part.args) };
      const id = part?.id ?? "";
      broken.set(id, [...(broken.get(id) ?? []), breakage.found]);
    }
    return { settings, parts: neededBy(parts, broken), broken };
  });
}

/** The broken parts, and what they refer to. */
function neededBy(parts: readonly Part[], broken: ReadonlyMap<string, unknown>): readonly Part[] {
  const needed = new Set(broken.keys());
  for (const { id, args } of [...parts].reverse()) {
    if (!needed.has(id)) continue;
    for (const value of Object.values(args)) {
      if (value instanceof Reference) needed.add(value.part);
    }
  }
  return parts.filter(({ id }) => needed.has(id));
}
