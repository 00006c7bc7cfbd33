import { type CallContext, type Clock, systemClock } from "../../../../src/core/http/call-context";
import { createHttpClient, type HttpClient } from "../../../../src/core/http/client";
import { readIdentityToken } from "../../../../src/core/signing/sigstore/service/identity-token";
import {
  createRegistryClient,
  type RegistryClient,
} from "../../../../src/core/signing/oci/registry/client";
import type { SigningServices } from "../../../../src/core/signing/provider/services";
import { loadTrust } from "../../../../src/core/signing/sigstore/trust/load-trust";
import type { TrustMaterial } from "../../../../src/core/signing/sigstore/trust/trusted-root";
import type { LocalSigningSettings } from "../../../../src/local/signing/open-services";
import type { LocalSigning } from "../../../../src/local/signing/start-local-signing";
import type {
  DigestReference,
  Repository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { withFaults, type Faults } from "../../../local/service/with-faults";
import { openServices } from "../../../local/signing/local-services";
import { signerSource } from "../../../../src/core/signing/sigstore/service/signer-source";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A deadline that no machine is too slow for. */
export const inTime = (): CallContext => ({
  signal: new AbortController().signal,
  deadline: Date.now() + 3_600_000,
});

/** Waits are a tenth as long, because most tests have no concurrent writers. */
const hurried: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
};

/** Does not wait at all. */
export const restless: Clock = {
  ...systemClock,
  sleep: (_ms, signal) => systemClock.sleep(0, signal),
};

export interface Person {
  readonly email: string;
  readonly services: SigningServices;
  /** How often this person's token was asked for. */
  readonly asked: () => number;
  /** The log messages of the steps. */
  readonly progress: string[];
}

export interface SigningBench {
  readonly local: LocalSigning;
  readonly trust: TrustMaterial;
  readonly http: HttpClient;
  readonly registry: RegistryClient;
  readonly repository: Repository;
  readonly urls: { readonly fulcioUrl: string; readonly rekorUrl: string };
  person(email: string, changes?: Partial<SigningServices>): Person;
  pushImage(text: string): Promise<DigestReference>;
  pushIndex(...images: readonly DigestReference[]): Promise<DigestReference>;
  /** An index whose entries have more members, such as a platform. */
  pushIndexOf(
    entries: readonly { readonly image: DigestReference; readonly more: object }[],
  ): Promise<DigestReference>;
  /** The image as a proxy of the registry serves it, which injects faults. */
  behindFaults(image: DigestReference, faults: Faults): Promise<DigestReference>;
  /** How many entries the log has. */
  logSize(): Promise<number>;
}

export async function openBench(
  settings: Partial<LocalSigningSettings> = {},
  clock: Clock = hurried,
): Promise<SigningBench> {
  const local = await openServices(settings);
  const { addresses, registryHost, files } = local;
  const trust = await loadTrust({
    trustedRoot: files.trustedRoot,
    environment: {},
    signal: inTime().signal,
  });
  const http = createHttpClient({ clock });
  const registry = createRegistryClient({ http, clock });
  closing.push(() => http.close());
  const repository = { registry: registryHost, path: "lab/app" };

  const push = async (mediaType: string, json: object): Promise<DigestReference> => {
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...json }));
    const { digest } = await registry.manifests.put(repository, { mediaType, bytes }, inTime());
    return { ...repository, digest };
  };

  const pushIndexOf: SigningBench["pushIndexOf"] = async (entries) => {
    const manifests = await Promise.all(
      entries.map(async ({ image: { digest }, more }) => {
        const manifest = await registry.manifests.get(repository, digest, inTime());
        const size = manifest?.bytes.byteLength ?? 0;
        return { mediaType: manifest?.mediaType ?? "", digest, size, ...more };
      }),
    );
    return push("application/vnd.oci.image.index.v1+json", { manifests });
  };

  return {
    local,
    trust,
    http,
    registry,
    repository,
    urls: { fulcioUrl: addresses.certificateAuthority, rekorUrl: addresses.transparencyLog },
    person(email, changes = {}) {
      let asked = 0;
      const progress: string[] = [];
      const signer = signerSource({
        http,
        identity: () => {
          asked++;
          return Promise.resolve(readIdentityToken(local.issueToken({ email }), "the test"));
        },
        now: () => Date.now(),
      });
      const services: SigningServices = {
        registry,
        http,
        signer,
        trust: () => Promise.resolve(trust),
        now: () => new Date(),
        onProgress: (message) => progress.push(message),
        ...changes,
      };
      return { email, services, asked: () => asked, progress };
    },
    async pushImage(text) {
      const context = inTime();
      const config = await registry.uploads.put(
        repository,
        Buffer.from(`{"text":"${text}"}`),
        context,
      );
      const layer = await registry.uploads.put(repository, Buffer.from(text), context);
      return push("application/vnd.oci.image.manifest.v1+json", {
        config: { ...config, mediaType: "application/vnd.oci.image.config.v1+json" },
        layers: [{ ...layer, mediaType: "application/vnd.oci.image.layer.v1.tar" }],
      });
    },
    pushIndex: (...images) => pushIndexOf(images.map((image) => ({ image, more: {} }))),
    pushIndexOf,
    async behindFaults(image, faults) {
      const proxy = await withFaults(addresses.registry, faults);
      closing.push(() => proxy.close());
      return { ...image, registry: proxy.host };
    },
    async logSize() {
      const answer = await fetch(`${addresses.transparencyLog}/api/v1/log`);
      const body: unknown = await answer.json();
      if (typeof body === "object" && body !== null && "treeSize" in body) {
        return Number(body.treeSize);
      }
      throw new Error("the log does not say how large it is");
    },
  };
}
