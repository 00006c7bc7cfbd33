// Not "node:fs/promises", which takes several milliseconds to load: this loads it on first use.
import { chmodSync, promises as files, mkdtempSync, rmdirSync, unlinkSync } from "node:fs";
import { connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { failures } from "../../../failure/failure";
import { isProcessAlive } from "../../../process/process-facts";
import { systemErrorCode } from "../../../process/system-error";
import type { Environment } from "../../records/logging";

/** The address at which a provider listens. */
export interface Address {
  readonly network: "unix" | "tcp";
  /** The path of a unix socket, or host and port. */
  readonly address: string;
  /** Removes the socket from disk. Can be called more than once. */
  readonly remove: () => void;
}

/** The error for a machine that does not let the provider listen. The message says how to change that. */
export const [listenError, isListenError] = failures<"LISTEN">("ListenError");

/** The shortest limit of all systems with unix sockets (macOS), including the final zero byte. */
const maxPathBytes = 103;
const loopback = "127.0.0.1";

/**
 * Makes a server listen: on a unix socket in a separate folder, or on Windows on a TCP port of the
 * loopback interface.
 *
 * @throws ListenError when no socket can be created, or no port between PLUGIN_MIN_PORT and
 * PLUGIN_MAX_PORT is free
 */
export async function bind(
  server: Server,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<Address> {
  return platform === "win32" ? bindPort(server, env) : bindSocket(server, env);
}

async function bindSocket(server: Server, env: Environment): Promise<Address> {
  const folder = makeFolder(env);
  const address = join(folder, socketName());
  const remove = (): void => {
    attempt(() => {
      unlinkSync(address);
    });
    attempt(() => {
      rmdirSync(folder);
    });
  };
  try {
    await listen(server, { path: address });
  } catch (error) {
    remove();
    throw error;
  }
  setTimeout(() => void removeLeftFolders(dirname(folder)), cleaningMs).unref();
  return { network: "unix", address, remove };
}

/** Creates a folder that only the owner can access, so that other users cannot connect to the socket. */
function makeFolder(env: Environment): string {
  const parent = env["PLUGIN_UNIX_SOCKET_DIR"] ?? "";
  const wanted = parent === "" ? tmpdir() : parent;
  // mkdtemp adds six characters.
  const path = join(wanted, `${folderPrefix}xxxxxx`, socketName());
  const fits = Buffer.byteLength(path) <= maxPathBytes;
  const within = fits ? wanted : "/tmp";
  try {
    const folder = mkdtempSync(join(within, folderPrefix));
    chmodSync(folder, 0o700);
    return folder;
  } catch (cause) {
    throw listenError(
      "LISTEN",
      `No folder for a socket can be created in ${within} (${systemErrorCode(cause) ?? "unknown error"}). ` +
        `Set ${within === parent ? "PLUGIN_UNIX_SOCKET_DIR" : "TMPDIR"} to a folder that exists and is writable.`,
      { cause },
    );
  }
}

async function bindPort(server: Server, env: Environment): Promise<Address> {
  const first = readPort(env, "PLUGIN_MIN_PORT");
  const last = readPort(env, "PLUGIN_MAX_PORT");
  for (let port = first; port <= last; port++) {
    try {
      await listen(server, { host: loopback, port });
    } catch (error) {
      if (!isTaken(error)) throw error;
      continue;
    }
    const bound = server.address();
    const number = typeof bound === "object" && bound !== null ? bound.port : port;
    return { network: "tcp", address: `${loopback}:${number}`, remove: () => undefined };
  }
  throw listenError(
    "LISTEN",
    `No port of ${loopback} is free between PLUGIN_MIN_PORT (${first}) and PLUGIN_MAX_PORT (${last}).`,
  );
}

function readPort(env: Environment, name: string): number {
  const text = env[name] ?? "";
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw listenError("LISTEN", `${name} must be a port number (got ${JSON.stringify(text)}).`);
}

function isTaken(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === "EADDRINUSE" || code === "EACCES";
}

function listen(
  server: Server,
  options: { readonly path?: string; readonly host?: string; readonly port?: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    // Undocumented: what `listen` does once it has loaded the modules for clusters, which take a millisecond
    // and a megabyte.
    const direct: unknown = Reflect.get(server, "_listen2");
    if (options.path === undefined || typeof direct !== "function") server.listen(options);
    else Reflect.apply(direct, server, [options.path, -1, -1, backlog]);
  });
}

/** The length of the queue of connections: that of `listen`. */
const backlog = 511;

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Already removed.
  }
}

/** The beginning of the names of folders for sockets. `mkdtemp` adds six characters. */
const folderPrefix = "tfp-";
const ownName = new RegExp(`^${folderPrefix}[A-Za-z0-9]{6}$`);

/** Most processes only plan, and have ended by then. */
const cleaningMs = 1000;
/** Long enough for a process to listen after it has created its folder. */
const minAgeMs = 3_600_000;
/** Limits the time that a start takes; the next one removes more. */
const maxRemoved = 32;

/** Returns the name of a socket, which is the PID of the listening process. */
export const socketName = (pid: number = process.pid): string => pid.toString(36);

/**
 * Removes folders with sockets that killed providers of this user have left. Keeps anything with another
 * name, links, new folders, and sockets whose process is running or on which a process listens, such as one
 * in a container.
 */
export async function removeLeftFolders(within: string, now: number = Date.now()): Promise<void> {
  const names = await files.readdir(within).catch(() => []);
  let removed = 0;
  for (const name of names) {
    if (!ownName.test(name)) continue;
    // Another provider may be removing it.
    if (await removeIfLeft(join(within, name), now).catch(() => false)) removed++;
    if (removed === maxRemoved) return;
  }
}

async function removeIfLeft(folder: string, now: number): Promise<boolean> {
  const stats = await files.lstat(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return false;
  if (now - stats.mtimeMs < minAgeMs) return false;
  const [name, ...others] = await files.readdir(folder);
  if (others.length > 0) return false;
  if (name !== undefined) {
    const socket = join(folder, name);
    const isAbandoned =
      (await files.lstat(socket)).isSocket() &&
      !isProcessAlive({ pid: Number.parseInt(name, 36), start: undefined }) &&
      !(await listens(socket));
    if (!isAbandoned) return false;
    await files.unlink(socket);
  }
  await files.rmdir(folder);
  return true;
}

function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
