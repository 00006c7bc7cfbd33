import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PolicyEngines } from "../../../../../src/core/signing/policy/engine/policy-engines";
import type { ProgramAnswer } from "../../../../../src/core/signing/policy/engine/run-engine";
import { allTests } from "../../../../all-tests";
import { onPath } from "../../../../on-path";
import { oldCue, opaPrints, standIns, type StandIns } from "./stand-in";

let made: StandIns;
let old: Pick<StandIns, "folder" | "remove">;
beforeAll(() => {
  made = standIns("cue", "opa");
  old = oldCue();
});
afterAll(() => {
  made.remove();
  old.remove();
});

const context = (timeoutMs = 60_000, signal = new AbortController().signal) => ({
  signal,
  deadline: Date.now() + timeoutMs,
});
const enginesOf = (path: string, ...given: Parameters<typeof context>): PolicyEngines =>
  new PolicyEngines({ PATH: path, AWS_SECRET_ACCESS_KEY: "secret" }, context(...given), 60_000);

/** The stand-ins always, and the real programs where they are on PATH. */
const kinds = (program: string): readonly string[] => [
  "the stand-in",
  ...(onPath(program) !== undefined ? [`the real ${program}`] : []),
];
const pathOf = (kind: string): string =>
  kind === "the stand-in" ? made.folder : (process.env["PATH"] ?? "");

const input = JSON.stringify({ predicateType: "https://example.com/t", predicate: { a: 1 } });
const rego = (output: object, rule: string) =>
  `package sigstore\n# stand-in: ${JSON.stringify(output)}\n${rule}\n`;
const answers = (value: unknown, rule: string) => rego({ stdout: opaPrints(value) }, rule);
const failure = (message: string) => ({
  stdout: JSON.stringify({ errors: [{ message, code: "rego_type_error" }] }),
  code: 2,
});

const regoRows: readonly (readonly [string, string, Partial<ProgramAnswer> | RegExp])[] = [
  [
    "true is accepted",
    answers(true, "isCompliant { input.predicate.a == 1 }"),
    { isCompliant: true },
  ],
  [
    "an object is refused, as in a cluster",
    answers(
      { result: true, warning: "soon" },
      'isCompliant = { "result": input.predicate.a == 1, "warning": "soon" } { true }',
    ),
    /must define isCompliant as true, false, or a set of objects .* write isCompliant\[response\]/,
  ],
  [
    "a condition that does not hold is no result",
    rego({ stdout: "{}" }, "isCompliant { input.predicate.a == 2 }"),
    /has no result/,
  ],
  [
    "false is refused",
    answers(false, "default isCompliant = false\nisCompliant { input.predicate.a == 2 }"),
    /is not satisfied: isCompliant is false/,
  ],
  [
    "a set with the result true is accepted, whatever its error",
    answers(
      [{ result: true, error: "too old" }],
      'isCompliant[response] { response := { "result": true, "error": "too old" } }',
    ),
    { isCompliant: true },
  ],
  [
    "a set of objects with the result true is accepted, with their warnings",
    answers(
      [
        { result: true, warning: "a" },
        { result: true, warning: "b" },
      ],
      'isCompliant[response] { w := ["a", "b"][_]; response := { "result": input.predicate.a == 1, "warning": w } }',
    ),
    { isCompliant: true, warning: "a; b" },
  ],
  [
    "a set of one object with the result true is accepted, with its warning",
    answers(
      [{ result: true, warning: "soon" }],
      'isCompliant[response] { response := { "result": input.predicate.a == 1, "warning": "soon" } }',
    ),
    { isCompliant: true, warning: "soon" },
  ],
  [
    "a set in which one object has the result false is refused, with its error",
    answers(
      [
        { result: false, error: "too old" },
        { result: true, error: "too old" },
      ],
      'isCompliant[response] { n := [1, 2][_]; response := { "result": input.predicate.a == n, "error": "too old" } }',
    ),
    /is not satisfied: too old/,
  ],
  [
    "an empty set is refused",
    answers([], 'isCompliant[response] { input.predicate.a == 2; response := { "result": true } }'),
    /is not satisfied: isCompliant is an empty set/,
  ],
  [
    "a set with anything else is refused",
    answers([true], "isCompliant[response] { response := true }"),
    /must define isCompliant as true, false/,
  ],
  [
    "a string is refused",
    answers("true", 'isCompliant = "true" { true }'),
    /must define isCompliant as true, false/,
  ],
  [
    "a set with an object without a result is refused",
    answers([{}], "isCompliant[response] { response := {} }"),
    /must define isCompliant as true, false/,
  ],
  [
    "a set with an object with more is refused",
    answers(
      [{ result: true, x: 1 }],
      'isCompliant[response] { response := { "result": true, "x": 1 } }',
    ),
    /must define isCompliant as true, false/,
  ],
  [
    "a set with an error that is not a string is refused, also with the result true",
    answers(
      [{ result: true, error: 1 }],
      'isCompliant[response] { response := { "result": true, "error": 1 } }',
    ),
    /must define isCompliant as true, false/,
  ],
  [
    "a request of the network is refused",
    rego(
      failure("undefined function http.send"),
      'isCompliant { http.send({"method": "get", "url": "http://127.0.0.1:9"}).status_code }',
    ),
    /undefined function http\.send/,
  ],
  [
    "reading the environment is refused",
    rego(failure("undefined function opa.runtime"), "isCompliant { opa.runtime().env.HOME }"),
    /undefined function opa\.runtime/,
  ],
  [
    "what is not Rego is refused",
    rego(failure("rego_parse_error: unexpected eof token"), "isCompliant {"),
    /cannot be evaluated: .*(?:unexpected|rego_parse_error)/,
  ],
];

describe.each(kinds("opa"))("a policy in Rego, by %s", (kind) => {
  test.each(regoRows)("%s", async (_, data, expected) => {
    const answer = await enginesOf(pathOf(kind)).evaluate({ type: "rego", data }, input);
    if (expected instanceof RegExp) {
      expect(answer).toMatchObject({
        isCompliant: false,
        problem: expect.stringMatching(expected) as unknown,
      });
    } else {
      expect(answer).toMatchObject(expected);
    }
  });
});

const cue = (output: object, data: string) => `// stand-in: ${JSON.stringify(output)}\n${data}\n`;
const cueRows: readonly (readonly [string, string, Partial<ProgramAnswer> | RegExp])[] = [
  ["a statement that fits is accepted", cue({}, "predicate: a: >0"), { isCompliant: true }],
  [
    "another value is refused",
    cue({ stderr: "predicate.a: conflicting values 2 and 1", code: 1 }, "predicate: a: 2"),
    /is not satisfied: predicate\.a: conflicting values/,
  ],
  [
    "a missing value is refused",
    cue({ stderr: "predicate.b: incomplete value string", code: 1 }, "predicate: b: string"),
    /incomplete value string/,
  ],
  [
    "what is not CUE is refused",
    cue({ stderr: "expected '}', found 'EOF'", code: 1 }, "predicate: {"),
    /expected/,
  ],
  [
    "an import of a module is refused",
    cue(
      { stderr: "imports are unavailable", code: 1 },
      'import "example.com/x@v0"\npredicate: x.y',
    ),
    /imports are unavailable|import failed|cannot find package/,
  ],
];

/** A policy that adds something to the input, with the union for the stand-in, which cannot compute it. */
const adds = (predicate: object, data: string, top: object = {}) =>
  cue(
    {},
    `// union: ${JSON.stringify({ predicateType: "https://example.com/t", predicate, ...top })}\n${data}`,
  );
const addingRows: readonly (readonly [string, string, RegExp])[] = [
  [
    "a value",
    adds({ a: 1, b: 0 }, "predicate: b: 0"),
    /has no predicate\.b, which the policy sets/,
  ],
  ["a nested value", adds({ a: 1, b: { c: 0 } }, "predicate: b: c: 0"), /has no predicate\.b, /],
  ["a default", adds({ a: 1, b: "x" }, 'predicate: b: *"x" | string'), /has no predicate\.b, /],
  ["a field of its own", adds({ a: 1 }, 'own: "yes"', { own: "yes" }), /has no own, which/],
  [
    "several fields",
    adds({ a: 1, b: 0, c: 0 }, "predicate: {b: 0, c: 0}"),
    /has no predicate\.b, predicate\.c, which/,
  ],
];
const isTop = (top: object, data: string) => adds({ a: 1 }, data, top);
const helperRows: readonly (readonly [string, string])[] = [
  [
    "a point in time",
    isTop(
      { before: "2049-10-09T17:10:27Z" },
      'import "time"\nbefore: time.Parse(time.RFC3339, "2049-10-09T17:10:27Z")\npredicate: a: 1 | <before',
    ),
  ],
  ["an object", isTop({ limits: { a: 3 } }, "limits: a: 3\npredicate: a: <limits.a")],
  ["one in a text", isTop({ b: "x" }, 'b: "x"\n_c: "is \\(b)"\npredicate: a: 1')],
  ["one in a raw text", isTop({ b: "x" }, 'b: "x"\n_c: #"is \\#(b)"#\npredicate: a: 1')],
  ["one that only another uses", isTop({ b: 1, c: 2 }, "b: 1\nc: b + 1\npredicate: a: <c")],
];
const noHelperRows: readonly (readonly [string, string])[] = [
  ["a slip", isTop({ predicat: { a: 1 } }, "predicat: a: 1")],
  ["a name that only a comment has", isTop({ own: 1 }, "// own\nown: 1")],
  ["a name that only a text has", isTop({ own: 1 }, 'own: 1\n_x: "own"')],
  ["a name that only a raw text has", isTop({ own: 1 }, 'own: 1\n_x: #"\\(own)"#')],
  ["a name that only a label has", isTop({ own: 1 }, "own: 1\n_x: own: 2\n_y: own?: 2")],
  ["a name that is selected", isTop({ own: 1 }, "own: 1\n_x: own: 2\n_y: _x.own")],
  ["a longer name", isTop({ own: 1 }, "own: 1\n_owns: 2\n_y: _owns")],
  ["a field of an input", isTop({ config: { a: 1 } }, "config: a: 1\npredicate: a: config.a")],
  ["a field below", adds({ a: 1, b: 1 }, "predicate: {b: 1, a: b}")],
];
/** What the stand-in prints for the union with the input: it accepts the policy alone. */
const conflicting = JSON.stringify({ stderr: "conflicting values", code: 1 });
/** With `missing-fields: allowed`, what the policy controller says. The second is what the stand-in prints. */
const unknownRows: readonly (readonly [string, string, boolean])[] = [
  ["a type", cue({}, "predicate: b: int"), true],
  ["a required field", cue({}, "predicate: b!: int"), true],
  ["a limit", cue({}, 'import "list"\npredicate: b: list.MaxItems(2)'), true],
  ["a choice", cue({}, "predicate: b: 1 | 2"), true],
  ["a length", cue({}, "predicate: b: len(predicate.c)"), true],
  ["another value", cue({}, `// eval: ${conflicting}\npredicate: a: 2`), false],
  ["a closed object", cue({ stderr: "not allowed", code: 1 }, "close({predicate: a: 1})"), false],
  ["an error in a definition", cue({ stderr: "conflict", code: 1 }, "#D: 3 & 4"), false],
  ["an ignored policy", cue({ stderr: "excluded", code: 1 }, "@ignore()\npredicate: a: 2"), false],
];
const notAddingRows: readonly (readonly [string, string])[] = [
  ["a hidden field", cue({}, "_max: 2\npredicate: a: <_max")],
  ["a definition", cue({}, "#Scan: {a: int, ...}\npredicate: #Scan")],
  ["an optional field", cue({}, "predicate: b?: 0")],
];

// The package has CUE 0.4 in WebAssembly, which takes seconds to start.
const slowMs = 240_000;

describe.each([...kinds("cue"), "CUE 0.4"])("a policy in CUE, by %s", (kind) => {
  // CUE 0.4 is slow: one of each kind with --all, otherwise what is accepted, refused, and would be added.
  const isSlow = kind === "CUE 0.4";
  const some = <T>(rows: readonly T[]): readonly T[] => (isSlow ? rows.slice(0, 1) : rows);

  test.each(isSlow && !allTests ? cueRows.slice(0, 2) : cueRows)(
    "%s",
    async (_, data, expected) => {
      const path = kind === "CUE 0.4" ? old.folder : pathOf(kind);
      const engines = new PolicyEngines({ PATH: path }, context(slowMs), slowMs);
      const answer = await engines.evaluate({ type: "cue", data }, input);
      if (expected instanceof RegExp) {
        expect(answer).toMatchObject({
          isCompliant: false,
          problem: expect.stringMatching(expected) as unknown,
        });
      } else {
        expect(answer).toEqual(expected);
      }
    },
    slowMs,
  );

  const evaluate = (data: string, missing?: "allowed", of = input) => {
    const path = kind === "CUE 0.4" ? old.folder : pathOf(kind);
    const engines = new PolicyEngines({ PATH: path }, context(slowMs), slowMs);
    return engines.evaluate({ type: "cue", data, missing }, of);
  };

  test.each(some(addingRows))(
    "that would add %s to the input is refused, unless that is allowed",
    async (_, data, expected) => {
      const answer = await evaluate(data);
      expect(answer).toMatchObject({
        isCompliant: false,
        problem: expect.stringMatching(expected) as unknown,
      });
      // The stand-in does not know lines. The policy begins in the third.
      if (kind !== "the stand-in")
        expect(answer).toHaveProperty("problem", expect.stringMatching(/ in line 3$/));
      expect(await evaluate(data, "allowed")).toEqual({ isCompliant: true });
    },
    slowMs,
  );

  if (isSlow && !allTests) return;

  test("that would add to an element of a list is refused", async () => {
    const union = JSON.stringify({ predicate: [{ a: 1, b: 0 }] });
    const data = cue({}, `// union: ${union}\npredicate: [{b: 0}]`);
    const answer = await evaluate(data, undefined, JSON.stringify({ predicate: [{ a: 1 }] }));
    expect(answer).toHaveProperty("problem", expect.stringMatching(/has no predicate\.0\.b, /));
  });

  test.each(some(helperRows))(
    "may have a helper: %s",
    async (_, data) => {
      expect(await evaluate(data)).toEqual({ isCompliant: true });
    },
    slowMs,
  );

  test.each(some(noHelperRows))(
    "may not set %s",
    async (_, data) => {
      const problem = expect.stringMatching(
        /the input has no .*, which the policy sets/,
      ) as unknown;
      expect(await evaluate(data)).toMatchObject({ isCompliant: false, problem });
    },
    slowMs,
  );

  test.each(some(unknownRows))(
    "that has %s, where fields may be missing, is read as in a cluster",
    async (_, data, isCompliant) => {
      expect(await evaluate(data, "allowed")).toMatchObject({ isCompliant });
    },
    slowMs,
  );

  test.each(some(notAddingRows))(
    "may have %s, which adds nothing to the input",
    async (_, data) => {
      expect(await evaluate(data)).toEqual({ isCompliant: true });
    },
    slowMs,
  );
});

describe("an engine", () => {
  /** The folders of all calls that still exist. Other tests have folders beside these. */
  const leftFolders = (): string[] =>
    made.calls().flatMap(({ cwd }) => (existsSync(cwd) ? [cwd] : []));

  const lastPid = (): number => {
    const pid = made.calls().at(-1)?.pid;
    if (pid === undefined) throw new Error("the stand-in did not run");
    return pid;
  };

  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** A folder with other programs than the stand-ins. */
  const programs = (files: Readonly<Record<string, string>>, mode: number): string => {
    const folder = mkdtempSync(join(tmpdir(), "trivet-programs-"));
    folders.push(folder);
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), mode);
    }
    return folder;
  };

  test("gets the policy, the input, and nothing else of the provider", async () => {
    const engines = enginesOf(made.folder);
    const data = answers(true, "");
    await engines.evaluate({ type: "rego", data }, input);
    await engines.evaluate({ type: "cue", data: cue({}, "") }, input);
    const [union, vet, evaluation, capabilities] = [...made.calls()].reverse();
    expect(union).toMatchObject({
      argv: ["export", "--out", "json", "policy.cue", "input.json"],
      files: vet?.files,
    });
    expect(capabilities?.argv).toEqual(["capabilities", "--current"]);
    expect(evaluation).toMatchObject({ input, files: { "policy.rego": data } });
    expect(evaluation?.argv).toContain("--v0-compatible");
    expect(vet).toMatchObject({
      argv: ["vet", "-c", "policy.cue", "input.json"],
      files: { "input.json": input },
    });
    expect(evaluation?.modes).toEqual({
      ".": "700",
      "policy.rego": "600",
      "capabilities.json": "600",
    });
    expect(vet?.modes).toEqual({
      ".": "700",
      "policy.cue": "600",
      "input.json": "600",
      "cue.mod": "700",
    });
    for (const call of [vet, evaluation]) {
      expect(Object.keys(call?.env ?? {})).not.toContain("AWS_SECRET_ACCESS_KEY");
      expect(call?.env).toMatchObject({ HOME: call?.cwd, CUE_REGISTRY: "none", PATH: made.folder });
    }
    expect(leftFolders()).toEqual([]);
  });

  test("for Rego has functions that compute and the clock, whatever else opa has", async () => {
    await enginesOf(made.folder).evaluate({ type: "rego", data: answers(true, "") }, input);
    const given = made.calls().at(-1)?.files["capabilities.json"] ?? "";
    expect(JSON.parse(given)).toEqual({
      builtins: [
        { name: "count", nondeterministic: false },
        { name: "time.now_ns", nondeterministic: true },
      ],
      features: ["rego_v1"],
      allow_net: [],
    });
  });

  // What opa 1.10 lists, shortened.
  const listed = (annotations: object) => [{ annotations, path: [{ type: "var", value: "data" }] }];
  const fileSchema = { path: [], definition: { $ref: "file:///etc/hostname" } };
  test.each([
    ["schemas", { annotations: listed({ schemas: [fileSchema], scope: "rule" }) }, {}],
    ["schemas after others", { annotations: [...listed({}), ...listed({ schemas: [] })] }, {}],
    ["another form", { annotations: { schemas: [fileSchema] } }, {}],
    ["another form in a list", { annotations: [{ schemas: [fileSchema] }] }, {}],
    ["a code other than zero", {}, { code: 1 }],
    ["words on standard error", {}, { stderr: "hm" }],
  ])("that lists %s as annotations is not asked for a result", async (_, list, more) => {
    const inspect = JSON.stringify({ stdout: JSON.stringify(list), ...more });
    const data = answers(true, `# METADATA\n# inspect: ${inspect}`);
    expect(await enginesOf(made.folder).evaluate({ type: "rego", data }, input)).toMatchObject({
      isCompliant: false,
    });
    expect(made.calls().at(-1)?.argv[0]).toBe("inspect");
  });

  test.each([
    ["titles", { annotations: listed({ title: "Scanned", custom: { schemas: 1 } }) }],
    ["nothing", {}],
  ])("that lists %s as annotations is asked for a result", async (_, list) => {
    const inspect = JSON.stringify({ stdout: JSON.stringify(list) });
    const data = answers(true, `# METADATA\n# inspect: ${inspect}`);
    expect(await enginesOf(made.folder).evaluate({ type: "rego", data }, input)).toEqual({
      isCompliant: true,
    });
  });

  test.each([
    ["more output than a result", { stdout: `${opaPrints(true)}\n${opaPrints(true)}` }],
    ["words on standard error", { stdout: opaPrints(true), stderr: "hm" }],
    ["a code other than zero", { stdout: opaPrints(true), code: 1 }],
    ["no output", {}],
    ["two results", { stdout: '{"result": [{"expressions": [{"value": true}]}, {}]}' }],
    ["two values", { stdout: '{"result": [{"expressions": [{"value": true}, {"value": true}]}]}' }],
    [
      "a member twice",
      { stdout: '{"result": [], "result": [{"expressions": [{"value": true}]}]}' },
    ],
    ["output without end", { floods: true }],
  ])("with %s refuses", async (_, output) => {
    const program = { type: "rego", data: rego(output, "") } as const;
    expect(await enginesOf(made.folder).evaluate(program, input)).toMatchObject({
      isCompliant: false,
    });
  });

  test.each([
    ["words", { stdout: "all is well" }],
    ["a code other than zero", { code: 3 }],
  ])("for CUE with %s refuses", async (_, output) => {
    const program = { type: "cue", data: cue(output, "") } as const;
    expect(await enginesOf(made.folder).evaluate(program, input)).toMatchObject({
      isCompliant: false,
    });
  });

  test("that writes without end is ended, and the answer says why", async () => {
    const program = { type: "rego", data: rego({ floods: true, hangs: true }, "") } as const;
    expect(await enginesOf(made.folder).evaluate(program, input)).toMatchObject({
      isCompliant: false,
      problem: "cannot be evaluated: opa wrote more than 1000 kB",
    });
    await isGone(lastPid());
  });

  test("that takes too long is ended, and the answer says after which time", async () => {
    const engines = new PolicyEngines({ PATH: made.folder }, context(), 1_000);
    const program = { type: "cue", data: cue({ hangs: true }, "") } as const;
    expect(await engines.evaluate(program, input)).toMatchObject({
      isCompliant: false,
      problem: "cannot be evaluated: cue took longer than 1 s",
    });
    await isGone(lastPid());
  });

  test("that a signal ends refuses", async () => {
    const folder = programs({ cue: "#!/bin/sh\nkill -KILL $$\n" }, 0o755);
    const program = { type: "cue", data: cue({}, "") } as const;
    expect(await enginesOf(folder).evaluate(program, input)).toMatchObject({
      problem: "cannot be evaluated: cue was ended by SIGKILL",
    });
  });

  test("leaves no timer that would keep this process running", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "Date"] });
    try {
      const program = { type: "cue", data: cue({}, "") } as const;
      expect(await enginesOf(made.folder).evaluate(program, input)).toEqual({ isCompliant: true });
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test("that does not end is ended with the call", async () => {
    const program = { type: "cue", data: cue({ hangs: true }, "") } as const;
    await expect(enginesOf(made.folder, 1_500).evaluate(program, input)).rejects.toMatchObject({
      code: "DEADLINE",
    });
    expect(leftFolders()).toEqual([]);
    await isGone(lastPid());
  });

  test("that runs is ended when the call is cancelled", async () => {
    const program = { type: "cue", data: cue({ hangs: true }, "") } as const;
    const controller = new AbortController();
    const before = made.calls().length;
    const evaluated = enginesOf(made.folder, 60_000, controller.signal).evaluate(program, input);
    const refusal = expect(evaluated).rejects.toMatchObject({ code: "CANCELLED" });
    while (made.calls().length === before) await sleep(20);
    controller.abort();
    await refusal;
    expect(leftFolders()).toEqual([]);
    await isGone(lastPid());
  });

  test("that has not started is not run when the call is cancelled", async () => {
    const program = { type: "cue", data: cue({ hangs: true }, "") } as const;
    const controller = new AbortController();
    const before = made.calls().length;
    const evaluated = enginesOf(made.folder, 60_000, controller.signal).evaluate(program, input);
    controller.abort();
    await expect(evaluated).rejects.toMatchObject({ code: "CANCELLED" });
    expect(made.calls()).toHaveLength(before);
  });

  test("is not run when the time of the call has run out", async () => {
    const folder = programs({ cue: `#!/bin/sh\n: >"\${0%/*}/ran"\nexec sleep 60\n` }, 0o755);
    const program = { type: "cue", data: cue({}, "") } as const;
    await expect(enginesOf(folder, 0).evaluate(program, input)).rejects.toMatchObject({
      code: "DEADLINE",
    });
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test.each([
    ["fails", "exit 1"],
    ["prints something else", "echo '{}'"],
  ])("that %s instead of printing its capabilities refuses", async (_, line) => {
    const folder = programs({ opa: `#!/bin/sh\n${line}\n` }, 0o755);
    const program = { type: "rego", data: answers(true, "") } as const;
    expect(await enginesOf(folder).evaluate(program, input)).toEqual({
      isCompliant: false,
      isUndecided: true,
      problem: "cannot be evaluated: opa does not print its capabilities",
    });
  });

  test("that cannot be executed is passed over for the next one on PATH", async () => {
    const folder = programs({ opa: "notes", cue: "notes" }, 0o644);
    expect(await enginesOf(folder).missing("rego")).toMatch(/opa, which is not on PATH/);
    const engines = enginesOf(`${folder}:${made.folder}`);
    const program = { type: "rego", data: answers(true, "") } as const;
    expect(await engines.evaluate(program, input)).toEqual({ isCompliant: true });
  });

  test("that is not on PATH is named, with where to get it", async () => {
    const engines = enginesOf("/nowhere:relative");
    expect(await engines.missing("rego")).toMatch(
      /^Rego is evaluated by opa, .* install it \(https:/,
    );
    expect(await engines.missing("cue")).toMatch(/^CUE is evaluated by cue, /);
    expect(await engines.evaluate({ type: "cue", data: "a: 1" }, input)).toMatchObject({
      isCompliant: false,
    });
    expect(await enginesOf(made.folder).missing("rego")).toBeUndefined();
  });
});

async function isGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
