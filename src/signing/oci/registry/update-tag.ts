import type { CallContext } from "../../../http/call-context";
import type { Clock } from "../../../http/clock";
import { formatRepository, type Repository } from "../reference/repository";
import { digestOf, type Manifest, type Manifests, type NewManifest } from "./manifests";
import { RegistryError } from "../protocol/registry-error";
import type { TagLock } from "./tag-lock";

/**
 * A change to what a tag holds, made of content that is ready: it is merged again, and never made
 * again, when others write at the same time.
 */
export interface TagUpdate {
  /** What the tag shall hold; undefined when it may stay as it is. Called once for each state that is found. */
  merge(current: Manifest | undefined): Promise<NewManifest | undefined>;
  /** Whether what the update is about is there. */
  holds(current: Manifest | undefined): boolean;
}

export interface TagUpdateSettings {
  readonly manifests: Manifests;
  readonly lock: TagLock;
  readonly clock: Clock;
  readonly random: () => number;
}

export interface TagUpdateResult {
  readonly wrote: boolean;
  /** How often others' writes made it necessary to merge again. */
  readonly mergedAgain: number;
}

const maxRounds = 30;
const settledReads = 3;
const minSettleMs = 40;
const maxSettleMs = 2_000;

/**
 * Changes what a tag holds without losing what others write to it.
 *
 * Registries know no conditional write that can be relied on. So the state is looked at again right before
 * writing, and read several times afterwards, each time after a longer wait than another writer needs
 * between its own look and its write; when the update is gone by then, it is merged again.
 *
 * @throws RegistryError `CONTENTION` when others never stop.
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
      if (!update.holds(await manifests.get(repository, tag, context))) return false;
    }
    return true;
  }

  async function pause(ms: number): Promise<void> {
    await clock.sleep(Math.round(ms), context.signal).catch(() => undefined);
  }

  /** Undefined when another writer came between. */
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
      // Writers that met once would meet again in the same step.
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
      message: `others kept writing to ${name}: gave up after ${maxRounds} rounds; run it again when fewer write to the same image`,
    });
  });
}
