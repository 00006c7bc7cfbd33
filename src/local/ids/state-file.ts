import { messageOf } from "../../core/failure/failure";
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { writeFileAtomicallySync } from "../../core/process/files";
import {
  type Endpoint,
  emptyWorld,
  type LocalOperation,
  type RememberedRequest,
  type World,
} from "./service/world";
import { hasCode } from "../../core/process/system-error";
import { parseTrustedJson } from "../../core/json/plain-json";

const format = "trivet local ids, version 1";

/**
 * Reads a state file. Returns an empty world if the file does not exist.
 *
 * @throws Error when the file is not a state file of the local back end, or cannot be read
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
  throw new Error(
    `${file} is not a state file of the local back end; choose another file, or move it away to start empty`,
  );
}

/** An empty world, whose file can be created. Creates its folder. */
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
  const reason = messageOf(cause);
  return new Error(`the state file ${file} cannot be used: ${reason}; choose another file`, {
    cause,
  });
}

/** Returns a function that saves changes atomically. Only the file's owner can read it. */
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

// The elements are not checked: only this back end writes files of this format.
function isSavedWorld(value: unknown): value is SavedWorld {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    value.format === format &&
    ["endpoints", "operations", "requests"].every((name) => Array.isArray(Reflect.get(value, name)))
  );
}
