import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalSigningSettings } from "../../../src/local/signing/open-services";
import { startLocalSigning } from "../../../src/local/signing/start-local-signing";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end();
});

/** A folder until the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-signing-"));
  // A request that its client has given up may still write.
  opened.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** The services until the end of the test. */
export async function openServices(settings: Partial<LocalSigningSettings> = {}) {
  const folder = settings.folder ?? (await temporaryFolder());
  const services = await startLocalSigning({ ...settings, folder });
  opened.push(() => services.close());
  return services;
}

export async function postJson(url: string, body: unknown, headers = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
