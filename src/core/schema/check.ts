import { isObject, isRecord } from "../json/plain-json";
import {
  type Attribute,
  type Block,
  containsSecrets,
  type Fields,
  hasSecrets,
  isSensitive,
} from "./attribute";
import { comparable, hasDefault, deprecationCode } from "./nested-attributes";
import { brokenParts, wrongType } from "./value-problem";
import {
  display,
  type Finding,
  type FindingCode,
  type Path,
  correctionText,
  didYouMean,
} from "./finding";
import {
  isGiven,
  type IsUnknown,
  type Label,
  type Text,
  textFor,
  type Values,
} from "./resource-rule";
import type { Type } from "./type";
import type { ValueRule } from "./value-rule";

/** How messages write the names of a declaration's, a block's or an object's attributes. */
type LabelOf = (fields: Fields) => Label;

/**
 * Checks values against all the rules of a declaration.
 *
 * All findings are reported together, each with its path. An unknown value is accepted, and a rule that reads
 * an unknown value is skipped. Absent and null are the same. The values are not changed.
 *
 * @param isUnknown by default, all values are known
 * @param labelOf how messages write the names of attributes, by default as in TypeScript
 * @param hasWriteOnly true if Terraform has write-only arguments
 */
export function check(
  fields: Fields,
  values: Values,
  isUnknown: IsUnknown = never,
  labelOf: LabelOf = asDeclared,
  hasWriteOnly = false,
): Finding[] {
  const run = new Check(isUnknown, labelOf, hasWriteOnly);
  run.fields(fields, values, false);
  return run.findings;
}

/**
 * Checks one value against a type and its rules, as {@link check} does for each attribute.
 *
 * @param isSecret true if messages hide the value
 */
export function checkValue(
  type: Type,
  value: unknown,
  isUnknown: IsUnknown,
  isSecret = false,
): Finding[] {
  const run = new Check(isUnknown, asDeclared, false);
  run.value(type, value, isSecret);
  return run.findings;
}

const never: IsUnknown = () => false;

const asDeclared: LabelOf = () => (name) => name;

class Check {
  readonly findings: Finding[] = [];
  readonly #path: (string | number)[] = [];
  readonly #isUnknown: IsUnknown;
  readonly #labelOf: LabelOf;
  readonly #hasWriteOnly: boolean;

  constructor(isUnknown: IsUnknown, labelOf: LabelOf, hasWriteOnly: boolean) {
    this.#isUnknown = isUnknown;
    this.#labelOf = labelOf;
    this.#hasWriteOnly = hasWriteOnly;
  }

  /** @param secret true if the values are inside a sensitive one */
  fields(fields: Fields, values: Values, secret: boolean): void {
    const { attributes, blocks = {}, rules = [] } = fields;
    for (const name in attributes) {
      const attribute = attributes[name];
      if (attribute === undefined) continue;
      if (attribute.presence !== "required" && !isGivenValue(values[name])) continue;
      this.#path.push(name);
      this.#attribute(attribute, values[name], secret, fields);
      this.#path.pop();
    }
    for (const name in blocks) {
      const block = blocks[name];
      if (block === undefined || (!block.min && !isGivenValue(values[name]))) continue;
      this.#path.push(name);
      this.#block(block, values[name], fields);
      this.#path.pop();
    }
    for (const name in values) {
      if (values[name] === undefined) continue;
      if (Object.hasOwn(attributes, name) || Object.hasOwn(blocks, name)) continue;
      const known = [...Object.keys(attributes), ...Object.keys(blocks)].filter(
        (candidate) => attributes[candidate]?.presence !== "computed",
      );
      this.#in(name, () =>
        this.#add("UNKNOWN_PROPERTY", `is not a property${didYouMean(name, known)}`),
      );
    }
    for (const rule of rules) {
      if (rule.needsWriteOnly === true && !this.#hasWriteOnly) continue;
      if (rule.inputs.some((name) => this.#isUnknown(values[name]))) continue;
      const broken = rule.broken(values, this.#labelOf(fields), this.#isUnknown) ?? [];
      for (const { name, path = [], message, got: value } of "message" in broken
        ? [broken]
        : broken) {
        const depth = this.#path.length;
        this.#path.push(name, ...path);
        const hidden = secret || isSecretAt(fields, [name, ...path]);
        this.#add(rule.code, value === undefined ? message : message + got(value, hidden), rule);
        this.#path.length = depth;
      }
    }
  }

  value(type: Type, value: unknown, secret: boolean): void {
    if (this.#isUnknown(value)) return;
    const wrong = wrongType(type, value);
    if (wrong !== undefined) {
      const hidden = secret || containsSecrets(type);
      const { code, message, meant } = wrong;
      if (meant === undefined || hidden) this.#add(code, message + got(value, hidden));
      else {
        const correction = { got: String(value), meant };
        this.#add(code, message + correctionText(correction), { ...error, correction });
      }
      return;
    }
    if (type.rule !== undefined) this.#rule(type.rule, value, secret || containsSecrets(type));
    switch (type.kind) {
      case "list":
      case "set":
        this.#elements(type.of, value as readonly unknown[], secret);
        if (type.kind === "set") this.#distinct(type.of, value as readonly unknown[]);
        return;
      case "map":
        for (const [key, element] of Object.entries(value as Values)) {
          this.#in(key, () => this.#element(type.of, element, secret));
        }
        return;
      case "object":
        this.fields(type.fields, value as Values, secret);
        return;
      default:
    }
  }

  #attribute(attribute: Attribute, value: unknown, secret: boolean, fields: Fields): void {
    if (!isGivenValue(value)) this.#add("MISSING", "must be set");
    else if (attribute.presence === "computed") {
      this.#add("UNKNOWN_PROPERTY", "is an output and cannot be set");
    } else {
      if (attribute.deprecated !== undefined && !this.#isUnknown(value)) {
        this.#deprecated(attribute.deprecated, fields);
      }
      this.value(attribute.type, value, secret || isSensitive(attribute));
    }
  }

  #block(block: Block, value: unknown, fields: Fields): void {
    if (this.#isUnknown(value)) return;
    const given = isGiven(value);
    if (given && block.deprecated !== undefined) this.#deprecated(block.deprecated, fields);
    const isSingle = block.nesting === "single";
    const elements = value ?? [];
    if (isSingle && !given) {
      if ((block.min ?? 0) > 0) this.#add("MISSING", "must be set");
    } else if (isObject(value) && (isSingle || block.max === 1)) {
      this.fields(block.fields, value, false);
    } else if (isSingle || !Array.isArray(elements)) {
      const expected = isSingle ? "an object" : "an array of objects";
      this.#add("WRONG_TYPE", `must be ${expected}${got(value, hasSecrets(block.fields))}`);
    } else this.#elementsOf(block, elements);
  }

  #elementsOf(block: Block, elements: readonly unknown[]): void {
    this.#count(block, elements.length);
    elements.forEach((element: unknown, index) => {
      if (this.#isUnknown(element)) return;
      this.#in(index, () => {
        if (isObject(element)) this.fields(block.fields, element, false);
        else this.#add("WRONG_TYPE", `must be an object${got(element, hasSecrets(block.fields))}`);
      });
    });
  }

  #deprecated(text: Text, fields: Fields): void {
    const message = `is deprecated; ${textFor(text, this.#labelOf(fields))}`;
    const name = String(this.#path.findLast((step) => typeof step === "string"));
    this.#add("DEPRECATED", message, { severity: "warning", warning: deprecationCode(name) });
  }

  #count({ min = 0, max = Infinity }: Block, count: number): void {
    if (count < min) {
      this.#add("MISSING", `needs at least ${blocks(min)} (got ${count})`);
    }
    if (count > max) {
      this.#add("INVALID_ARGUMENT", `allows at most ${blocks(max)} (got ${count})`);
    }
  }

  #elements(type: Type, elements: readonly unknown[], secret: boolean): void {
    const depth = this.#path.length;
    for (let index = 0; index < elements.length; index++) {
      this.#path[depth] = index;
      this.#element(type, elements[index], secret);
    }
    this.#path.length = depth;
  }

  #element(type: Type, value: unknown, secret: boolean): void {
    if (isGivenValue(value)) this.value(type, value, secret);
    else if (type.nullable !== true) this.#add("WRONG_TYPE", "must not be null");
  }

  /** If a plan has fewer elements in a set than the configuration, Terraform refuses it and blames the provider. */
  #distinct(type: Type, elements: readonly unknown[]): void {
    if (type.kind !== "object" || !hasDefault(type.fields)) return;
    const given = new Map<string, string>();
    for (const element of elements) {
      if (!isRecord(element) || this.#hasUnknown(element)) continue;
      const text = JSON.stringify(comparable(type, element, false));
      const full = JSON.stringify(comparable(type, element, true));
      if ((given.get(full) ?? text) !== text) {
        this.#add(
          "INVALID_ARGUMENT",
          "has two elements that are equal once their defaults are filled in; remove one of them",
        );
        return;
      }
      given.set(full, text);
    }
  }

  #rule(rule: ValueRule, value: unknown, secret: boolean): void {
    if (this.#isUnknown !== never && this.#hasUnknown(value)) return;
    const depth = this.#path.length;
    for (const { path, blamed, message } of brokenParts(rule, value)) {
      this.#path.push(...path);
      this.#add(rule.code, message + got(blamed, secret), rule);
      this.#path.length = depth;
    }
  }

  #hasUnknown(value: unknown): boolean {
    if (!isRecord(value)) return false;
    if (Array.isArray(value)) {
      for (const inner of value) if (this.#isOpen(inner)) return true;
      return false;
    }
    for (const name in value) if (this.#isOpen(value[name])) return true;
    return false;
  }

  #isOpen(value: unknown): boolean {
    return this.#isUnknown(value) || this.#hasUnknown(value);
  }

  #in(step: string | number, visit: () => void): void {
    this.#path.push(step);
    visit();
    this.#path.pop();
  }

  #add(
    code: FindingCode,
    message: string,
    { severity, warning, correction }: Weight = error,
  ): void {
    const path: Path = [...this.#path];
    const kind = warning === undefined ? { code, severity } : { code, severity, warning };
    this.findings.push({ ...kind, path, message, ...(correction && { correction }) });
  }
}

type Weight = Pick<Finding, "severity" | "warning" | "correction">;

const error: Weight = { severity: "error" };

const blocks = (count: number): string => (count === 1 ? "1 block" : `${count} blocks`);

const got = (value: unknown, secret: boolean): string => (secret ? "" : ` (got ${display(value)})`);

/** Checks whether an attribute, or a block around it, is sensitive. */
function isSecretAt({ attributes, blocks = {} }: Fields, [name, ...path]: Path): boolean {
  const attribute = attributes[name ?? ""];
  if (attribute !== undefined) return isSensitive(attribute) || containsSecrets(attribute.type);
  const inner = path.slice(typeof path[0] === "number" ? 1 : 0);
  const block = blocks[name ?? ""];
  return block !== undefined && inner.length > 0 && isSecretAt(block.fields, inner);
}

const isGivenValue = (value: unknown): boolean => value !== undefined && value !== null;
