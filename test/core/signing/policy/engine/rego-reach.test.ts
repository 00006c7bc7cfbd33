import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PolicyEngines } from "../../../../../src/core/signing/policy/engine/policy-engines";
import { startScriptedServer } from "../../../http/scripted-server";
import { onPath, skippedWithout } from "../../../../on-path";

/** As much as is on `PATH`: `opa-old` can be any version since 1.0. */
const outside = ["opa", "opa-old"];
const found = outside.filter((name) => onPath(name) !== undefined);
const missing = outside.filter((name) => onPath(name) === undefined);
skippedWithout(missing, "policies in Rego are not tried");

const folder = mkdtempSync(join(tmpdir(), "trivet-rego-"));
const schemaFile = join(folder, "schema.json");
beforeAll(() => {
  for (const name of found) {
    mkdirSync(join(folder, name));
    symlinkSync(onPath(name) ?? "", join(folder, name, "opa"));
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The schema tells by a verdict, or by an error, that it was read. */
const schema = JSON.stringify({
  type: "object",
  additionalProperties: false,
  properties: { secretName: { type: "string" } },
});

const startSchemaServer = () =>
  startScriptedServer(() => ({ headers: { "content-type": "application/json" }, body: schema }));

const input = JSON.stringify({ predicateType: "https://example.com/t", predicate: { a: 1 } });
const context = () => ({ signal: new AbortController().signal, deadline: Date.now() + 60_000 });
const evaluate = (name: string, lines: readonly string[]) =>
  new PolicyEngines({ PATH: join(folder, name) }, context(), 60_000).evaluate(
    { type: "rego", data: `${lines.join("\n")}\n` },
    input,
  );

type Policy = (reference: string) => readonly string[];
const by = (rule: string): Policy => {
  return (reference) => ["package sigstore", rule.replace("REFERENCE", reference)];
};

/** Policies that read what a `$ref` names, at an address or in a file. */
const calls: readonly (readonly [string, Policy])[] = [
  ["json.match_schema", by('isCompliant { json.match_schema({}, {"$ref": "REFERENCE"})[0] }')],
  ["json.verify_schema", by('isCompliant { json.verify_schema({"$ref": "REFERENCE"})[0] }')],
];

const substitute = by(
  "f(x, y) = [true] { true }\n" +
    'isCompliant { x := f({}, {"$ref": "REFERENCE"}) with f as json.match_schema; x[0] }',
);

const annotated = (...lines: readonly string[]): Policy => {
  return (reference) => lines.map((line) => line.replace("REFERENCE", reference));
};
const rule = "isCompliant { input.other == 1 }";
const annotations: readonly (readonly [string, Policy])[] = [
  [
    "of a rule",
    annotated(
      "package sigstore",
      "",
      "# METADATA",
      "# schemas:",
      '#   - input: {"$ref": "REFERENCE"}',
      rule,
    ),
  ],
  [
    "of a package",
    annotated(
      "# METADATA",
      "# scope: package",
      "# schemas:",
      "#   - input:",
      '#       {"$ref": "REFERENCE"}',
      "package sigstore",
      "",
      rule,
    ),
  ],
  [
    "of all packages below",
    annotated(
      "# METADATA",
      "# scope: subpackages",
      "# schemas:",
      '#   - input: {$ref: "REFERENCE"}',
      "package sigstore",
      "",
      rule,
    ),
  ],
  [
    "of a document",
    annotated(
      "package sigstore",
      "",
      "# METADATA",
      "# scope: document",
      "# schemas:",
      '#   - input: {"$ref": "REFERENCE"}',
      rule,
    ),
  ],
  [
    "of another rule",
    annotated(
      "package sigstore",
      "",
      "# METADATA",
      "# schemas:",
      '#   - input: {"$ref": "REFERENCE"}',
      "other { input.other == 1 }",
      "",
      rule,
    ),
  ],
  [
    "in escaped words",
    annotated(
      "package sigstore",
      "",
      "#\u00a0METADATA",
      '# "sch\\u0065mas":',
      '#   - input: {"\\u0024ref": "REFERENCE"}',
      rule,
    ),
  ],
  [
    "in a schema of a schema",
    annotated(
      "package sigstore",
      "",
      "# METADATA",
      "# schemas:",
      '#   - input: {properties: {other: {"$ref": "REFERENCE"}}}',
      rule,
    ),
  ],
];

const harmless: readonly (readonly [string, readonly string[]])[] = [
  [
    "hashes, patterns, versions and the clock",
    [
      "package sigstore",
      "isCompliant {",
      '  crypto.sha256("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"',
      '  regex.match("^https://", input.predicateType)',
      '  semver.compare("1.2.3", "1.2.4") == -1',
      "  time.now_ns() > 0",
      '  sprintf("%d", [input.predicate.a]) == "1"',
      "}",
    ],
  ],
  [
    "the words in and every",
    [
      "package sigstore",
      "import future.keywords",
      "isCompliant if { 1 in [input.predicate.a]; every x in [1, 2] { x > 0 } }",
    ],
  ],
  [
    "the syntax of Rego version 1",
    ["package sigstore", "import rego.v1", "isCompliant if input.predicate.a == 1"],
  ],
  [
    "annotations without schemas",
    [
      "package sigstore",
      "",
      "# METADATA",
      "# title: Scanned",
      "# custom: {schemas: none}",
      "isCompliant { rego.metadata.rule().title == `Scanned` }",
    ],
  ],
  [
    "a string that looks like an annotation",
    ["package sigstore", "x := `", "# METADATA", "# schemas:", "`", "isCompliant { true }"],
  ],
];

(found.length === 0 ? describe.skip.each(outside) : describe.each(found))("Rego in %s", (name) => {
  test.each(calls)("would reach the network by %s, if opa was asked alone", async (_, policy) => {
    const server = await startSchemaServer();
    const file = join(folder, name, "policy.rego");
    writeFileSync(file, policy(`${server.origin}/s.json`).join("\n"));
    const args = ["eval", "--v0-compatible", "--data", file, "data.sigstore.isCompliant"];
    await promisify(execFile)(join(folder, name, "opa"), args);
    expect(server.requests).toHaveLength(1);
  });

  test.each(calls)("cannot call %s", async (call, policy) => {
    const server = await startSchemaServer();
    writeFileSync(schemaFile, schema);
    for (const reference of [`${server.origin}/s.json`, `file://${schemaFile}`]) {
      expect(await evaluate(name, policy(reference))).toEqual({
        isCompliant: false,
        isUndecided: true,
        problem:
          `cannot be evaluated: undefined function ${call} (a policy can call only functions that ` +
          "compute from their arguments, and time.now_ns)",
      });
    }
    expect(server.requests).toHaveLength(0);
  });

  test("cannot put a function of opa in the place of its own", async () => {
    const server = await startSchemaServer();
    expect(await evaluate(name, substitute(`${server.origin}/s.json`))).toMatchObject({
      isCompliant: false,
      problem: expect.stringMatching(/var json is unsafe/) as unknown,
    });
    expect(server.requests).toHaveLength(0);
  });

  test.each(annotations)("cannot have schemas in annotations %s", async (_, policy) => {
    const server = await startSchemaServer();
    rmSync(schemaFile, { force: true });
    const references = [`${server.origin}/s.json`, `file://${schemaFile}`];
    for (const isThere of [false, true]) {
      if (isThere) writeFileSync(schemaFile, schema);
      for (const reference of references) {
        expect(await evaluate(name, policy(reference))).toEqual({
          isCompliant: false,
          problem: "has schemas in an annotation, which can refer to files: remove them",
        });
      }
    }
    expect(server.requests).toHaveLength(0);
  });

  // Elsewhere, the shell may not be able to limit it.
  (process.platform === "linux" ? test : test.skip)("cannot take all memory", async () => {
    const policy = ["package sigstore", "isCompliant { bits.lsh(1, 100000000000) > 0 }"];
    expect(await evaluate(name, policy)).toMatchObject({
      isCompliant: false,
      problem: expect.stringMatching(/^cannot be evaluated: .*memory/) as unknown,
    });
  });

  test.each(harmless)("has %s", async (_, lines) => {
    expect(await evaluate(name, lines)).toEqual({ isCompliant: true });
  });
});
