import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dialectOf } from "../../../src/construct/product/dialect";
import type { Declaration } from "../../../src/schema";
import { wireSchema, type WireBlock } from "../../../src/schema/wire-schema";
import { attest } from "../../../src/signing/attest/declare";
import { copy } from "../../../src/signing/copy/declare";
import { verify } from "../../../src/signing/verify/declare";
import { signingProvider } from "../../../src/signing/provider/declare";
import { sign } from "../../../src/signing/sign/declare";
import { products } from "../../../src/signing/product";

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

const theirs = JSON.parse(readFileSync(join(__dirname, "cosign-schema.json"), "utf8")) as {
  readonly provider: TheirBlock;
  readonly resource_schemas: Schemas;
  readonly data_source_schemas: Schemas;
};

/** A description of each path: `cosign_attest.predicates.type` is `string required`. */
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

function shapesOfOurs(path: string, block: WireBlock, shapes: Shapes): Shapes {
  for (const { name, type, ...presence } of block.attributes) {
    shapes.set(`${path}.${name}`, attributeShape(type, presence));
  }
  for (const { name, nesting, minItems, maxItems, block: inner } of block.blocks) {
    shapes.set(`${path}.${name}`, `${nesting} of ${minItems} to ${maxItems}`);
    shapesOfOurs(`${path}.${name}`, inner, shapes);
  }
  return shapes;
}

function attributeShape(type: unknown, presence: Omit<TheirAttribute, "type">): string {
  const words = ["required", "optional", "computed", "sensitive", "deprecated"] as const;
  return [String(type), ...words.filter((word) => presence[word] === true)].join(" ");
}

/** Where we differ, by the reason, as [theirs, ours]. */
const exceptions: readonly (readonly [
  reason: string,
  theirs: string | undefined,
  ours: string | undefined,
  paths: readonly string[],
])[] = [
  [
    "Our settings: the product refuses them.",
    undefined,
    "string optional",
    [
      "provider.key",
      "cosign_sign.key",
      "cosign_attest.key",
      "provider.fulcio_url",
      "provider.rekor_url",
      "provider.signing_config",
      "provider.timestamp_url",
      "provider.trusted_root",
      "provider.registry.username",
    ],
  ],
  ["The same for a flag.", undefined, "bool optional", ["provider.insecure_ignore_sct"]],
  ["The same for a flag.", undefined, "bool optional", ["provider.transparency_log"]],
  ["The same for a flag.", undefined, "bool optional", ["provider.skip_without_identity"]],
  ["The same for a flag.", undefined, "bool optional", ["provider.registry.plain_http"]],
  ["The same for a block.", undefined, "list of 0 to 0", ["provider.registry"]],
  ["The same in a block.", undefined, "string required", ["provider.registry.host"]],
  [
    "The same for secrets.",
    undefined,
    "string optional sensitive",
    ["provider.identity_token", "provider.registry.password"],
  ],
  [
    "Our output for what is left unsigned.",
    undefined,
    "bool computed",
    ["cosign_attest.skipped", "cosign_sign.skipped"],
  ],
  [
    "Theirs copies all platforms, and sets no tags.",
    undefined,
    "list,string optional",
    ["cosign_copy.tags", "cosign_copy.platforms"],
  ],
  [
    "A file has both: theirs says so while planning, ours in the schema.",
    "string optional",
    "string required",
    [
      "cosign_attest.predicate_file.path",
      "cosign_attest.predicate_file.sha256",
      "cosign_attest.predicates.file.path",
      "cosign_attest.predicates.file.sha256",
    ],
  ],
  [
    "A block has one file: the same.",
    "list of 0 to 0",
    "list of 0 to 1",
    ["cosign_attest.predicate_file", "cosign_attest.predicates.file"],
  ],
];

const allTheirs = new Map([
  ...shapesOfTheirs("provider", theirs.provider, new Map()),
  ...Object.entries(theirs.resource_schemas).flatMap(([type, block]) => [
    ...shapesOfTheirs(type, block, new Map()),
  ]),
  ...Object.entries(theirs.data_source_schemas).flatMap(([type, block]) => [
    ...shapesOfTheirs(`data.${type}`, block, new Map()),
  ]),
]);

const declarations: readonly Declaration[] = [signingProvider, attest, copy, sign, verify];

const allOurs = new Map(
  declarations.flatMap((declaration) => {
    const dialect = dialectOf(products.cosign, declaration);
    if (dialect === undefined) throw new Error(`cosign does not speak ${declaration.type}`);
    const path = {
      provider: "provider",
      resource: dialect.type,
      "data source": `data.${dialect.type}`,
    };
    return [...shapesOfOurs(path[declaration.kind], wireSchema(declaration).block, new Map())];
  }),
);

test("every name and type matches cosign's provider, except listed differences with a reason", () => {
  const paths = [...new Set([...allTheirs.keys(), ...allOurs.keys()])];
  const differences = paths
    .map((path) => [path, allTheirs.get(path), allOurs.get(path)] as const)
    .filter(([, their, our]) => their !== our);
  const expected = exceptions.flatMap(([, their, our, all]) =>
    all.map((path) => [path, their, our] as const),
  );
  expect(differences.map(String).sort()).toEqual(expected.map(String).sort());
});
