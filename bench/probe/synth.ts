// Prints the CPU milliseconds of building and synthesizing a number of endpoints, with the constructs
// or with the bare bindings, and a checksum of the result.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, TerraformStack } from "cdktf";
import { Endpoint as EndpointBinding } from "../../bindings/providers/ids/endpoint";
import { IdsProvider as IdsProviderBinding } from "../../bindings/providers/ids/provider";
import { Endpoint, IdsProvider } from "../../src/ids";

const [, , kind = "", count = "0"] = process.argv;
const outdir = mkdtempSync(join(tmpdir(), "trivet-bench-"));

const props = (index: number) => ({
  endpointId: `edge-${index}`,
  network: "projects/demo/global/networks/main",
  severity: "HIGH" as const,
  location: "us-central1-f",
  description: `Endpoint number ${index}`,
  labels: { team: "network", index: String(index) },
  threatExceptions: ["100001", "100002", "100003"],
});

function timed(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const app = new App({ outdir, skipValidation: false });
const stack = new TerraformStack(app, "bench");
const settings = { project: "demo" };
const buildMs = timed(() => {
  if (kind === "construct") {
    new IdsProvider(stack, "ids", settings);
    for (let index = 0; index < Number(count); index++)
      new Endpoint(stack, `e${index}`, props(index));
  } else {
    new IdsProviderBinding(stack, "ids", settings);
    for (let index = 0; index < Number(count); index++) {
      new EndpointBinding(stack, `e${index}`, props(index));
    }
  }
});
const synthMs = timed(() => app.synth());
const json: unknown = JSON.parse(
  readFileSync(join(outdir, "stacks", "bench", "cdk.tf.json"), "utf8"),
);
// The constructs' metadata holds paths of the tree, which differ; what Terraform reads must not.
const resources = JSON.stringify((json as { resource: unknown }).resource, (key, value: unknown) =>
  key === "//" ? undefined : value,
);
const checksum = createHash("sha256").update(resources).digest().readUIntBE(0, 6);
rmSync(outdir, { recursive: true });
console.log(JSON.stringify({ buildMs, synthMs, checksum }));
