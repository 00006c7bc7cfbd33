import { Token, Tokenization, type IResolvable, type TerraformStack } from "cdktf";
import { isExpression, templates } from "./expression";
import { isMarker } from "./marker";
import { isNumberListElement, isNumberToken } from "./number-token";

/** Matches a part of each token that cdktf writes into a string, and of each fragment of such a token. */
const suspicious = /\{|TfToken\[|e\+2|Token Value/;

/** Checks whether cdktf may find a token in a string. False is certain. */
export const mayBeToken = (text: string): boolean => suspicious.test(text);

/** Checks whether a number may be a token, or the result of a calculation with one. False is certain. */
export const mayBeNumberToken = (value: number): boolean =>
  !(value > -1e280 && value < 1e280) || value === Token.NUMBER_MAP_TOKEN_VALUE;

/**
 * Checks whether a value is only known when Terraform runs, in any of cdktf's forms: a string, number, list
 * or map that encodes a token, an `IResolvable`, or a string with a Terraform expression such as
 * `${var.region}`.
 */
export function isToken(value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return isStringToken(value);
    case "number":
      return isNumberToken(value);
    case "object":
      return value !== null && (Array.isArray(value) ? isListToken(value) : isObjectToken(value));
    default:
      return false;
  }
}

function isStringToken(text: string): boolean {
  if (text.includes("${TfToken[")) return true;
  if (!text.includes("${") && !text.includes("%{")) return false;
  for (const template of templates(text)) {
    if (isExpression(template)) return true;
  }
  return false;
}

function isListToken(list: readonly unknown[]): boolean {
  if (list.length !== 1) return false;
  const [only] = list;
  return typeof only === "number" ? isNumberListElement(only) : isMarker(only, "list");
}

function isObjectToken(object: object): boolean {
  if (Tokenization.isResolvable(object)) return true;
  const keys = Object.keys(object);
  return keys.length === 1 && isMarker(keys[0], "map");
}

/** cdktf's token for an attribute of an element; its class is not exported. */
export interface Reference extends IResolvable {
  /** The reference in Terraform's syntax, such as `ids_endpoint.edge.id`. */
  readonly identifier: string;
  readonly originStack: TerraformStack | undefined;
}

export const isReference = (token: IResolvable): token is Reference =>
  "identifier" in token && typeof token.identifier === "string" && "originStack" in token;
