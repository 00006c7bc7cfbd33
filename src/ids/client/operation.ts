import { isObject } from "../../json/is-object";
import type { JsonObject } from "./json";

/** A long-running operation as far as the client needs it. */
export interface Operation {
  /** `projects/P/locations/L/operations/O`; empty when the server worked synchronously. */
  readonly name: string;
  readonly done: boolean;
  /** The bare google.rpc.Status of an operation that failed, not yet interpreted. */
  readonly error?: unknown;
  readonly hasResponse: boolean;
}

/** An answer without a name is the result itself, which some servers give at once. */
export function parseOperation(json: JsonObject): Operation {
  const { name, done, error, response } = json;
  const isNamed = typeof name === "string" && name !== "";
  return {
    name: isNamed ? name : "",
    done: done === true || !isNamed,
    ...(isObject(error) ? { error } : {}),
    hasResponse: isObject(response),
  };
}
