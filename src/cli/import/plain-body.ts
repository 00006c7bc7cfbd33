import { EvaluationError, type Value } from "../../planner/expression/value";
import { evaluate, type Scope } from "../../planner/expression/evaluate";
import { isObject, type Properties } from "../../core/json/plain-json";
import { evaluateBody, expressionOf } from "../../planner/offline-plan/body";
import type { SchemaBlock } from "../../core/provider-kit/core";

/** Strings without expressions refer to nothing. */
const nothing: Scope = {
  variable: () => undefined,
  call: (name) => {
    throw new EvaluationError(`There is no function "${name}".`);
  },
};

/**
 * Converts plain values to the body of a block. Their strings are no templates.
 *
 * @param values by Terraform's names
 * @throws AttributeError when a name is not in the schema, or a value does not suit it
 */
export const plainBody = (schema: SchemaBlock, values: Properties): Value =>
  evaluateBody(schema, withoutTemplates(values) as Properties, nothing);

function withoutTemplates(value: unknown): unknown {
  if (typeof value === "string") return escapedTemplate(value);
  if (Array.isArray(value)) return value.map(withoutTemplates);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [escapedTemplate(name), withoutTemplates(part)]),
  );
}

/** Returns the text of a template that refers to nothing; undefined for anything else. */
export function literalText(json: unknown): string | undefined {
  try {
    const { content } = evaluate(expressionOf(json), nothing);
    return typeof content === "string" ? content : undefined;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return undefined;
  }
}

/** Returns the template whose value is a string: in a configuration, strings are templates. */
export const escapedTemplate = (text: string): string =>
  text.replaceAll("${", "$$${").replaceAll("%{", "%%{");
