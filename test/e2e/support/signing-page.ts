import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpClient, type HttpClient } from "../../../src/core/http/client";
import type { CallContext } from "../../../src/core/http/call-context";
import { attestImage } from "../../../src/core/signing/attest/attest-image";
import { digestOf } from "../../../src/core/signing/oci/reference/descriptor";
import type { DigestReference } from "../../../src/core/signing/oci/reference/image-name";
import {
  createRegistryClient,
  type RegistryClient,
} from "../../../src/core/signing/oci/registry/client";
import { signImage } from "../../../src/core/signing/sign/sign-image";
import { readIdentityToken } from "../../../src/core/signing/sigstore/service/identity-token";
import { signerSource } from "../../../src/core/signing/sigstore/service/signer-source";
import { loadTrust } from "../../../src/core/signing/sigstore/trust/load-trust";
import type { LocalSigning } from "../../../src/local/signing/start-local-signing";
import { buildWhenStale, root } from "./build";
import { type Ended, type Started, startCommand, whileRunning } from "./command";

type Facts = Pick<LocalSigning, "addresses" | "files" | "registryHost"> & { readonly page: string };
type Format = "legacy" | "bundle";

const imageType = "application/vnd.oci.image.manifest.v1+json";
const indexType = "application/vnd.oci.image.index.v1+json";

/** `trivet local signing --page` in a folder of its own, and clients that push and sign. */
export class SigningPage {
  readonly folder = mkdtempSync(join(tmpdir(), "trivet-e2e-signing-"));
  readonly policy = join(this.folder, "policy.yaml");
  readonly #http: HttpClient = createHttpClient({});
  readonly registry: RegistryClient = createRegistryClient({ http: this.#http });
  #started: Started | undefined;
  #facts: Facts | undefined;

  /** Starts the command, and waits until it has printed the address. */
  async open(): Promise<Facts> {
    await buildWhenStale();
    writeFileSync(this.policy, "");
    const started = this.trivet(
      "local",
      "signing",
      "--json",
      "--port",
      "0",
      "--policy",
      this.policy,
    );
    this.#started = started;
    const printed = new Promise<void>((resolve) => {
      let text = "";
      started.child.stdout?.on("data", (data: Buffer) => {
        text += data.toString();
        if (!text.endsWith("}\n")) return;
        this.#facts = JSON.parse(text) as Facts;
        resolve();
      });
    });
    await whileRunning(started, printed);
    return this.facts;
  }

  get facts(): Facts {
    if (this.#facts === undefined) throw new Error("the services are not running");
    return this.#facts;
  }

  trivet(...args: readonly string[]): Started {
    const main = join(root, "dist", "src", "cli", "main.js");
    return startCommand(process.execPath, [main, ...args], { cwd: this.folder, env: process.env });
  }

  /** Accepts images that one person has signed and another one has scanned. */
  allow(signer: string, scanner: string): void {
    const {
      tokenIssuer: issuer,
      certificateAuthority: url,
      transparencyLog,
    } = this.facts.addresses;
    const policy = (name: string, subject: string, more: object = {}) => ({
      apiVersion: "policy.sigstore.dev/v1beta1",
      kind: "ClusterImagePolicy",
      metadata: { name },
      spec: {
        images: [{ glob: "**" }],
        authorities: [
          {
            name,
            keyless: { url, identities: [{ issuer, subject }] },
            ctlog: { url: transparencyLog },
            ...more,
          },
        ],
      },
    });
    const scan = {
      signatureFormat: "bundle",
      attestations: [{ name: "scan", predicateType: "https://example.com/scan/v1" }],
    };
    const policies = [policy("release", signer), policy("scanned", scanner, scan)];
    writeFileSync(this.policy, policies.map((each) => JSON.stringify(each)).join("\n---\n"));
  }

  async push(path: string, tag: string, more: object = {}): Promise<DigestReference> {
    const repository = { registry: this.facts.registryHost, path };
    const put = (text: string) =>
      this.registry.uploads.put(repository, Buffer.from(text), context());
    const config = {
      ...(await put(`{"path":"${path}"}`)),
      mediaType: "application/vnd.oci.image.config.v1+json",
    };
    const layer = { ...(await put(tag)), mediaType: "application/vnd.oci.image.layer.v1.tar" };
    return this.#put(path, tag, imageType, { config, layers: [layer], ...more });
  }

  /** An index of images, each for a platform. */
  async pushIndex(path: string, tag: string, images: Readonly<Record<string, DigestReference>>) {
    const repository = { registry: this.facts.registryHost, path };
    const manifests = await Promise.all(
      Object.entries(images).map(async ([platform, { digest }]) => {
        const manifest = await this.registry.manifests.get(repository, digest, context());
        const [os, architecture] = platform.split("/");
        const size = manifest?.bytes.byteLength ?? 0;
        return { mediaType: imageType, digest, size, platform: { os, architecture } };
      }),
    );
    return this.#put(path, tag, indexType, { manifests });
  }

  async #put(path: string, tag: string, mediaType: string, json: object) {
    const repository = { registry: this.facts.registryHost, path };
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...json }));
    await this.registry.manifests.put(repository, { mediaType, bytes }, context(), { tag });
    return { ...repository, digest: digestOf(bytes) };
  }

  async sign(image: DigestReference, email: string, format: Format): Promise<void> {
    const request = { image, conflict: "APPEND", format, ...this.#urls } as const;
    await signImage(request, await this.#services(email), context());
  }

  async attest(image: DigestReference, email: string, format: Format, type: string): Promise<void> {
    const predicates = [{ type, json: '{"passed":true}' }];
    const how = { conflict: "APPEND", entryType: "dsse", format } as const;
    const request = { image, predicates, ...how, ...this.#urls };
    await attestImage(request, await this.#services(email), context());
  }

  get #urls() {
    const { certificateAuthority, transparencyLog } = this.facts.addresses;
    return { fulcioUrl: certificateAuthority, rekorUrl: transparencyLog };
  }

  async #services(email: string) {
    const { files, addresses } = this.facts;
    const asked = await fetch(`${addresses.tokenIssuer}/token?email=${email}`, { method: "POST" });
    const { token } = (await asked.json()) as { token: string };
    const { signal } = context();
    const trust = await loadTrust({ trustedRoot: files.trustedRoot, environment: {}, signal });
    const signer = signerSource({
      http: this.#http,
      identity: () => Promise.resolve(readIdentityToken(token, "the test")),
      now: () => Date.now(),
    });
    const common = { registry: this.registry, http: this.#http, signer, now: () => new Date() };
    return { ...common, trust: () => Promise.resolve(trust) };
  }

  /** Ends the services as a terminal does. */
  async close(): Promise<Ended | undefined> {
    this.#started?.child.kill("SIGTERM");
    const ended = await this.#started?.ended;
    await this.registry.close();
    rmSync(this.folder, { recursive: true, force: true });
    return ended;
  }
}

const context = (): CallContext => ({
  signal: new AbortController().signal,
  deadline: Date.now() + 600_000,
});
