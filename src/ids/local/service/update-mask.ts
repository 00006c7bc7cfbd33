import {
  collectFields,
  emptyFields,
  endpointFields,
  outputFields,
  type EndpointFields,
} from "./endpoint-fields";
import { invalidFields } from "../rpc/rpc-error";
import { toSnakeCase } from "../rpc/snake-case";

/**
 * The endpoint after a PATCH: masked fields take the value sent, or their default when none was;
 * an absent mask (or `*`) stands for every field.
 */
export function applyMask(
  current: EndpointFields,
  sent: Partial<EndpointFields>,
  mask: string | undefined,
): EndpointFields {
  const fields =
    mask === undefined || mask === "" || mask === "*" ? endpointFields : parseMask(mask);
  const written = { ...emptyFields, ...sent };
  return collectFields((name) => (fields.includes(name) ? written : current));
}

function parseMask(mask: string): readonly (keyof EndpointFields)[] {
  const paths = mask.split(",").map((path) => path.trim());
  const known = paths.map((path) =>
    endpointFields.find((name) => name === path || toSnakeCase(name) === path),
  );
  const violations = paths
    .filter((_, index) => known[index] === undefined)
    .map((path) => ({ field: "update_mask", description: explain(path) }));
  if (violations.length > 0) throw invalidFields(violations);
  return known.filter((field) => field !== undefined);
}

function explain(path: string): string {
  const isOutput = outputFields.some((name) => name === path || toSnakeCase(name) === path);
  return `${JSON.stringify(path)} ${isOutput ? "cannot be changed" : "is not a field of an endpoint"}`;
}
