import { convert } from "../expression/convert";
import { compareBytes, sortedNames } from "../expression/equality";
import { isMap, isObject, isSet } from "../expression/types";
import { EvaluationError, primitiveText, type UnknownReason, Value } from "../expression/value";
import type { InstanceKey } from "./address";
import { expressionOf } from "./body";
import type { ResourceBlock } from "./configuration";
import type { Evaluation } from "./evaluation";

/** An instance of a resource, with the variables of its block. */
interface Instance {
  readonly key: InstanceKey;
  readonly variables: ReadonlyMap<string, Value>;
}

/** The instances of a resource, or why their number is not known. */
type Instances =
  | { readonly instances: readonly Instance[] }
  | { readonly unknown: readonly UnknownReason[] };

/** A larger number is a mistake, or would take too long. */
const maxInstances = 100_000;

/**
 * Evaluates `count` or `for_each`.
 *
 * @throws EvaluationError when it is invalid
 */
export async function instancesOf(
  { count, forEach }: Pick<ResourceBlock, "count" | "forEach">,
  evaluation: Evaluation,
): Promise<Instances> {
  if (count !== undefined) {
    return counted(convert(await evaluation.value(expressionOf(count)), "number"));
  }
  if (forEach !== undefined) {
    return forEachOf(await evaluation.value(expressionOf(forEach)));
  }
  return { instances: [{ key: undefined, variables: new Map() }] };
}

function counted(count: Value): Instances {
  if (count.isNull) throw new EvaluationError("count must not be null.");
  if (!count.isKnown) return { unknown: count.reasons() };
  const number = Number(count.content);
  if (!Number.isSafeInteger(number) || number < 0 || number > maxInstances) {
    throw new EvaluationError("count must be a whole number from 0 to 100,000.");
  }
  const instances = Array.from({ length: number }, (_, index) => ({
    key: index,
    variables: new Map([["count", Value.object([["index", Value.number(index)]])]]),
  }));
  return { instances };
}

function forEachOf(collection: Value): Instances {
  if (collection.isSensitive) throw new EvaluationError("for_each must not be a sensitive value.");
  if (collection.isNull) throw new EvaluationError("for_each must not be null.");
  const { type } = collection;
  const hasNames = isMap(type) || isObject(type);
  if (!hasNames && !isSet(type) && type !== "dynamic") {
    throw new EvaluationError(
      "for_each must be a map or a set of strings. Write toset(…) around a list.",
    );
  }
  if (!collection.isKnown) return { unknown: collection.reasons() };
  if (hasNames) {
    const members = collection.members();
    const names = sortedNames(members);
    return { instances: names.map((name) => instance(name, members.get(name) ?? Value.null())) };
  }
  const elements = collection.elements();
  const unknown = elements.filter((element) => !element.isKnown);
  if (unknown.length > 0) return { unknown: unknown.flatMap((element) => element.reasons()) };
  if (elements.some(({ type: of, isNull }) => of !== "string" || isNull)) {
    throw new EvaluationError("for_each must be a map or a set of strings.");
  }
  const names = elements.map((element) => primitiveText(element) ?? "").toSorted(compareBytes);
  return { instances: names.map((name) => instance(name, Value.string(name))) };
}

const instance = (name: string, value: Value): Instance => ({
  key: name,
  variables: new Map([
    [
      "each",
      Value.object([
        ["key", Value.string(name)],
        ["value", value],
      ]),
    ],
  ]),
});
