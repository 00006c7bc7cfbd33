import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnProvider, TerraformProject } from "@trivet/provider-kit/testing";
import { source } from "../src/source";

// How long users wait for the provider: run `npm run bench` before and after a change.
const bundle: readonly [string, string] = [process.execPath, "build/provider.cjs"];
const starts = 11;
const notes = 100;

async function measured(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

const print = (what: string, milliseconds: number): void => {
  console.log(`${what.padEnd(30)} ${milliseconds.toFixed(0).padStart(6)} ms`);
};

async function start(): Promise<number> {
  const begin = performance.now();
  const provider = await spawnProvider(bundle);
  const milliseconds = performance.now() - begin;
  await provider.close();
  return milliseconds;
}

async function benchStart(): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < starts; run++) times.push(await start());
  times.sort((a, b) => a - b);
  print("start to handshake (median)", times[(starts - 1) / 2] ?? NaN);
}

async function benchTerraform(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "notes-"));
  const project = await TerraformProject.open({ source, executable: bundle });
  try {
    await project.write(`
      provider "{{name}}" {
        folder = ${JSON.stringify(folder)}
      }
      resource "{{name}}_note" "many" {
        count = ${notes}
        name  = "note-\${count.index}"
        text  = "We need milk."
      }`);
    print(`apply of ${notes} new notes`, await measured(() => project.apply()));
    print(`plan of ${notes} notes`, await measured(() => project.plan()));
  } finally {
    await project.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  await benchStart();
  await benchTerraform();
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
