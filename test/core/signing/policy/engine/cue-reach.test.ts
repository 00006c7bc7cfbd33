import { mkdirSync, mkdtempSync, existsSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { PolicyEngines } from "../../../../../src/core/signing/policy/engine/policy-engines";
import { startScriptedServer } from "../../../http/scripted-server";
import { onPath, skippedWithout } from "../../../../on-path";
import { oldCue } from "./stand-in";

const real = onPath("cue");
skippedWithout(
  real === undefined ? ["cue"] : [],
  "policies in CUE are tried only with version 0.4",
);
const old = oldCue();

/** What others could have put above the place for temporary files: a module, a secret. */
const above = mkdtempSync(join(os.tmpdir(), "trivet-cue-"));
const below = join(above, "tmp");
const secret = join(above, "secret.json");
const touched = join(above, "touched");
beforeAll(() => {
  mkdirSync(below);
  writeFileSync(secret, '{ "a": 1 }');
  const folder = join(above, "cue.mod");
  const packages = join(folder, "pkg", "example.com", "x");
  mkdirSync(packages, { recursive: true });
  writeFileSync(join(packages, "x.cue"), "package x\na: 1\n");
  const module = 'module: "example.org@v0"\nlanguage: version: "v0.9.0"\n';
  writeFileSync(join(folder, "module.cue"), module);
  jest.spyOn(os, "tmpdir").mockReturnValue(below);
});
afterAll(() => {
  jest.restoreAllMocks();
  old.remove();
  rmSync(above, { recursive: true, force: true });
});

const input = JSON.stringify({ predicate: { a: 1 } });
// CUE 0.4 is in WebAssembly, which takes seconds to start.
const slowMs = 240_000;
const evaluate = (path: string, data: string) => {
  const context = { signal: new AbortController().signal, deadline: Date.now() + slowMs };
  return new PolicyEngines({ PATH: path }, context, slowMs).evaluate({ type: "cue", data }, input);
};

const versions: readonly (readonly [string, string])[] = [
  ["CUE 0.4", old.folder],
  ...(real === undefined ? [] : [["the cue on PATH", dirname(real)] as const]),
];

/** Policies that would be satisfied, or leave a trace, if `cue` did what they ask for. */
const policies = (origin: string): readonly (readonly [string, string])[] => [
  [
    "a request",
    `import "tool/http"\nasked: http.Get & {url: "${origin}"}\npredicate: a: asked.response.statusCode - 199`,
  ],
  [
    "a program",
    `import "tool/exec"\nrun: exec.Run & {cmd: ["touch", "${touched}"]}\npredicate: a: 1\nx: run.success`,
  ],
  [
    "a command",
    `package p\nimport "tool/exec"\npredicate: a: 1\ncommand: vet: exec.Run & {cmd: ["touch", "${touched}"]}`,
  ],
  [
    "a file",
    `import "tool/file"\nfile1: file.Read & {filename: "${secret}", contents: string}\npredicate: a: len(file1.contents) - 9`,
  ],
  [
    "the environment",
    `import "tool/os"\nenv: os.Getenv & {PATH: string}\nx: env.PATH\npredicate: a: 1`,
  ],
  [
    "an embedded file",
    `@extern(embed)\npackage p\ns: _ @embed(file="../secret.json")\npredicate: a: s.a`,
  ],
  ["a module of others", 'package p\nimport "example.com/x"\npredicate: a: x.a'],
];

describe.each(versions)("a policy in %s", (_, path) => {
  test(
    "reaches neither the network, nor programs, files, the environment, nor modules of others",
    async () => {
      const server = await startScriptedServer(() => ({ body: "1" }));
      for (const [what, data] of policies(server.origin)) {
        const answer = await evaluate(path, `${data}\n`);
        expect({ what, answer }).toMatchObject({ what, answer: { isCompliant: false } });
        expect({ what, touched: existsSync(touched) }).toEqual({ what, touched: false });
      }
      expect(server.requests).toHaveLength(0);
    },
    slowMs,
  );

  test(
    "has the packages of CUE",
    async () => {
      const data = 'import "strings"\n_b: strings.ToUpper("a")\n_b: "A"\npredicate: a: 1\n';
      expect(await evaluate(path, data)).toEqual({ isCompliant: true });
    },
    slowMs,
  );
});
