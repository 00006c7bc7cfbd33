import { spawnSync } from "node:child_process";
import { devNull } from "node:os";
import { join } from "node:path";
import { Testing } from "cdktf";
import { pages, root } from "./page";
import { messageOf, stackClasses, synthesize, warningsOf } from "./synthesize";
import { load } from "./load";
import { deadLinks } from "./links";
import { typeErrors } from "./type-check";
import { previewProblems } from "../core/workspace/product/previewed";

const all = pages();

/** The folder of the files that snippets name. */
const files = join(__dirname, "files");

beforeAll(() => {
  process.chdir(files);
});

afterAll(() => {
  process.chdir(root);
});

test("every snippet compiles", () => {
  expect(typeErrors(all)).toEqual([]);
});

describe.each(all.map((page) => [page.path, page] as const))("%s", (_path, page) => {
  for (const snippet of page.snippets) {
    const at = `the snippet at line ${snippet.line}`;
    switch (snippet.kind) {
      case "stack":
      case "body":
        test(`${at} is synthesized`, async () => {
          expect(() => synthesize(page, snippet)).not.toThrow();
          for (const Stack of stackClasses(page, snippet)) {
            expect(await previewProblems(new Stack(Testing.app(), "Demo"))).toEqual([]);
          }
        });
        break;
      case "refused":
        test(`${at} is refused with the message below it`, () => {
          expect(snippet.expectedText.trim()).not.toBe("");
          expect(messageOf(() => synthesize(page, snippet))).toContain(snippet.expectedText.trim());
        });
        break;
      case "warned":
        test(`${at} is synthesized with the warnings below it`, () => {
          expect(warningsOf(page, snippet).join("\n")).toBe(snippet.expectedText.trim());
        });
        break;
      case "test":
        describe(at, () => {
          load(page, snippet);
        });
        break;
      case "module":
        break;
    }
  }

  if (page.hcl.length > 0) {
    test("its HCL is HCL, in the format of `terraform fmt`", () => {
      const input = page.hcl.join("\n");
      const env = { ...process.env, TF_CLI_CONFIG_FILE: devNull };
      const options = { input, env, encoding: "utf8" } as const;
      const { stdout, stderr } = spawnSync("terraform", ["fmt", "-"], options);
      expect({ stdout, stderr }).toEqual({ stdout: input, stderr: "" });
    });
  }

  test("its links lead to files and headings", () => {
    expect(deadLinks(page)).toEqual([]);
  });
});
