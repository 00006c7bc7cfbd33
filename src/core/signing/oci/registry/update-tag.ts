import type { CallContext, ClientLog, Clock } from "../../../http/call-context";
import { maxWaitMs, secondsOf } from "../../../http/retry";
import { formatRepository, type Repository } from "../reference/image-name";
import { type Digest, digestOf } from "../reference/descriptor";
import { lastOf, RegistryError, registryRetry } from "./registry-error";
import type { Manifest, Manifests, NewManifest } from "./manifests";

/** A change to a tag. After a concurrent write it is merged again, so it must be cheap to repeat. */
interface TagUpdate {
  /** The new manifest for the current one; undefined if no change is needed. Called once for each state. */
  merge(current: Manifest | undefined): Promise<NewManifest | undefined>;
  /** Returns true if the current manifest contains the change. */
  isApplied(current: Manifest | undefined): boolean;
}

interface TagUpdateSettings {
  readonly manifests: Pick<Manifests, "get" | "head" | "put">;
  readonly lock: TagLock;
  readonly clock: Clock;
  readonly random: () => number;
  /** Receives the waits after failed writes. @default no log */
  readonly log?: ClientLog | undefined;
}

interface TagUpdateResult {
  readonly wrote: boolean;
  /** How often concurrent writes made another merge necessary. */
  readonly mergedAgain: number;
}

/** {@link updateTag} with its settings. */
export type UpdateTag = (
  repository: Repository,
  tag: string,
  update: TagUpdate,
  context: CallContext,
) => Promise<TagUpdateResult>;

/** Runs work for the same name one after the other, in order of the calls. */
export class TagLock {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}

const maxRounds = 30;
/** The tag is watched for seven times this after a write: 50 times what a registry on the same machine takes to respond. */
const minSettleMs = 16;
const maxSettleMs = 2_000;
/** When the tag is read again after a write, as multiples of the shortest wait. */
const settleSteps = [1, 2, 4];
/** The longest pause before the first repeated merge, so that concurrent writers do not collide again. */
const backOffMs = 40;
/** How often a write may be refused as if others had written, although the tag is unchanged. */
const maxUnchanged = 3;
/** How long the look before a write may take: half of the time for which others watch at least. */
const maxLookMs = (7 * minSettleMs) / 2;

/**
 * Changes a tag without losing concurrent changes.
 *
 * Registries have no reliable conditional write. So the tag is looked at right before the write, and once more
 * after a longer wait than another writer needs between its own look and its write. If the change was
 * overwritten, it is merged again. After the first sign of another writer, the tag is read more often.
 * How long others need is estimated from our own requests. A look that took too long is repeated.
 *
 * The wait is necessary even if no other writer is visible. Another writer may have looked just before our write,
 * and may write just after our last look: before that, it has changed nothing that we could see, and afterwards
 * it cannot see that our change is gone. For the same reason, a write is not repeated without another look.
 *
 * @throws RegistryError `CONTENTION` if others never stop writing
 */
export async function updateTag(
  repository: Repository,
  tag: string,
  update: TagUpdate,
  context: CallContext,
  { manifests, lock, clock, random, log }: TagUpdateSettings,
): Promise<TagUpdateResult> {
  const name = `${formatRepository(repository)}:${tag}`;
  // The slowest of this update: others are probably no faster.
  let lookMs = 0;
  let writeMs = 0;

  async function pause(ms: number): Promise<void> {
    await clock.sleep(Math.round(ms), context.signal).catch(() => undefined);
  }

  async function currentDigest(): Promise<Digest | undefined> {
    const head = await manifests.head(repository, tag, context);
    if (head === undefined || head.digest !== undefined) return head?.digest;
    return (await manifests.get(repository, tag, context))?.digest;
  }

  async function look() {
    const before = clock.now();
    const found = await currentDigest();
    const tookMs = clock.now() - before;
    lookMs = Math.max(lookMs, tookMs);
    return { found, tookMs };
  }

  /**
   * Looks at the tag right before a write. If the answer took long, this process may have paused meanwhile, and others
   * may have written and stopped watching. So it looks again, unless the registry is just as slow again.
   */
  async function freshLook(): Promise<Digest | undefined> {
    for (let beforeMs = Infinity; ;) {
      const { found, tookMs } = await look();
      if (tookMs <= maxLookMs || tookMs > beforeMs / 2) return found;
      beforeMs = tookMs;
    }
  }

  /** Checks that the change, which was in the manifest with this digest, was not overwritten. */
  async function isSettled(digest: Digest | undefined, isAlone: boolean): Promise<boolean> {
    const firstMs = Math.max(minSettleMs, 2 * lookMs, writeMs / 2);
    const waits = settleSteps.map((step) => Math.min(firstMs * step, maxSettleMs));
    for (const ms of isAlone ? [waits.reduce((sum, each) => sum + each)] : waits) {
      await pause(ms);
      if ((await look()).found === digest) continue;
      if (!update.isApplied(await manifests.get(repository, tag, context))) return false;
    }
    // Others may have become just as slow, so the wait was too short.
    return lookMs <= firstMs || isSettled(digest, true);
  }

  return lock.run(name.toLowerCase(), async () => {
    let wrote = false;
    let failures = 0;
    let unchanged = 0;
    for (let round = 0; round < maxRounds; round++) {
      if (round > 0) await pause(backOffMs * Math.min(round, 8) * random());
      const current = await manifests.get(repository, tag, context);
      const next = await update.merge(current);
      if (next === undefined || digestOf(next.bytes) === current?.digest) {
        // After our write was overwritten, another writer may have put it back, and may be overwritten in turn.
        if (!wrote || (await isSettled(current?.digest, false)))
          return { wrote, mergedAgain: round };
        continue;
      }
      if ((await freshLook()) !== current?.digest) continue;
      let retryMs: number | undefined;
      const before = clock.now();
      try {
        await manifests.put(repository, next, context, {
          tag,
          ifMatch: current?.etag,
          retry(outcome, attempt) {
            retryMs = registryRetry(outcome, { ...attempt, number: failures + 1 });
            return undefined;
          },
        });
      } catch (failure) {
        if (!(failure instanceof RegistryError)) throw failure;
        if (failure.status === 412) {
          if ((await look()).found === current?.digest && ++unchanged === maxUnchanged) {
            throw immutable(name, failure);
          }
          continue;
        }
        failures++;
        if (retryMs === undefined || clock.now() + retryMs >= context.deadline) {
          throw lastOf(failures, failure);
        }
        const waitMs = Math.min(retryMs, maxWaitMs);
        log?.warn(`${failure.message}; the next attempt follows in ${secondsOf(waitMs)}`, { name });
        // Perhaps only the response was lost.
        wrote = true;
        await pause(waitMs);
        continue;
      }
      wrote = true;
      writeMs = Math.max(writeMs, clock.now() - before);
      if (await isSettled(digestOf(next.bytes), round === 0)) return { wrote, mergedAgain: round };
    }
    throw new RegistryError(
      "CONTENTION",
      `other processes kept writing to ${name}, so the update stopped after ${maxRounds} attempts; try again when fewer write to the same image`,
    );
  });
}

/** Explains a 412 that no other writer caused: some registries send it where a rule makes tags immutable. */
function immutable(name: string, cause: RegistryError): RegistryError {
  const advice = `if a rule of the registry makes tags immutable, exclude ${name} from it`;
  return cause.explained(`${cause.message}; ${advice}`, "REFUSED");
}
