import { isObject } from "../../../json/is-object";
import { traversalsInExpression, traversalsInText } from "../../token/traversal";
import type { Json } from "./native-block";

/** A data source in Terraform's JSON. */
export interface DataSource {
  readonly type: string;
  readonly name: string;
  readonly body: Json;
}

/** A configuration, split into some of its data sources and the rest. */
export interface ConfigurationParts {
  readonly rest: Json;
  readonly taken: readonly DataSource[];
}

/**
 * Splits the data sources of some types off a configuration, together with everything of the known types
 * that they refer to, directly or indirectly.
 */
export function configurationParts(
  configuration: Json,
  types: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ConfigurationParts {
  const all = new Map(dataSources(configuration).map((each) => [addressOf(each), each]));
  const wanted = new Set<string>();
  const visit = (address: string): void => {
    const found = all.get(address);
    if (found === undefined || wanted.has(address) || !known.has(found.type)) return;
    wanted.add(address);
    for (const reference of references(found.body, false)) visit(reference);
  };
  for (const [address, { type }] of all) if (types.has(type)) visit(address);
  if (wanted.size === 0) return { rest: configuration, taken: [] };
  const { data, ...others } = configuration;
  const left = Object.entries(isObject(data) ? data : {}).flatMap(([type, named]) => {
    if (!isObject(named)) return [[type, named]];
    const kept = Object.entries(named).filter(([name]) => !wanted.has(`data.${type}.${name}`));
    return kept.length === 0 ? [] : [[type, Object.fromEntries(kept)]];
  });
  return {
    rest: left.length === 0 ? others : { ...configuration, data: Object.fromEntries(left) as Json },
    taken: [...all].filter(([address]) => wanted.has(address)).map(([, each]) => each),
  };
}

const addressOf = ({ type, name }: DataSource): string => `data.${type}.${name}`;

function dataSources({ data }: Json): DataSource[] {
  return Object.entries(isObject(data) ? data : {}).flatMap(([type, named]) =>
    Object.entries(isObject(named) ? named : {}).flatMap(([name, body]) =>
      isObject(body) ? [{ type, name, body }] : [],
    ),
  );
}

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
