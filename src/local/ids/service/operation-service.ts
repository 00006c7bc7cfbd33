import type { Properties } from "../../../core/json/plain-json";
import type { Call } from "../rpc/call";
import { operationToJson, type Operations } from "./operations";
import { page } from "../rpc/page";
import { RpcError } from "../rpc/rpc-error";
import type { World } from "./world";

/** The methods that read operations. */
export class OperationService {
  readonly #world: World;
  readonly #operations: Operations;

  constructor(world: World, operations: Operations) {
    this.#world = world;
    this.#operations = operations;
  }

  get(call: Call): Properties {
    const name = `${call.parent}/operations/${call.variable("operation")}`;
    const operation = this.#world.operations.get(name);
    if (operation === undefined) {
      throw new RpcError("NOT_FOUND", `Resource '${name}' was not found`);
    }
    this.#operations.poll(operation);
    return operationToJson(operation);
  }

  list(call: Call): Properties {
    const prefix = `${call.parent}/operations/`;
    const all = [...this.#world.operations.values()];
    const { items, nextPageToken } = page(
      call,
      all.filter(({ name }) => name.startsWith(prefix)),
      ["name", "verb", "target"],
    );
    return {
      ...(items.length === 0 ? {} : { operations: items.map(operationToJson) }),
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    };
  }
}
