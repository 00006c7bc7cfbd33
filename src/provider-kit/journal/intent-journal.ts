import { createHash, randomUUID } from "node:crypto";
// Not "node:fs/promises", which costs every start several milliseconds: this loads it when it is used.
import { promises as files } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord } from "../../json/is-object";
import { writeFileAtomically } from "../../process/atomic-file";
import { isProcessAlive, processMark, type ProcessMark } from "../../process/process-mark";
import type { Logger } from "../host/log/logging";

/** A request that is about to be sent, or was sent without its outcome being known. */
export interface Intent {
  /** The idempotency key to send. */
  readonly requestId: string;
  /** Whether an earlier process sent the same request and did not live to see its outcome. */
  readonly isRepeat: boolean;
  /** Forgets the intent; call it once the outcome is known, whatever it is. */
  settle(): Promise<void>;
}

/** Where and how long intents are kept. */
export interface IntentJournalOptions {
  /** @default `$XDG_STATE_HOME/trivet/intents`, else `~/.local/state/trivet/intents` */
  readonly folder?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly now?: (() => number) | undefined;
  readonly log: Logger;
}

interface Entry extends ProcessMark {
  readonly key: string;
  readonly requestId: string;
  readonly startedAt: number;
  /** Tells this process from a later one with the same number, where the system does not. */
  readonly run: string;
}

const thisRun = randomUUID();

/** As long as services are sure to recognise a repeated request. */
const validMs = 60 * 60 * 1000;

/**
 * Remembers, on disk, requests that must not be made twice.
 *
 * Terraform learns of a new resource only when the provider answers. Should the provider be killed
 * before, the next run would create the resource again, or meet one that it does not know. With the
 * journal that run sends the first one's idempotency key instead. A folder that cannot be written
 * costs this protection, never the operation.
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
   * Notes a request before it is sent.
   *
   * @param key names what is made, the service included: its address
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

  /** Another process may have noted an intent of its own meanwhile, which stays. */
  async #settle(path: string, requestId: string): Promise<void> {
    const entry = parseEntry(await files.readFile(path, "utf8").catch(() => ""));
    if (entry?.requestId === requestId)
      await files.rm(path, { force: true }).catch(this.#unavailable);
  }

  /** Forgets the intent of a key, if there is one: what it was to make has been deleted. */
  async forget(key: string): Promise<void> {
    await files.rm(this.#path(key), { force: true }).catch(this.#unavailable);
  }

  #path(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex")}.json`);
  }

  /** @returns an entry whose process is dead and whose key is still good */
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
