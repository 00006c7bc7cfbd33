import { isObject } from "../../json/is-object";
import type { Properties } from "../../json/is-object";

/**
 * The parts of a long-running operation that the client needs.
 *
 * @see {@link https://google.aip.dev/151}
 */
export interface Operation {
  /** `projects/P/locations/L/operations/O`; empty when the server responded synchronously. */
  readonly name: string;
  readonly done: boolean;
  /** The google.rpc.Status of a failed operation, not yet parsed. */
  readonly error?: unknown;
  readonly hasResponse: boolean;
}

/**
 * Reads an operation. A response without a name is the result itself, which some servers return
 * immediately.
 */
export function parseOperation(json: Properties): Operation {
  const { name, done, error, response } = json;
  const isNamed = typeof name === "string" && name !== "";
  return {
    name: isNamed ? name : "",
    done: done === true || !isNamed,
    ...(isObject(error) ? { error } : {}),
    hasResponse: isObject(response),
  };
}
