import { createTerraformHarness } from "../../../../src/core/provider-kit/testing";
import { UNKNOWN } from "../../../../src/core/schema";
import type { Declaration } from "../../../../src/core/schema";
import { agent, agentInstance, externalAgent } from "../../../../src/core/workspace/agent/declare";
import { aiTask } from "../../../../src/core/workspace/ai-task/declare";
import { app } from "../../../../src/core/workspace/app/declare";
import { devcontainer } from "../../../../src/core/workspace/devcontainer/declare";
import { env } from "../../../../src/core/workspace/env/declare";
import { metadata } from "../../../../src/core/workspace/metadata/declare";
import { script } from "../../../../src/core/workspace/script/declare";
import { provider } from "../../../../src/core/workspace/provider-definition";
import { summaries } from "../../provider-kit/server/protocol";
import { planIn, run, start, validate } from "./provider";

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const appId = "c0ffee00-1234-4abc-8def-000000000001";

interface Subject {
  readonly declaration: Declaration;
  readonly least: Readonly<Record<string, unknown>>;
  /** Everything else that can be set together with `least`. */
  readonly more: Readonly<Record<string, unknown>>;
}

const subjects: readonly Subject[] = [
  {
    declaration: agent,
    least: { os: "linux", arch: "amd64" },
    more: {
      apiKeyScope: "no_user_data",
      connectionTimeout: 0,
      dir: "/home",
      env: { A: "b" },
      motdFile: "/etc/motd",
      order: -1,
      startupScript: "true",
      startupScriptBehavior: "blocking",
      shutdownScript: "true",
      troubleshootingUrl: "https://help.test",
      displayApps: [
        {
          editor: false,
          editorInsiders: null,
          webTerminal: null,
          sshHelper: null,
          portForwardingHelper: null,
        },
      ],
      metadatas: [
        { key: "cpu", script: "top", interval: 5, displayName: "CPU", timeout: 1, order: 2 },
        { key: "mem", script: "free", interval: 5, displayName: null, timeout: null, order: null },
      ],
      resourcesMonitoring: [
        {
          memory: [{ enabled: true, threshold: 80 }],
          volumes: [
            { path: "/home", enabled: true, threshold: 90 },
            { path: "/", enabled: false, threshold: 0 },
          ],
        },
      ],
    },
  },
  { declaration: agentInstance, least: { agentId: "a", instanceId: "i" }, more: {} },
  { declaration: externalAgent, least: { agentId: "a" }, more: {} },
  {
    declaration: devcontainer,
    least: { agentId: "a", workspaceFolder: "/w" },
    more: { configPath: "c.json" },
  },
  { declaration: aiTask, least: { appId }, more: {} },
  {
    declaration: app,
    least: { agentId: "a", slug: "web" },
    more: {
      url: "http://localhost:8080",
      displayName: "Web",
      group: "g",
      icon: "/icon/web.svg",
      openIn: "tab",
      order: 0,
      share: "public",
      subdomain: true,
      tooltip: "*x*",
      healthcheck: [{ url: "http://localhost:8080/up", interval: 5, threshold: 6 }],
    },
  },
  {
    declaration: env,
    least: { agentId: "a", name: "PATH" },
    more: { value: "", mergeStrategy: "append" },
  },
  {
    declaration: metadata,
    least: {},
    more: {
      dailyCost: -5,
      hide: true,
      icon: "/icon/disk.svg",
      items: [
        { key: "a", value: "1", sensitive: true, isNull: null },
        { key: "b", value: "", sensitive: null, isNull: null },
        { key: "c", value: null, sensitive: null, isNull: null },
      ],
    },
  },
  {
    declaration: script,
    least: { agentId: "a", displayName: "S", script: "true", runOnStart: true },
    more: {
      icon: "/icon/s.svg",
      logPath: "s.log",
      runOnStop: true,
      startBlocksLogin: true,
      cron: "0 0 * * * *",
      timeout: 0,
    },
  },
];

/** The full configuration without one of its parts, for each of them. */
const reduced = ({ least, more }: Pick<Subject, "least" | "more">) =>
  Object.keys(more).map((name) => {
    const rest = Object.fromEntries(Object.entries(more).filter(([each]) => each !== name));
    return [`without ${name}`, { ...least, ...rest }] as const;
  });

test("every resource of the provider is tested here", () => {
  const types = provider.resources.map(({ declaration }) => declaration.type).sort();
  expect(subjects.map(({ declaration }) => declaration.type).sort()).toEqual(types);
});

const idsOf = ({ attributes }: Declaration): string[] =>
  Object.keys(attributes).filter(
    (name) => /^(agent|subagent|\w+)Id$/.test(name) && attributes[name]?.presence === "computed",
  );

describe.each(subjects.map((subject) => [subject.declaration.type, subject] as const))(
  "%s",
  (_type, { declaration, least, more }) => {
    const full = { ...least, ...more };
    const configs = [
      ["with the least", least],
      ["with everything", full],
      ...reduced({ least, more }),
    ] as const;

    test("is accepted", async () => {
      for (const [, config] of configs) {
        const diagnostics = await validate(declaration, config);
        expect(diagnostics.filter(({ severity }) => severity === "ERROR")).toEqual([]);
      }
    });

    test("gets random IDs, which are unknown during the plan", async () => {
      const one = await run(declaration, least);
      const two = await run(declaration, least);
      const ids = idsOf(declaration);
      expect(ids.length).toBeGreaterThan(0);
      for (const name of ids) {
        expect(one.planned[name]).toBe(UNKNOWN);
        expect(one.state[name]).toMatch(uuid);
        expect(one.state[name]).not.toBe(two.state[name]);
      }
      expect(new Set(ids.map((name) => one.state[name])).size).toBe(ids.length);
    });

    test.each(configs)("needs no further change: %s", async (_name, config) => {
      const created = await run(declaration, config);
      for (const refresh of [true, false]) {
        const { planned, refreshed } = await run(declaration, config, created, { refresh });
        expect(refreshed).toEqual(created.state);
        expect(planned).toEqual(created.state);
      }
    });

    test("is deleted without further checks", async () => {
      const kept = await run(declaration, full);
      const resources = createTerraformHarness(await start()).resource(declaration);
      expect(await resources.destroy(kept)).toEqual({ stored: undefined, diagnostics: [] });
    });

    test("cannot be imported", async () => {
      const resources = createTerraformHarness(await start()).resource(declaration);
      const { diagnostics } = await resources.import("x");
      expect(summaries(diagnostics)).toEqual(["ERROR - Import Not Supported"]);
    });
  },
);

describe("changes are updated in place, in both directions", () => {
  const changes = subjects.flatMap((subject) =>
    reduced(subject).map(
      ([name, config]) => [subject.declaration.type, name, subject, config] as const,
    ),
  );

  test.each(changes)("%s %s", async (_type, _name, { declaration, least, more }, config) => {
    const full = { ...least, ...more };
    const created = await run(declaration, full);
    const changed = await run(declaration, config, created);
    expect(changed.replaces).toEqual([]);
    expect((await run(declaration, config, changed)).planned).toEqual(changed.state);
    const back = await run(declaration, full, changed);
    expect(back.replaces).toEqual([]);
    expect(back.state).toEqual(created.state);
    expect((await run(declaration, full, back)).planned).toEqual(back.state);
  });
});

describe("a resource moves to another agent", () => {
  const children = subjects.filter(({ least }) => "agentId" in least);

  test.each(children.map((child) => [child.declaration.type, child] as const))(
    "by a replacement: %s",
    async (_type, { declaration, least }) => {
      const created = await run(declaration, least);
      const moved = await run(declaration, { ...least, agentId: "b" }, created);
      expect(moved.replaces).toEqual(["agent_id"]);
      for (const name of idsOf(declaration))
        expect(moved.state[name]).not.toBe(created.state[name]);
    },
  );

  test("and metadata to another resource", async () => {
    const created = await run(metadata, { resourceId: "r" });
    expect((await run(metadata, { resourceId: "s" }, created)).replaces).toEqual(["resource_id"]);
  });
});

test("the agent that a resource belongs to may be unknown during the plan", async () => {
  const { planned, diagnostics } = await planIn(await start(), app, {
    slug: "web",
    agentId: UNKNOWN,
  });
  expect([planned?.["agentId"], diagnostics]).toEqual([UNKNOWN, []]);
});
