import { messageOf } from "../../failure/failure";
import { createHash, randomUUID } from "node:crypto";
// Not "node:fs/promises", which takes several milliseconds to load: this loads it on first use.
import { promises as files, rmSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { basename, join } from "node:path";
import { writeFileAtomically, readSmallFile } from "../../process/files";
import { isProcessAlive, processMark } from "../../process/process-facts";
import { onIdle } from "./idle";
import type { Environment, Logger } from "./logging";
import { entryToContinue, type IntentEntry, isReplaced, parseIntentEntry } from "./intent-entry";

/** A request that is about to be sent, or that was sent and has no known outcome. */
export interface Intent {
  /** The idempotency key to send. */
  readonly requestId: string;
  /** True if an earlier run sent the same request, but ended before it knew the outcome. */
  readonly isRepeat: boolean;
  /** The operation that the service started for the request of the earlier run, if it was left. */
  readonly operation: string | undefined;
  /**
   * Leaves an accepted request, whose operation is still running, to a later run. Returns false if that run
   * will not find it, because the journal cannot be written.
   */
  leave(operation: string): Promise<boolean>;
  /** Removes the intent. Call it when nothing was created for certain. */
  settle(): Promise<void>;
  /**
   * Keeps the intent of a created resource until Terraform has stored the resource: until {@link
   * IntentJournal.confirm}, or until this process exits normally. If the process is killed before Terraform
   * has received its response, a later run sends the same request again.
   */
  complete(): void;
  /**
   * Leaves a request whose outcome is unknown to the next run, which sends it again. That run may be
   * in the same process.
   */
  abandon(): void;
}

/** The settings of an {@link IntentJournal}. */
export interface IntentJournalOptions {
  /**
   * The folder of the journal.
   *
   * @default `$TRIVET_JOURNAL`, `$XDG_STATE_HOME/trivet/intents` or `~/.local/state/trivet/intents`
   */
  readonly folder?: string | undefined;
  /**
   * The absolute path of the folder that the intents belong to. Terraform starts a provider in the folder of
   * the root module, which is all that a provider learns about its stack. In the journal that `TRIVET_JOURNAL`
   * names, which several machines can share, only the folder's name counts: paths differ between machines.
   *
   * @default process.cwd()
   */
  readonly workingFolder?: string | undefined;
  /** @default process.env */
  readonly env?: Environment | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Receives a warning when the journal cannot be written. */
  readonly log: Logger;
}

/**
 * The intents of this process whose requests are in progress. A process can outlive the command that it
 * serves, so a running process does not prove that a request is.
 */
const underWay = new Set<string>();

/** The folder of a journal that several machines share; undefined if there is none. */
function sharedJournal(env: Environment): string | undefined {
  const given = env["TRIVET_JOURNAL"];
  return given === "" ? undefined : given;
}

/** Far larger than any entry. */
const entryBytesMax = 65_536;

interface Completed {
  readonly run: string;
  readonly paths: readonly string[];
}

/** The completed intents of this process that Terraform has not confirmed, by their keys' paths. */
const completed = new Map<string, readonly Completed[]>();

/** Removes completed intents. When the process exits normally, Terraform has received its responses. */
function confirmAll(): void {
  for (const path of [...completed.values()].flat().flatMap(({ paths }) => paths)) {
    try {
      rmSync(path, { force: true });
    } catch {
      // The next run sends the request again, and learns that the resource exists.
    }
  }
}

// One of the commands may have been killed before it had the response: the next one can repeat the request.
onIdle(() => {
  for (const { run } of [...completed.values()].flat()) underWay.delete(run);
});

/** A file with an intent of a key. */
interface Found {
  readonly path: string;
  /** Undefined if the file contains anything else. */
  readonly entry: IntentEntry | undefined;
}

/**
 * Stores requests that must not be sent twice on disk.
 *
 * Terraform learns of a new resource only from the provider's response. If the provider is killed before
 * that, the next run would create the resource again, or fail because it exists. With the journal, that run
 * sends the idempotency key of the first request again, if it is in the same working folder: another root
 * module must not take over the resource. Several machines can share a journal: see `TRIVET_JOURNAL` in
 * docs/design/crash-safety.md. Each request has its own file, which no other run changes or
 * removes while its process is alive. If the journal cannot be written, only this protection is lost; the
 * operation continues.
 */
export class IntentJournal {
  readonly #folder: string;
  readonly #workingFolder: string;
  readonly #now: () => number;
  readonly #log: Logger;

  constructor({
    folder,
    workingFolder = process.cwd(),
    env = process.env,
    now = Date.now,
    log,
  }: IntentJournalOptions) {
    const state = env["XDG_STATE_HOME"];
    const base = state === undefined || state === "" ? join(homedir(), ".local", "state") : state;
    const shared = folder === undefined ? sharedJournal(env) : undefined;
    this.#folder = folder ?? shared ?? join(base, "trivet", "intents");
    this.#workingFolder = shared === undefined ? workingFolder : basename(workingFolder);
    this.#now = now;
    this.#log = log;
  }

  /**
   * Records a request before it is sent.
   *
   * @param key identifies the new resource, including the service, such as its URL
   * @param given the idempotency key to send. A later run repeats it only if it is a UUID. @default that of the earlier
   * request, else the planned one
   * @param planned the key that was chosen when the creation was planned. @default a random one
   */
  async begin(key: string, given?: string, planned?: string): Promise<Intent> {
    const stem = this.#stem(key);
    const ended = await this.#ended(stem, key);
    const earlier = entryToContinue(
      ended.flatMap(({ entry }) => entry ?? []),
      this.#now(),
    );
    const requestId = given ?? earlier?.requestId ?? planned ?? randomUUID();
    const run = randomUUID();
    underWay.add(run);
    const abandon = (): void => void underWay.delete(run);
    const entry: IntentEntry = {
      workingFolder: this.#workingFolder,
      key,
      requestId,
      run,
      startedAt: earlier?.startedAt ?? this.#now(),
      host: hostname(),
      ...processMark(),
      operation: earlier?.operation,
    };
    const path = `${stem}.${run}.json`;
    const replaced = ended
      .filter((found) => isReplaced(found.entry, earlier, this.#now()))
      .map((found) => found.path);
    const paths = [path, ...replaced];
    if (await this.#write(path, entry)) await this.#remove(replaced);
    return {
      requestId,
      isRepeat: earlier !== undefined,
      operation: earlier?.operation,
      leave: (operation) => {
        abandon();
        return this.#write(path, { ...entry, operation, isResumable: true });
      },
      settle: () => {
        abandon();
        return this.#remove(paths);
      },
      complete: () => {
        if (completed.size === 0) process.once("exit", confirmAll);
        completed.set(stem, [...(completed.get(stem) ?? []), { run, paths }]);
      },
      abandon,
    };
  }

  /**
   * Removes the completed intent of a resource that Terraform has stored. Call it when Terraform reads or
   * changes the resource. It does nothing unless this process created the resource.
   */
  async confirm(key: string): Promise<void> {
    if (completed.size > 0) await this.#remove(this.#end(this.#stem(key)));
  }

  /**
   * Removes the intents of a key, except those of requests in progress. Call it when the resource has been
   * deleted.
   */
  async forget(key: string): Promise<void> {
    const stem = this.#stem(key);
    this.#end(stem);
    await this.#remove((await this.#ended(stem, key)).map(({ path }) => path));
  }

  /** Ends the progress of the completed requests of a key. Returns the paths of their entries. */
  #end(stem: string): readonly string[] {
    const ended = completed.get(stem) ?? [];
    completed.delete(stem);
    for (const { run } of ended) underWay.delete(run);
    if (completed.size === 0) process.off("exit", confirmAll);
    return ended.flatMap(({ paths }) => paths);
  }

  /** Returns the path prefix of a key's entries. */
  #stem(key: string): string {
    const hash = createHash("sha256").update(JSON.stringify([this.#workingFolder, key]));
    return join(this.#folder, hash.digest("hex"));
  }

  /** Returns the entries of a key, except those of requests in progress. */
  async #ended(stem: string, key: string): Promise<readonly Found[]> {
    const names = await files.readdir(this.#folder).catch(() => []);
    const paths = names
      .map((name) => join(this.#folder, name))
      .filter((path) => path.startsWith(`${stem}.`) && path.endsWith(".json"));
    const found: Found[] = [];
    // One after the other: others may have left any number of files in a shared journal.
    for (const path of paths) found.push(await this.#read(path, key));
    return found.filter(({ entry }) => entry === undefined || !isRunning(entry));
  }

  async #read(path: string, key: string): Promise<Found> {
    const text = await readSmallFile(path, entryBytesMax, "refused").catch(() => undefined);
    const entry = text === undefined ? undefined : parseIntentEntry(text);
    const isOurs = entry?.key === key && entry.workingFolder === this.#workingFolder;
    return { path, entry: isOurs ? entry : undefined };
  }

  /** Writes an entry; returns false if that failed. */
  async #write(path: string, entry: IntentEntry): Promise<boolean> {
    try {
      const only = { mode: 0o600, folderMode: 0o700, isSynced: true };
      await writeFileAtomically(path, JSON.stringify(entry), only);
      return true;
    } catch (error) {
      this.#unavailable(error);
      return false;
    }
  }

  async #remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) await files.rm(path, { force: true }).catch(this.#unavailable);
  }

  readonly #unavailable = (error: unknown): void => {
    this.#log.warn("The intent journal cannot be written: a killed run may leave what it created", {
      folder: this.#folder,
      error: messageOf(error),
    });
  };
}

function isRunning(entry: IntentEntry): boolean {
  if (entry.isResumable === true) return false;
  // Whether a process of another machine is alive is unknown. The lock of the state says that it is not, and if it
  // is, both send the same request.
  if (entry.host !== undefined && entry.host !== hostname()) return false;
  return entry.pid === process.pid ? underWay.has(entry.run) : isProcessAlive(entry);
}
