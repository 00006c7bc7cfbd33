import { DynamicValue } from "../../../../src/core/provider-kit/cty/value";
import { UNKNOWN } from "../../../../src/core/schema";
import { details, summaries } from "./protocol";
import {
  applyTool,
  made,
  openWorkshop,
  planTool,
  readTool,
  type Tool,
  type ToolHandlers,
} from "./workshop";

const big = 2n ** 100n + 1n;
const config = {
  toolName: "saw",
  pieces: big,
  extra: new DynamicValue({ list: "number" }, [1, big]),
  tags: ["b", "a"],
  hole: [{ width: 0.5, holeId: null }],
  ring: [{ colour: "red" }],
};

const open = async (handlers: Partial<ToolHandlers> = {}) => {
  const workshop = await openWorkshop({ handlers });
  return { workshop, plan: await planTool(workshop, config) };
};

test("creates with the planned values and returns the state", async () => {
  const seen: unknown[] = [];
  const { workshop, plan } = await open({
    create(plan, { client, deadline }) {
      seen.push(plan, client.terraformVersion, deadline > 0);
      return Promise.resolve(made(plan));
    },
  });
  const { state, diagnostics } = await applyTool(workshop, plan);
  expect(seen).toEqual([plan.planned, "1.11.4", true]);
  expect(diagnostics).toEqual([]);
  expect(state).toMatchObject({ pieces: big, extra: config.extra, on: true });
  expect(state?.["toolId"]).toEqual(expect.any(String));
});

test("updates with plan and state, and deletes with the state", async () => {
  const seen: unknown[] = [];
  const { workshop, plan } = await open({
    update(plan, state) {
      seen.push("update", plan.pieces, state.pieces);
      return Promise.resolve(made(plan));
    },
    delete(state) {
      seen.push("delete", state.pieces);
      return Promise.resolve();
    },
  });
  const { state } = await applyTool(workshop, plan);
  const change = await planTool(workshop, { ...config, pieces: 1 }, state);
  const updated = await applyTool(workshop, change);
  expect(updated.state).toMatchObject({ pieces: 1 });
  const deleted = await applyTool(workshop, await planTool(workshop, null, updated.state));
  expect(deleted).toMatchObject({ state: null, diagnostics: [] });
  expect(seen).toEqual(["update", 1, big, "delete", 1]);
});

test("deadlines come from the timeouts block, or from the declaration", async () => {
  const seen: number[] = [];
  const now = Date.parse("2026-03-01T12:00:00Z");
  const systemClock = jest.spyOn(Date, "now").mockReturnValue(now);
  const workshop = await openWorkshop({
    handlers: {
      create(plan, { deadline }) {
        seen.push(deadline - now);
        return Promise.resolve(made(plan));
      },
    },
  });
  for (const timeouts of [null, { create: "2h", delete: null }, { create: null, delete: "1s" }]) {
    await applyTool(workshop, await planTool(workshop, { toolName: "saw", timeouts }));
  }
  systemClock.mockRestore();
  expect(seen).toEqual([60_000, 7_200_000, 60_000]);
});

test("private state is passed from the plan through apply to the read", async () => {
  const seen: unknown[] = [];
  const workshop = await openWorkshop({
    handlers: {
      plan(_draft, { privateState }) {
        privateState.set("a", "planned");
        return {};
      },
      create(plan, { privateState }) {
        seen.push(privateState.get("a"));
        privateState.set("b", "created");
        return Promise.resolve(made(plan));
      },
      read(state, { privateState }) {
        seen.push(privateState.get("a"), privateState.get("b"));
        privateState.delete("a");
        return Promise.resolve(state);
      },
    },
  });
  const applied = await applyTool(workshop, await planTool(workshop, { toolName: "saw" }));
  const read = await readTool(workshop, applied.state ?? {}, applied.private);
  expect(seen).toEqual(["planned", "planned", "created"]);
  expect(Buffer.from(read.private ?? []).toString()).toBe('{"b":"created"}');
});

test.each(["not JSON", "\u0000\u00ff", "{"])(
  "private data of another implementation, %j, is dropped with a warning",
  async (text) => {
    const foreign = Buffer.from(text);
    const workshop = await openWorkshop();
    const { state, private: own } = await applyTool(
      workshop,
      await planTool(workshop, { toolName: "saw" }),
    );
    const read = await readTool(workshop, state ?? {}, foreign);
    expect(read.state).toEqual(state);
    expect(summaries(read.diagnostics)).toEqual(["WARNING - Private Data Dropped"]);
    expect(Buffer.from(read.private ?? []).toString()).toBe("");
    expect(summaries((await readTool(workshop, state ?? {}, own)).diagnostics)).toEqual([]);
  },
);

test("warnings are returned with the result", async () => {
  const { workshop, plan } = await open({
    create(plan, { warn }) {
      warn({ summary: "Dull", detail: "Sharpen it.", path: ["handle", "madeOf"] });
      return Promise.resolve(made(plan));
    },
  });
  const { state, diagnostics } = await applyTool(workshop, plan);
  expect(state).not.toBeNull();
  expect(summaries(diagnostics)).toEqual(["WARNING handle.made_of Dull"]);
});

const itself = new Error("a");
itself.cause = itself;

describe("a handler is at fault", () => {
  const returning = (change: object): Partial<ToolHandlers> => ({
    create: (plan) => Promise.resolve({ ...made(plan), ...change } as Tool),
  });

  test.each<[string, object, string]>([
    ["another value than planned", { pieces: 5 }, "ERROR pieces Unexpected Provider Result"],
    ["another default", { on: false }, "ERROR on Unexpected Provider Result"],
    ["nothing for a planned value", { tags: undefined }, "ERROR tags Unexpected Provider Result"],
    ["an unknown value", { toolId: UNKNOWN }, "ERROR id Unexpected Provider Result"],
    [
      "a nested unknown value",
      { hole: [{ width: 0.5, holeId: UNKNOWN }] },
      "ERROR hole.0.id Unexpected Provider Result",
    ],
    ["a value of another type", { toolId: 7 }, "ERROR id Value Does Not Match The Schema"],
    [
      "an attribute that is not declared",
      { colour: "red" },
      "ERROR - Value Does Not Match The Schema",
    ],
  ])("that returns %s, and the resource stays in the state", async (_name, change, expected) => {
    const { workshop, plan } = await open(returning(change));
    const { state, diagnostics } = await applyTool(workshop, plan);
    expect(summaries(diagnostics)).toEqual([expected]);
    expect(details(diagnostics)).toContain("This is a bug in the provider");
    expect(state).toMatchObject({ toolName: "saw" });
  });

  test.each<[string, unknown, string]>([
    ["an error", new TypeError("x is not a function"), "TypeError: x is not a function"],
    [
      "an error with causes",
      new TypeError("fetch failed", {
        cause: new AggregateError([new Error("refused ::1"), new Error("refused 127.0.0.1")]),
      }),
      "TypeError: fetch failed, caused by AggregateError (Error: refused ::1; Error: refused 127.0.0.1)",
    ],
    [
      "errors that are many",
      new AggregateError(
        Array.from({ length: 7 }, (_, index) => new Error(`no ${index}`)),
        "all",
      ),
      "AggregateError: all (Error: no 0; Error: no 1; Error: no 2; Error: no 3; Error: no 4; 2 more)",
    ],
    [
      "a cause that is a text with a URL",
      new Error("a", { cause: "no https://ann:pw@a.example/b?key=abc" }),
      "Error: a, caused by no https://***@a.example/b?***",
    ],
    ["an error that causes itself", itself, `Error: a${", caused by Error: a".repeat(5)}`],
    ["a text", "oops", "oops"],
    ["nothing", undefined, "undefined"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["what has no text", Object.create(null), "a value that cannot be shown was thrown"],
  ])("that throws %s", async (_name, thrown, text) => {
    const { workshop, plan } = await open({
      create() {
        throw thrown;
      },
    });
    const { state, diagnostics } = await applyTool(workshop, plan);
    expect(state).toBeNull();
    expect(summaries(diagnostics)).toEqual(["ERROR - Unexpected Provider Error"]);
    expect(details(diagnostics)).toContain(`${text}\n\nThis is a bug in the provider`);
  });

  test("that returns nothing after a creation", async () => {
    const { workshop, plan } = await open({
      create: () => Promise.resolve(undefined as unknown as Tool),
    });
    const { state, diagnostics } = await applyTool(workshop, plan);
    expect(summaries(diagnostics)).toEqual(["ERROR - Unexpected Provider Error"]);
    expect(details(diagnostics)).toContain("a handler of shop_tool returned no state");
    expect(state).toMatchObject({ toolName: "saw" });
  });
});

describe("a failed operation", () => {
  const fail = (): never => {
    throw new Error("broken");
  };

  test("keeps saved values, step by step", async () => {
    const { workshop, plan } = await open({
      create(_plan, { save }) {
        save({ toolId: "id-1" });
        save({ place: "shed" });
        return fail();
      },
    });
    const { state } = await applyTool(workshop, plan);
    expect(state).toMatchObject({
      toolName: "saw",
      toolId: "id-1",
      place: "shed",
      etag: null,
      hole: [{ width: 0.5, holeId: null }],
    });
  });

  test("does not keep a creation without saved values", async () => {
    const { workshop, plan } = await open({ create: fail });
    expect((await applyTool(workshop, plan)).state).toBeNull();
  });

  test("keeps the state of an update, with saved values", async () => {
    const { workshop, plan } = await open({
      update(_plan, _state, { save }) {
        save({ on: false });
        return fail();
      },
    });
    const { state } = await applyTool(workshop, plan);
    const change = await planTool(workshop, { ...config, pieces: 1, on: false }, state);
    const failed = await applyTool(workshop, change);
    expect(failed.state).toEqual({ ...state, on: false });
  });

  test("keeps the state of a resource that could not be deleted", async () => {
    const { workshop, plan } = await open({ delete: fail });
    const { state } = await applyTool(workshop, plan);
    expect((await applyTool(workshop, await planTool(workshop, null, state))).state).toEqual(state);
  });

  test("contains no sensitive value that the provider has received", async () => {
    const secrets = ["TOPSECRET", 'with "quotes"', "TOKEN1"];
    const workshop = await openWorkshop({
      configure(values, { log, terraformVersion }) {
        log.redact("TOKEN1");
        return { config: values, terraformVersion };
      },
      handlers: {
        create({ pin, handle }, { warn }) {
          warn({ summary: "Weak", detail: `Not a good pin: ${pin ?? ""}` });
          throw new Error(`TOKEN1 ${pin ?? ""} ${JSON.stringify(handle)} refused`);
        },
      },
    });
    const handle = { madeOf: "oak", serial: null, key: secrets[1] };
    const plan = await planTool(workshop, { toolName: "saw", pin: secrets[0], handle });
    const { diagnostics } = await applyTool(workshop, plan);
    for (const secret of secrets) expect(JSON.stringify(diagnostics)).not.toContain(secret);
    expect(details(diagnostics)).toMatch(/Error: \*\*\* \*\*\* .*oak.* refused/);
  });
});

test("shows no character that a terminal obeys, in no diagnostic and no line of the log", async () => {
  const hostile = "\u001b]0;title\u0007\u009b2J\rhidden\u202eesrever\u2028";
  const lines: string[] = [];
  const workshop = await openWorkshop({
    onLog: (line) => lines.push(line),
    handlers: {
      create(_plan, { warn, log }) {
        log.warn(`heard ${hostile}`, { [hostile]: hostile });
        warn({ summary: hostile, detail: hostile });
        throw new Error(hostile);
      },
    },
  });
  const { diagnostics } = await applyTool(workshop, await planTool(workshop, { toolName: "saw" }));
  expect(lines.join("")).toContain("heard");
  const logged = lines.flatMap((line) =>
    Object.entries(JSON.parse(line) as Readonly<Record<string, string>>).flat(),
  );
  const shown = [...diagnostics.flatMap(({ summary, detail }) => [summary, detail]), ...logged];
  expect(shown.join("")).toContain("\\u001b]0;title\\u0007\\u009b2J\\u000dhidden\\u202eesrever");
  expect(shown.join("").replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test("an interrupt ends running operations, and returns saved values", async () => {
  let start = (): void => undefined;
  const started = new Promise<void>((resolve) => (start = resolve));
  const { workshop, plan } = await open({
    create(_plan, { signal, save }) {
      save({ toolId: "id-1" });
      start();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new Error("interrupted"));
        });
      });
    },
  });
  const applied = applyTool(workshop, plan);
  await started;
  expect(await workshop.stopProvider({})).toEqual({ error: "" });
  const { state, diagnostics } = await applied;
  expect(state).toMatchObject({ toolName: "saw", toolId: "id-1" });
  expect(details(diagnostics)).toContain("interrupted");
});
