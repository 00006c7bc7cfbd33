import { isPlainObject, type Properties } from "../../json/plain-json";
import { check, type Fields, type Finding, type Path, type Type, UNKNOWN } from "../../schema";
import { isToken, mayBeNumberToken, mayBeToken } from "../token/is-token";
import { type Misuse, tokenMisuse } from "../token/token-misuse";

/**
 * Checks values against a declaration before synthesis: its rules, and how tokens are used.
 *
 * Tokens are accepted. A value with a misused token is not checked further. Rules check what Terraform
 * will read: `${` where `$${` is written. The values are not changed.
 */
export function checkValues(fields: Fields, values: Properties): Finding[] {
  if (isPlain(values)) return check(fields, values);
  const misused: Finding[] = [];
  const walk = new Walk(misused);
  walk.fields(fields, values);
  if (walk.metEscapes) {
    const broken = check(fields, literalValues(values), (value) => value === UNKNOWN);
    return [...misused, ...broken];
  }
  const isUnknown = (value: unknown): boolean =>
    isToken(value) || (misused.length > 0 && tokenMisuse(value) !== undefined);
  const broken = check(fields, values, isUnknown).filter(({ path }) => !isAtTokenKey(path));
  return [...misused, ...broken];
}

/** Checks whether a path has a key that is a token. The rules are then left to the provider. */
const isAtTokenKey = (path: Path): boolean =>
  path.some((step) => typeof step === "string" && step.includes("{") && isToken(step));

/** The declaration of a value; undefined if it has none. */
type Shape = Type | Fields | undefined;

/** Keys whose entries are silently dropped: anywhere in Terraform's JSON, or by cdktf. */
const dropped: ReadonlyMap<string, Misuse> = new Map(
  Object.entries({ "//": "Terraform reads as a comment", ["__proto__"]: "cdktf leaves out" }).map(
    ([key, how]) => [
      key,
      {
        code: "LITERAL_INTERPOLATION",
        message: `must not have the key "${key}", which ${how}: write '\${"${key}"}' instead`,
      },
    ],
  ),
);

class Walk {
  metEscapes = false;
  readonly #findings: Finding[];
  readonly #path: (string | number)[] = [];

  constructor(findings: Finding[]) {
    this.#findings = findings;
  }

  fields(fields: Fields, values: Properties, secret = false): void {
    for (const name in values) {
      const attribute = fields.attributes[name];
      const shape = attribute?.type ?? fields.blocks?.[name]?.fields;
      this.#value(name, values[name], shape, secret || attribute?.sensitive === true);
    }
  }

  #value(step: string | number, value: unknown, shape: Shape, secret: boolean): void {
    if (typeof value === "boolean" || value === undefined || value === null) return;
    this.#path.push(step);
    const misuse = tokenMisuse(value, secret);
    if (misuse !== undefined) this.#add(misuse);
    else if (typeof value === "string") this.metEscapes ||= hasEscapes(value);
    else if (typeof value === "object" && !isToken(value)) this.#inside(value, shape, secret);
    this.#path.pop();
  }

  #inside(value: object, shape: Shape, secret: boolean): void {
    const element = shape !== undefined && "of" in shape ? shape.of : undefined;
    if (Array.isArray(value)) {
      value.forEach((each: unknown, index) => {
        this.#value(index, each, element ?? shape, secret);
      });
    } else if (isPlainObject(value)) {
      // The rules refuse constructs and other instances.
      this.#keys(value);
      const fields = fieldsOf(shape);
      if (fields !== undefined) this.fields(fields, value, secret);
      else for (const key in value) this.#value(key, value[key], element, secret);
    }
  }

  #keys(values: Properties): void {
    for (const key in values) {
      if (!key.includes("{") && !dropped.has(key)) continue;
      this.metEscapes ||= hasEscapes(key);
      const misuse = dropped.get(key) ?? tokenMisuse(key);
      if (misuse === undefined) continue;
      this.#path.push(key);
      this.#add(misuse);
      this.#path.pop();
    }
  }

  #add(misuse: Misuse): void {
    this.#findings.push({ ...misuse, severity: "error", path: [...this.#path] });
  }
}

function fieldsOf(shape: Shape): Fields | undefined {
  if (shape === undefined) return undefined;
  if (!("kind" in shape)) return shape;
  return shape.kind === "object" ? shape.fields : undefined;
}

/**
 * Checks whether Terraform receives values as they are written: no part of them is a token, misuses a token,
 * or is an expression, an escape or a comment for Terraform. Returns false if in doubt.
 */
export function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return !mayBeToken(value);
    case "number":
      return !mayBeNumberToken(value);
    case "object":
      if (value === null) return true;
      return Array.isArray(value) ? value.every(isPlain) : isPlainMap(value);
    default:
      return true;
  }
}

function isPlainMap(map: object): boolean {
  if (!isPlainObject(map) || "resolve" in map) return false;
  for (const key in map) {
    if (dropped.has(key) || mayBeToken(key) || !isPlain(map[key])) return false;
  }
  return true;
}

/** Checks whether a string contains `$${` or `%%{`, which Terraform reads as `${` or `%{`. */
const hasEscapes = (value: string): boolean => value.includes("{") && /([$%])\1\{/.test(value);

/** Replaces escapes by the characters that Terraform will read. */
export const literalText = (value: string): string =>
  hasEscapes(value) ? value.replaceAll(/([$%])\1(?=\{)/g, "$1") : value;

/**
 * Returns the values before synthesis as Terraform will read them: with the characters that escapes
 * represent, and with `UNKNOWN` for tokens and misused tokens.
 *
 * Map entries whose keys are tokens are left out. The values are not changed.
 */
export function literalValues(values: Properties): Properties {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      isOpen(key) ? [] : [[literalText(key), literal(value)] as const],
    ),
  );
}

const isOpen = (value: unknown): boolean => isToken(value) || tokenMisuse(value) !== undefined;

function literal(value: unknown): unknown {
  if (isOpen(value)) return UNKNOWN;
  if (typeof value === "string") return literalText(value);
  if (Array.isArray(value)) return value.map(literal);
  return isPlainObject(value) ? literalValues(value) : value;
}
