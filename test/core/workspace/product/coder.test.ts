import { check, type Declaration, type Finding } from "../../../../src/core/schema";
import { agent } from "../../../../src/core/workspace/agent/declare";
import { app } from "../../../../src/core/workspace/app/declare";
import { parameter } from "../../../../src/core/workspace/parameter/declare";
import { secret } from "../../../../src/core/workspace/workspace-owner/declare";
import { workspacePreset } from "../../../../src/core/workspace/preset/declare";
import { metadata } from "../../../../src/core/workspace/metadata/declare";
import { script } from "../../../../src/core/workspace/script/declare";
import { products } from "../../../../src/core/workspace/product";
import { coderRefusals } from "../../../../src/core/workspace/product/coder-refusals";

type Values = Readonly<Record<string, unknown>>;

const isUnknown = (value: unknown): boolean => value === "${unknown}";

const findings = (declaration: Declaration, values: Values): readonly Finding[] => {
  const rules = coderRefusals[declaration.type] ?? [];
  return check({ attributes: {}, blocks: {}, rules }, values, isUnknown).filter(
    ({ code }) => code !== "UNKNOWN_PROPERTY",
  );
};

const errorsOfOurs = (declaration: Declaration, values: Values): readonly Finding[] =>
  check(declaration, values, isUnknown).filter(({ severity }) => severity === "error");

const agentId = "${unknown}";

const refused: readonly (readonly [string, Declaration, Values, string, string])[] = [
  ["capitals in a slug", app, { agentId, slug: "IDE" }, "slug", "INVALID_ARGUMENT"],
  [
    "subdomain as false with command",
    app,
    { agentId, slug: "ide", command: "x", subdomain: false },
    "subdomain",
    "CONFLICT",
  ],
  [
    "external as false with command",
    app,
    { agentId, slug: "ide", command: "x", external: false },
    "external",
    "CONFLICT",
  ],
  [
    "external as false with share",
    app,
    { agentId, slug: "ide", url: "http://localhost:1", external: false, share: "public" },
    "external",
    "CONFLICT",
  ],
  [
    "external as false with a health check",
    app,
    {
      agentId,
      slug: "ide",
      url: "http://localhost:1",
      external: false,
      healthcheck: [{ url: "http://localhost:1", interval: 1, threshold: 1 }],
    },
    "external",
    "CONFLICT",
  ],
  [
    "an empty command with url",
    app,
    { agentId, slug: "ide", command: "", url: "http://localhost:1" },
    "command",
    "CONFLICT",
  ],
  [
    "a timeout of 0",
    script,
    { agentId, displayName: "a", script: "b", runOnStart: true, timeout: 0 },
    "timeout",
    "INVALID_ARGUMENT",
  ],
  ["metadata without a resource", metadata, {}, "resourceId", "MISSING"],
  [
    "a required number with bounds",
    parameter,
    { name: "cpu", type: "number", validation: { min: 1, max: 9 } },
    "validation",
    "INVALID_ARGUMENT",
  ],
  [
    "a required string whose rule refuses the empty string",
    parameter,
    { name: "cpu", validation: [{ regex: "^[a-z]+$", error: "no" }] },
    "validation",
    "INVALID_ARGUMENT",
  ],
  [
    "a required string whose rule is RE2, but not JavaScript",
    parameter,
    { name: "cpu", validation: [{ regex: "^(?i)[a-z]+\\z", error: "no" }] },
    "validation",
    "INVALID_ARGUMENT",
  ],
];

test.each(refused)(
  "%s is accepted for our provider, and refused for coder",
  (_, type, values, at, code) => {
    expect(errorsOfOurs(type, values)).toEqual([]);
    const [finding, ...more] = findings(type, values);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ code, severity: "error" });
    expect(finding?.path[0]).toBe(at);
    expect(finding?.message).toContain("coder");
  },
);

const schedules = (...crons: readonly string[]): Values => ({
  name: "small",
  prebuilds: {
    instances: 1,
    scheduling: {
      timezone: "UTC",
      schedules: crons.map((cron) => ({ cron, instances: 1 })),
    },
  },
});

test.each([
  [
    "a volume's path on Windows",
    agent,
    {
      os: "windows",
      arch: "amd64",
      resourcesMonitoring: { volumes: [{ path: "C:\\data", enabled: true, threshold: 1 }] },
    },
    ["resourcesMonitoring", "volumes", 0, "path"],
  ],
  [
    "schedules with names",
    workspacePreset,
    schedules("* 8 * * MON", "* 9 * * 2"),
    ["prebuilds", "scheduling", "schedules", 0, "cron"],
  ],
  ["a secret by a variable", secret, { env: "KEY", helpMessage: "Store it." }, ["env"]],
  ["a secret by a file", secret, { file: "~/key", helpMessage: "Store it." }, ["file"]],
])("%s could be refused, which is a warning", (_, type: Declaration, values, path) => {
  expect(errorsOfOurs(type, values)).toEqual([]);
  expect(findings(type, values)).toMatchObject([{ code: "ADVICE", severity: "warning", path }]);
});

test.each<readonly [string, Declaration, Values]>([
  ["an app with a command", app, { agentId, slug: "ide", command: "x", share: "public" }],
  ["an app whose slug is a token", app, { agentId, slug: "${unknown}", url: "x", share: "owner" }],
  ["a link", app, { agentId, slug: "ide", url: "https://a.test", external: true }],
  [
    "a script without a timeout",
    script,
    { agentId, displayName: "a", script: "b", cron: "@hourly" },
  ],
  ["metadata of a resource", metadata, { resourceId: agentId }],
  ["a number with a default", parameter, { type: "number", default: "1", validation: { min: 1 } }],
  [
    "a string that may be empty",
    parameter,
    { name: "x", validation: { regex: "^a*$", error: "no" } },
  ],
  [
    "a string that may be empty only in RE2, where \\z is the end",
    parameter,
    { name: "x", validation: { regex: "^\\z", error: "no" } },
  ],
  ["a parameter of unknown type", parameter, { type: "${unknown}", validation: { min: 1 } }],
  ["schedules in numbers", workspacePreset, schedules("* 8-9 * * 1,2", "* 9 * * 3")],
  ["a single schedule with names", workspacePreset, schedules("* 8 * * MON-FRI")],
])("%s passes", (_, type, values) => {
  expect(findings(type, values)).toEqual([]);
});

test("the products are this package and coder", () => {
  expect(Object.keys(products)).toEqual(["trivet", "coder"]);
  expect(products.coder.providers.workspace).toMatchObject({
    source: "coder/coder",
    version: "~> 2.0",
    typePrefix: "coder",
  });
});

test("coder's names and values are for existing attributes and values", () => {
  const { names, enums } = products.coder.providers.workspace;
  const apps = Object.keys(agent.blocks.displayApps.fields.attributes);
  expect(apps).toEqual(expect.arrayContaining(["editor", "editorInsiders"]));
  expect(Object.keys(names.workspace_agent)).toEqual([
    "display_apps.editor",
    "display_apps.editor_insiders",
  ]);
  for (const value of Object.keys(enums.workspace_agent.auth)) {
    expect(errorsOfOurs(agent, { os: "linux", arch: "amd64", auth: value })).toEqual([]);
  }
});
