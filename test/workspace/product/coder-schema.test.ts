import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dialectOf } from "../../../src/construct/product/dialect";
import type { Vocabulary } from "../../../src/construct/product/vocabulary";
import type { Declaration } from "../../../src/schema";
import { wireSchema, type WireBlock } from "../../../src/schema/wire-schema";
import { workspaceProvider } from "../../../src/workspace/provider/declare";
import { products } from "../../../src/workspace/product";
import { provider } from "../../../src/workspace/provider-definition";

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

const theirs = JSON.parse(readFileSync(join(__dirname, "coder-schema.json"), "utf8")) as {
  readonly provider: TheirBlock;
  readonly resource_schemas: Schemas;
  readonly data_source_schemas: Schemas;
};

/** A description of each path: `agent.metadata.key` is `string required`. */
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
  for (const { name, type, nested, ...presence } of block.attributes) {
    const objects = nested && [
      nested.nesting,
      ["object", Object.fromEntries(nested.attributes.map((each) => [each.name, each.type]))],
    ];
    shapes.set(spelt(name), attributeShape(type ?? objects, presence));
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

/** The differences by reason, as [theirs, ours]. */
const exceptions: readonly (readonly [
  reason: string,
  theirs: string | undefined,
  ours: string | undefined,
  paths: readonly string[],
])[] = [
  [
    "Their framework lets every type set an id and refuses it later; ours reports it in the schema.",
    "string optional computed",
    "string computed",
    [
      "coder_agent.id",
      "coder_agent_instance.id",
      "coder_app.id",
      "coder_devcontainer.id",
      "coder_env.id",
      "coder_external_agent.id",
      "coder_metadata.id",
      "coder_script.id",
      "data.coder_parameter.id",
      "data.coder_provisioner.id",
      "data.coder_secret.id",
      "data.coder_workspace_tags.id",
    ],
  ],
  [
    "Their default is filled in unseen; with the protocol that we speak its attribute is computed too.",
    "string optional",
    "string optional computed",
    [
      "coder_agent.api_key_scope",
      "coder_agent.auth",
      "coder_agent.startup_script_behavior",
      "coder_app.open_in",
      "coder_app.share",
      "coder_env.merge_strategy",
      "data.coder_parameter.form_type",
      "data.coder_parameter.styling",
      "data.coder_parameter.type",
    ],
  ],
  [
    "The same for a flag.",
    "bool optional",
    "bool optional computed",
    [
      "coder_agent.display_apps.port_forwarding_helper",
      "coder_agent.display_apps.ssh_helper",
      "coder_agent.display_apps.vscode",
      "coder_agent.display_apps.vscode_insiders",
      "coder_agent.display_apps.web_terminal",
      "coder_app.external",
      "coder_app.hidden",
      "coder_metadata.item.sensitive",
      "coder_script.run_on_start",
      "coder_script.run_on_stop",
      "coder_script.start_blocks_login",
      "data.coder_parameter.ephemeral",
      "data.coder_parameter.mutable",
      "data.coder_workspace_preset.default",
    ],
  ],
  [
    "The same for a number.",
    "number optional",
    "number optional computed",
    ["coder_agent.connection_timeout", "coder_script.timeout"],
  ],
  [
    "Ours accepts metadata without a resource and warns: the specification leaves it open.",
    "string required",
    "string optional",
    ["coder_metadata.resource_id"],
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

const declarations: readonly Declaration[] = [
  workspaceProvider,
  ...provider.resources.map(({ declaration }) => declaration),
  ...(provider.dataSources ?? []).map(({ declaration }) => declaration),
];

const allOurs = new Map(
  declarations.flatMap((declaration) => {
    const dialect = dialectOf(products.coder, declaration);
    if (dialect === undefined) throw new Error(`coder does not speak ${declaration.type}`);
    const path = {
      provider: "provider",
      resource: dialect.type,
      "data source": `data.${dialect.type}`,
    };
    const { block } = wireSchema(declaration);
    return [...shapesOfOurs(path[declaration.kind], block, dialect.toProduct, new Map())];
  }),
);

test("every name and type matches coder's provider, except listed differences with a reason", () => {
  const paths = [...new Set([...allTheirs.keys(), ...allOurs.keys()])];
  const differences = paths
    .map((path) => [path, allTheirs.get(path), allOurs.get(path)] as const)
    .filter(([, their, our]) => their !== our);
  const expected = exceptions.flatMap(([, their, our, all]) =>
    all.map((path) => [path, their, our] as const),
  );
  expect(differences.map(String).sort()).toEqual(expected.map(String).sort());
});
