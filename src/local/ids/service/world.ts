import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "../../../core/failure/failure";
import { localServiceError } from "../../service/service";
import { parseTrustedJson } from "../../../core/json/plain-json";
import { writeFileAtomicallySync } from "../../../core/process/files";
import { hasCode } from "../../../core/process/system-error";
import type { RpcStatus } from "../rpc/call";
import type { EndpointFields } from "./endpoint-fields";

export type EndpointState = "CREATING" | "READY" | "UPDATING" | "DELETING";

/** A stored endpoint, with every field. */
export interface Endpoint extends EndpointFields {
  readonly name: string;
  readonly state: EndpointState;
  /** The IP address. Empty until the endpoint is READY, like the forwarding rule. */
  readonly endpointIp: string;
  readonly endpointForwardingRule: string;
  readonly createTime: string;
  readonly updateTime: string;
}

/** Converts an endpoint to proto3 JSON, which omits default values. */
export function endpointToJson(endpoint: Endpoint): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(endpoint).filter(([, value]) => !isDefault(value)));
}

function isDefault(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === false;
}

/** A stored long-running operation. */
export interface LocalOperation {
  /** `projects/P/locations/L/operations/O` */
  readonly name: string;
  readonly verb: "create" | "update" | "delete";
  /** The name of the endpoint. */
  readonly target: string;
  /** Milliseconds since the epoch, like all times in this file. */
  readonly startedAt: number;
  endedAt: number | undefined;
  /** The number of polls while it was running. */
  polls: number;
  /** The fields that an update writes when it is done. */
  readonly change: EndpointFields | undefined;
  /** Exactly one of `error` and `response` is set when the operation is done. */
  error: RpcStatus | undefined;
  response: Readonly<Record<string, unknown>> | undefined;
}

/** The operation that a request ID refers to, and when the request arrived. */
export interface RememberedRequest {
  readonly operation: string;
  readonly at: number;
}

/** All data of the local back end, as plain values that a file can store. */
export interface World {
  readonly endpoints: Map<string, Endpoint>;
  readonly operations: Map<string, LocalOperation>;
  /** Requests by request ID, in the order of their arrival. */
  readonly requests: Map<string, RememberedRequest>;
}

export function emptyWorld(): World {
  return { endpoints: new Map(), operations: new Map(), requests: new Map() };
}

const format = "trivet local ids, version 1";

/**
 * Reads a state file. Returns an empty world if the file does not exist.
 *
 * @throws LocalServiceError if the file is not a state file of the local back end, or cannot be read
 */
export function readWorld(file: string): World {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (failure) {
    if (hasCode(failure, "ENOENT")) return writable(file);
    throw unusable(file, failure);
  }
  try {
    const saved = parseTrustedJson(text);
    if (isSavedWorld(saved)) {
      return {
        endpoints: new Map(saved.endpoints.map((endpoint) => [endpoint.name, endpoint])),
        operations: new Map(saved.operations.map((operation) => [operation.name, operation])),
        requests: new Map(saved.requests),
      };
    }
  } catch {
    // Not JSON: refused below.
  }
  throw localServiceError("FILE", `${file} is not a state file of the local back end.`, {
    advice: "Choose another file, or move this one away to start without endpoints.",
  });
}

/** Returns an empty world. Creates the folder of its file. */
function writable(file: string): World {
  const folder = dirname(resolve(file));
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (failure) {
    throw unusable(file, failure);
  }
  return emptyWorld();
}

function unusable(file: string, cause: unknown): Error {
  return localServiceError("FILE", `The state file ${file} cannot be used: ${messageOf(cause)}.`, {
    advice: "Choose another file with --state-file.",
    cause,
  });
}

/** Returns a function that saves changes atomically. Only its owner can read the file. */
export function worldSaver(file: string, world: World): () => void {
  let saved = serialize(world);
  return () => {
    const text = serialize(world);
    if (text === saved) return;
    writeFileAtomicallySync(file, `${text}\n`, { mode: 0o600 });
    saved = text;
  };
}

function serialize(world: World): string {
  return JSON.stringify({
    format,
    endpoints: [...world.endpoints.values()],
    operations: [...world.operations.values()],
    requests: [...world.requests],
  } satisfies SavedWorld);
}

interface SavedWorld {
  readonly format: string;
  readonly endpoints: readonly Endpoint[];
  readonly operations: readonly LocalOperation[];
  readonly requests: readonly (readonly [string, RememberedRequest])[];
}

// The elements need no check: only this back end writes files of this format.
function isSavedWorld(value: unknown): value is SavedWorld {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    value.format === format &&
    ["endpoints", "operations", "requests"].every((name) => Array.isArray(Reflect.get(value, name)))
  );
}
