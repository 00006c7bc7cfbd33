import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CtyField, CtyType } from "../../../src/core/provider-kit/values";

/** The value of an expression: its type, and the JSON of a tuple with the value. */
interface Evaluated {
  readonly type: CtyType;
  readonly json: string;
}

/**
 * Evaluates expressions in one configuration. Their values must be known and not sensitive.
 *
 * @returns for each its value; undefined if it fails
 */
export function evaluatedByTerraform(
  expressions: readonly string[],
): readonly (Evaluated | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), "trivet-console-"));
  const all = (form: (expression: string) => string): string =>
    `[\n${expressions.map((each) => `    ${form(each)},\n`).join("")}  ]`;
  writeFileSync(
    join(folder, "main.tf"),
    `locals {\n  values = ${all((each) => `try(jsonencode([${each}]), null)`)}\n` +
      `  typed = ${all((each) => `try([${each}], null)`)}\n}\n`,
  );
  writeFileSync(join(folder, "empty.rc"), "");
  const run = (query: string): string =>
    execFileSync("terraform", ["console"], {
      cwd: folder,
      env: {
        ...process.env,
        CHECKPOINT_DISABLE: "1",
        TF_CLI_CONFIG_FILE: join(folder, "empty.rc"),
      },
      encoding: "utf8",
      input: `${query}\n`,
      stdio: "pipe",
      maxBuffer: 256 * 1024 * 1024,
    });
  try {
    // The console would print strings with its own escapes.
    const printed = run("base64encode(jsonencode(local.values))");
    const values = JSON.parse(Buffer.from(printed, "base64").toString()) as (string | null)[];
    const types = typeOf(run("type(local.typed)"));
    return values.map((json, at) => {
      const type = partOf(partOf(types, at), 0);
      return json === null || type === undefined ? undefined : { type, json };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const partOf = (type: CtyType | undefined, at: number): CtyType | undefined =>
  typeof type === "object" && "tuple" in type ? type.tuple[at] : undefined;

/** Parses a type as the console prints it. */
function typeOf(text: string): CtyType {
  const tokens = text.match(/[()[\]{}:,]|[^\s()[\]{}:,][^\n()[\]{}:,]*/g) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? "";
  const skip = (...expected: readonly string[]): void => {
    for (const each of expected) expect(next()).toBe(each);
  };
  const until = <T>(end: string, item: () => T): readonly T[] => {
    const items: T[] = [];
    while (tokens[at] !== end) {
      items.push(item());
      skip(",");
    }
    skip(end, ")");
    return items;
  };
  const field = (): CtyField => {
    const wire = tokens[at] === ":" ? "" : next();
    skip(":");
    return { wire, name: wire, type: type() };
  };
  const type = (): CtyType => {
    const name = next();
    if (name === "tuple") return (skip("(", "["), { tuple: until("]", type) });
    if (name === "object") return (skip("(", "{"), { object: until("}", field) });
    if (name !== "list" && name !== "set" && name !== "map") return name as CtyType;
    skip("(");
    const element = type();
    if (tokens[at] === ",") skip(",");
    skip(")");
    if (name === "list") return { list: element };
    return name === "set" ? { set: element } : { map: element };
  };
  return type();
}
