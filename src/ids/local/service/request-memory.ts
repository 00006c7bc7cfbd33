import { invalidFields } from "../rpc/rpc-error";
import type { LocalOperation, World } from "./world";

/** The least that the service guarantees. */
const rememberedMs = 60 * 60_000;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const zeros = /^[0-]+$/;

/** @throws RpcError when the text can not be a request id; an absent or empty one is none. */
export function checkRequestId(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (uuid.test(text) && !zeros.test(text)) return text.toLowerCase();
  const description = "has to be a valid UUID other than the one of zeros only";
  throw invalidFields([{ field: "request_id", description }]);
}

/**
 * The operation that a request with this id began within the last 60 minutes.
 *
 * The memory spans methods, names and bodies: whatever repeats an id is ignored, and answered with
 * what the first request began. Only requests that began something are remembered.
 */
export function recall(world: World, requestId: string, now: number): LocalOperation | undefined {
  for (const [id, { at }] of world.requests) {
    if (now - at <= rememberedMs) break;
    world.requests.delete(id);
  }
  const remembered = world.requests.get(requestId);
  return remembered && world.operations.get(remembered.operation);
}
