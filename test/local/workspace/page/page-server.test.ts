import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { send } from "../../service/local-service";
import { until } from "../../../until";
import { temporaryFolder } from "../temporary-folder";
import { PageScenario } from "./page-scenario";

const routes = [
  ["GET", "/api/overview"],
  ["GET", "/api/events"],
  ["POST", "/api/workspace"],
  ["POST", "/api/secret"],
  ["POST", "/api/preview"],
  ["POST", "/api/check"],
  ["POST", "/api/build"],
  ["POST", "/api/interrupt"],
] as const;

describe("access to the page", () => {
  it("needs no token for the page's files, and serves no others", async () => {
    const { origin: url } = await PageScenario.open();
    const { status, headers, body } = await send({ url });
    expect([status, headers["content-type"], body]).toEqual([
      200,
      "text/html; charset=utf-8",
      "<title>Page</title>",
    ]);
    for (const path of ["/notes.txt", "/index.html", "/../main.tf", "/%2e%2e/main.tf", "//"]) {
      expect((await send({ url }, { path })).status).toBe(404);
    }
  });

  it.each(routes)("needs the token for %s %s", async (method, path) => {
    const scenario = await PageScenario.open();
    const url = scenario.origin;
    const token = scenario.headers["authorization"] ?? "";
    const attempts: readonly Record<string, string>[] = [
      {},
      { authorization: token.slice(0, -1) },
      { authorization: `${token}x` },
      { authorization: "Bearer " },
      { cookie: `token=${token.slice("Bearer ".length)}` },
    ];
    for (const headers of attempts) {
      const body = method === "POST" ? "{}" : "";
      const answer = await send({ url }, { method, path, headers, body });
      expect(answer.status).toBe(401);
      expect(answer.body).not.toContain(token.slice("Bearer ".length));
    }
  });

  it("has another token in each run", async () => {
    const [one, other] = [await PageScenario.open(), await PageScenario.open()];
    expect(one.headers["authorization"]).not.toBe(other.headers["authorization"]);
    const { headers } = other;
    expect((await send({ url: one.origin }, { path: "/api/overview", headers })).status).toBe(401);
  });

  it.each<[string, Record<string, string>, number]>([
    ["a page of another origin", { origin: "http://127.0.0.1:1" }, 403],
    ["another host's name", { host: "evil.example" }, 403],
    ["a part of another page", { "sec-fetch-site": "same-site" }, 403],
    ["a form", { "content-type": "text/plain" }, 415],
    ["an upload", { "content-type": "multipart/form-data; boundary=x" }, 415],
  ])("refuses %s, even with the token", async (_, headers, status) => {
    const scenario = await PageScenario.open();
    const answer = await scenario.ask("/api/check", { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(status);
  });

  it.each<[string, string, number, string]>([
    ["no JSON", "{", 400, "is not JSON"],
    ["an unknown action", '{"action":"explode"}', 400, "The action is unknown."],
    [
      "parameters that are no object",
      '{"action":"stop","parameters":[]}',
      400,
      "parameters is not an object.",
    ],
    [
      "a value that is no string",
      '{"action":"stop","secretEnv":{"A":1}}',
      400,
      "secretEnv.A is not a string.",
    ],
    ["too much", `"${"x".repeat(1_000_001)}"`, 413, "larger than 1000000 bytes"],
  ])("refuses a build with %s", async (_, body, status, message) => {
    const scenario = await PageScenario.open();
    const answer = await scenario.ask("/api/build", { method: "POST", body });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      message: expect.stringContaining(message) as string,
      cure: "",
    });
    expect(scenario.terraform.commands).toEqual([]);
  });

  it("lets no other page frame it, read it or run scripts in it, whatever the response", async () => {
    const scenario = await PageScenario.open();
    const answers = [
      await send({ url: scenario.origin }),
      await scenario.ask("/api/overview"),
      await scenario.post("/api/workspace", { workspace: "missing" }),
      await send({ url: scenario.origin }, { path: "/api/overview" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401]);
    for (const { headers } of answers) {
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:/);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
      expect(Object.keys(headers).join()).not.toContain("access-control");
    }
  });
});

describe("builds of the page", () => {
  it("tell their progress, also to those who ask later", async () => {
    const scenario = await PageScenario.open();
    const body = { action: "start", workspace: "blue", owner: "ada" };
    expect((await scenario.post("/api/build", body)).status).toBe(202);
    const events = await scenario.eventsUntil("finished");
    expect(events[0]).toEqual({ kind: "started", action: "start", workspace: "blue" });
    expect(events).toContainEqual({
      kind: "line",
      text: "Importing the template, which is new.",
    });
    expect(events.at(-1)).toEqual({
      kind: "finished",
      outcome: "done",
      workspace: "blue",
      cure: "",
      message: 'The workspace "blue" of "ada" is running: no changes.',
      warnings: [],
      changes: [],
    });
    expect(await scenario.eventsUntil("finished")).toEqual(events);
    const { body: overview } = await scenario.ask("/api/overview");
    expect(JSON.parse(overview)).toMatchObject({
      template: { name: "template" },
      workspaces: [{ name: "blue", owner: "ada", isPrebuild: false, status: "running" }],
      prebuilds: [],
    });
  });

  it("report why they fail", async () => {
    const scenario = await PageScenario.open();
    await scenario.post("/api/build", { action: "stop", workspace: "blue" });
    expect((await scenario.eventsUntil("finished")).at(-1)).toMatchObject({
      outcome: "failed",
      message: 'The workspace "blue" does not exist.',
      cure: "Start it first.",
    });
  });

  it("run one at a time, and can be interrupted", async () => {
    const { scenario, isPlanning } = await slowScenario();
    await scenario.post("/api/build", { action: "start", workspace: "blue" });
    await isPlanning();
    const second = await scenario.post("/api/build", { action: "start", workspace: "red" });
    expect([second.status, second.body]).toEqual([
      409,
      '{"message":"Another build is already running.","cure":""}',
    ]);
    await scenario.post("/api/interrupt", {});
    expect((await scenario.eventsUntil("finished")).at(-1)).toMatchObject({
      outcome: "interrupted",
      workspace: "blue",
    });
    expect(existsSync(join(scenario.stateFolder, "lock"))).toBe(false);
    const third = await scenario.post("/api/build", { action: "delete", workspace: "blue" });
    expect(third.status).toBe(202);
  });

  it("are interrupted and awaited when the server stops, and none starts then", async () => {
    const { scenario, isPlanning } = await slowScenario();
    await scenario.post("/api/build", { action: "start", workspace: "blue" });
    await isPlanning();
    const closed = scenario.page.close();
    const late = scenario.post("/api/build", { action: "start", workspace: "red" });
    await late.then(
      ({ status }) => expect(status).toBe(503),
      (failure: unknown) =>
        expect(failure).toMatchObject({ code: expect.stringMatching(/^ECONN/) as string }),
    );
    await closed;
    expect(existsSync(join(scenario.stateFolder, "lock"))).toBe(false);
  });
});

/** A Terraform whose plan ends only when it is interrupted. */
async function slowScenario() {
  const folder = join(temporaryFolder(), "bin");
  mkdirSync(folder);
  const binary = join(folder, "terraform");
  writeFileSync(
    binary,
    `#!/bin/sh
[ "$1" = plan ] || exit 0
trap 'exit 1' INT
: > "$0.planning"
while :; do sleep 0.02; done
`,
  );
  chmodSync(binary, 0o755);
  const scenario = await PageScenario.open(binary);
  const isPlanning = () => until(() => existsSync(`${binary}.planning`));
  return { scenario, isPlanning };
}

describe("the check of values", () => {
  const cores = {
    type: "number",
    formType: "input",
    options: [],
    validations: [{ min: 2, max: 32, monotonic: "increasing", error: "" }],
  };
  const size = {
    type: "string",
    formType: "radio",
    options: [{ name: "S", value: "s" }],
    validations: [],
  };

  it("answers with the sentences of the rules, in the order of the values", async () => {
    const scenario = await PageScenario.open();
    const { status, body } = await scenario.post("/api/check", {
      checks: [
        { parameter: cores, value: "33" },
        { parameter: cores, value: "3", previous: "4" },
        { parameter: cores, value: "4", previous: "4" },
        { parameter: size, value: "m" },
        { parameter: size, value: null },
      ],
    });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      problems: [
        "must be at most 32",
        "must not be less than the previous value 4, because it may only increase",
        null,
        'must be one of the options: "s"',
        null,
      ],
    });
  });

  it.each(["{}", "[]", "null", '{"checks":7}', '{"checks":[7,null,{"parameter":[],"value":"x"}]}'])(
    "survives %s",
    async (body) => {
      const scenario = await PageScenario.open();
      const answer = await scenario.ask("/api/check", { method: "POST", body });
      expect(answer.status).toBe(200);
    },
  );
});
