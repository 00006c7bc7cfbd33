import { createHash, randomBytes } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistryClient } from "../../src/core/signing/oci/registry/client";
import {
  type DigestReference,
  formatRepository,
  isLayout,
} from "../../src/core/signing/oci/reference/image-name";
import { startBackground } from "../background";
import { readMb } from "../process-figures";
import type { Figure } from "../report";
import { runProbe } from "../run-probe";
import { pairs, sample } from "../sample";
import type { Setting } from "../setting";
import { pushImage } from "../signing-client";
import { timeCommand, type Timing } from "../time-command";

const layers = 5;
const layerMb = 100;
const sizeMb = layers * layerMb;

/** Measures copies of a large image on this machine: between registries, to and from a folder, and within a registry. */
export async function copy({ runs }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  const source = await startBackground("serve-registry", join(folder, "source"));
  try {
    const image = await pushLargeImage(source.facts["host"] ?? "");
    const layout = { registry: "oci:", path: join(folder, "layout"), digest: image.digest };
    await copyByUs(image, formatRepository(layout));
    const figures: Figure[] = [];
    for (const [what, from, into] of [
      ["between two registries", image, intoRegistry],
      ["from a registry to a folder", image, intoFolder],
      ["from a folder to a registry", layout, intoRegistry],
    ] as const) {
      const taken: CopyRun[] = [];
      for (let run = 0; run <= Math.max(3, runs >> 1); run++) {
        const measured = await copyBothWays(from, join(folder, "destination"), into);
        if (run > 0) taken.push(measured);
      }
      figures.push(...figuresOf(what, taken));
    }
    const before = readMb(source.pid);
    const { sentBytes = Number.NaN } = await copyByUs(image, `${image.registry}/mirror/large`);
    const within = { readMb: readMb(source.pid) - before, sentMb: sentBytes / 2 ** 20 };
    return [...figures, ...figuresWithin(within)];
  } finally {
    await source.close();
    rmSync(folder, { recursive: true });
  }
}

interface CopyRun {
  readonly ours: Timing & { readonly peakMb: number };
  readonly theirs: Timing | undefined;
}

/** Runs a copy to an empty place, and removes it afterwards. */
type Into = <T>(folder: string, run: (destination: string) => Promise<T> | T) => Promise<T>;

const intoRegistry: Into = async (folder, run) => {
  const destination = await startBackground("serve-registry", folder);
  try {
    return await run(`${destination.facts["host"]}/mirror/large`);
  } finally {
    await destination.close();
    rmSync(folder, { recursive: true });
  }
};

const intoFolder: Into = async (folder, run) => {
  try {
    return await run(`oci:${folder}`);
  } finally {
    // It does not exist if the copy failed.
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Copies into two separate empty places: with our code and with skopeo. */
async function copyBothWays(image: DigestReference, folder: string, into: Into): Promise<CopyRun> {
  return {
    ours: await into(folder, async (destination) => {
      const begun = performance.now();
      const { cpuMs = Number.NaN, peakMb = Number.NaN } = await copyByUs(image, destination);
      return { cpuMs, peakMb, wallMs: performance.now() - begun };
    }),
    theirs: hasSkopeo() ? await into(folder, (to) => copyBySkopeo(image, to)) : undefined,
  };
}

const nameOf = (image: DigestReference): string => `${formatRepository(image)}@${image.digest}`;

const copyByUs = (image: DigestReference, destination: string) =>
  runProbe("copy", nameOf(image), destination);

function copyBySkopeo(image: DigestReference, destination: string): Timing {
  // In a folder with one image, skopeo needs no name for it.
  const from = isLayout(image) ? formatRepository(image) : `docker://${nameOf(image)}`;
  const isFolder = destination.startsWith("oci:");
  const to = isFolder ? `${destination}:1` : `docker://${destination}@${image.digest}`;
  const options = "--src-tls-verify=false --dest-tls-verify=false --preserve-digests";
  return timeCommand(`skopeo --insecure-policy copy --quiet ${options} ${from} ${to}`);
}

function hasSkopeo(): boolean {
  try {
    execFileSync("skopeo", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function pushLargeImage(host: string): Promise<DigestReference> {
  const registry = createRegistryClient();
  try {
    const noise = randomBytes(layerMb * 2 ** 20);
    const contents = Array.from({ length: layers }, (_, index) => {
      const layer = Buffer.from(noise);
      createHash("sha512").update(String(index)).digest().copy(layer);
      return layer;
    });
    return await pushImage({ registry }, { registry: host, path: "bench/large" }, contents);
  } finally {
    await registry.close();
  }
}

function figuresOf(way: string, taken: readonly CopyRun[]): Figure[] {
  const what = `signing: copy of ${sizeMb} MB ${way}`;
  const ours = (name: keyof CopyRun["ours"]) => taken.map((run) => run.ours[name]);
  const theirs = taken.flatMap(({ theirs: timing }) => (timing === undefined ? [] : [timing]));
  const peak = sample(ours("peakMb"));
  const memory: Figure = {
    what: `${what}, memory`,
    value: peak,
    unit: "MB",
    against: "peak of the copying process",
    target: 80,
  };
  if (theirs.length < taken.length) {
    const against = "`skopeo` is not installed";
    return [
      { what: `${what}, wall`, value: sample(ours("wallMs")), unit: "ms", against },
      { what: `${what}, CPU`, value: sample(ours("cpuMs")), unit: "ms", against },
      memory,
    ];
  }
  return (["wallMs", "cpuMs"] as const)
    .flatMap((measure): Figure[] => {
      const { a, b, ratio } = pairs(
        ours(measure),
        theirs.map((timing) => timing[measure]),
      );
      const named = `${what}, ${measure === "wallMs" ? "wall" : "CPU"}`;
      const against = `\`skopeo copy\`: ${b.median.toFixed(0)} ms`;
      const target = measure === "wallMs" ? 0.9 : undefined;
      return [
        { what: named, value: a, unit: "ms", against },
        { what: named, value: ratio, unit: "×", against, target },
      ];
    })
    .concat(memory);
}

function figuresWithin(taken: { readonly readMb: number; readonly sentMb: number }): Figure[] {
  const what = `signing: copy of ${sizeMb} MB within one registry`;
  return [
    {
      what: `${what}, blobs sent`,
      value: sample([taken.sentMb]),
      unit: "MB",
      against: "as the copying process counts them",
      target: 0,
    },
    {
      what: `${what}, all that is read`,
      value: sample([taken.readMb]),
      unit: "MB",
      against: "by the registry's process, from sockets and files",
    },
  ];
}
