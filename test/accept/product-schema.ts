import { readFileSync } from "node:fs";
import { dialectOf } from "../../src/core/construct/product/dialect";
import type { Product } from "../../src/core/construct/product/product";
import type { Vocabulary } from "../../src/core/construct/product/vocabulary";
import type { Declaration } from "../../src/core/schema";
import { wireSchema, type WireBlock } from "../../src/core/schema/wire-schema";

interface TheirBlock {
  readonly attributes?: Readonly<Record<string, TheirAttribute>>;
  readonly block_types?: Readonly<Record<string, TheirNested>>;
}

interface TheirAttribute {
  readonly type: unknown;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly deprecated?: boolean;
}

interface TheirNested {
  readonly nesting_mode: string;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly block: TheirBlock;
}

type Schemas = Readonly<Record<string, TheirBlock>>;

interface TheirSchema {
  readonly provider: TheirBlock;
  readonly resource_schemas: Schemas;
  readonly data_source_schemas: Schemas;
}

/** A description of each path: `coder_agent.metadata.key` is `string required`. */
type Shapes = Map<string, string>;

function shapesOfTheirs(path: string, block: TheirBlock, shapes: Shapes): Shapes {
  for (const [name, attribute] of Object.entries(block.attributes ?? {})) {
    shapes.set(`${path}.${name}`, attributeShape(attribute.type, attribute));
  }
  for (const [name, nested] of Object.entries(block.block_types ?? {})) {
    const { nesting_mode: nesting, min_items: min = 0, max_items: max = 0 } = nested;
    shapes.set(`${path}.${name}`, `${nesting} of ${min} to ${max}`);
    shapesOfTheirs(`${path}.${name}`, nested.block, shapes);
  }
  return shapes;
}

function shapesOfOurs(
  path: string,
  block: WireBlock,
  vocabulary: Vocabulary | undefined,
  shapes: Shapes,
): Shapes {
  const spelt = (name: string): string => `${path}.${vocabulary?.names.get(name) ?? name}`;
  for (const { name, type, nested, deprecated, ...presence } of block.attributes) {
    const objects = nested && [
      nested.nesting,
      ["object", Object.fromEntries(nested.attributes.map((each) => [each.name, each.type]))],
    ];
    const flags = { ...presence, deprecated: deprecated !== undefined };
    shapes.set(spelt(name), attributeShape(type ?? objects, flags));
  }
  for (const { name, nesting, minItems, maxItems, block: inner } of block.blocks) {
    shapes.set(spelt(name), `${nesting} of ${minItems} to ${maxItems}`);
    shapesOfOurs(spelt(name), inner, vocabulary?.inside.get(name), shapes);
  }
  return shapes;
}

function attributeShape(type: unknown, presence: Omit<TheirAttribute, "type">): string {
  const flags = ["required", "optional", "computed", "sensitive", "deprecated"] as const;
  const text = typeof type === "string" ? type : JSON.stringify(type);
  return [text, ...flags.filter((flag) => presence[flag] === true)].join(" ");
}

/** Paths that differ, by reason: each is described as `theirs` in the other provider, and as `ours` here. */
export type SchemaDifference = readonly [
  reason: string,
  theirs: string | undefined,
  ours: string | undefined,
  paths: readonly string[],
];

/** Expects that our provider, in the words of a product, has the schema of that product's provider, but for differences. */
export function expectSchema(
  product: Product,
  declarations: readonly Declaration[],
  file: string,
  differences: readonly SchemaDifference[],
): void {
  const theirs = shapesInFile(file);
  const ours = shapesOf(product, declarations);
  const found = [...new Set([...theirs.keys(), ...ours.keys()])]
    .map((path) => [path, theirs.get(path), ours.get(path)] as const)
    .filter(([, their, our]) => their !== our);
  const expected = differences.flatMap(([, their, our, paths]) =>
    paths.map((path) => [path, their, our] as const),
  );
  expect(found.map(String).sort()).toEqual(expected.map(String).sort());
}

function shapesInFile(file: string): Shapes {
  const theirs = JSON.parse(readFileSync(file, "utf8")) as TheirSchema;
  const shapes = shapesOfTheirs("provider", theirs.provider, new Map());
  for (const [type, block] of Object.entries(theirs.resource_schemas)) {
    shapesOfTheirs(type, block, shapes);
  }
  for (const [type, block] of Object.entries(theirs.data_source_schemas)) {
    shapesOfTheirs(`data.${type}`, block, shapes);
  }
  return shapes;
}

function shapesOf(product: Product, declarations: readonly Declaration[]): Shapes {
  const shapes: Shapes = new Map();
  for (const declaration of declarations) {
    const dialect = dialectOf(product, declaration);
    if (dialect === undefined) throw new Error(`${declaration.type} is not in this product`);
    const path = {
      provider: "provider",
      "provider meta": "provider_meta",
      resource: dialect.type,
      "data source": `data.${dialect.type}`,
      "ephemeral resource": `ephemeral.${dialect.type}`,
      "list resource": `list.${dialect.type}`,
      action: `action.${dialect.type}`,
      module: dialect.type,
    };
    const { block } = wireSchema(declaration);
    shapesOfOurs(path[declaration.kind], block, dialect.toProduct, shapes);
  }
  return shapes;
}
