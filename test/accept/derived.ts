import { TerraformStack, Testing } from "cdktf";
import type { Construct } from "constructs";
import { ValidationError } from "../../src";
import { construct } from "../../src/core/construct";
import type { Declaration } from "../../src/core/schema";
import { type Args, type Noun } from "./noun";
import { withTokens } from "./with-tokens";

type AnyConstruct = new (scope: Construct, id: string, props: unknown) => Construct;

interface Declared {
  readonly declaration: Declaration;
}

interface Definition extends Declared {
  readonly resources: readonly Declared[];
  readonly dataSources?: readonly Declared[] | undefined;
}

/** The declarations of a provider, its classes written by hand, and their tables. */
interface Compared {
  /** The name of its part of the package, which is `ids` in `ids.Endpoint`. */
  readonly name: string;
  /** What that part exports. */
  readonly exported: object;
  readonly provider: Definition;
  readonly nouns: readonly Noun[];
  /** Rows whose construct takes more than its declaration does, by the name of the construct. */
  readonly offersMore?: Readonly<Record<string, (row: Args) => boolean>>;
}

/** Compares what a derived class does with what the class written by hand does, for each row of the tables. */
export function compareDerived({ name, exported, provider, nouns, offersMore }: Compared): void {
  const all = [provider, ...provider.resources, ...(provider.dataSources ?? [])];
  const declarations = all.map(({ declaration }) => declaration);
  const Provider = derived(provider.declaration);

  function outcome(noun: Noun, Class: AnyConstruct, args: Args): unknown {
    const scope = new TerraformStack(Testing.app(), "Demo");
    if (noun.kind !== "provider") new Provider(scope, name, {});
    noun.around?.(scope);
    try {
      new Class(scope, "thing", withTokens(scope, args, noun.inputs));
      return Testing.synth(scope, true);
    } catch (error) {
      if (error instanceof ValidationError) return error.message;
      throw error;
    }
  }

  describe.each(nouns.map((noun) => [noun.construct, noun] as const))("%s", (written, noun) => {
    const declaration = declarations.find(
      ({ kind, type }) => kind === noun.kind && type === noun.typeName,
    );
    const Derived = derived(declaration);
    const Written = Reflect.get(exported, written.replace(`${name}.`, "")) as AnyConstruct;
    const more = offersMore?.[written] ?? (() => false);
    const rows = noun.rows.filter(({ on, args }) => on !== "provider" && !more(args));

    test.each(rows.map((row) => [row.name, row] as const))("%s", (_name, { args }) => {
      expect(outcome(noun, Derived, args)).toBe(outcome(noun, Written, args));
    });

    test("has its name and its type token", () => {
      expect(Derived.name).toBe(Written.name);
      expect(Reflect.get(Derived, "typeToken")).toBe(Reflect.get(Written, "typeToken"));
    });
  });
}

function derived(declaration: Declaration | undefined): AnyConstruct {
  if (declaration === undefined) throw new Error("there is no such declaration");
  return construct(declaration as never) as unknown as AnyConstruct;
}
