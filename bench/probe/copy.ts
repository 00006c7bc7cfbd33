// Copies an image, and prints the peak memory of the process, the bytes that it sent, and its CPU
// time: `copy host/path@sha256:… host/path`; also layouts.
import { createRegistryClient, withLayouts } from "../../src/core/signing/oci/registry/client";
import { copyImage } from "../../src/core/signing/copy/copy-image";
import { createLayoutClient } from "../../src/core/signing/oci/layout/layout-client";
import {
  parseDestination,
  parseDigestImage,
} from "../../src/core/signing/oci/reference/image-name";
import { peakMb } from "../process-figures";
import { anHour } from "../signing-client";

async function main(source: string, destination: string): Promise<void> {
  const from = parseDigestImage(source);
  const to = parseDestination(destination);
  if ("problem" in from || "problem" in to) throw new Error(`${source} ${destination}`);
  const client = withLayouts(createRegistryClient(), () => Promise.resolve(createLayoutClient()));
  const { sentBytes } = await copyImage(from, to, { client, context: anHour() });
  await client.close();
  const { user, system } = process.cpuUsage();
  const figures = { peakMb: peakMb(process.pid), sentBytes, cpuMs: (user + system) / 1000 };
  console.log(JSON.stringify(figures));
}

const [, , source = "", destination = ""] = process.argv;
void main(source, destination);
