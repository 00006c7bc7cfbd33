import { isObject, type Properties } from "../json/plain-json";

export type Mode = "managed" | "data";

/** A resource or data source of a configuration, as it is written. */
export interface ResourceBlock {
  readonly mode: Mode;
  readonly type: string;
  readonly name: string;
  /** Without meta-arguments. */
  readonly body: Properties;
  /** Undefined without it; null in the configuration means the same. */
  readonly count: unknown;
  readonly forEach: unknown;
  readonly dependsOn: readonly string[];
  /** The name of the provider's configuration, such as `ids` or `ids.second`. */
  readonly provider: string;
  readonly lifecycle: Properties;
  /** The path of its construct, which cdktf adds to each block. */
  readonly constructPath: string | undefined;
}

/** A `moved` block, with addresses as they are written. */
export interface MovedBlock {
  readonly from: string;
  readonly to: string;
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
  readonly locals: ReadonlyMap<string, unknown>;
  readonly outputs: ReadonlyMap<string, Properties>;
  readonly modules: ReadonlyMap<string, Properties>;
  readonly moved: readonly MovedBlock[];
  /** The addresses that `import` blocks name. */
  readonly imports: readonly { readonly to: string; readonly id: unknown }[];
  /** The addresses that `removed` blocks name. */
  readonly removed: readonly { readonly from: string; readonly isDestroyed: boolean }[];
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
  const root = properties(json);
  const terraform = merged(root["terraform"]);
  const required = merged(terraform["required_providers"]);
  return {
    resources: new Map([...resourcesIn(root, "managed"), ...resourcesIn(root, "data")]),
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
    variables: blocksIn(root["variable"]),
    locals: new Map(Object.entries(merged(root["locals"])).filter(([name]) => name !== "//")),
    outputs: blocksIn(root["output"]),
    modules: blocksIn(root["module"]),
    moved: bodies(root["moved"]).map(({ from, to }) => ({ from: String(from), to: String(to) })),
    imports: bodies(root["import"]).map(({ to, id }) => ({ to: String(to), id })),
    removed: bodies(root["removed"]).map(({ from, lifecycle }) => ({
      from: String(from),
      isDestroyed: merged(lifecycle)["destroy"] !== false,
    })),
  };
}

/** The address of a resource in the configuration. */
export const blockAddress = ({
  mode,
  type,
  name,
}: Pick<ResourceBlock, "mode" | "type" | "name">) =>
  mode === "data" ? `data.${type}.${name}` : `${type}.${name}`;

function resourcesIn(root: Properties, mode: Mode): readonly (readonly [string, ResourceBlock])[] {
  return Object.entries(merged(root[mode === "data" ? "data" : "resource"])).flatMap(
    ([type, named]) =>
      Object.entries(merged(named)).flatMap(([name, written]) => {
        if (name === "//") return [];
        const [body = {}] = bodies(written);
        const block = resourceBlock(mode, type, name, body);
        return [[blockAddress(block), block] as const];
      }),
  );
}

function resourceBlock(mode: Mode, type: string, name: string, body: Properties): ResourceBlock {
  const { provider, depends_on: dependsOn } = body;
  const { path } = properties(properties(body["//"])["metadata"]);
  return {
    mode,
    type,
    name,
    body: without(body, metaArguments),
    count: body["count"] ?? undefined,
    forEach: body["for_each"] ?? undefined,
    dependsOn: Array.isArray(dependsOn) ? dependsOn.map(String) : [],
    provider: typeof provider === "string" ? provider : (type.split("_")[0] ?? type),
    lifecycle: merged(body["lifecycle"]),
    constructPath: typeof path === "string" ? path : undefined,
  };
}

const blocksIn = (blocks: unknown): ReadonlyMap<string, Properties> =>
  new Map(
    Object.entries(merged(blocks)).flatMap(([name, body]) =>
      name === "//" ? [] : [[name, bodies(body)[0] ?? {}] as const],
    ),
  );

const properties = (value: unknown): Properties => (isObject(value) ? value : {});

/** The bodies of blocks, which are an object or a list of objects. */
export function bodies(value: unknown): readonly Properties[] {
  if (Array.isArray(value)) return value.filter(isObject);
  return isObject(value) ? [value] : [];
}

const without = (body: Properties, names: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Merges the bodies of blocks of one kind. */
export const merged = (value: unknown): Properties =>
  Object.assign({}, ...bodies(value)) as Properties;
