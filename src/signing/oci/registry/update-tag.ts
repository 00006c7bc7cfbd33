import type { CallContext } from "../../../http/call-context";
import type { Clock } from "../../../http/clock";
import { formatRepository, type Repository } from "../reference/repository";
import { digestOf, type Manifest, type Manifests, type NewManifest } from "./manifests";
import { RegistryError } from "../protocol/registry-error";
import type { TagLock } from "./tag-lock";

/**
 * A change to a tag. After a concurrent write it is merged again, so it must be cheap to repeat.
 */
export interface TagUpdate {
  /** The new manifest for the current one; undefined if no change is needed. Called once for each state. */
  merge(current: Manifest | undefined): Promise<NewManifest | undefined>;
  /** Whether the current manifest contains the change. */
  isApplied(current: Manifest | undefined): boolean;
}

/** The settings of {@link updateTag}. */
export interface TagUpdateSettings {
  readonly manifests: Manifests;
  readonly lock: TagLock;
  readonly clock: Clock;
  readonly random: () => number;
}

/** What {@link updateTag} did. */
export interface TagUpdateResult {
  /** Whether the tag was written. */
  readonly wrote: boolean;
  /** How often concurrent writes made another merge necessary. */
  readonly mergedAgain: number;
}

const maxRounds = 30;
const settledReads = 3;
const minSettleMs = 40;
const maxSettleMs = 2_000;

/**
 * Changes a tag without losing concurrent changes.
 *
 * Registries have no reliable conditional write. So the tag is read again right before writing, and several
 * times afterwards, each time after a longer wait than another writer needs between its read and its write.
 * If the change was overwritten, it is merged again.
 *
 * @throws RegistryError `CONTENTION` if others never stop writing
 */
export async function updateTag(
  repository: Repository,
  tag: string,
  update: TagUpdate,
  context: CallContext,
  { manifests, lock, clock, random }: TagUpdateSettings,
): Promise<TagUpdateResult> {
  const name = `${formatRepository(repository)}:${tag}`;

  async function isSettled(roundTripMs: number): Promise<boolean> {
    for (let read = 0; read < settledReads; read++) {
      const waitMs = Math.max(minSettleMs, 2 * roundTripMs) * 2 ** read * (0.5 + random());
      await pause(Math.min(waitMs, maxSettleMs));
      if (!update.isApplied(await manifests.get(repository, tag, context))) return false;
    }
    return true;
  }

  async function pause(ms: number): Promise<void> {
    await clock.sleep(Math.round(ms), context.signal).catch(() => undefined);
  }

  /** Undefined after a concurrent write. */
  async function write(
    current: Manifest | undefined,
    next: NewManifest,
  ): Promise<{ readonly roundTripMs: number } | undefined> {
    const before = clock.now();
    const head = await manifests.head(repository, tag, context);
    const roundTripMs = clock.now() - before;
    const found =
      head !== undefined && head.digest === undefined
        ? (await manifests.get(repository, tag, context))?.digest
        : head?.digest;
    if (found !== current?.digest) return undefined;
    try {
      await manifests.put(repository, next, context, { tag, ifMatch: current?.etag });
    } catch (failure) {
      if (failure instanceof RegistryError && failure.status === 412) return undefined;
      throw failure;
    }
    return { roundTripMs };
  }

  return lock.run(name.toLowerCase(), async () => {
    let wrote = false;
    for (let round = 0; round < maxRounds; round++) {
      // A random pause, so that concurrent writers do not collide again.
      if (round > 0) await pause(minSettleMs * Math.min(round, 8) * random());
      const current = await manifests.get(repository, tag, context);
      const next = await update.merge(current);
      if (next === undefined || digestOf(next.bytes) === current?.digest) {
        return { wrote, mergedAgain: round };
      }
      const written = await write(current, next);
      if (written === undefined) continue;
      wrote = true;
      if (await isSettled(written.roundTripMs)) return { wrote, mergedAgain: round };
    }
    throw new RegistryError({
      code: "CONTENTION",
      message: `others kept writing to ${name}, so the update stopped after ${maxRounds} attempts; try again when fewer processes write to the same image`,
    });
  });
}
