import { TerraformStack, Testing } from "cdktf";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as typescript from "typescript";
import { ids } from "../../../src";
import { failureOf } from "../../../src/cli/app-process/app-recorder";
import { readReport } from "../../../src/cli/app-process/app-report";
import type { CheckedProject } from "../../../src/cli/language-server/project-session";
import { codeActionsFor } from "../../../src/cli/language-server/source-edits";
import { diagnosticsOf } from "../../../src/cli/language-server/diagnostics";
import { SourceOutline } from "../../../src/cli/language-server/source-outline";
import { SourcePositions } from "../../../src/cli/user-code/source-position";
import { temporaryFolder } from "../temporary-folder";

const file = "/project/main.ts";
const text = `new ids.Endpoint(stack, "edge", {
  endpointId: "edge",
  severity: "HIHG",
});
new ids.Endpoint(stack, "second", { endpointId: "edge" });
`;
const outline = new SourceOutline(typescript, file, text);
const position = { file, line: 1, column: 1 };
const second = { file, line: 5, column: 1 };

function thrown(build: (stack: TerraformStack) => void): Error {
  const stack = new TerraformStack(Testing.app(), "demo");
  new ids.IdsProvider(stack, "ids", { project: "p", zone: "us-central1-a" });
  try {
    build(stack);
    Testing.synth(stack, true);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

/** What reaches the editor through the file in which the process of an app reports. */
async function shown(error: Error, reword: (message: string) => string) {
  const failure = failureOf(error, new SourcePositions());
  const findings = failure.findings?.map((each) => ({ ...each, message: reword(each.message) }));
  const report = join(temporaryFolder(), "report.json");
  const positions = { "demo/edge": position, "demo/second": second };
  const reworded = { ...failure, message: reword(failure.message), position, findings };
  writeFileSync(report, JSON.stringify({ positions, failure: reworded }));
  const { failure: read } = await readReport(report);
  const project: CheckedProject = { stacks: [], ...(read !== undefined && { failure: read }) };
  const found = await diagnosticsOf(project, "/project", () => Promise.resolve(outline));
  return (found.get(file) ?? []).map((diagnostic) => ({
    code: diagnostic.shown.code,
    page: diagnostic.shown.codeDescription?.href.split("/").at(-1),
    line: diagnostic.shown.range.start.line + 1,
    message: diagnostic.shown.message,
    fixes: codeActionsFor(diagnostic, `file://${file}`, outline).map(({ title }) => title),
  }));
}

const endpoint = { network: "projects/p/global/networks/n", severity: "HIGH" } as const;

describe.each([
  ["the library's", (message: string) => message],
  ["other", () => "Something: is [wrong] here"],
])("with %s words", (_, reword) => {
  test("a refused value is shown at its property, with its code and what corrects it", async () => {
    const error = thrown((stack) => {
      new ids.Endpoint(stack, "edge", {
        ...endpoint,
        endpointId: "edge",
        severity: "HIHG" as "HIGH",
      });
    });
    expect(await shown(error, reword)).toEqual([
      {
        code: "INVALID_ARGUMENT",
        page: "INVALID_ARGUMENT.md",
        line: 3,
        message: expect.any(String) as string,
        fixes: [`Change it to "HIGH"`],
      },
    ]);
  });

  test("a problem across a stack is shown at its construct", async () => {
    const error = thrown((stack) => {
      for (const id of ["edge", "second"])
        new ids.Endpoint(stack, id, { ...endpoint, endpointId: "edge" });
    });
    expect(await shown(error, reword)).toMatchObject([
      { code: "DUPLICATE", page: "DUPLICATE.md", line: 5, fixes: [] },
    ]);
  });

  test("what others find in the same stack is shown too", async () => {
    const error = thrown((stack) => {
      stack.node.addValidation({ validate: () => ["the stack is too large"] });
      for (const id of ["edge", "second"])
        new ids.Endpoint(stack, id, { ...endpoint, endpointId: "edge" });
    });
    const [only, ...others] = await shown(error, reword);
    expect(others).toEqual([]);
    expect(only?.message).toContain(reword("the stack is too large"));
  });
});
