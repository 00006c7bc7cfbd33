import { parseExpression } from "../expression/parse";
import { type Reference, referencesIn, type Expression } from "../expression/syntax";
import { EvaluationError } from "../expression/value";
import { isObject, type Properties } from "../../core/json/plain-json";
import { parseTarget, parseTraversal, type Target, type Traversal } from "./address";
import { bodies } from "./body";
import type { Step } from "./value-path";

/** An error in a stack that is found before anything is evaluated. */
export interface ConfigurationFault {
  /** Such as `ids_endpoint.edge`, `output.url` or `moved`. */
  readonly address: string;
  readonly attribute: string;
  readonly detail: string;
}

export interface Lifecycle {
  readonly preventDestroy: boolean;
  readonly createBeforeDestroy: boolean;
  readonly ignoreChanges: "all" | readonly (readonly Step[])[];
  readonly replaceTriggeredBy: readonly Expression[];
  readonly precondition: readonly Properties[];
  readonly postcondition: readonly Properties[];
}

const conditions = ["precondition", "postcondition"];
const ofManaged = [
  "create_before_destroy",
  "prevent_destroy",
  "ignore_changes",
  "replace_triggered_by",
  "action_trigger",
];

/** Reads the arguments of blocks that Terraform itself uses, converts them like Terraform, and collects errors. */
export class MetaArguments {
  readonly faults: ConfigurationFault[] = [];

  fault(address: string, attribute: string, detail: string): void {
    this.faults.push({ address, attribute, detail });
  }

  /** Reads a boolean, which may be a literal string, but not a template. */
  flag(address: string, attribute: string, written: unknown, fallback: boolean): boolean {
    if (written === undefined || typeof written === "boolean") return written ?? fallback;
    if (written === "true" || written === "1") return true;
    if (written === "false" || written === "0") return false;
    this.fault(address, attribute, `${attribute} must be true or false (got ${quoted(written)}).`);
    return fallback;
  }

  references(address: string, written: unknown): readonly Traversal[] {
    return this.#list(address, "depends_on", written).flatMap((each) => {
      const found = parseTraversal(withoutPrefix(each));
      if (found === undefined) this.#noReference(address, "depends_on", each);
      return found ?? [];
    });
  }

  /** Reads the name of a provider's configuration, such as `ids.second`. */
  provider(address: string, type: string, written: unknown): string {
    const implied = type.split("_")[0] ?? type;
    if (written === undefined) return implied;
    const { root, steps } = parseTraversal(written) ?? { root: "", steps: [] };
    const [alias, ...rest] = steps;
    if (root !== "" && alias?.isIndex !== true && rest.length === 0) {
      return alias === undefined ? root : `${root}.${alias.step}`;
    }
    const form = `must be a name such as "${implied}" or "${implied}.second"`;
    this.fault(address, "provider", `provider ${form} (got ${quoted(written)}).`);
    return implied;
  }

  /** Reads an address of a `moved`, `import` or `removed` block. */
  target(block: string, attribute: string, written: unknown): Target | undefined {
    const found = parseTarget(written);
    if (found === undefined) this.#noReference(block, attribute, written);
    return found;
  }

  lifecycle(address: string, written: unknown, isManaged: boolean): Lifecycle {
    const body = this.#onlyBody(address, written);
    const known = isManaged ? [...ofManaged, ...conditions] : conditions;
    for (const name of Object.keys(body)) {
      if (name === "//" || known.includes(name)) continue;
      const detail = `lifecycle can contain ${known.join(", ")}, but not ${quoted(name)}.`;
      this.fault(address, `lifecycle.${name}`, detail);
    }
    const flag = (name: string) =>
      this.flag(address, `lifecycle.${name}`, isManaged ? body[name] : undefined, false);
    const list = (name: string) => this.#list(address, `lifecycle.${name}`, body[name]);
    return {
      preventDestroy: flag("prevent_destroy"),
      createBeforeDestroy: flag("create_before_destroy"),
      ignoreChanges:
        body["ignore_changes"] === "all"
          ? "all"
          : list("ignore_changes").flatMap((each) => this.#path(address, each)),
      replaceTriggeredBy: list("replace_triggered_by").flatMap((each) =>
        this.#trigger(address, each),
      ),
      precondition: bodies(body["precondition"]),
      postcondition: bodies(body["postcondition"]),
    };
  }

  #onlyBody(address: string, written: unknown): Properties {
    const [body = {}, ...more] = bodies(written);
    const isBlock = written === undefined || written === null || typeof written === "object";
    if (!isBlock || more.length > 0) {
      this.fault(address, "lifecycle", "lifecycle must be one object.");
    }
    return body;
  }

  #path(address: string, written: unknown): readonly (readonly Step[])[] {
    const found = parseTraversal(written);
    if (found !== undefined) return [[found.root, ...found.steps.map(({ step }) => step)]];
    const detail =
      `ignore_changes contains ${quoted(written)}, which is not the path of an attribute. ` +
      'Write paths such as "labels" or "option[0].name", or "all" instead of the list.';
    this.fault(address, "lifecycle.ignore_changes", detail);
    return [];
  }

  /** Reads an entry of `replace_triggered_by`: one resource or a part of it. */
  #trigger(address: string, written: unknown): readonly Expression[] {
    const expression = expressionIn(withoutPrefix(written));
    const [first, ...others] = expression === undefined ? [] : referencesIn(expression);
    const isResource = parseTarget(first && nameOf(first))?.resource?.mode === "managed";
    const isAlone = others.map(nameOf).every((name) => ownKeys.has(name));
    if (expression !== undefined && isResource && isAlone && isStatic(expression)) {
      return [expression];
    }
    this.#noReference(address, "lifecycle.replace_triggered_by", written);
    return [];
  }

  #list(address: string, attribute: string, written: unknown): readonly unknown[] {
    if (Array.isArray(written)) return written;
    if (written !== undefined) this.fault(address, attribute, `${attribute} must be a list.`);
    return [];
  }

  #noReference(address: string, attribute: string, written: unknown): void {
    const [, inner] = /^\$\{([^]*)\}$/.exec(typeof written === "string" ? written : "") ?? [];
    const hint =
      inner === undefined
        ? "Write the address of one resource, such as ids_endpoint.edge."
        : `Write it without braces: ${quoted(inner)}.`;
    const detail = `${attribute} contains ${quoted(written)}, which is not an address. ${hint}`;
    this.fault(address, attribute, detail);
  }
}

/** References to managed resources may have the prefix `resource.`. */
const withoutPrefix = (written: unknown): unknown =>
  typeof written === "string" ? written.replace(/^[ \t]*resource[ \t]*\./, "") : written;

/** The first two names of a reference. */
const nameOf = ({ root, steps }: Reference): string => [root, ...steps.slice(0, 1)].join(".");

/** The references that may be keys in `replace_triggered_by`. */
const ownKeys = new Set(["count.index", "each.key"]);

/** Checks that only attributes and keys follow a name. */
function isStatic(expression: Expression): boolean {
  if (expression.kind === "variable") return true;
  if (expression.kind === "attribute") return isStatic(expression.of);
  if (expression.kind !== "index" || !isStatic(expression.of)) return false;
  const { key } = expression;
  return key.kind === "literal" || key.kind === "template" || key.kind === "attribute";
}

function expressionIn(written: unknown): Expression | undefined {
  if (typeof written !== "string") return undefined;
  try {
    return parseExpression(written);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

const quoted = (written: unknown): string =>
  isObject(written) || Array.isArray(written)
    ? "a list or an object"
    : JSON.stringify(written ?? null).slice(0, 80);
