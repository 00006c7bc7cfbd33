import { createHash, randomUUID } from "node:crypto";
// Not "node:fs/promises", which takes several milliseconds to load: this loads it on first use.
import { promises as files } from "node:fs";
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
  /**
   * Whether an earlier process sent the same request, but was killed before it knew the outcome.
   */
  readonly isRepeat: boolean;
  /** Removes the intent. Call it when the outcome is known, whatever it is. */
  settle(): Promise<void>;
}

/** The settings of an {@link IntentJournal}. */
export interface IntentJournalOptions {
  /** @default `$XDG_STATE_HOME/trivet/intents`, else `~/.local/state/trivet/intents` */
  readonly folder?: string | undefined;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Receives a warning when the journal cannot be written. */
  readonly log: Logger;
}

interface Entry extends ProcessMark {
  readonly key: string;
  readonly requestId: string;
  readonly startedAt: number;
  /** Distinguishes this process from a later one with the same PID, where the system cannot. */
  readonly run: string;
}

const thisRun = randomUUID();

/** How long services are guaranteed to recognise a repeated request. */
const validMs = 60 * 60 * 1000;

/**
 * Stores requests that must not be sent twice on disk.
 *
 * Terraform learns of a new resource only from the provider's response. If the provider is killed
 * before that, the next run would create the resource again, or fail because it exists. With the
 * journal, that run sends the idempotency key of the first request again. If the folder cannot be
 * written, only this protection is lost; the operation continues.
 */
export class IntentJournal {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #log: Logger;

  constructor({ folder, env = process.env, now = Date.now, log }: IntentJournalOptions) {
    const state = env["XDG_STATE_HOME"];
    const base = state === undefined || state === "" ? join(homedir(), ".local", "state") : state;
    this.#folder = folder ?? join(base, "trivet", "intents");
    this.#now = now;
    this.#log = log;
  }

  /**
   * Records a request before it is sent.
   *
   * @param key identifies what is created, including the service, such as its URL
   */
  async begin(key: string): Promise<Intent> {
    const path = this.#path(key);
    const earlier = await this.#read(path, key);
    const requestId = earlier?.requestId ?? randomUUID();
    await this.#write(path, {
      key,
      requestId,
      startedAt: earlier?.startedAt ?? this.#now(),
      ...processMark(),
      run: thisRun,
    });
    return {
      requestId,
      isRepeat: earlier !== undefined,
      settle: () => this.#settle(path, requestId),
    };
  }

  /** Keeps the entry if another process has recorded its own intent in the meantime. */
  async #settle(path: string, requestId: string): Promise<void> {
    const entry = parseEntry(await files.readFile(path, "utf8").catch(() => ""));
    if (entry?.requestId === requestId)
      await files.rm(path, { force: true }).catch(this.#unavailable);
  }

  /** Removes the intent of a key, if it has one. Call it when the resource has been deleted. */
  async forget(key: string): Promise<void> {
    await files.rm(this.#path(key), { force: true }).catch(this.#unavailable);
  }

  #path(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex")}.json`);
  }

  /** @returns the entry, if its process has ended and its idempotency key is still valid */
  async #read(path: string, key: string): Promise<Entry | undefined> {
    let text: string;
    try {
      text = await files.readFile(path, "utf8");
    } catch {
      return undefined;
    }
    const entry = parseEntry(text);
    const age = this.#now() - (entry?.startedAt ?? 0);
    return entry?.key === key && age >= 0 && age < validMs && !isRunning(entry) ? entry : undefined;
  }

  async #write(path: string, entry: Entry): Promise<void> {
    try {
      const only = { mode: 0o600, folderMode: 0o700, isSynced: true };
      await writeFileAtomically(path, JSON.stringify(entry), only);
    } catch (error) {
      this.#unavailable(error);
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
  return entry.pid === process.pid ? entry.run === thisRun : isProcessAlive(entry);
}

function parseEntry(text: string): Entry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { key, requestId, startedAt, pid, start, run }: Partial<Record<keyof Entry, unknown>> =
    value;
  return typeof key === "string" &&
    typeof requestId === "string" &&
    typeof startedAt === "number" &&
    typeof pid === "number" &&
    typeof run === "string"
    ? { key, requestId, startedAt, pid, run, start: typeof start === "string" ? start : undefined }
    : undefined;
}
