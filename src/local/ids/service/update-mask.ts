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
 * Returns the endpoint after a PATCH. The fields in the mask get the value in the body, or their
 * default if it is absent. Without a mask, or with `*`, all fields are written.
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
