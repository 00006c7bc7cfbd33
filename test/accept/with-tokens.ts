import { type TerraformStack, TerraformVariable, Token } from "cdktf";
import { UNKNOWN } from "../../src/core/schema";
import { isRecord } from "../../src/core/json/plain-json";
import type { Args, Kind, Kinds } from "./noun";

/** A placeholder for a value that is not known yet, by the kind of the value. */
export type TokenOf = (kind: Kind | undefined, value: unknown) => unknown;

/** Replaces unknown values in arguments with cdktf tokens of the same kind. */
export function withTokens(scope: TerraformStack, args: Args, kinds: Kinds): Args {
  const variable = new TerraformVariable(scope, "variable", {});
  return replaced(args, kinds, (value) => value === UNKNOWN, variableToken(variable));
}

/** Encodes a variable's value as cdktf does for a kind. */
export const variableToken =
  (variable: TerraformVariable): TokenOf =>
  (kind) => {
    if (kind === "list") return variable.listValue;
    if (kind === "map") return Token.asStringMap(variable.value);
    if (kind === "number") return variable.numberValue;
    return kind === "string" ? variable.stringValue : (variable.value as unknown);
  };

/** Arguments with a token for every unknown value. */
export function replaced(
  args: Args,
  kinds: Kinds,
  isOpen: (value: unknown) => boolean,
  token: TokenOf,
): Args {
  const one = (value: unknown, kind: Kind | undefined): unknown => {
    if (isOpen(value)) return token(kind, value);
    if (Array.isArray(value)) return value.map((each: unknown) => one(each, kind));
    return isRecord(value) ? inside(value, kind) : value;
  };
  const inside = (values: Args, kind: Kind | undefined): Args => {
    const below = fieldsOf(kind);
    const kindOf = (name: string) => (kind === "map" ? "string" : below[name]);
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, one(value, kindOf(name))]),
    );
  };
  return inside(args, { block: kinds });
}

function fieldsOf(kind: Kind | undefined): Kinds {
  if (typeof kind !== "object") return {};
  return "block" in kind ? kind.block : kind.blocks;
}
