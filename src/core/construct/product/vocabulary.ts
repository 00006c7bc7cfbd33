import type { Properties } from "../../json/plain-json";
import type { ProductProvider } from "./product";

/** The translation of names and enum values at one level of a body, and of the levels below. */
export interface Vocabulary {
  readonly names: Map<string, string>;
  readonly enums: Map<string, ReadonlyMap<string, string>>;
  /** The vocabulary inside a block, by the name before translation. */
  readonly inside: Map<string, Vocabulary>;
}

const empty = (): Vocabulary => ({ names: new Map(), enums: new Map(), inside: new Map() });

/** Translates our Terraform names and enum values to a product's; undefined if they are the same. */
export function vocabularyOf(provider: ProductProvider, type: string): Vocabulary | undefined {
  const names = Object.entries(provider.names?.[type] ?? {});
  const enums = Object.entries(provider.enums?.[type] ?? {});
  if (names.length + enums.length === 0) return undefined;
  const root = empty();
  for (const [path, name] of names) {
    const [level, own] = levelAt(root, path);
    level.names.set(own, name);
  }
  for (const [path, others] of enums) {
    const [level, own] = levelAt(root, path);
    level.enums.set(own, new Map(Object.entries(others)));
  }
  return root;
}

function levelAt(root: Vocabulary, path: string): [Vocabulary, string] {
  const steps = path.split(".");
  const own = steps.pop() ?? "";
  let level = root;
  for (const step of steps) {
    const next = level.inside.get(step) ?? empty();
    level.inside.set(step, next);
    level = next;
  }
  return [level, own];
}

/** Returns the translation in the opposite direction. */
export function reversed({ names, enums, inside }: Vocabulary): Vocabulary {
  const there = (name: string): string => names.get(name) ?? name;
  return {
    names: new Map([...names].map(([name, other]) => [other, name])),
    enums: new Map(
      [...enums].map(([name, map]) => [
        there(name),
        new Map([...map].map(([value, other]) => [other, value])),
      ]),
    ),
    inside: new Map([...inside].map(([name, level]) => [there(name), reversed(level)])),
  };
}

/**
 * Translates a body as Terraform reads it, in JSON or in cdktf's form of HCL. Tokens are not changed. A
 * value without anything to translate stays the same object.
 */
export function translated(body: Properties, vocabulary: Vocabulary): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name in body) {
    const value = body[name];
    if (name === "dynamic" && isPlain(value)) result[name] = renamed(value, vocabulary);
    // An override can name the element of a list.
    else if (/^\d+$/.test(name)) result[name] = element(value, undefined, vocabulary);
    else {
      const { names, enums, inside } = vocabulary;
      result[names.get(name) ?? name] = element(value, enums.get(name), inside.get(name));
    }
  }
  return result;
}

function element(
  value: unknown,
  values: ReadonlyMap<string, string> | undefined,
  inside: Vocabulary | undefined,
): unknown {
  if (values === undefined && inside === undefined) return value;
  if (typeof value === "string") return values?.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each: unknown) => element(each, values, inside));
  if (!isPlain(value)) return value;
  if (isHcl(value)) return { ...value, value: element(value["value"], values, inside) };
  return inside === undefined ? value : translated(value, inside);
}

/**
 * Renames the blocks that Terraform generates when it runs. Their content already has the product's names.
 */
function renamed(body: Properties, { names }: Vocabulary): Properties {
  return Object.fromEntries(
    Object.entries(body).map(([key, each]) => [names.get(key) ?? key, each]),
  );
}

const isHcl = (value: Properties): boolean => "storageClassType" in value && "value" in value;

function isPlain(value: unknown): value is Properties {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !("resolve" in value)
  );
}

/** Translates the path of a reference, such as `display_apps[0].editor`. */
export function translatedPath(path: string, vocabulary: Vocabulary): string {
  let level: Vocabulary | undefined = vocabulary;
  return path.replaceAll(/[A-Za-z_][\w-]*/g, (step) => {
    const name = level?.names.get(step) ?? step;
    level = level?.inside.get(step);
    return name;
  });
}
