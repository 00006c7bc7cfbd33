import { type Json, Random, type RandomStack } from "./random-stack";

/** A script, or a resource of Terraform's own provider, as a small stack has it. */
interface Part {
  readonly type: "workspace_script" | "terraform_data";
  name: string;
  body: Json;
  /** How it is repeated: `count`, `for_each`, or neither. */
  repeated: Json;
}

/** A small stack while it is made: about the rules of Terraform's core, not about values. */
interface Draft {
  readonly parts: Part[];
  data: Json;
  outputs: Json;
  checks: Json;
  variables: Json;
  moved: Json[];
  removed: Json[];
}

const text = { type: "string" };
const message = "it is not so";

/**
 * Returns the stacks of a seed, which are about the rules of Terraform's core: repetition, moves, removals, lifecycle,
 * dependencies, data sources, outputs, validation and checks.
 */
export function randomRules(seed: number): RandomStack {
  const random = new Random(seed + 7_000_000);
  const draft: Draft = {
    parts: [],
    data: {},
    outputs: {},
    checks: {},
    variables: { name: { ...text, default: "alpha" }, number: { type: "number", default: 2 } },
    moved: [],
    removed: [],
  };
  const count = 2 + random.below(3);
  for (let at = 0; at < count; at += 1) draft.parts.push(part(random, `r${at}`, draft.parts));
  around(random, draft);
  const deployed = stackOf(draft);
  for (const each of [...draft.parts]) change(random, draft, each);
  if (random.chance(0.2)) draft.parts.push(part(random, "added", draft.parts));
  for (const each of draft.parts) lifecycle(random, each, draft.parts);
  if (random.chance(0.6)) around(random, draft);
  if (random.chance(0.15)) {
    draft.variables = { ...draft.variables, number: { type: "number", default: 1 } };
  }
  return { deployed, changed: stackOf(draft) };
}

const address = ({ type, name }: Part): string => `${type}.${name}`;

/** The address of an instance, if it is repeated. */
function instance(random: Random, to: Part): string {
  if ("count" in to.repeated) return `${address(to)}[${random.below(2)}]`;
  if ("for_each" in to.repeated) return `${address(to)}["${random.pick(["a", "b"])}"]`;
  return address(to);
}

function part(random: Random, name: string, before: readonly Part[]): Part {
  const type = random.pick(["workspace_script", "workspace_script", "terraform_data"] as const);
  const body =
    type === "terraform_data"
      ? {
          input: value(random, before),
          ...(random.chance(0.3) && { triggers_replace: value(random, before) }),
        }
      : {
          agent_id: "agent-0",
          display_name: name,
          script: value(random, before),
          run_on_start: true,
        };
  return { type, name, body, repeated: repetition(random) };
}

function repetition(random: Random): Json {
  return random.pick<() => Json>([
    () => ({}),
    () => ({}),
    () => ({ count: random.below(3) }),
    () => ({ count: "${var.number}" }),
    () => ({ count: '${var.name == "alpha" ? 1 : 0}' }),
    () => ({ for_each: { a: 1, b: 2 } }),
    () => ({ for_each: '${toset(["a", "c"])}' }),
    () => ({ for_each: '${{ for n in ["a", "b"] : n => upper(n) if n != var.name }}' }),
  ])();
}

function value(random: Random, before: readonly Part[]): string {
  const plain = ["x", "y", "${var.name}", "${local.joined}", "n-${var.number}"];
  if (before.length === 0 || random.chance(0.5)) return random.pick(plain);
  const to = random.pick(before);
  const attribute =
    to.type === "terraform_data"
      ? random.pick(["output", "id", "input"])
      : random.pick(["id", "script"]);
  const at = instance(random, to);
  return random.pick([
    `\${try(${at}.${attribute}, "none")}`,
    `v-\${can(${at}.${attribute})}`,
    "count" in to.repeated || "for_each" in to.repeated
      ? `\${length(${address(to)})}`
      : `\${${address(to)}.${attribute}}`,
  ]);
}

function change(random: Random, draft: Draft, each: Part): void {
  const nothing = () => undefined;
  random.pick<() => void>([
    nothing,
    nothing,
    () => (each.repeated = repetition(random)),
    () => (each.repeated = repetition(random)),
    () => (each.body = { ...each.body, ...rewritten(random, each, draft.parts) }),
    () => {
      renamed(random, draft, each);
    },
    () => {
      removed(random, draft, each);
    },
    () => {
      const [from, to] = [instance(random, each), instance(random, each)];
      draft.moved.push({ from, to: random.chance(0.5) ? to : `${address(each)}["c"]` });
    },
  ])();
}

function rewritten(random: Random, each: Part, all: readonly Part[]): Json {
  const before = all.slice(0, all.indexOf(each));
  if (each.type === "workspace_script") return { script: value(random, before) };
  return random.chance(0.5)
    ? { input: value(random, before) }
    : { triggers_replace: value(random, before) };
}

function renamed(random: Random, draft: Draft, each: Part): void {
  const from = address(each);
  const name = `${each.name}_new`;
  for (const other of draft.parts) other.body = replaced(other.body, from, `${each.type}.${name}`);
  draft.outputs = replaced(draft.outputs, from, `${each.type}.${name}`);
  draft.data = replaced(draft.data, from, `${each.type}.${name}`);
  draft.checks = replaced(draft.checks, from, `${each.type}.${name}`);
  each.name = name;
  if (random.chance(0.3)) each.repeated = repetition(random);
  if (random.chance(0.8)) draft.moved.push({ from, to: address(each) });
  if (random.chance(0.15)) draft.moved.push({ from: `${from}[0]`, to: instance(random, each) });
}

const replaced = (json: Json, from: string, to: string): Json =>
  JSON.parse(JSON.stringify(json).replaceAll(new RegExp(`${from}\\b`, "g"), to)) as Json;

function removed(random: Random, draft: Draft, each: Part): void {
  const rest = JSON.stringify({ ...draft, parts: draft.parts.filter((one) => one !== each) });
  if (!rest.includes(address(each))) draft.parts.splice(draft.parts.indexOf(each), 1);
  else if (random.chance(0.9)) return;
  if (random.chance(0.5)) {
    const destroy = random.chance(0.5);
    draft.removed.push({ from: address(each), lifecycle: { destroy } });
  }
}

function lifecycle(random: Random, each: Part, all: readonly Part[]): void {
  const others = all.slice(0, all.indexOf(each));
  const own = each.type === "terraform_data" ? "input" : "script";
  const found: Json = {
    ...(random.chance(0.1) && { prevent_destroy: random.pick([true, "true", false]) }),
    ...(random.chance(0.15) && { create_before_destroy: random.pick([true, "true"]) }),
    ...(random.chance(0.15) && { ignore_changes: random.pick([[own], "all", [own], ["nope"]]) }),
    ...(random.chance(0.15) && {
      precondition: condition(random.pick(["${var.number == 2}", '${var.name == "alpha"}'])),
    }),
    ...(random.chance(0.15) && {
      postcondition: condition(random.pick([`\${self.${own} != "y"}`, '${self.id != ""}'])),
    }),
  };
  if (others.length > 0 && random.chance(0.25)) {
    const to = random.pick(others);
    const attribute = to.type === "terraform_data" ? ".output" : ".script";
    const at = random.pick([address(to), instance(random, to)]);
    const isWhole = at === address(to) && Object.keys(to.repeated).length > 0;
    found["replace_triggered_by"] = [`${at}${random.chance(0.5) && !isWhole ? attribute : ""}`];
  }
  if (Object.keys(found).length > 0) each.body = { ...each.body, lifecycle: found };
  if (others.length > 0 && random.chance(0.15)) {
    each.body = {
      ...each.body,
      depends_on: [random.chance(0.95) ? address(random.pick(others)) : "local.none"],
    };
  }
}

const condition = (when: string): Json => ({ condition: when, error_message: message });

/** What is around resources: data sources, outputs, validation and checks. */
function around(random: Random, draft: Draft): void {
  const { parts } = draft;
  const some = () => random.pick(parts);
  draft.data = random.chance(0.5)
    ? {}
    : {
        workspace_workspace: {
          w: {
            ...(random.chance(0.4) && { depends_on: [address(some())] }),
            ...(random.chance(0.2) && { count: random.below(3) }),
            ...(random.chance(0.3) && {
              lifecycle: {
                [random.pick(["precondition", "postcondition"])]: condition(
                  `\${${random.pick(['try(self.name, "") != "z"', `can(${instance(random, some())}.id)`])}}`,
                ),
              },
            }),
          },
        },
      };
  draft.outputs = Object.fromEntries(
    ["o1", "o2", "o3"].slice(random.below(4)).map((name) => [
      name,
      {
        value: random.pick([
          () => value(random, parts),
          () => `\${[${address(some())}]}`,
          () => ({ list: ["${var.number}", value(random, parts)] }),
          () => "${tolist([var.number])}",
          () => '${toset([var.name, "x"])}',
        ])(),
        ...(random.chance(0.2) && { sensitive: true }),
        ...(random.chance(0.2) && { depends_on: [address(some())] }),
        ...(random.chance(0.2) && { precondition: condition("${var.number > 1}") }),
      },
    ]),
  );
  draft.checks = random.chance(0.6)
    ? {}
    : {
        c: {
          assert: condition(
            random.pick(["${var.number == 1}", `\${can(${instance(random, some())}.id)}`]),
          ),
          ...(random.chance(0.3) && { data: { workspace_workspace: { scoped: {} } } }),
        },
      };
  if (random.chance(0.3)) {
    const validation = condition(random.pick(["${var.number > 0}", "${var.number > 1}"]));
    draft.variables = { ...draft.variables, number: { type: "number", default: 2, validation } };
  }
}

function stackOf({ parts, data, outputs, checks, variables, moved, removed }: Draft): object {
  const resource: Record<string, Json> = {};
  for (const { type, name, body, repeated } of parts) {
    resource[type] = { ...resource[type], [name]: { ...body, ...repeated } };
  }
  const named = { resource, data, output: outputs, check: checks };
  const filled = Object.entries(named).filter(([, each]) => Object.keys(each).length > 0);
  return structuredClone({
    variable: variables,
    locals: { joined: '${join("+", ["a", var.name])}', none: "x" },
    ...Object.fromEntries(filled),
    ...(moved.length > 0 && { moved }),
    ...(removed.length > 0 && { removed }),
  });
}
