import { type IResolvable, type TerraformStack, Token, Tokenization } from "cdktf";
import { sequencesIn } from "../../hcl/template-sequences";

/** A `${…}` or `%{…}` in a string, as Terraform will read it. */
interface Template {
  readonly at: number;
  readonly text: string;
  /** The content between the braces; undefined if they are not closed. */
  readonly inside: string | undefined;
}

/** Yields the templates of a string that are not escaped (`$${…}`, `%%{…}`), without nested ones. */
export function* templates(text: string): Generator<Template> {
  for (const { start: at, end, isClosed, within } of sequencesIn(text)) {
    if (within !== undefined) continue;
    const inside = isClosed ? text.slice(at + 2, end - 1) : undefined;
    yield { at, text: text.slice(at, end), inside };
  }
}

const keyword = /^(?:true|false|null)$/;

/** `HOME`, `1`, `@`, and the shell's `HOME:-/root`, `HOME%.txt`, `#HOME`: never a Terraform expression. */
const shellWord = /^[#!]?(?:[A-Za-z_]\w*|\d+|[@*?$!-])(?:(?::?[-=+?]|##?|%%?|\/|\^|,).*)?$/s;

const directive = /^(?:if|else|endif|for|endfor)\b/;

/**
 * Checks whether a template is meant for Terraform (`${var.region}`, `${each.key}`, `${upper("a")}`), and not
 * for a shell (`${HOME}`).
 *
 * A single name is never a reference in Terraform: every reference has a dot or an index.
 */
export function isExpression({ text, inside }: Template): boolean {
  if (inside === undefined) return false;
  const trimmed = inside.replace(/^~/, "").replace(/~$/, "").trim();
  if (text.startsWith("%")) return directive.test(trimmed);
  return trimmed !== "" && (keyword.test(trimmed) || !shellWord.test(trimmed));
}

/** The type of a token that cdktf wrote into a string or a key. */
type MarkerKind = "string" | "list" | "map";

/** One complete `${TfToken[…]}`, `#{TfToken[…]}` or `&{TfToken[…]}` in a string. */
interface Marker {
  readonly kind: MarkerKind;
  readonly text: string;
}

const kinds: Readonly<Record<string, MarkerKind>> = { $: "string", "#": "list", "&": "map" };

const marker = /([$#&])\{TfToken\[([\w:.-]+)\]\}/g;

/** Checks whether cdktf created a token with this key. A string can contain the same characters by chance. */
export function isRegistered(key: string): boolean {
  try {
    return Tokenization.reverseString(`\${TfToken[${key}]}`).tokens.length > 0;
  } catch {
    return false;
  }
}

export function markers(text: string): Marker[] {
  if (!text.includes("{TfToken[")) return [];
  const found: Marker[] = [];
  for (const [matched, sign = "", key = ""] of text.matchAll(marker)) {
    const kind = kinds[sign];
    if (kind !== undefined && isRegistered(key)) found.push({ kind, text: matched });
  }
  return found;
}

export function withoutMarkers(text: string): string {
  return markers(text).reduce((rest, { text: each }) => rest.replace(each, ""), text);
}

/** Checks whether a value is exactly one complete token of a kind. */
export function isMarker(value: unknown, kind: MarkerKind): boolean {
  if (typeof value !== "string") return false;
  const [first] = markers(value);
  return first?.kind === kind && first.text === value;
}

/**
 * cdktf encodes a number token as a double whose top 16 bits are 0xFDFF (for a list of numbers: 0xFBFF)
 * and whose other bits count the tokens. The result is one of the largest negative numbers.
 */
const firstToken = -(2 ** 992) * 1.9375;
const oneToken = 2 ** 940;
const firstListToken = -(2 ** 960) * 1.9375;
const oneListToken = 2 ** 908;

const highest = 2 ** 48;

const isOneOf = (value: number, first: number, step: number): boolean =>
  value <= first && (first - value) / step < highest;

/** Checks whether a number is cdktf's encoding of a number token. */
export function isNumberToken(value: number): boolean {
  if (!isOneOf(value, firstToken, oneToken)) return false;
  try {
    return Tokenization.reverseNumber(value) !== undefined;
  } catch {
    return false;
  }
}

/** Checks whether a number is the element of cdktf's encoding of a list-of-numbers token. */
export function isNumberListElement(value: number): boolean {
  if (!isOneOf(value, firstListToken, oneListToken)) return false;
  try {
    return Tokenization.reverseNumberList([value]) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Checks whether a number is the result of arithmetic with a number token: a token multiplied or divided by a
 * factor such as 2, 0.5 or 1000, a negated token, or the difference of two.
 *
 * `token + 1` equals the token and cannot be detected.
 */
export function isCorruptNumberToken(value: number): boolean {
  const size = Math.abs(value);
  if (size < oneToken || size === Infinity || isNumberToken(value)) return false;
  const tokens = size / oneToken;
  if (tokens < 2 ** 32 && Number.isInteger(tokens)) return true;
  const factor = Math.abs(value / firstToken);
  return isPlain(factor) || isPlain(1 / factor);
}

/**
 * Checks whether a factor is a round number, apart from the deviation that the counter in the low bits
 * causes.
 */
function isPlain(factor: number): boolean {
  const thousandths = factor * 1000;
  const nearest = Math.round(thousandths);
  return nearest > 0 && nearest <= 1e7 && Math.abs(thousandths - nearest) <= nearest * 1e-9;
}

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
