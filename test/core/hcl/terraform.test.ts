import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { nativeText } from "../../../src/core/construct/product/native/native-block";
import { isConfiguration } from "../../../src/core/hcl/configuration-blocks";
import { sequencesIn } from "../../../src/core/hcl/template-sequences";
import { randomTemplate } from "./random-template";

const templates = [
  'plain } { $ % " \\ \\n \n \t',
  '${"a${lookup(local.m, "}")}b"}"',
  '${local.v /* } " */}"${ local.v # } "\n}"',
  '${upper(<<END\n } " \\n $${x} ${local.v}\n  END\n)}"',
  "${<<-END\n  a\n    ${local.v}\n  END\n}",
  '%{ if local.v == "}" }a%{ else }"b"%{ endif }',
  "$${a} %%{b} $$${c} %%%{d} $%{ if true }e%{ endif } %${local.v} ${local.v}$${f}",
  '${"$${a} %%{b} $$${c} \\u00e9 \\U0001F642 \\\\"}\\${local.v}',
  '${{ a = "}", "b" = {} }.a}',
  '${join("", [for k, v in { "}" = "{" } : "${k}${v}"])}',
  "a\n\n${~ local.v ~}\n\nb",
  "a\n  %{~ if true ~}\n  \n%{~ endif ~} \n \n b \n ${~ local.v}",
  ...fc.sample(randomTemplate, { seed: 9, numRuns: 300 }),
];

/**
 * The literal parts and the sequences of a template; undefined if they only make sense together:
 * directives do, and `~` changes the literal part next to it.
 */
function partsOf(template: string): readonly string[] | undefined {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, within } of sequencesIn(template)) {
    if (within !== undefined) continue;
    const sequence = template.slice(start, end);
    if (/^%|^\$\{~|~\}$/.test(sequence)) return undefined;
    parts.push(template.slice(from, start), sequence);
    from = end;
  }
  return [...parts, template.slice(from)];
}

interface Values {
  readonly json: readonly string[];
  readonly native: readonly string[];
  readonly parts: readonly (readonly string[])[];
}

describe("terraform", () => {
  let read: Values;

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), "trivet-hcl-"));
    const locals = {
      v: "v",
      m: { "}": "{" },
      json: templates,
      parts: templates.map((each) => partsOf(each) ?? []),
    };
    writeFileSync(join(folder, "main.tf.json"), JSON.stringify({ locals }));
    const native = templates.map(nativeText).join(",\n");
    writeFileSync(join(folder, "native.tf"), `locals {\n native = [\n${native}\n ]\n}\n`);
    // The console would print strings with its own escapes.
    const query =
      "base64encode(jsonencode({ json = local.json, native = local.native, parts = local.parts }))";
    const printed = execFileSync("terraform", ["console"], {
      cwd: folder,
      env: { ...process.env, CHECKPOINT_DISABLE: "1" },
      encoding: "utf8",
      input: `${query}\n`,
      stdio: "pipe",
    });
    rmSync(folder, { recursive: true });
    read = JSON.parse(Buffer.from(printed, "base64").toString()) as Values;
  });

  test("reads the same in native syntax as in JSON", () => {
    expect(read.json).toHaveLength(templates.length);
    templates.forEach((template, index) => {
      expect([template, read.native[index]]).toEqual([template, read.json[index]]);
    });
  });

  test("agrees on what a sequence is", () => {
    const apart = templates.filter((template) => (partsOf(template)?.length ?? 0) > 1);
    expect(apart.length).toBeGreaterThan(50);
    for (const template of apart) {
      const index = templates.indexOf(template);
      expect([template, read.parts[index]?.join("")]).toEqual([template, read.json[index]]);
    }
  });
});

test.each(["a.tf", "a.tf.json", "~a.tf", ".a.tf", ".#a.tf", ".a.tf.json", ".tf", "a.tf~", "a.tfx"])(
  "agrees on whether %s is configuration",
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), "trivet-hcl-"));
    writeFileSync(join(folder, name), "{");
    const { status } = spawnSync("terraform", ["validate"], { cwd: folder });
    rmSync(folder, { recursive: true });
    expect(status === 1).toBe(isConfiguration(name));
  },
);
