import { homedir } from "node:os";
import {
  type ConfigOf,
  type ConfigureContext,
  type Logger,
  stringSetting,
  type Unknown,
  UNKNOWN,
} from "../../provider-kit";
import { createHttpClient, type HttpClient } from "../../http/client";
import { signerSource } from "../sigstore/certificate-authority/signer-source";
import { identitySource } from "../sigstore/identity/identity-source";
import { canonicalRegistry } from "../oci/reference/repository";
import { createRegistryClient } from "../oci/registry/client";
import { cloudCredentials } from "../oci/credentials/cloud/cloud-credentials";
import { type Credentials, firstOf, givenCredentials } from "../oci/credentials/credentials";
import { dockerConfigCredentials } from "../oci/credentials/docker-config";
import type { ProviderServices } from "./signing-services";
import type { CallContext } from "../../http/call-context";
import { loadTrust } from "../sigstore/trust/load-trust";
import { serviceSelector } from "./service-selector";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { signingProvider } from "./declare";

type Config = ConfigOf<typeof signingProvider>;

/** Timeout for fetching the trusted root of the public services. */
const trustTimeoutMs = 60_000;

/** Creates the clients for registries and signing services from the provider's settings. */
export function signingServices({
  config,
  signingConfig,
  env,
  log,
}: {
  readonly config: Config;
  readonly signingConfig: string | Unknown | undefined;
  readonly env: ConfigureContext["env"];
  readonly log: Logger;
}): ProviderServices {
  const setting = (name: keyof typeof signingProvider.attributes): string | undefined => {
    const value = stringSetting(signingProvider, name, config, env);
    return value === UNKNOWN ? undefined : value;
  };
  const http = createHttpClient({
    userAgent: "trivet-signing",
    log: (level, message, fields) => log[level](message, fields),
  });
  const redact = (secret: string): void => {
    log.redact(secret);
  };
  const token = setting("identityToken");
  if (token !== undefined) log.redact(token);
  const identity = identitySource({
    given: token === undefined ? undefined : { text: token, source: "the setting identity_token" },
    env,
    http,
    now: Date.now,
    redact,
  });
  const keySettings = { http, env, redact };
  let trust: Promise<TrustMaterial> | undefined;
  return {
    http,
    registry: createRegistryClient({
      http,
      redact,
      ...registrySettings(config, env, redact, http),
    }),
    identity,
    signer: signerSource({ http, identity, now: Date.now }),
    openKey: once(async (reference, context) => {
      const { openKey } = await import("../sigstore/key/open-key.js");
      return openKey(reference, keySettings, context);
    }),
    publicKey: once(async (uri, context) => {
      const { openPublicKey } = await import("../sigstore/key/open-key.js");
      return openPublicKey(uri, keySettings, context);
    }),
    trust() {
      if (trust !== undefined) return trust;
      const signal = AbortSignal.timeout(trustTimeoutMs);
      trust = loadTrust({ trustedRoot: setting("trustedRoot"), environment: env, signal });
      // After a failure, the next resource tries again.
      trust.catch(() => (trust = undefined));
      return trust;
    },
    timestampUrl: setting("timestampUrl"),
    select: serviceSelector({
      signingConfig: signingConfig === UNKNOWN ? undefined : signingConfig,
      useRekorV2: config.useRekorV2 === true,
      fulcioUrl: setting("fulcioUrl"),
      rekorUrl: setting("rekorUrl"),
      timestampUrl: setting("timestampUrl"),
      environment: env,
    }),
    certificateLog: config.insecureIgnoreSct === true ? "ignored" : "required",
    now: () => new Date(),
    onProgress: (message, fields) => log.info(message, fields),
  };
}

/** Opens each key once. After a failure, the next resource tries again. */
function once<T>(
  open: (name: string, context: CallContext) => Promise<T>,
): (name: string, context: CallContext) => Promise<T> {
  const opened = new Map<string, Promise<T>>();
  return (name, context) => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const opening = open(name, context);
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
    return opening;
  };
}

function registrySettings(
  config: Config,
  env: ConfigureContext["env"],
  redact: (secret: string) => void,
  http: HttpClient,
) {
  const given: Record<string, Credentials> = {};
  const plainHttpRegistries: string[] = [];
  const registries = config.registries === UNKNOWN ? [] : config.registries;
  for (const { host, username, password, plainHttp } of registries) {
    if (host === UNKNOWN) continue;
    const registry = canonicalRegistry(host);
    if (plainHttp === true) plainHttpRegistries.push(registry);
    if (typeof password !== "string") continue;
    redact(password);
    const user = typeof username === "string" ? username : "";
    given[registry] = { kind: "basic", username: user, password };
  }
  const environment = { ...env };
  const userId = process.getuid?.();
  const homeFolder = homedir();
  const docker = dockerConfigCredentials({ environment, homeFolder, userId });
  const cloud = cloudCredentials({ http, env, redact });
  return { credentials: firstOf([givenCredentials(given), docker, cloud]), plainHttpRegistries };
}
