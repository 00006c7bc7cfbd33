// Prints the CPU time, in milliseconds, of building and synthesizing pieces of a provider, and a checksum of the result:
// with the constructs (`observed`: also recording their lines, as commands of trivet do) or with the bare bindings.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, TerraformStack } from "cdktf";
import { AppRecorder } from "../../src/cli/app-process/app-recorder";
import { cpuTimeMs } from "../cpu-time";
import type { Builders } from "../stack/builders";

const builders: Readonly<Record<string, () => Promise<Builders>>> = {
  ids: async () => (await import("../stack/ids.js")).ids,
  signing: async () => (await import("../stack/signing.js")).signing,
  workspace: async () => (await import("../stack/workspace.js")).workspace,
};

async function main(name: string, way: string, count: number): Promise<void> {
  const chosen = await builders[name]?.();
  if (chosen === undefined) throw new Error(`there is no stack of ${name}`);
  const outdir = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  const app = new App({ outdir, skipValidation: false });
  const stack = new TerraformStack(app, "bench");
  const build = way === "binding" ? chosen.binding : chosen.construct;
  if (way === "observed") new AppRecorder(join(outdir, "report")).start(60_000);
  const buildMs = cpuTimeMs(() => {
    build(stack, count);
  });
  const synthMs = cpuTimeMs(() => {
    app.synth();
  });
  const text = readFileSync(join(outdir, "stacks", "bench", "cdk.tf.json"), "utf8");
  rmSync(outdir, { recursive: true });
  console.log(JSON.stringify({ buildMs, synthMs, checksum: checksum(text) }));
}

/**
 * Everything that Terraform reads must be equal. The constructs' metadata has tree paths, which differ.
 */
function checksum(text: string): number {
  const { resource } = JSON.parse(text) as { readonly resource: unknown };
  const read = JSON.stringify(resource, (key, value: unknown) =>
    key === "//" ? undefined : value,
  );
  return createHash("sha256").update(read).digest().readUIntBE(0, 6);
}

const [, , name = "", way = "", count = "0"] = process.argv;
void main(name, way, Number(count));
