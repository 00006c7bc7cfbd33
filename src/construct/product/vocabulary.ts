import type { ProductProvider } from "./product";

/** How names and words at one level of a body are written in another language, and below that. */
export interface Vocabulary {
  readonly names: Map<string, string>;
  readonly words: Map<string, ReadonlyMap<string, string>>;
  /** What stands inside a block; under the name before it is translated. */
  readonly inside: Map<string, Vocabulary>;
}

const empty = (): Vocabulary => ({ names: new Map(), words: new Map(), inside: new Map() });

/** From our Terraform names and words to a product's; undefined when they are the same. */
export function vocabularyOf(provider: ProductProvider, type: string): Vocabulary | undefined {
  const names = Object.entries(provider.names?.[type] ?? {});
  const words = Object.entries(provider.words?.[type] ?? {});
  if (names.length + words.length === 0) return undefined;
  const root = empty();
  for (const [path, name] of names) {
    const [level, own] = levelAt(root, path);
    level.names.set(own, name);
  }
  for (const [path, others] of words) {
    const [level, own] = levelAt(root, path);
    level.words.set(own, new Map(Object.entries(others)));
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

/** The way back. */
export function reversed({ names, words, inside }: Vocabulary): Vocabulary {
  const there = (name: string): string => names.get(name) ?? name;
  return {
    names: new Map([...names].map(([name, other]) => [other, name])),
    words: new Map(
      [...words].map(([name, map]) => [
        there(name),
        new Map([...map].map(([word, other]) => [other, word])),
      ]),
    ),
    inside: new Map([...inside].map(([name, level]) => [there(name), reversed(level)])),
  };
}

type Body = Readonly<Record<string, unknown>>;

/**
 * Translates a body as Terraform reads it, in the form of JSON or in cdktf's of HCL. Tokens are not
 * touched. Without a word of a different spelling inside, a value stays the same object.
 */
export function translated(body: Body, vocabulary: Vocabulary): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name in body) {
    const value = body[name];
    if (name === "dynamic" && isPlain(value)) result[name] = renamed(value, vocabulary);
    // An override may name the element of a list.
    else if (/^\d+$/.test(name)) result[name] = element(value, undefined, vocabulary);
    else {
      const { names, words, inside } = vocabulary;
      result[names.get(name) ?? name] = element(value, words.get(name), inside.get(name));
    }
  }
  return result;
}

function element(
  value: unknown,
  words: ReadonlyMap<string, string> | undefined,
  inside: Vocabulary | undefined,
): unknown {
  if (words === undefined && inside === undefined) return value;
  if (typeof value === "string") return words?.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each: unknown) => element(each, words, inside));
  if (!isPlain(value)) return value;
  if (isHcl(value)) return { ...value, value: element(value["value"], words, inside) };
  return inside === undefined ? value : translated(value, inside);
}

/** The blocks that Terraform makes when it runs; what is in them is written in the product's words. */
function renamed(body: Body, { names }: Vocabulary): Body {
  return Object.fromEntries(
    Object.entries(body).map(([key, each]) => [names.get(key) ?? key, each]),
  );
}

const isHcl = (value: Body): boolean => "storageClassType" in value && "value" in value;

function isPlain(value: unknown): value is Body {
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
