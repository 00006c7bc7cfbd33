import { TerraformStack, TerraformVariable, Testing } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "../../../../../src";
import { type Fields, UNKNOWN } from "../../../../../src/core/schema";
import { isRecord } from "../../../../../src/core/json/plain-json";
import type { Expected } from "../../../../accept/table";
import { type Args, type Noun, wireNameIn } from "../../tables";
import type { Values } from "../../../provider-kit/plan/planning";
import { declarationOf } from "../../provider/noun-run";
import { replaced, type TokenOf, variableToken } from "../../../../accept/with-tokens";
import type { Reference } from "./open";
import { Open, settled } from "./open";
import { nounOf, providerNoun, type Part, type Template } from "./template";
import { asRead, written } from "./text";

type AnyConstruct = new (scope: Construct, id: string, props: unknown) => Construct;

/** The package's class by the name in a table, which knows no types. */
const classOf = ({ construct }: Noun): AnyConstruct =>
  Reflect.get(workspace, construct.replace("workspace.", "")) as AnyConstruct;

const isOpen = (value: unknown): boolean => value instanceof Open;

interface Declared {
  readonly stack: TerraformStack;
  /** The findings of the constructors by part; the provider's are under the empty string. */
  readonly errors: ReadonlyMap<string, readonly Expected[]>;
}

/** An input variable of the stack, as the values that are known only when Terraform applies. */
const variableIn = (stack: TerraformStack): TokenOf =>
  variableToken(new TerraformVariable(stack, "later", {}));

/**
 * Makes the constructs of a template.
 *
 * @param later what the stack has for values that are known only when Terraform applies
 */
export function declared({ settings, parts }: Template, later = variableIn): Declared {
  const stack = new TerraformStack(Testing.app(), "Demo");
  const token = later(stack);
  const made = new Map<string, Construct>();
  const errors = new Map<string, readonly Expected[]>();
  const output = ({ part, output: name }: Reference): unknown => {
    const construct = made.get(part);
    return construct === undefined ? token("string", "") : Reflect.get(construct, name);
  };
  const make = (id: string, noun: Noun, args: Args): void => {
    const linked = settled(written(args), (open) => (open instanceof Open ? open : output(open)));
    const props = replaced(linked, noun.inputs, isOpen, (kind, value) =>
      token(kind, value instanceof Open ? value.value : undefined),
    );
    try {
      made.set(id, new (classOf(noun))(stack, id === "" ? "workspace" : id, props));
    } catch (error) {
      if (!(error instanceof workspace.ValidationError)) throw error;
      errors.set(
        id,
        error.findings.map(({ code, path }) => ({ code, path })),
      );
    }
  };
  make("", providerNoun, settings);
  for (const { id, type, args } of parts) make(id, nounOf(type), args);
  return { stack, errors };
}

type Json = Readonly<Record<string, unknown>>;

/** The synthesized stack, validated. */
export const synthesized = (stack: TerraformStack): Json =>
  JSON.parse(Testing.synth(stack, true)) as Json;

/** What Terraform passes to the provider for a part, as it reads the synthesized JSON. */
export function readByTerraform(json: Json, { id, type }: Part): Values {
  const noun = nounOf(type);
  const section = json[noun.kind === "resource" ? "resource" : "data"] as
    Readonly<Record<string, Readonly<Record<string, Json>>>> | undefined;
  const body = section?.[type]?.[id];
  if (body === undefined) throw new Error(`${type}.${id} is not synthesized`);
  return valuesOf(declarationOf(noun), body, noun);
}

function valuesOf({ attributes, blocks = {} }: Fields, body: Json, noun: Noun): Values {
  return Object.fromEntries([
    ...Object.entries(attributes).map(([name, { type }]) => {
      const given = body[wireNameIn(noun, name)] ?? null;
      return [name, type.kind === "integer" ? integer(given) : asRead(given, UNKNOWN)] as const;
    }),
    ...Object.entries(blocks).map(([name, { fields }]) => {
      const value = body[wireNameIn(noun, name)] ?? [];
      const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
      const each = elements.map((one) => (isRecord(one) ? valuesOf(fields, one, noun) : one));
      return [name, each] as const;
    }),
  ]);
}

/** Terraform evaluates an expression of digits to the exact number. */
function integer(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const digits = /^\$\{(-?\d+)\}$/.exec(value)?.[1];
  if (digits === undefined) return UNKNOWN;
  const number = BigInt(digits);
  return BigInt(Number(number)) === number && Number.isSafeInteger(Number(number))
    ? Number(number)
    : number;
}
