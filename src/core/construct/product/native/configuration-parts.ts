import { isObject, type Properties } from "../../../json/plain-json";
import { traversalsInExpression, traversalsInText } from "../../token/traversal";

/** A block of a configuration that other blocks can refer to, in Terraform's JSON. */
export interface Referable {
  /** The section that contains it: `data`, `locals`, `module` or `variable`. */
  readonly section: Section;
  /** The type of a data source, and the name. */
  readonly labels: readonly string[];
  /** The body of a block; the value of a local. */
  readonly body: unknown;
}

/** The prefix of the address of a block. The address of a data source also has its type. */
const prefixes = { variable: "var", locals: "local", module: "module", data: "data" } as const;

export type Section = keyof typeof prefixes;

const sections = Object.keys(prefixes) as readonly Section[];

/** A configuration, split into the blocks for other files and the rest. */
export interface ConfigurationParts {
  readonly rest: Properties;
  readonly taken: ReadonlyMap<string, readonly Referable[]>;
}

/**
 * Splits the data sources of some types off a configuration, together with everything that they refer to,
 * directly or indirectly.
 *
 * @param files the file for each of these types, and for everything that they refer to
 * @param isWritable checks whether a block can be written; any other block stays
 */
export function configurationParts(
  configuration: Properties,
  files: ReadonlyMap<string, string>,
  isWritable: (block: Referable) => boolean,
): ConfigurationParts {
  const all = new Map(referables(configuration).map((each) => [addressOf(each), each]));
  const reached = new Set<string>();
  const fileOf = new Map<string, string>();
  const visit = (address: string, file: string): void => {
    const found = all.get(address);
    if (found === undefined || reached.has(address)) return;
    reached.add(address);
    const own = ownFile(found, files) ?? file;
    if (isWritable(found)) fileOf.set(address, own);
    for (const reference of references(found.body, false)) visit(reference, own);
  };
  for (const file of new Set(files.values())) {
    for (const [address, each] of all) if (ownFile(each, files) === file) visit(address, file);
  }
  const taken = new Map<string, Referable[]>();
  for (const [address, each] of all) {
    const file = fileOf.get(address);
    if (file !== undefined) taken.set(file, [...(taken.get(file) ?? []), each]);
  }
  return { rest: without(configuration, fileOf), taken };
}

const ownFile = (
  { section, labels: [type = ""] }: Referable,
  files: ReadonlyMap<string, string>,
): string | undefined => (section === "data" ? files.get(type) : undefined);

const addressOf = ({ section, labels }: Pick<Referable, "section" | "labels">): string =>
  [prefixes[section], ...labels].join(".");

function referables(configuration: Properties): Referable[] {
  const dataSources = entries(configuration["data"]).flatMap(([type, named]) =>
    entries(named).map(([name, body]) => block("data", body, type, name)),
  );
  const others = sections
    .filter((section) => section !== "data")
    .flatMap((section) =>
      entries(configuration[section]).map(([name, body]) => block(section, body, name)),
    );
  return [...others, ...dataSources].filter(
    ({ section, body }) => section === "locals" || isObject(body),
  );
}

const block = (section: Section, body: unknown, ...labels: string[]): Referable => ({
  section,
  labels,
  body,
});

/** Returns the configuration without some blocks, and without sections that become empty. */
function without(configuration: Properties, taken: ReadonlyMap<string, string>): Properties {
  if (taken.size === 0) return configuration;
  return Object.fromEntries(
    Object.entries(configuration).flatMap(([name, value]) => {
      const section = sections.find((each) => each === name);
      if (section === undefined || !isObject(value)) return [[name, value]];
      const isKept = (...labels: string[]): boolean => !taken.has(addressOf({ section, labels }));
      const left = Object.entries(value).flatMap(([label, body]) => {
        if (section !== "data") return isKept(label) ? [[label, body]] : [];
        if (!isObject(body)) return [[label, body]];
        const kept = Object.entries(body).filter(([own]) => isKept(label, own));
        return kept.length === 0 ? [] : [[label, Object.fromEntries(kept)]];
      });
      return left.length === 0 ? [] : [[name, Object.fromEntries(left) as Properties]];
    }),
  );
}

const entries = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value).filter(([name]) => name !== "//") : [];

function* references(value: unknown, isBare: boolean): Generator<string> {
  if (typeof value === "string") {
    yield* isBare ? traversalsInExpression(value) : traversalsInText(value);
  } else if (Array.isArray(value)) {
    for (const each of value) yield* references(each, isBare);
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (name === "//") continue;
      yield* traversalsInText(name);
      yield* references(each, isBare || name === "depends_on");
    }
  }
}
