import { isObject, type Properties } from "../../core/json/plain-json";
import { isSingle, type SchemaBlock, type SchemaBlockType } from "../../core/provider-kit/core";
import { parseNumber } from "../../core/provider-kit/values";
import type { Path } from "../../core/schema";
import { convert } from "../expression/convert";
import { evaluate, iterated, type Scope, withVariables } from "../expression/evaluate";
import { parseTemplate } from "../expression/parse";
import type { Expression } from "../expression/syntax";
import { EvaluationError, joinReasons, NotComputed, Value } from "../expression/value";
import { named, nameOf, withName } from "./stand-ins";

/** The bodies of blocks, from an object or a list of objects. */
export function bodies(value: unknown): readonly Properties[] {
  if (Array.isArray(value)) return value.flatMap(bodies);
  return isObject(value) ? [value] : [];
}

/** Merges the bodies of all blocks. */
export const merged = (value: unknown): Properties =>
  Object.assign({}, ...bodies(value)) as Properties;

export const without = (body: Properties, names: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/**
 * Converts a value of Terraform's JSON syntax to an expression. Every string is a template.
 *
 * @throws EvaluationError when a template is invalid
 * @see {@link https://developer.hashicorp.com/terraform/language/syntax/json#expression-mapping}
 */
export function expressionOf(json: unknown): Expression {
  if (typeof json === "string") return template(json);
  if (Array.isArray(json)) return { kind: "tuple", elements: json.map(expressionOf) };
  if (isObject(json)) {
    return {
      kind: "object",
      members: Object.entries(json).map(([key, value]) => [template(key), expressionOf(value)]),
    };
  }
  return { kind: "literal", value: literalValue(json) };
}

/** Converts plain JSON to a value, with arrays as tuples. Strings are literal. */
export function literalValue(json: unknown): Value {
  if (typeof json === "string") return Value.string(json);
  if (Array.isArray(json)) return Value.tuple(json.map(literalValue));
  if (isObject(json)) {
    const members = Object.entries(json).map(([name, part]) => [name, literalValue(part)] as const);
    return Value.object(members);
  }
  if (typeof json === "number") {
    if (!Number.isFinite(json)) throw new NotComputed();
    return Value.number(parseNumber(String(json)));
  }
  return typeof json === "boolean" ? Value.bool(json) : Value.null();
}

const maxTemplates = 5000;
const templates = new Map<string, Expression>();

/** Parses a template. Many resources contain the same ones. */
function template(text: string): Expression {
  const known = templates.get(text);
  if (known !== undefined) return known;
  const parsed = parseTemplate(text);
  if (templates.size === maxTemplates) templates.clear();
  templates.set(text, parsed);
  return parsed;
}

/** All expressions in the body of a block, to find its references. */
export function expressionsIn(body: unknown): readonly Expression[] {
  if (typeof body === "string") return [template(body)];
  if (Array.isArray(body)) return body.flatMap(expressionsIn);
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    if (key === "//") return [];
    if (key === "dynamic") return dynamicExpressions(value);
    return [...(key.includes("{") ? [template(key)] : []), ...expressionsIn(value)];
  });
}

/** The expressions of `dynamic` blocks, as `for` expressions over their iterators. */
function dynamicExpressions(blocks: unknown): readonly Expression[] {
  if (!isObject(blocks)) return expressionsIn(blocks);
  return Object.entries(blocks).flatMap(([label, written]) =>
    Array.isArray(written) || isObject(written)
      ? bodies(written).map((block) => ({
          kind: "for" as const,
          keyName: undefined,
          valueName: iteratorOf(block, label),
          collection: expressionOf(block["for_each"]),
          key: undefined,
          value: { kind: "tuple" as const, elements: expressionsIn(block["content"]) },
          condition: undefined,
          isGrouped: false,
        }))
      : expressionsIn(written),
  );
}

const iteratorOf = ({ iterator }: Properties, label: string): string =>
  typeof iterator === "string" ? iterator : label;

/**
 * Evaluates the body of a block by its schema. Missing attributes are null, missing blocks empty.
 *
 * @throws EvaluationError with a path when an attribute is not in the schema, is missing, or has an invalid value
 */
export function evaluateBody(
  schema: SchemaBlock,
  body: Properties,
  scope: Scope,
  at: Path = [],
): Value {
  const path = (name: string): Path => [...at, name];
  const dynamic = merged(body["dynamic"]);
  for (const name of Object.keys(body)) {
    if (name === "//" || name === "dynamic") continue;
    if (!schema.attributes.has(name) && !schema.blocks.has(name)) {
      throw new EvaluationError(`The argument "${name}" is not supported here.`, path(name));
    }
  }
  const members = new Map<string, Value>();
  for (const [name, attribute] of schema.attributes) {
    const given = body[name];
    if (given === undefined) {
      if (attribute.isRequired) {
        throw new EvaluationError(
          `The argument "${name}" is required, but no value is given.`,
          path(name),
        );
      }
      members.set(name, Value.null(attribute.type));
      continue;
    }
    members.set(
      name,
      located(path(name), () => {
        const expression = expressionOf(given);
        const value = named(
          convert(evaluate(expression, scope), attribute.type),
          expression,
          scope,
        );
        if (value.isNull && attribute.isRequired) {
          throw new EvaluationError(`The argument "${name}" is required, but its value is null.`);
        }
        if (!value.isNull && !attribute.isRequired && !attribute.isOptional) {
          throw new EvaluationError(
            `The provider decides the value of "${name}". Remove the argument.`,
          );
        }
        return value;
      }),
    );
  }
  for (const [name, type] of schema.blocks) {
    members.set(name, blocksOf(type, name, body[name], dynamic[name], scope, path(name)));
  }
  return new Value(schema.type, members);
}

function located<T>(path: Path, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof EvaluationError) || error.path !== undefined) throw error;
    throw new EvaluationError(error.message, path);
  }
}

function blocksOf(
  { block, nesting, minItems }: SchemaBlockType,
  name: string,
  given: unknown,
  generated: unknown,
  scope: Scope,
  path: Path,
): Value {
  const found = bodies(given).map((body, at) =>
    evaluateBody(block, body, scope, isSingle(nesting) ? path : [...path, at]),
  );
  let isUnknown: Value | undefined;
  for (const one of bodies(generated)) {
    const result = located(path, () => generatedBlocks(block, name, one, scope, path));
    if (result instanceof Value) isUnknown = result;
    else found.push(...result);
  }
  if (isSingle(nesting)) return isUnknown ?? found[0] ?? Value.null(block.type);
  if (isUnknown !== undefined) {
    const type = nesting === "set" ? { set: block.type } : { list: block.type };
    const elements = expressionsIn([given, { dynamic: { [name]: generated } }]);
    const found = Value.unknown(type, ...joinReasons([isUnknown]));
    return withName(found, nameOf({ kind: "tuple", elements }, scope));
  }
  if (found.length < minItems) {
    throw new EvaluationError(`At least ${minItems} blocks "${name}" are required.`, path);
  }
  return new Value(nesting === "set" ? { set: block.type } : { list: block.type }, found);
}

/** Evaluates a `dynamic` block. Returns an unknown value if the number of blocks is not known. */
function generatedBlocks(
  block: SchemaBlock,
  name: string,
  body: Properties,
  scope: Scope,
  path: Path,
): readonly Value[] | Value {
  const content = merged(body["content"]);
  const collection = evaluate(expressionOf(body["for_each"]), scope);
  if (!collection.isKnown) return collection;
  if (collection.isNull) throw new EvaluationError("for_each of a dynamic block must not be null.");
  return iterated(collection).map(([key, value]) => {
    const variable = Value.object([
      ["key", key],
      ["value", value.markedLike(collection)],
    ]);
    const inner = withVariables(scope, new Map([[iteratorOf(body, name), variable]]));
    const generated = evaluateBody(block, content, inner, path);
    if (!collection.isSensitive) return generated;
    // Terraform marks the arguments of the block, but not nested blocks.
    const isMarked = (argument: string): boolean =>
      block.attributes.has(argument) && Object.hasOwn(content, argument);
    const members = [...generated.members()].map(
      ([argument, each]) => [argument, isMarked(argument) ? each.marked(true) : each] as const,
    );
    return new Value(generated.type, new Map(members));
  });
}
