import { invalidFields } from "../rpc/rpc-error";
import type { LocalOperation, World } from "./world";

/** The minimum that the service guarantees. */
const rememberedMs = 60 * 60_000;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const zeros = /^[0-]+$/;

/**
 * Validates a request ID. An absent or empty one counts as not set.
 *
 * @throws RpcError when it is not a valid UUID
 */
export function checkRequestId(requestId: string | undefined): string | undefined {
  if (requestId === undefined || requestId === "") return undefined;
  if (uuid.test(requestId) && !zeros.test(requestId)) return requestId.toLowerCase();
  const description = "must be a valid UUID other than the all-zero one";
  throw invalidFields([{ field: "request_id", description }]);
}

/**
 * Returns the operation that a request with this ID started within the last 60 minutes.
 *
 * Request IDs are remembered across methods, names and bodies: any request with the same ID is
 * ignored, and returns the operation of the first one. Only accepted requests are remembered.
 */
export function recall(world: World, requestId: string, now: number): LocalOperation | undefined {
  for (const [id, { at }] of world.requests) {
    if (now - at <= rememberedMs) break;
    world.requests.delete(id);
  }
  const remembered = world.requests.get(requestId);
  return remembered && world.operations.get(remembered.operation);
}
