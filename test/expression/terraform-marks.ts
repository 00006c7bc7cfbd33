import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What is sensitive in a value: all of it, or parts of it. */
export type Marks = boolean | readonly Marks[] | { readonly [name: string]: Marks };

interface Message {
  readonly diagnostic?: {
    readonly severity: string;
    readonly summary: string;
    readonly range?: { readonly start: { readonly line: number } };
  };
}

interface Plan {
  readonly resource_changes: readonly {
    readonly name: string;
    readonly change: { readonly after_sensitive: { readonly input?: Marks } };
  }[];
}

/**
 * Plans a resource with each expression. `terraform_data.unknown` has values that are not known.
 *
 * @param declarations variables and locals
 * @returns for each expression what is sensitive in its value; undefined if it fails
 */
export function marksByTerraform(
  declarations: string,
  expressions: readonly string[],
): readonly (Marks | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), "trivet-marks-"));
  writeFileSync(join(folder, "empty.rc"), "");
  const env = {
    ...process.env,
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: join(folder, "empty.rc"),
  };
  const run = (...args: readonly string[]): string =>
    spawnSync("terraform", args, {
      cwd: folder,
      env,
      encoding: "utf8",
      maxBuffer: 512 * 1024 * 1024,
    }).stdout;
  writeFileSync(
    join(folder, "declarations.tf"),
    `resource "terraform_data" "unknown" {}\n${declarations}\n`,
  );
  const failed = new Set<number>();
  try {
    for (;;) {
      // A line for each expression, so that an error names it.
      const lines = expressions.map((expression, at) =>
        failed.has(at) ? "" : `resource "terraform_data" "e${at}" { input = ${expression} }`,
      );
      writeFileSync(join(folder, "main.tf"), lines.join("\n"));
      const found = run("plan", "-json", "-out=plan")
        .split("\n")
        .flatMap((line): readonly Message[] => (line === "" ? [] : [JSON.parse(line) as Message]))
        .flatMap(({ diagnostic }) => (diagnostic?.severity === "error" ? [diagnostic] : []));
      for (const { range } of found) if (range !== undefined) failed.add(range.start.line - 1);
      if (found.length === 0) break;
      const other = found.find(({ range }) => range === undefined);
      if (other !== undefined) throw new Error(other.summary);
    }
    const { resource_changes: changes } = JSON.parse(run("show", "-json", "plan")) as Plan;
    const marks = new Map(changes.map(({ name, change }) => [name, change.after_sensitive]));
    return expressions.map((_, at) => {
      const found = marks.get(`e${at}`);
      return found === undefined ? undefined : (found.input ?? false);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
