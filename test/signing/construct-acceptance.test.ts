import { TerraformOutput, TerraformStack, Testing, Token } from "cdktf";
import type { Construct } from "constructs";
import { signing } from "../../src";
import { formatPath } from "../../src/schema";
import type { Expected } from "../accept/table";
import { type Args, type Noun, nouns, wireNameIn } from "./tables";
import { words } from "./enums-table";
import { withTokens } from "../workspace/with-tokens";

type AnyConstruct = new (scope: Construct, id: string, props: unknown) => Construct;

/** The package's class by the name in a table, which knows no types. */
const classOf = ({ construct }: Noun): AnyConstruct =>
  Reflect.get(signing, construct.replace("signing.", "")) as AnyConstruct;

/** A stack with the provider, unless that is what is tested. */
function stackFor({ kind }: Noun): TerraformStack {
  const stack = new TerraformStack(Testing.app(), "Demo");
  if (kind !== "provider") new signing.SigningProvider(stack, "signing");
  return stack;
}

interface Outcome {
  readonly errors: readonly Expected[];
  readonly made: Construct | undefined;
}

function declare(noun: Noun, args: Args): Outcome {
  const scope = stackFor(noun);
  try {
    const made = new (classOf(noun))(scope, "thing", withTokens(scope, args, noun.inputs));
    Testing.synth(scope, true);
    return { errors: [], made };
  } catch (error) {
    if (!(error instanceof signing.ValidationError)) throw error;
    return { errors: error.findings.map(({ code, path }) => ({ code, path })), made: undefined };
  }
}

const sorted = (all: readonly Expected[]): string[] =>
  all.map(({ code, path }) => `${code} ${formatPath(path)}`).sort();

describe.each(nouns.map((noun) => [noun.construct, noun] as const))("%s", (construct, noun) => {
  const rows = noun.rows.filter(({ on }) => on !== "provider");

  test.each(rows.map((row) => [row.name, row] as const))("%s", (_name, row) => {
    const { errors, made } = declare(noun, row.args);
    expect(sorted(errors)).toEqual(sorted(row.errors));
    for (const { code, path } of row.warnings ?? []) {
      const shown = made?.node.metadata.map(({ data }) => String(data)) ?? [];
      expect(shown.join("\n")).toContain(`[${construct}:${code}:${formatPath(path)}]`);
    }
  });

  const names = Object.entries({ ...noun.inputs, ...noun.outputs });

  test("has every input and output of the spec as a readable property", () => {
    const scope = stackFor(noun);
    const made = new (classOf(noun))(scope, "thing", noun.base);
    for (const [name] of names) expect(name in made).toBe(true);
    if (noun.kind === "provider") return;
    const plain = names.filter(([, kind]) => typeof kind === "string").map(([name]) => name);
    for (const name of plain) {
      const value: unknown = Reflect.get(made, name);
      expect(Token.isUnresolved(value)).toBe(true);
      new TerraformOutput(scope, name, { value });
    }
    const { output } = JSON.parse(Testing.synth(scope)) as { output?: Record<string, unknown> };
    const address = `${noun.kind === "resource" ? "" : "data."}${noun.typeName}.thing`;
    for (const name of plain) {
      const value = `\${${address}.${wireNameIn(noun, name)}}`;
      expect([name, output?.[name]]).toEqual([name, { value }]);
    }
  });

  if (noun.kind === "provider") return;

  test("carries its type token", () => {
    const name = construct.replace("signing.", "");
    expect(Reflect.get(classOf(noun), "typeToken")).toBe(`trivet:signing/v1:${name}`);
  });
});

test.each(Object.entries(words))("the values of %s are those of the spec", (name, all) => {
  const values: unknown = Reflect.get(signing, name);
  expect(Object.values(values as Readonly<Record<string, string>>).sort()).toEqual([...all].sort());
});
