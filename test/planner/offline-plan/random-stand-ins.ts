import { type Json, Random, type RandomStack } from "./random-stack";

/**
 * Values of the variables, which only Terraform is given: an offline plan must tell by the expressions alone what changes.
 * So no two of them have the same value by chance.
 */
export const hiddenValues = {
  one: "Alpha-x1",
  two: "Beta-x2",
  texts: ["List-x3", "List-x4"],
  numbers: ["11", "12"],
  more: ["11", "13"],
  object: { name: "Name-x5", id: "Id-x6" },
  labels: { team: "team-x7" },
  others: { team: "team-x8" },
};

const texts = ["var.one", "var.two", "var.object.name", 'var.object["id"]', "var.texts[1]"];

const forms: readonly ((text: string) => string)[] = [
  (text) => `\${${text}}`,
  (text) => `\${upper(${text})}`,
  (text) => `\${lower(${text})}`,
  (text) => `p/\${${text}}`,
  (text) => `q/\${${text}}`,
  (text) => `\${replace(${text}, "x", "y")}`,
  (text) => `\${replace(${text}, "x", "z")}`,
  (text) => `\${sha256(${text})}`,
  (text) => `\${format("%s/%s", ${text}, var.one)}`,
  // What is almost the same differs in the branch that Terraform takes.
  (text) => `c-\${var.one == "a" ? ${text} : upper(${text})}`,
  (text) => `d-\${var.one == "a" ? lower(${text}) : upper(${text})}`,
  (text) => `\${join(",", [for each in var.texts : "\${each}+\${${text}}"])}`,
  (text) => `\${join(";", concat(var.texts, [${text}]))}`,
  (text) => `\${jsonencode({ a = ${text}, b = var.numbers })}`,
];

/** The same values in other words. */
const synonyms: Readonly<Record<string, string>> = {
  "${var.one}": "${local.one}",
  "${upper(var.two)}": "${local.loud}",
  "${var.object.name}": '${var.object["name"]}',
  "${lower(var.one)}": "${lower(local.one)}",
};

/** What makes another value of an expression that looks almost the same. */
const swaps = [
  ["upper(", "lower("],
  ['"y")', '"z")'],
  ["p/", "q/"],
  ["texts[1]", "texts[0]"],
  ["var.one", "var.two"],
  [".name", '["id"]'],
] as const;

function almost(text: string): string | undefined {
  const found = swaps.find(([one]) => text.includes(one));
  return found && text.replaceAll(found[0], found[1]);
}

interface Part {
  readonly type: string;
  readonly name: string;
  readonly count: number | undefined;
  readonly body: Json;
}

function textOf(random: Random, before: readonly Part[]): string {
  const scripts = before.filter(
    ({ type, count }) => type !== "ids_endpoint" && count === undefined,
  );
  if (scripts.length === 0 || random.chance(0.75)) {
    return random.pick(forms)(random.pick(texts));
  }
  const { type, name } = random.pick(scripts);
  const attribute = random.pick(["id", type === "workspace_env" ? "value" : "script"]);
  return random.pick(["", "r/"]) + `\${${type}.${name}.${attribute}}`;
}

function made(random: Random, at: number, seed: number, before: readonly Part[]): Part {
  const type = random.pick(["workspace_script", "workspace_env", "ids_endpoint"]);
  const count = random.chance(0.25) ? 1 + random.below(3) : undefined;
  const text = textOf(random, before);
  const bodies: Readonly<Record<string, Json>> = {
    workspace_script: { agent_id: "a", display_name: `s${at}`, run_on_start: true, script: text },
    workspace_env: { agent_id: random.chance(0.2) ? text : "a", name: `E${at}`, value: text },
    ids_endpoint: {
      endpoint_id: `e${seed}-${at}${count === undefined ? "" : "-${count.index}"}`,
      network: "projects/p/global/networks/n",
      severity: "LOW",
      description: text,
      ...(random.chance(0.5) && { threat_exceptions: "${var.numbers}" }),
      ...(random.chance(0.5) && { labels: "${var.labels}" }),
    },
  };
  return { type, name: `r${at}`, count, body: bodies[type] ?? {} };
}

/** What a commit makes of a part: most of it stays, sometimes in other words. */
function changed(random: Random, part: Part, before: readonly Part[]): Part {
  const body: Json = { ...part.body };
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== "string" || !value.includes("${") || name === "endpoint_id") continue;
    if (random.chance(0.6)) body[name] = synonyms[value] ?? value;
    else if (value === "${var.numbers}") body[name] = "${var.more}";
    else if (value === "${var.labels}") body[name] = "${var.others}";
    else body[name] = (random.chance(0.6) ? almost(value) : undefined) ?? textOf(random, before);
  }
  if (part.type === "ids_endpoint" && random.chance(0.2)) body["severity"] = "HIGH";
  const isResized = part.count !== undefined && random.chance(0.3);
  return { ...part, body, count: isResized ? 1 + random.below(3) : part.count };
}

function stackOf(parts: readonly Part[]): object {
  const resource: Record<string, Json> = {};
  for (const { type, name, count, body } of parts) {
    (resource[type] ??= {})[name] = { ...body, ...(count !== undefined && { count }) };
  }
  const outputs = parts.filter(({ type }) => type === "workspace_env");
  return {
    variable: {
      one: { type: "string" },
      two: { type: "string" },
      texts: { type: "list(string)" },
      numbers: { type: "list(string)" },
      more: { type: "list(string)" },
      object: { type: "object({ name = string, id = string })" },
      labels: { type: "map(string)" },
      others: { type: "map(string)" },
    },
    locals: { one: "${var.one}", loud: "${upper(var.two)}" },
    // Terraform refuses an empty section.
    ...(parts.length > 0 && { resource }),
    ...(outputs.length > 0 && {
      output: Object.fromEntries(outputs.map(({ name, body }) => [name, { value: body["value"] }])),
    }),
  };
}

/** Stacks whose values are not known without a deployment. */
export function randomStandIns(seed: number): RandomStack {
  const random = new Random(seed);
  const parts: Part[] = [];
  for (let at = 2 + random.below(5); at > 0; at -= 1) {
    parts.push(made(random, parts.length, seed, parts));
  }
  const later = parts.map((part, at) => changed(random, part, parts.slice(0, at)));
  const kept = later.filter(
    ({ name }) => JSON.stringify(later).includes(`.${name}.`) || !random.chance(0.1),
  );
  return { deployed: stackOf(parts), changed: stackOf(kept) };
}
