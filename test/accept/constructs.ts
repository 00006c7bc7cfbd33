import { TerraformOutput, TerraformStack, Testing, Token } from "cdktf";
import type { Construct } from "constructs";
import { ValidationError } from "../../src";
import { readAnnotation } from "../../src/core/schema/finding-text";
import { formatPath } from "../../src/core/schema";
import { type Args, type Noun, wireNameIn } from "./noun";
import type { Expected } from "./table";
import { kindOf } from "./warning-kind";
import { withTokens } from "./with-tokens";

type AnyConstruct = new (scope: Construct, id: string, props: unknown) => Construct;

/** A provider's constructs and their tables. */
interface Constructs {
  /** The name of its part of the package, which is `ids` in `ids.Endpoint`. */
  readonly name: string;
  /** What that part exports. */
  readonly exported: object;
  /** The class of the provider. */
  readonly provider: new (scope: Construct, id: string) => Construct;
  readonly nouns: readonly Noun[];
  /** The values of each exported enumeration, as the specification has them. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
}

interface Outcome {
  readonly errors: readonly Expected[];
  readonly made: Construct | undefined;
}

/** Tests each construct of a provider against its table. */
export function acceptConstructs({ name, exported, provider, nouns, enums }: Constructs): void {
  const nameOf = ({ construct }: Noun): string => construct.replace(`${name}.`, "");
  const classOf = (noun: Noun): AnyConstruct => Reflect.get(exported, nameOf(noun)) as AnyConstruct;

  /** A stack with the provider, unless that is what is tested. */
  function stackFor({ kind, around }: Noun): TerraformStack {
    const stack = new TerraformStack(Testing.app(), "Demo");
    if (kind !== "provider") new provider(stack, name);
    around?.(stack);
    return stack;
  }

  function declare(noun: Noun, args: Args): Outcome {
    const scope = stackFor(noun);
    try {
      const made = new (classOf(noun))(scope, "thing", withTokens(scope, args, noun.inputs));
      Testing.synth(scope, true);
      return { errors: [], made };
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return { errors: error.findings.map(({ code, path }) => ({ code, path })), made: undefined };
    }
  }

  describe.each(nouns.map((noun) => [noun.construct, noun] as const))("%s", (_construct, noun) => {
    const rows = noun.rows.filter(({ on }) => on !== "provider");

    test.each(rows.map((row) => [row.name, row] as const))("%s", (_name, row) => {
      const { errors, made } = declare(noun, row.args);
      expect(sorted(errors)).toEqual(sorted(row.errors));
      for (const { code, path } of row.warnings ?? []) {
        const shown = made?.node.metadata.map(({ data }) => readAnnotation(String(data))) ?? [];
        const found = shown.filter((remark) => kindOf(remark.code ?? "") === code);
        expect(found.map(({ property }) => property)).toContain(formatPath(path));
      }
    });

    test("has every input and output of the spec as a readable property", () => {
      const kinds = Object.entries({ ...noun.inputs, ...noun.outputs });
      const scope = stackFor(noun);
      const made = new (classOf(noun))(scope, "thing", noun.base);
      for (const [property] of kinds) expect(property in made).toBe(true);
      if (noun.kind === "provider") return;
      const plain = kinds.flatMap(([property, kind]) =>
        typeof kind === "string" ? [property] : [],
      );
      for (const property of plain) {
        const value: unknown = Reflect.get(made, property);
        expect(Token.isUnresolved(value)).toBe(true);
        new TerraformOutput(scope, property, { value });
      }
      const { output } = JSON.parse(Testing.synth(scope)) as { output?: Record<string, unknown> };
      const address = `${noun.kind === "resource" ? "" : "data."}${noun.typeName}.thing`;
      for (const property of plain) {
        const value = `\${${address}.${wireNameIn(noun, property)}}`;
        expect([property, output?.[property]]).toEqual([property, { value }]);
      }
    });

    if (noun.kind === "provider") return;

    test("carries its type token", () => {
      const token = `trivet:${name}/v1:${nameOf(noun)}`;
      expect(Reflect.get(classOf(noun), "typeToken")).toBe(token);
    });
  });

  test.each(Object.entries(enums))("the values of %s are those of the spec", (enumeration, all) => {
    const values: unknown = Reflect.get(exported, enumeration);
    const found = Object.values(values as Readonly<Record<string, string>>);
    expect(found.sort()).toEqual([...all].sort());
  });
}

const sorted = (all: readonly Expected[]): string[] =>
  all.map(({ code, path }) => `${code} ${formatPath(path)}`).sort();
