/** Random stacks in Terraform's JSON syntax: what is deployed, and what a commit makes of it. */
export interface RandomStack {
  readonly deployed: object;
  readonly changed: object;
}

export type Json = Record<string, unknown>;

/** Random numbers that a seed repeats. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0;
  }

  /** A number from 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: readonly T[]): T {
    const found = values[this.below(values.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  }
}

/** A resource as the generator knows it. */
interface Generated {
  readonly type: string;
  name: string;
  body: Json;
  repetition: "none" | "count" | "for_each";
  size: number;
}

/** Returns the stacks of a seed: the same for the same seed. */
export function randomStack(seed: number): RandomStack {
  const random = new Random(seed);
  const resources: Generated[] = [];
  const size = 2 + random.below(6);
  for (let at = 0; at < size; at += 1) resources.push(generated(random, at, resources, seed));
  const deployed = stackOf(random, resources, [], "deployed");
  const moves: Json[] = [];
  const later = resources.map((each) => ({ ...each, body: structuredClone(each.body) }));
  const kept = later.filter((each) => {
    if (random.chance(0.08)) return isReferred(each, later);
    if (random.chance(0.1)) renamed(random, each, later, moves);
    for (let count = random.below(3); count > 0; count -= 1) changed(random, each);
    if (random.chance(0.12)) resized(random, each);
    lifecycle(random, each, later);
    return true;
  });
  if (random.chance(0.3)) kept.push(generated(random, size, kept, seed));
  return { deployed, changed: stackOf(random, kept, moves, "changed") };
}

const isReferred = (each: Generated, all: readonly Generated[]): boolean =>
  JSON.stringify(all).includes(`${each.type}.${each.name}`);

const severities = ["INFORMATIONAL", "LOW", "MEDIUM", "HIGH", "CRITICAL"];

function generated(
  random: Random,
  at: number,
  before: readonly Generated[],
  seed: number,
): Generated {
  const kind = random.pick(["endpoint", "endpoint", "agent", "script", "env", "metadata", "app"]);
  const repetition = random.pick(["none", "none", "none", "count", "for_each"] as const);
  const self = { none: "x", count: "${count.index}", for_each: "${each.key}" }[repetition];
  const text = () => expression(random, before, repetition);
  const made = { name: `r${at}`, repetition, size: 1 + random.below(3) };
  const agents = before.filter(({ type }) => type === "workspace_agent");
  const agent = agents.length === 0 ? "agent-0" : reference(random, random.pick(agents), "id");
  switch (kind) {
    case "agent":
      return {
        ...made,
        type: "workspace_agent",
        body: {
          os: "linux",
          arch: random.pick(["amd64", "arm64"]),
          ...(random.chance(0.4) && { dir: text() }),
          ...(random.chance(0.4) && { env: { A: text(), B: "plain" } }),
          ...(random.chance(0.3) && { motd_file: "/etc/motd" }),
          ...(random.chance(0.3) && {
            metadata: [
              {
                key: "cpu",
                display_name: text(),
                script: "top",
                interval: 1 + random.below(9),
                timeout: 1,
              },
            ],
          }),
          ...(random.chance(0.3) && { display_apps: { vscode: random.chance(0.5) } }),
          ...(random.chance(0.3) && { dynamic: { resources_monitoring: monitored(random) } }),
        },
      };
    case "script":
      return {
        ...made,
        type: "workspace_script",
        body: {
          agent_id: agent,
          display_name: `s${at}`,
          script: text(),
          run_on_start: true,
          ...(random.chance(0.4) && { timeout: random.below(90) }),
        },
      };
    case "env":
      return {
        ...made,
        type: "workspace_env",
        body: { agent_id: agent, name: `E${at}`, value: text() },
      };
    case "metadata":
      return {
        ...made,
        type: "workspace_metadata",
        body: {
          resource_id: text(),
          item: [
            { key: "a", value: text() },
            { key: "b", value: "secret", sensitive: random.chance(0.5) },
          ],
        },
      };
    case "app":
      return {
        ...made,
        type: "workspace_app",
        body: {
          agent_id: agent,
          slug: `app-${at}-${self === "x" ? "x" : self}`,
          url: "http://localhost:1",
          ...(random.chance(0.5) && { display_name: text() }),
          ...(random.chance(0.3) && {
            healthcheck: { url: "http://localhost:1/up", interval: 5, threshold: 6 },
          }),
        },
      };
    default:
      return {
        ...made,
        type: "ids_endpoint",
        body: {
          endpoint_id: `e${seed}-${at}-${self}`,
          network: "projects/p/global/networks/n",
          severity: random.pick(severities),
          ...(random.chance(0.5) && { location: random.pick(["us-central1-a", "us-central1-b"]) }),
          ...(random.chance(0.5) && { description: text() }),
          ...(random.chance(0.5) && {
            labels: random.chance(0.5) ? { team: text() } : "${local.labels}",
          }),
          ...(random.chance(0.3) && { threat_exceptions: ["1", "2"] }),
          ...(random.chance(0.3) && { traffic_logs: random.chance(0.5) }),
          ...(random.chance(0.2) && { timeouts: { create: "5m" } }),
        },
      };
  }
}

/** Generated blocks, one inside of the other. */
const monitored = (random: Random): Json => ({
  for_each: random.pick([[1], "${toset([var.name])}", "${toset([var.secret])}"]),
  content: {
    dynamic: {
      volume: {
        for_each: ["a", "b"].slice(0, 1 + random.below(2)),
        iterator: "disk",
        content: {
          enabled: true,
          path: "/${disk.value}/${resources_monitoring.key}",
          threshold: "${disk.key + 50}",
        },
      },
    },
  },
});

function reference(random: Random, to: Generated, attribute: string): string {
  const key = { none: "", count: "[0]", for_each: '["a"]' }[to.repetition];
  const block = `${to.type}.${to.name}`;
  if (to.repetition === "count" && random.chance(0.3))
    return `\${one(slice(${block}[*].${attribute}, 0, 1))}`;
  if (to.repetition === "for_each" && random.chance(0.3)) {
    return `\${values(${block})[0].${attribute}}`;
  }
  return `\${${block}${key}.${attribute}}`;
}

function expression(
  random: Random,
  before: readonly Generated[],
  repetition: Generated["repetition"],
): string {
  const own = { none: "var.name", count: "count.index", for_each: "each.key" }[repetition];
  const plain: readonly (() => string)[] = [
    () => "plain",
    () => "${var.name}",
    () => "${local.joined}-x",
    () => `v-\${${own}}`,
    () => "${upper(var.name)}",
    () => '${join("-", local.names)}',
    () => '${length(local.names) > 1 ? "many" : "one"}',
    () => '${lookup(local.labels, "team", "none")}',
    () => '${replace(var.name, "a", "b")}',
    () => '${format("%s-%03d", var.name, length(local.names))}',
    () => "${jsonencode({a = local.names, b = var.number})}",
    () => "%{ if var.flag }yes%{ else }no%{ endif }",
    () => '${try(local.labels.missing, "fallback")}',
    () => '${[for name in local.names : upper(name) if name != "b"][0]}',
    () => "${tostring(var.number * 3 - 1)}",
    () => "${substr(sha256(var.name), 0, 8)}",
    () => '${coalesce("", var.name)}',
    () => "${base64encode(local.joined)}",
    () => "${element(sort(local.names), 1)}",
    () => "${var.number == 3 && var.flag}",
  ];
  const referred = before.filter(
    ({ type }) => type === "ids_endpoint" || type === "workspace_agent",
  );
  if (referred.length === 0 || random.chance(0.55)) return random.pick(plain)();
  const to = random.pick(referred);
  const attribute = random.pick(
    to.type === "ids_endpoint"
      ? ["id", "name", "severity", "create_time", "location", "traffic_logs", "endpoint_id"]
      : ["id", "arch", "dir", "init_script", "os"],
  );
  const found = reference(random, to, attribute);
  if (attribute === "dir") return `x\${coalesce(${found.slice(2, -1)}, "none")}`;
  return random.pick([found, `prefix-${found}`, `\${upper("\${${found.slice(2, -1)}}")}`]);
}

function changed(random: Random, each: Generated): void {
  const { body, type } = each;
  if (type === "ids_endpoint") {
    const change = random.pick<() => void>([
      () => (body["severity"] = random.pick(severities)),
      () => (body["description"] = "changed"),
      () => delete body["description"],
      () => (body["location"] = random.pick(["us-central1-a", "us-central1-b"])),
      () => (body["labels"] = { team: "new", other: "${var.name}" }),
      () => (body["threat_exceptions"] = ["2", "3"]),
      () => (body["traffic_logs"] = random.chance(0.5)),
      () => (body["endpoint_id"] = String(body["endpoint_id"]).replace(/^e/, "f")),
      () => (body["timeouts"] = { delete: "9m" }),
      () => (body["project"] = "p"),
    ]);
    change();
    return;
  }
  if (type === "workspace_agent") {
    random.pick<() => void>([
      () => (body["arch"] = random.pick(["amd64", "arm64"])),
      () => (body["dir"] = "/home/${var.name}"),
      () => (body["env"] = { A: "changed" }),
      () => (body["startup_script_behavior"] = "blocking"),
      () => delete body["metadata"],
      () => (body["order"] = random.below(5)),
    ])();
    return;
  }
  const texts = ["script", "value", "display_name", "resource_id"].filter((name) => name in body);
  if (texts.length > 0)
    body[random.pick(texts)] = random.pick(["changed", "${local.joined}", "${var.secret}"]);
  if (type === "workspace_metadata" && random.chance(0.4)) body["hide"] = true;
}

function resized(random: Random, each: Generated): void {
  if (each.repetition === "none") {
    // Terraform moves the object to the first instance.
    if (random.chance(0.5) && !JSON.stringify(each.body).includes("var.name"))
      each.repetition = "none";
    return;
  }
  each.size = 1 + random.below(4);
}

function renamed(random: Random, each: Generated, all: readonly Generated[], moves: Json[]): void {
  const old = each.name;
  each.name = `${old}_new`;
  for (const other of all) {
    other.body = JSON.parse(
      JSON.stringify(other.body).replaceAll(
        new RegExp(`${each.type}\\.${old}\\b`, "g"),
        `${each.type}.${each.name}`,
      ),
    ) as Json;
  }
  if (random.chance(0.8)) {
    moves.push({ from: `${each.type}.${old}`, to: `${each.type}.${each.name}` });
  }
}

function lifecycle(random: Random, each: Generated, all: readonly Generated[]): void {
  const found: Json = {};
  if (random.chance(0.1)) found["create_before_destroy"] = true;
  if (random.chance(0.1)) {
    const path =
      each.type === "ids_endpoint"
        ? ["severity", "labels", "location"]
        : ["arch", "script", "value"];
    const usable = path.filter((one) => one in each.body || each.type === "ids_endpoint");
    const name = usable.length === 0 ? undefined : random.pick(usable);
    if (name !== undefined) found["ignore_changes"] = random.chance(0.2) ? "all" : [name];
  }
  if (random.chance(0.12)) {
    const before = all
      .slice(0, all.indexOf(each))
      .filter(({ repetition }) => repetition === "none");
    if (before.length > 0) {
      const other = random.pick(before);
      found["replace_triggered_by"] = [
        `${other.type}.${other.name}${random.chance(0.5) ? ".id" : ""}`,
      ];
    }
  }
  if (random.chance(0.08)) {
    found["precondition"] = [
      { condition: random.chance(0.8) ? "${var.number == 3}" : "${var.flag}", error_message: "no" },
    ];
  }
  if (Object.keys(found).length > 0) each.body["lifecycle"] = found;
}

function stackOf(
  random: Random,
  resources: readonly Generated[],
  moved: readonly Json[],
  when: "deployed" | "changed",
): object {
  const isChanged = when === "changed";
  const blocks: Record<string, Json> = {};
  for (const { type, name, body, repetition, size } of resources) {
    const named = (blocks[type] ??= {});
    const keys = Object.fromEntries(["a", "b", "c", "d"].slice(0, size).map((key) => [key, key]));
    named[name] = {
      ...body,
      ...(repetition === "count" && { count: size }),
      ...(repetition === "for_each" && { for_each: keys }),
    };
  }
  const outputs = resources
    .filter(({ type, repetition }) => type === "ids_endpoint" && repetition === "none")
    .map(({ type, name }) => [name, { value: `\${${type}.${name}.name}` }] as const);
  const isRenamed = isChanged && random.chance(0.2);
  return {
    variable: {
      name: { type: "string", default: isRenamed ? "banana" : "alpha" },
      number: { type: "number", default: 3 },
      flag: { type: "bool", default: !(isChanged && random.chance(0.1)) },
      secret: { type: "string", default: "hidden", sensitive: true },
    },
    locals: {
      names: ["a", "b", "${var.name}"],
      joined: '${join("+", local.names)}',
      labels: { team: "${var.name}", tier: "1" },
    },
    resource: blocks,
    ...(outputs.length > 0 && { output: Object.fromEntries(outputs) }),
    ...(moved.length > 0 && { moved }),
  };
}
