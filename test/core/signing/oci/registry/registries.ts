import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallContext } from "../../../../../src/core/http/call-context";
import {
  createRegistryClient,
  type RegistryClient,
} from "../../../../../src/core/signing/oci/registry/client";
import {
  mediaTypes,
  type Descriptor,
  type Digest,
} from "../../../../../src/core/signing/oci/reference/descriptor";
import type { NewManifest } from "../../../../../src/core/signing/oci/registry/manifests";
import { RegistryError } from "../../../../../src/core/signing/oci/registry/registry-error";
import type { Repository } from "../../../../../src/core/signing/oci/reference/image-name";
import { startRegistry } from "../../../../local/signing/registry/start-registry";
import { onPath, skippedWithout } from "../../../../on-path";
import { closeAfterTest } from "../../../http/close-after-test";
import { VirtualClock } from "../../../http/virtual-clock";

export type RegistryKind = "ours" | "ours without referrers" | "docker-registry";

const hasDockerRegistry = onPath("docker-registry") !== undefined;
skippedWithout(
  hasDockerRegistry ? [] : ["docker-registry"],
  "nothing is tried with another registry",
);

export const registryKinds: readonly RegistryKind[] = [
  "ours",
  "ours without referrers",
  ...(hasDockerRegistry ? (["docker-registry"] as const) : []),
];

/** The name of a running registry, closed after the test. */
export async function openRegistry(
  kind: RegistryKind,
  settings: Omit<Parameters<typeof startRegistry>[0], "folder"> & {
    /** Whether docker-registry deletes manifests. @default true */
    readonly deletes?: boolean;
  } = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-registry-"));
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }));
  if (kind === "docker-registry") return openDistribution(kind, folder, settings.deletes ?? true);
  const referrersApi = kind === "ours";
  const service = await startRegistry({ ...settings, folder, referrersApi });
  closeAfterTest(() => service.close());
  return service.host;
}

/** Starts docker-registry or its successor, distribution, until the end of the test. */
export async function openDistribution(
  program: string,
  folder: string,
  deletes: boolean,
): Promise<string> {
  const file = join(folder, "config.yml");
  const lines = [
    "version: 0.1",
    // At this level it says which port it got.
    "log: { level: info }",
    `storage: { filesystem: { rootdirectory: ${join(folder, "data")} }, delete: { enabled: ${deletes} } }`,
    'http: { addr: "127.0.0.1:0" }',
  ];
  writeFileSync(file, lines.join("\n"));
  return startedRegistry(program, ["serve", file], /"listening on (127\.0\.0\.1:\d+)/);
}

/** Runs a registry until the end of the test; returns the host that its log names. */
export async function startedRegistry(
  program: string,
  args: readonly string[],
  listening: RegExp,
): Promise<string> {
  // Version 3 of distribution sends traces by default.
  const env = { ...process.env, OTEL_TRACES_EXPORTER: "none" };
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env });
  const ended = new Promise((resolve) => child.once("close", resolve));
  closeAfterTest(() => {
    child.kill("SIGKILL");
    return ended;
  });
  let said = "";
  return new Promise((resolve, reject) => {
    const onText = (text: Buffer): void => {
      said += text.toString();
      const [, host] = listening.exec(said) ?? [];
      if (host !== undefined) resolve(host.startsWith("127.") ? host : `127.0.0.1:${host}`);
    };
    child.stdout.on("data", onText);
    child.stderr.on("data", onText);
    void ended.then(() => reject(new Error(`${program} ended:\n${said}`)));
  });
}

/** A client whose waits take no time. */
export function openClient(
  settings: Parameters<typeof createRegistryClient>[0] = {},
): RegistryClient {
  const client = createRegistryClient({ clock: new VirtualClock(), random: () => 0, ...settings });
  closeAfterTest(() => client.close());
  return client;
}

export function contextOf(now = Date.now()): CallContext {
  return { signal: new AbortController().signal, deadline: now + 600_000 };
}

export function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

export function imageOf(
  config: Descriptor,
  layers: readonly Descriptor[],
  more: Readonly<Record<string, unknown>> = {},
): NewManifest {
  const mediaType = mediaTypes.imageManifest;
  return { mediaType, bytes: json({ schemaVersion: 2, mediaType, config, layers, ...more }) };
}

/** An image with one layer of these bytes, and what else its manifest is to hold. */
export async function pushImage(
  client: RegistryClient,
  repository: Repository,
  content: string | Buffer,
  more: { readonly fields?: Readonly<Record<string, unknown>>; readonly tag?: string } = {},
): Promise<Descriptor> {
  const context = contextOf();
  const layer = await client.uploads.put(repository, Buffer.from(content), context);
  const config = await client.uploads.put(repository, Buffer.from("{}"), context);
  const configType = "application/vnd.oci.image.config.v1+json";
  const image = imageOf(
    { ...config, mediaType: configType },
    [{ ...layer, mediaType: "application/vnd.oci.image.layer.v1.tar" }],
    more.fields,
  );
  return client.manifests.put(repository, image, context, more.tag ? { tag: more.tag } : {});
}

export async function pushIndex(
  client: RegistryClient,
  repository: Repository,
  manifests: readonly Descriptor[],
): Promise<Descriptor> {
  const mediaType = mediaTypes.imageIndex;
  const architectures = ["amd64", "arm64", "s390x"];
  const entries = manifests.map((entry, number) => ({
    ...entry,
    platform: { os: "linux", architecture: architectures[number] },
  }));
  const index = { mediaType, bytes: json({ schemaVersion: 2, mediaType, manifests: entries }) };
  return client.manifests.put(repository, index, contextOf());
}

const bundleType = "application/vnd.dev.sigstore.bundle.v0.3+json";

export async function pushReferrer(
  client: RegistryClient,
  repository: Repository,
  subject: Descriptor,
  content: string,
): Promise<Digest> {
  const context = contextOf();
  const layer = await client.uploads.put(repository, Buffer.from(content), context);
  const config = await client.uploads.put(repository, Buffer.from("{}"), context);
  const annotations = { "dev.sigstore.bundle.content": "dsse-envelope" };
  const manifest = imageOf(
    { ...config, mediaType: "application/vnd.oci.empty.v1+json" },
    [{ ...layer, mediaType: bundleType }],
    { artifactType: bundleType, subject, annotations },
  );
  const referrer = { ...manifest, artifactType: bundleType, annotations };
  return (await client.referrers.add(repository, subject.digest, referrer, context)).digest;
}

export async function failureOf(call: Promise<unknown>): Promise<RegistryError> {
  const failure: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (failure instanceof RegistryError) return failure;
  throw failure instanceof Error ? failure : new Error("the call did not fail");
}
