/** A plan or a state as Terraform prints it, with the graph of the template. */
export interface RandomTemplate {
  readonly modules: readonly object[];
  readonly graph: string;
}

type Random = (below: number) => number;

/** The same seed always gives the same numbers. */
function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

interface Node {
  /** With the path of the module, but without the keys of instances. */
  readonly label: string;
  readonly module: string;
  readonly type: string;
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** `undefined` without `count`. */
  readonly count: number | undefined;
}

const hosts = ["terraform_data", "docker_container", "coder_external_agent"];
const parts = ["coder_app", "coder_env", "coder_script", "coder_devcontainer"];

/**
 * Makes a template with agents, machines, parts and metadata, in the root module and in others, with and without
 * `count`, which depend on one another directly, through locals, and through inputs and outputs of modules.
 */
export function randomTemplate(seed: number): RandomTemplate {
  const random = randomOf(seed);
  const often = (share: number) => random(100) < share;
  const pick = <Value>(all: readonly Value[]): Value => all[random(all.length)] as Value;
  const isState = often(50);
  const modules = new Map<string, number | undefined>([["", undefined]]);
  for (const name of ["a", "b"].slice(0, random(3))) {
    modules.set(`module.${name}`, often(35) ? random(3) : undefined);
    if (often(30)) modules.set(`module.${name}.module.c`, often(30) ? 1 : undefined);
  }
  const nodes: Node[] = [];
  const edges = new Set<string>();
  const edge = (from: string, to: string) => edges.add(`"[root] ${from}" -> "[root] ${to}"`);
  const anyModule = () => (often(65) ? "" : pick([...modules.keys()]));
  const add = (type: string, name: string, values: Node["values"] = {}) => {
    const module = anyModule();
    const label = `${module === "" ? "" : `${module}.`}${type}.${name}`;
    if (nodes.some((node) => node.label === label)) return undefined;
    const count = often(15) ? random(3) : undefined;
    const node = { label, module, type, name, values, count };
    nodes.push(node);
    return node;
  };
  /** Makes a node depend on another one, which was made before. */
  const depend = (from: Node, to: Node) => {
    const [source, target] = [`${from.label} (expand)`, `${to.label} (expand)`];
    if (from.module === to.module) {
      if (often(70)) return edge(source, target);
      const local = `${from.module === "" ? "" : `${from.module}.`}local.${from.name}${to.name} (expand)`;
      edge(source, local);
      return edge(local, target);
    }
    let at = source;
    if (from.module !== "") {
      const variable = `${from.module}.var.${to.name} (expand)`;
      edge(at, variable);
      edge(variable, `${from.module} (expand)`);
      at = variable;
    }
    if (to.module !== "") {
      const output = `${to.module}.output.${to.name} (expand)`;
      edge(at, output);
      at = output;
    }
    return edge(at, target);
  };

  const agents = ["main", "dev", "gpu", often(6) ? "my_agent" : "aux", often(4) ? "Main" : "bot"]
    .slice(0, 1 + random(5))
    .flatMap((name) => add("coder_agent", name) ?? []);
  const idOf = new Map(agents.map((agent) => [agent, isState ? `id-${agent.label}` : undefined]));
  const machines: Node[] = [];
  for (let at = 0; at <= random(4); at += 1) {
    const machine = add(pick(hosts), `m${at}`);
    if (machine === undefined) continue;
    for (const agent of agents) if (often(45)) depend(machine, agent);
    for (const other of machines) if (often(25)) depend(machine, other);
    machines.push(machine);
  }
  const containers: Node[] = [];
  for (let at = 0; at < random(9); at += 1) {
    const agent = pick(agents);
    const type = pick(parts);
    const isInner = containers.length > 0 && often(25);
    const slug = often(4) ? pick(["Web", "web_1", "", "same"]) : `s${at}`;
    const part = add(type, `p${at}`, {
      ...(isState ? { agent_id: isInner ? "id-of-subagent" : idOf.get(agent) } : {}),
      ...(type === "coder_app" ? { slug } : {}),
      ...(type === "coder_env" ? { name: `E${at}`, value: "1" } : {}),
      ...(type === "coder_script" ? { display_name: `S${at}`, run_on_start: true } : {}),
      ...(type === "coder_devcontainer" ? { workspace_folder: `/${at}` } : {}),
    });
    if (part === undefined) continue;
    depend(part, isInner ? pick(containers) : agent);
    if (type === "coder_devcontainer") containers.push(part);
  }
  for (let at = 0; at < random(4); at += 1) {
    const metadata = add("coder_metadata", `d${at}`, {
      hide: often(30),
      icon: often(30) ? `/icon/${at}.svg` : "",
      daily_cost: random(20),
      item: [{ key: `k${at}`, value: "v", sensitive: often(20), is_null: false }],
    });
    if (metadata === undefined) continue;
    for (const target of [...machines, ...agents]) if (often(25)) depend(metadata, target);
  }
  const named = nodes.map(({ label, type, name }) => [label, type, name] as const);
  for (const [label] of named) edge(`${label} (expand)`, 'provider[\\"example.com/a/b\\"]');
  const lines = named.map(
    ([label]) => `"[root] ${label} (expand)" [label = "${label}", shape = "box"]`,
  );
  return {
    modules: [rootModule(nodes, modules, idOf)],
    graph: `digraph {\n\tsubgraph "root" {\n${[...lines, ...edges].map((line) => `\t\t${line}`).join("\n")}\n\t}\n}\n`,
  };
}

/** The module in the format of `terraform show -json`, with one resource for each instance. */
function rootModule(
  nodes: readonly Node[],
  modules: ReadonlyMap<string, number | undefined>,
  idOf: ReadonlyMap<Node, string | undefined>,
): object {
  const instances = (module: string): readonly string[] => {
    if (module === "") return [""];
    const parent = module.includes(".module.") ? module.slice(0, module.indexOf(".module.")) : "";
    const own = parent === "" ? module : module.slice(parent.length + 1);
    const count = modules.get(module);
    const keys = count === undefined ? [""] : Array.from({ length: count }, (_, key) => `[${key}]`);
    return instances(parent).flatMap((outer) =>
      keys.map((key) => `${outer === "" ? "" : `${outer}.`}${own}${key}`),
    );
  };
  const resourcesOf = (module: string, path: string) =>
    nodes
      .filter((node) => node.module === module)
      .flatMap((node) => {
        const { type, name, values, count } = node;
        const keys =
          count === undefined ? [""] : Array.from({ length: count }, (_, key) => `[${key}]`);
        const id = idOf.get(node);
        return keys.map((key) => ({
          address: `${path === "" ? "" : `${path}.`}${type}.${name}${key}`,
          mode: "managed",
          type,
          name,
          values: {
            ...values,
            ...(id === undefined ? {} : { id }),
            ...(type === "coder_agent" ? { os: "linux", arch: "amd64", auth: "token" } : {}),
          },
        }));
      });
  return {
    resources: resourcesOf("", ""),
    child_modules: [...modules.keys()]
      .filter((module) => module !== "")
      .flatMap((module) =>
        instances(module).map((path) => ({ address: path, resources: resourcesOf(module, path) })),
      ),
  };
}
