import { createHash, randomUUID } from "node:crypto";
// Not "node:fs/promises", which takes several milliseconds to load: this loads it on first use.
import { promises as files, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord } from "../../json/is-object";
import { writeFileAtomically } from "../../process/atomic-file";
import { isProcessAlive, processMark, type ProcessMark } from "../../process/process-mark";
import type { Logger } from "../host/log/logging";

/** A request that is about to be sent, or that was sent and has no known outcome. */
export interface Intent {
  /** The idempotency key to send. */
  readonly requestId: string;
  /** Whether an earlier run sent the same request, but ended before it knew the outcome. */
  readonly isRepeat: boolean;
  /** The operation that the service started for the request of the earlier run, if it was left. */
  readonly operation: string | undefined;
  /**
   * Leaves an accepted request, whose operation is still running, to a later run. Returns whether
   * that run will find it: not if the journal cannot be written.
   */
  leave(operation: string): Promise<boolean>;
  /** Removes the intent. Call it when it is known that nothing was created. */
  settle(): Promise<void>;
  /**
   * Keeps the intent of a resource that was created until Terraform has it: until
   * {@link IntentJournal.confirm}, or until this process ends in order. If the process is killed before
   * Terraform has received its response, a later run sends the same request again.
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
  /** @default `$XDG_STATE_HOME/trivet/intents`, else `~/.local/state/trivet/intents` */
  readonly folder?: string | undefined;
  /**
   * The absolute path of the folder that the intents belong to. Terraform starts a provider in that of the
   * root module, which is all that a provider learns about its stack.
   *
   * @default process.cwd()
   */
  readonly workingFolder?: string | undefined;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Receives a warning when the journal cannot be written. */
  readonly log: Logger;
}

interface Entry extends ProcessMark {
  readonly workingFolder: string;
  readonly key: string;
  readonly requestId: string;
  readonly startedAt: number;
  /** Identifies the intent within its process, and distinguishes that from a later one with its PID. */
  readonly run: string;
  /** The operation that was left to a later run. */
  readonly operation?: string | undefined;
}

/**
 * The intents of this process whose requests are under way. A process can outlive the command that it
 * serves, so whether it is running says nothing about them.
 */
const underWay = new Set<string>();

/** The completed intents of this process that Terraform has not confirmed, by their paths. */
const completed = new Map<string, Pick<Entry, "requestId" | "run">>();

/** Before the process ends in order, Terraform has received its responses. */
function confirmAll(): void {
  for (const [path, { requestId }] of completed) {
    try {
      if (parseEntry(readFileSync(path, "utf8"))?.requestId === requestId) rmSync(path);
    } catch {
      // It has been removed.
    }
  }
}

/** How long services are guaranteed to recognise a repeated request. */
const validMs = 60 * 60 * 1000;

/** How long an operation that was left is looked for. It needs no idempotency key. */
const leftMs = 7 * 24 * validMs;

/**
 * Stores requests that must not be sent twice on disk.
 *
 * Terraform learns of a new resource only from the provider's response. If the provider is killed
 * before that, the next run would create the resource again, or fail because it exists. With the
 * journal, that run sends the idempotency key of the first request again, if it is in the same working
 * folder: another root module must not take over the resource. If the journal cannot be written, only
 * this protection is lost; the operation continues.
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
    this.#folder = folder ?? join(base, "trivet", "intents");
    this.#workingFolder = workingFolder;
    this.#now = now;
    this.#log = log;
  }

  /**
   * Records a request before it is sent.
   *
   * @param key identifies what is created, including the service, such as its URL
   * @param given the idempotency key to send. @default that of the earlier request, else a random one
   */
  async begin(key: string, given?: string): Promise<Intent> {
    const path = this.#path(key);
    const earlier = await this.#read(path, key);
    const requestId = given ?? earlier?.requestId ?? randomUUID();
    const run = randomUUID();
    underWay.add(run);
    const abandon = (): void => void underWay.delete(run);
    const entry = {
      workingFolder: this.#workingFolder,
      key,
      requestId,
      startedAt: earlier?.startedAt ?? this.#now(),
      ...processMark(),
      run,
      operation: earlier?.operation,
    };
    await this.#write(path, entry);
    return {
      requestId,
      isRepeat: earlier !== undefined,
      operation: earlier?.operation,
      leave: (operation) => {
        abandon();
        return this.#write(path, { ...entry, operation });
      },
      settle: () => {
        abandon();
        return this.#settle(path, requestId);
      },
      complete: () => {
        if (completed.size === 0) process.once("exit", confirmAll);
        completed.set(path, { requestId, run });
      },
      abandon,
    };
  }

  /**
   * Removes the completed intent of a resource that Terraform has stored. Call it when Terraform reads or
   * changes the resource. Costs nothing unless this process has created it.
   */
  async confirm(key: string): Promise<void> {
    const path = this.#path(key);
    const found = completed.get(path);
    if (found === undefined) return;
    this.#end(path);
    await this.#settle(path, found.requestId);
  }

  /** Keeps the entry if another process has recorded its own intent in the meantime. */
  async #settle(path: string, requestId: string): Promise<void> {
    const entry = parseEntry(await files.readFile(path, "utf8").catch(() => ""));
    if (entry?.requestId === requestId)
      await files.rm(path, { force: true }).catch(this.#unavailable);
  }

  /** Removes the intent of a key, if it has one. Call it when the resource has been deleted. */
  async forget(key: string): Promise<void> {
    const path = this.#path(key);
    this.#end(path);
    await files.rm(path, { force: true }).catch(this.#unavailable);
  }

  /** What was completed is no longer under way. */
  #end(path: string): void {
    const found = completed.get(path);
    if (found === undefined) return;
    completed.delete(path);
    underWay.delete(found.run);
    if (completed.size === 0) process.off("exit", confirmAll);
  }

  #path(key: string): string {
    const hash = createHash("sha256").update(JSON.stringify([this.#workingFolder, key]));
    return join(this.#folder, `${hash.digest("hex")}.json`);
  }

  /** @returns the entry, if its run has ended and its idempotency key is still valid */
  async #read(path: string, key: string): Promise<Entry | undefined> {
    let text: string;
    try {
      text = await files.readFile(path, "utf8");
    } catch {
      return undefined;
    }
    const entry = parseEntry(text);
    if (entry?.key !== key || entry.workingFolder !== this.#workingFolder) return undefined;
    const isLeft = entry.operation !== undefined;
    const age = this.#now() - entry.startedAt;
    if (age < 0 || age >= (isLeft ? leftMs : validMs)) return undefined;
    return isLeft || !isRunning(entry) ? entry : undefined;
  }

  /** Returns whether the entry was written. */
  async #write(path: string, entry: Entry): Promise<boolean> {
    try {
      const only = { mode: 0o600, folderMode: 0o700, isSynced: true };
      await writeFileAtomically(path, JSON.stringify(entry), only);
      return true;
    } catch (error) {
      this.#unavailable(error);
      return false;
    }
  }

  readonly #unavailable = (error: unknown): void => {
    this.#log.warn("The intent journal cannot be written: a killed run may leave what it created", {
      folder: this.#folder,
      error: error instanceof Error ? error.message : String(error),
    });
  };
}

function isRunning(entry: Entry): boolean {
  return entry.pid === process.pid ? underWay.has(entry.run) : isProcessAlive(entry);
}

function parseEntry(text: string): Entry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const fields: Partial<Record<keyof Entry, unknown>> = value;
  const { workingFolder, key, requestId, startedAt, pid, start, run, operation } = fields;
  return typeof workingFolder === "string" &&
    typeof key === "string" &&
    typeof requestId === "string" &&
    typeof startedAt === "number" &&
    typeof pid === "number" &&
    typeof run === "string"
    ? {
        ...{ workingFolder, key, requestId, startedAt, pid, run },
        start: typeof start === "string" ? start : undefined,
        operation: typeof operation === "string" ? operation : undefined,
      }
    : undefined;
}
