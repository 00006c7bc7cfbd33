import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CtyType, typeFromJson } from "../../../src/core/provider-kit/values";

/** What is true of a value, such as that it is sensitive: of all of it, or of parts. */
export type Marks = boolean | readonly Marks[] | { readonly [name: string]: Marks };

/** The value of an expression in a plan. */
export interface Planned {
  /** Without what is not known. */
  readonly value: unknown;
  readonly unknown: Marks;
  readonly sensitive: Marks;
  /** Undefined if the value is not wholly known. */
  readonly type: CtyType | undefined;
}

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
    readonly change: {
      readonly after: { readonly input?: unknown };
      readonly after_unknown: { readonly input?: Marks };
      readonly after_sensitive: { readonly input?: Marks };
    };
  }[];
  readonly planned_values: {
    readonly outputs?: Readonly<Record<string, { readonly type?: unknown }>>;
  };
}

/**
 * Plans a resource and an output with each expression. `terraform_data.unknown` has values that are not known.
 *
 * @param declarations variables and locals
 * @returns for each expression its value; undefined if it fails
 */
export function plannedByTerraform(
  declarations: string,
  expressions: readonly string[],
): readonly (Planned | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), "trivet-values-"));
  writeFileSync(join(folder, "empty.rc"), "");
  const env = {
    ...process.env,
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: join(folder, "empty.rc"),
  };
  const run = (...args: readonly string[]): string => {
    const options = { cwd: folder, env, encoding: "utf8", maxBuffer: 1024 ** 3 } as const;
    return spawnSync("terraform", args, options).stdout;
  };
  writeFileSync(
    join(folder, "declarations.tf"),
    `resource "terraform_data" "unknown" {}\n${declarations}\n`,
  );
  const failed = new Set<number>();
  try {
    for (;;) {
      const write = (name: string, form: (expression: string, at: number) => string): string => {
        const blocks = expressions.map((each, at) => (failed.has(at) ? "" : form(each, at)));
        writeFileSync(join(folder, name), blocks.join("\n"));
        return blocks.join("\n");
      };
      const resources = write("resources.tf", (each, at) =>
        [`resource "terraform_data" "e${at}" {`, `input = ${each}`, "}"].join("\n"),
      ).split("\n");
      const known = failed.size;
      const found = run("plan", "-json", "-out=plan")
        .split("\n")
        .flatMap((line): readonly Message[] => (line === "" ? [] : [JSON.parse(line) as Message]))
        .flatMap(({ diagnostic }) => (diagnostic?.severity === "error" ? [diagnostic] : []));
      for (const { range } of found) {
        const before = resources.slice(0, range?.start.line).join("\n");
        const at = [...before.matchAll(/^resource "terraform_data" "e(\d+)"/gm)].at(-1)?.[1];
        if (at !== undefined) failed.add(Number(at));
      }
      if (found.length > 0 && failed.size === known) throw new Error(found[0]?.summary);
      if (found.length > 0) continue;
      // Only outputs have types in a plan.
      write("outputs.tf", (each, at) =>
        [`output "e${at}" {`, `sensitive = true`, `value = ${each}`, "}"].join("\n"),
      );
      run("plan", "-out=plan");
      break;
    }
    const { resource_changes: changes, planned_values: planned } = JSON.parse(
      run("show", "-json", "plan"),
    ) as Plan;
    const byName = new Map(changes.map(({ name, change }) => [name, change]));
    return expressions.map((_, at) => {
      const change = byName.get(`e${at}`);
      const type = planned.outputs?.[`e${at}`]?.type;
      return (
        change && {
          value: change.after.input,
          unknown: change.after_unknown.input ?? false,
          sensitive: change.after_sensitive.input ?? false,
          type: type === undefined ? undefined : typeFromJson(JSON.stringify(type)),
        }
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
