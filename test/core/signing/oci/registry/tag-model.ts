import type { Clock } from "../../../../../src/core/http/call-context";
import type { Manifest, Manifests } from "../../../../../src/core/signing/oci/registry/manifests";
import { digestOf } from "../../../../../src/core/signing/oci/reference/descriptor";
import { TagLock, updateTag } from "../../../../../src/core/signing/oci/registry/update-tag";
import { contextOf } from "./registries";

/** A request or a wait of a writer, which takes effect when the schedule chooses it. */
interface Step {
  readonly kind: "GET" | "HEAD" | "answer" | "PUT" | "back off" | "wait";
  readonly take: () => void;
  /** For a wait: the writers that had looked but not yet written when it began. */
  readonly outlasts: Set<number>;
}

interface Writer {
  next: Step | undefined;
  isDone: boolean;
  /** Whether it has looked at the tag, and may write what it has merged before. */
  mayWrite: boolean;
  /** Whether its next look may be interrupted by a pause. */
  mayPause: boolean;
  /** Whether it paused during its look, for as long as another writer waited. */
  hasPaused: boolean;
  /** What it has seen since it last began to merge. */
  seen: string;
}

/** What the writers have lost, in one of the schedules. */
interface Loss {
  readonly schedule: readonly string[];
  readonly layers: readonly string[];
}

/**
 * Runs {@link updateTag} for several writers to one tag, each with its own layer, in every order of their requests.
 * One of them may pause for as long as it likes before the answer to its first look. States that were reached before
 * are not tried again.
 *
 * @param doWaitsOutlast whether a wait after a write takes longer than the write of another writer whose look is fresh
 */
export async function tryAllOrders(writers: number, doWaitsOutlast: boolean) {
  const reached = new Set<string>();
  const losses: Loss[] = [];
  let ended = 0;
  const open: (readonly number[])[] = [[]];
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    const run = await startRun(writers, doWaitsOutlast);
    for (const choice of prefix) await run.choose(choice);
    for (;;) {
      const [first, ...others] = run.choices();
      if (first === undefined) {
        ended++;
        const layers = run.layers();
        if (layers.length < writers) losses.push({ schedule: run.schedule, layers });
        break;
      }
      const state = run.state();
      if (reached.has(state)) break;
      reached.add(state);
      const chosen: readonly number[] = run.chosen;
      for (const other of others) open.push([...chosen, other]);
      await run.choose(first);
    }
    await run.abandon();
  }
  return { losses, ended, states: reached.size };
}

async function startRun(count: number, doWaitsOutlast: boolean) {
  let held: readonly string[] = [];
  let isAbandoned = false;
  const chosen: number[] = [];
  const schedule: string[] = [];
  const writers = Array.from({ length: count }, (_, number): Writer => ({
    next: undefined,
    isDone: false,
    mayWrite: false,
    mayPause: number === 0,
    hasPaused: false,
    seen: "",
  }));
  const endings = writers.map((writer, number) => {
    const layer = String(number);
    let now = 0;
    const step = <T>(kind: Step["kind"], effect: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        if (isAbandoned) {
          reject(new Error("abandoned"));
          return;
        }
        const pending = writers.flatMap(({ mayWrite }, other) => (mayWrite ? [other] : []));
        writer.next = {
          kind,
          outlasts: new Set(pending.filter((other) => other !== number)),
          take() {
            if (isAbandoned) reject(new Error("abandoned"));
            else resolve(effect());
          },
        };
      });
    const see = (what: string): void => {
      writer.seen += ` ${what}=${held.join("+")}`;
    };
    const manifests: Pick<Manifests, "get" | "head" | "put"> = {
      get: () =>
        step("GET", () => {
          // What it saw before it merges again makes no difference to what it does next.
          writer.seen = "";
          see("GET");
          return held.length === 0 ? undefined : manifestOf(held);
        }),
      async head() {
        const isAfterWrite = writer.seen.includes("PUT");
        const found = await step("HEAD", () => {
          // After a write, a look leads to the next wait or to another merge: nothing else is remembered of it.
          if (isAfterWrite) writer.seen += " HEAD";
          else see("HEAD");
          writer.mayWrite = !isAfterWrite;
          return held.length === 0 ? undefined : { digest: manifestOf(held).digest };
        });
        if (!writer.mayPause) return found;
        await step("answer", () => void (now += writer.hasPaused ? 112 : 0));
        writer.mayPause = false;
        return found;
      },
      put: (_, { bytes }) =>
        step("PUT", () => {
          held = layersOf(Buffer.from(bytes));
          see("PUT");
          writer.mayWrite = false;
          return { ...manifestOf(held), size: bytes.byteLength };
        }),
    };
    const clock: Clock = {
      now: () => now,
      sleep: (ms) => step(ms === 0 ? "back off" : "wait", () => undefined),
      schedule: () => () => undefined,
    };
    return updateTag(
      { registry: "registry.example", path: "lab/app" },
      "shared",
      {
        merge: (current) => {
          const there = layersOf(current?.bytes);
          if (there.includes(layer)) return Promise.resolve(undefined);
          return Promise.resolve(manifestOf([...there, layer].sort()));
        },
        isApplied: (current) => layersOf(current?.bytes).includes(layer),
      },
      contextOf(),
      // Each writer is a process of its own.
      { manifests, lock: new TagLock(), clock, random: () => 0 },
    ).then(
      () => (writer.isDone = true),
      () => undefined,
    );
  });
  await settled();

  return {
    chosen,
    schedule,
    layers: () => held,
    /** The writers that may go next. */
    choices: () =>
      writers.flatMap(({ next }, number) => {
        if (next === undefined) return [];
        const isOutlasting = [...next.outlasts].some(
          (other) => writers[other]?.next?.kind === "PUT",
        );
        const isTooEarly = next.kind === "wait" && doWaitsOutlast && isOutlasting;
        return isTooEarly ? [] : [number];
      }),
    state: () => sameForAll(held.join("+"), writers.map(describe)),
    async choose(number: number) {
      const writer = writers[number];
      const step = writer?.next;
      if (writer === undefined || step === undefined) throw new Error("nothing to choose");
      chosen.push(number);
      schedule.push(`${number}: ${step.kind}`);
      writer.next = undefined;
      if (step.kind === "wait") {
        for (const other of writers) other.hasPaused ||= other.next?.kind === "answer";
      }
      step.take();
      await settled();
      if (!isAboutToWrite(writer)) writer.mayWrite = false;
      if (writer.mayWrite) return;
      for (const { next } of writers) next?.outlasts.delete(number);
    },
    async abandon() {
      isAbandoned = true;
      for (const { next } of writers) next?.take();
      await Promise.all(endings);
    },
  };
}

function isAboutToWrite({ mayWrite, next }: Writer): boolean {
  return mayWrite && (next?.kind === "answer" || next?.kind === "PUT");
}

function describe({ next, isDone, mayWrite, mayPause, hasPaused, seen }: Writer): string {
  const outlasts = [...(next?.outlasts ?? [])].join("+");
  return `${seen} ${next?.kind ?? ""} ${isDone} ${mayWrite} ${mayPause} ${mayPause && hasPaused} ${outlasts}`;
}

/** One name for the states that differ only in which writer is which. */
function sameForAll(held: string, writers: readonly string[]): string {
  const names = permutations(writers.map((_, number) => number)).map((order) => {
    const renamed = (text: string) =>
      text.replaceAll(/\d(?:\+\d)*/g, (all) =>
        all
          .split("+")
          .map((each) => order.indexOf(Number(each)))
          .sort()
          .join("+"),
      );
    return [held, ...order.map((number) => writers[number] ?? "")].map(renamed).join(" | ");
  });
  return names.sort()[0] ?? "";
}

function permutations(all: readonly number[]): readonly (readonly number[])[] {
  if (all.length === 0) return [[]];
  return all.flatMap((first) =>
    permutations(all.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  );
}

function manifestOf(layers: readonly string[]): Manifest {
  const json = { layers };
  const bytes = Buffer.from(JSON.stringify(json));
  return { mediaType: "application/json", bytes, json, digest: digestOf(bytes), etag: undefined };
}

function layersOf(bytes: Buffer | undefined): readonly string[] {
  if (bytes === undefined) return [];
  const { layers } = JSON.parse(bytes.toString()) as { readonly layers: readonly string[] };
  return layers;
}

/** When every writer has come to its next step. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
