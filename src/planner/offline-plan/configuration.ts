import { isObject, type Properties, propertiesOf } from "../../core/json/plain-json";
import { instanceAddress, parseTarget, type Target, type Traversal } from "./address";
import { bodies, merged, without } from "./body";
import { type ConfigurationFault, type Lifecycle, MetaArguments } from "./meta-arguments";

export type Mode = "managed" | "data";

export interface ResourceBlock {
  readonly mode: Mode;
  readonly type: string;
  readonly name: string;
  /** Without meta-arguments. */
  readonly body: Properties;
  readonly count: unknown;
  readonly forEach: unknown;
  readonly dependsOn: readonly Traversal[];
  /** The name of the provider's configuration, such as `ids` or `ids.second`. */
  readonly provider: string;
  readonly lifecycle: Lifecycle;
  /** True for a data source that only a `check` block uses. */
  readonly isInCheck: boolean;
  /** The path of its construct, from the metadata that cdktf adds. */
  readonly constructPath: string | undefined;
}

/** The call of a module. The content of modules is not read. */
export type ModuleCall = Pick<ResourceBlock, "count" | "forEach" | "dependsOn">;

export interface MovedBlock {
  readonly from: Target;
  readonly to: Target;
}

/** A synthesized stack: the blocks of Terraform's JSON syntax. */
export interface Configuration {
  /** By address, such as `ids_endpoint.edge` or `data.workspace_me.me`. */
  readonly resources: ReadonlyMap<string, ResourceBlock>;
  /** Settings by the name of the provider's configuration. */
  readonly providers: ReadonlyMap<string, Properties>;
  /** Source addresses by local name. */
  readonly sources: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, Properties>;
  /** True if it has ephemeral resources or variables. */
  readonly hasEphemeral: boolean;
  readonly locals: ReadonlyMap<string, unknown>;
  readonly outputs: ReadonlyMap<string, Properties>;
  /** The assertions of `check` blocks, by name. */
  readonly checks: ReadonlyMap<string, readonly Properties[]>;
  /** By address, such as `module.net`. */
  readonly modules: ReadonlyMap<string, ModuleCall>;
  readonly moved: readonly MovedBlock[];
  readonly imports: readonly { readonly to: string; readonly id: unknown }[];
  readonly removed: readonly { readonly from: Target; readonly isDestroyed: boolean }[];
  /** Errors for which Terraform would fail before it plans. */
  readonly faults: readonly ConfigurationFault[];
}

const metaArguments = [
  "//",
  "count",
  "for_each",
  "depends_on",
  "provider",
  "lifecycle",
  "connection",
  "provisioner",
];

/**
 * Reads the parsed content of a synthesized stack, such as `cdk.tf.json`.
 *
 * @param json an object in Terraform's JSON syntax
 */
export function readConfiguration(json: unknown): Configuration {
  const root = propertiesOf(json);
  const meta = new MetaArguments();
  const required = merged(bodies(root["terraform"]).map((each) => each["required_providers"]));
  const variables = withFlags(meta, "var", blocksIn(root["variable"]));
  const checks = blocksIn(root["check"]);
  return {
    resources: new Map([
      ...resourcesIn(meta, root, "managed"),
      ...resourcesIn(meta, root, "data"),
      ...[...checks.values()].flatMap((check) =>
        resourcesIn(meta, check, "data").map(
          ([address, block]) => [address, { ...block, isInCheck: true }] as const,
        ),
      ),
    ]),
    checks: new Map([...checks].map(([name, { assert }]) => [name, bodies(assert)])),
    providers: new Map(
      Object.entries(merged(root["provider"])).flatMap(([name, settings]) =>
        bodies(settings).map((body) => {
          const { alias } = body;
          const rest = without(body, ["alias", "//"]);
          return [typeof alias === "string" ? `${name}.${alias}` : name, rest] as const;
        }),
      ),
    ),
    sources: new Map(
      Object.entries(required).map(([name, requirement]) => {
        const source = isObject(requirement) ? requirement["source"] : undefined;
        return [name, typeof source === "string" ? source : `hashicorp/${name}`];
      }),
    ),
    variables,
    hasEphemeral:
      "ephemeral" in root || [...variables.values()].some((each) => each["ephemeral"] === true),
    locals: new Map(Object.entries(merged(root["locals"])).filter(([name]) => name !== "//")),
    outputs: withFlags(meta, "output", blocksIn(root["output"])),
    modules: new Map(
      [...blocksIn(root["module"])].map(([name, body]) => {
        const address = `module.${name}`;
        return [address, repetition(meta, address, body)];
      }),
    ),
    moved: bodies(root["moved"]).flatMap((block) => movedBlock(meta, block)),
    imports: bodies(root["import"]).map(({ to, id }) => ({ to: importedAddress(to), id })),
    removed: bodies(root["removed"]).flatMap((block) => removedBlock(meta, block)),
    faults: meta.faults,
  };
}

/** The source address of Terraform's built-in provider, whose configuration is never required by name. */
export const builtinSource = "terraform.io/builtin/terraform";

/** The source address of a provider, by the name of its configuration. */
export function sourceOf({ sources }: Configuration, name: string): string {
  const [local = ""] = name.split(".");
  return local === "terraform" ? builtinSource : (sources.get(local) ?? `hashicorp/${local}`);
}

export const blockAddress = ({ mode, type, name }: Pick<ResourceBlock, "mode" | "type" | "name">) =>
  mode === "data" ? `data.${type}.${name}` : `${type}.${name}`;

function resourcesIn(
  meta: MetaArguments,
  root: Properties,
  mode: Mode,
): readonly (readonly [string, ResourceBlock])[] {
  return Object.entries(merged(root[mode === "data" ? "data" : "resource"])).flatMap(
    ([type, named]) =>
      Object.entries(merged(named)).flatMap(([name, written]) => {
        if (name === "//") return [];
        const [body = {}] = bodies(written);
        const block = resourceBlock(meta, { mode, type, name }, body);
        return [[blockAddress(block), block] as const];
      }),
  );
}

function resourceBlock(
  meta: MetaArguments,
  identity: Pick<ResourceBlock, "mode" | "type" | "name">,
  body: Properties,
): ResourceBlock {
  const address = blockAddress(identity);
  const { provider, lifecycle } = body;
  const { path } = propertiesOf(propertiesOf(body["//"])["metadata"]);
  return {
    ...identity,
    body: without(body, metaArguments),
    ...repetition(meta, address, body),
    isInCheck: false,
    provider: meta.provider(address, identity.type, provider),
    lifecycle: meta.lifecycle(address, lifecycle, identity.mode === "managed"),
    constructPath: typeof path === "string" ? path : undefined,
  };
}

function repetition(meta: MetaArguments, address: string, body: Properties): ModuleCall {
  const { count, for_each: forEach, depends_on: dependsOn } = body;
  if (count !== undefined && forEach !== undefined) {
    meta.fault(address, "count", "count and for_each must not both be set. Remove one of them.");
  }
  return { count, forEach, dependsOn: meta.references(address, dependsOn) };
}

function movedBlock(meta: MetaArguments, block: Properties): readonly MovedBlock[] {
  onlyArguments(meta, "moved", block, ["from", "to"]);
  const from = meta.target("moved", "from", block["from"]);
  const to = meta.target("moved", "to", block["to"]);
  if (from === undefined || to === undefined) return [];
  if ((from.resource === undefined) === (to.resource === undefined)) return [{ from, to }];
  const names = `${addressOf(from)} and ${addressOf(to)}`;
  meta.fault("moved", "to", `from and to must both be resources, or both modules (got ${names}).`);
  return [];
}

function removedBlock(meta: MetaArguments, block: Properties): Configuration["removed"] {
  onlyArguments(meta, "removed", block, ["from", "lifecycle", "connection", "provisioner"]);
  const { destroy } = merged(block["lifecycle"]);
  const isDestroyed = meta.flag("removed", "lifecycle.destroy", destroy, true);
  const from = meta.target("removed", "from", block["from"]);
  if (from === undefined) return [];
  if (from.key === undefined && from.resource?.mode !== "data") return [{ from, isDestroyed }];
  const detail =
    from.key === undefined
      ? `removed names the data source ${from.block}, of which the state keeps nothing. Remove this block.`
      : `removed must name a whole resource. Write ${from.block} instead of ${addressOf(from)}.`;
  meta.fault("removed", "from", detail);
  return [];
}

function onlyArguments(
  meta: MetaArguments,
  block: string,
  body: Properties,
  known: readonly string[],
): void {
  for (const name of Object.keys(without(body, ["//", ...known]))) {
    meta.fault(block, name, `A ${block} block can contain ${known.join(", ")}, but not "${name}".`);
  }
}

const addressOf = ({ block, key }: Target): string => instanceAddress(block, key);

/** The address in an `import` block in the form of the state, or an expression as it is written. */
function importedAddress(to: unknown): string {
  const target = parseTarget(to);
  return target === undefined ? String(to) : addressOf(target);
}

const withFlags = (
  meta: MetaArguments,
  kind: string,
  blocks: ReadonlyMap<string, Properties>,
): ReadonlyMap<string, Properties> =>
  new Map(
    [...blocks].map(([name, body]) => {
      const flag = (attribute: string, fallback: boolean) =>
        meta.flag(`${kind}.${name}`, attribute, body[attribute], fallback);
      const [sensitive, ephemeral] = [flag("sensitive", false), flag("ephemeral", false)];
      return [name, { ...body, sensitive, ephemeral, nullable: flag("nullable", true) }];
    }),
  );

const blocksIn = (blocks: unknown): ReadonlyMap<string, Properties> =>
  new Map(
    Object.entries(merged(blocks)).flatMap(([name, body]) =>
      name === "//" ? [] : [[name, bodies(body)[0] ?? {}] as const],
    ),
  );
