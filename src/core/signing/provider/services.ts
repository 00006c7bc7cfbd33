import type { KeyObject } from "node:crypto";
import { homedir } from "node:os";
import type { CallContext } from "../../http/call-context";
import { createHttpClient, type HttpClient } from "../../http/client";
import {
  type ConfigOf,
  type ConfigureContext,
  stringSetting,
  type Unknown,
  UNKNOWN,
} from "../../provider-kit";
import {
  createRegistryClient,
  registryAccess,
  type RegistryAccess,
  type RegistryClient,
  withLayouts,
} from "../oci/registry/client";
import { identitySource } from "../sigstore/service/identity-source";
import type { IdentitySource } from "../sigstore/service/identity-token";
import { type SignerSource, signerSource } from "../sigstore/service/signer-source";
import type { KeySigner } from "../sigstore/key/key-signer";
import { documentText, loadTrust } from "../sigstore/trust/load-trust";
import {
  type LogVersion,
  readSigningConfig,
  type SelectedServices,
  selectServices,
} from "../sigstore/trust/signing-config";
import type { TrustMaterial } from "../sigstore/trust/trusted-root";
import { publicUrls, signingProvider } from "./declare";

/** The clients and settings that signing and attesting images use. */
export interface SigningServices extends SignatureServices {
  readonly registry: RegistryClient;
  /** Receives sentences for the user about what was done differently. */
  readonly onWarning?: ((detail: string) => void) | undefined;
}

/** The clients and settings with which anything is signed. */
export interface SignatureServices {
  /** For the transparency log and the timestamp authority. */
  readonly http: HttpClient;
  /** Called only to sign something, or to find out our identity. */
  readonly signer: SignerSource;
  /** The key to sign with. @default an identity, with a certificate */
  readonly key?: SigningKey | undefined;
  /** Trusted certificates and keys, by which new signatures are verified before they are written. */
  readonly trust: () => Promise<TrustMaterial>;
  /** URL of a timestamp authority (RFC 3161), used in addition to the log. @default none */
  readonly timestampUrl?: string | undefined;
  /** The services for a bundle. @default version 1 of the log at the run's URL, and `timestampUrl` */
  readonly bundleServices?: BundleServices | undefined;
  /** `required` if our certificate must be in a certificate transparency log (have an SCT). @default "required" */
  readonly certificateLog?: "required" | "ignored" | undefined;
  readonly now: () => Date;
  /** Receives a message for each step, without secrets. */
  readonly onProgress?:
    ((message: string, fields: Readonly<Record<string, unknown>>) => void) | undefined;
}

export interface SigningKey {
  /** Opens the key, on first use. @throws KeyError */
  readonly open: (context: CallContext) => Promise<KeySigner>;
  /** True if its signatures are written to the transparency log. */
  readonly isLogged: boolean;
}

/** Where a bundle is logged and timestamped. Each of these must prove it. */
export type BundleServices = Pick<SelectedServices, "logs" | "timestampUrls">;

/** Stores signatures as images under a tag, as bundles that refer to the image, or as both. */
export type SignatureFormat = "legacy" | "bundle" | "both";

/** The clients for registries and signing services, with the source of the identity token. */
export interface ProviderServices extends SigningServices {
  readonly identity: IdentitySource;
  /** Opens a private key. Each key is opened once. @throws KeyError */
  readonly openKey: (reference: string, context: CallContext) => Promise<KeySigner>;
  /**
   * Fetches the public key of a key in a key-management service, by its URI. Each key is fetched once.
   *
   * @throws KeyError
   */
  readonly publicKey: (uri: string, context: CallContext) => Promise<KeyObject>;
  /** Selects the services to sign with; undefined if the URLs are settings, and version 1 of the log is used. */
  readonly select?: ServiceSelector | undefined;
}

/** Selects the services for a format. Only bundles can be logged in version 2 of the log. @throws TrustError */
type ServiceSelector = (format: "legacy" | "bundle") => Promise<SelectedServices>;

type Config = ConfigOf<typeof signingProvider>;

/** Timeout for fetching the trusted root or the signing config of the public services. */
const fetchTimeoutMs = 60_000;

export function signingServices(
  config: Config,
  signingConfig: string | Unknown | undefined,
  { env, log }: Pick<ConfigureContext, "env" | "log">,
): ProviderServices {
  const setting = (name: keyof typeof signingProvider.attributes): string | undefined => {
    const value = stringSetting(signingProvider, name, config, env);
    return value === UNKNOWN ? undefined : value;
  };
  const http = createHttpClient({ userAgent: "trivet-signing", log });
  const redact = (secret: string): void => {
    log.redact(secret);
  };
  const token = setting("identityToken");
  if (token !== undefined) log.redact(token);
  const isConfigured = typeof config.identityToken === "string";
  const source = isConfigured ? "the setting identity_token" : "SIGSTORE_ID_TOKEN";
  const identity = identitySource({
    given: token === undefined ? undefined : { text: token, source },
    env,
    http,
    now: Date.now,
    redact,
  });
  const keySettings = { http, env, redact };
  return {
    http,
    registry: withLayouts(
      createRegistryClient({
        http,
        log,
        redact,
        ...registryAccess(knownRegistries(config), { ...keySettings, homeFolder: homedir() }),
      }),
      async () => {
        const { createLayoutClient } = await import("../oci/layout/layout-client.js");
        return createLayoutClient({ log });
      },
    ),
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
    trust: once(() => {
      const signal = AbortSignal.timeout(fetchTimeoutMs);
      return loadTrust({ trustedRoot: setting("trustedRoot"), environment: env, signal });
    }),
    timestampUrl: setting("timestampUrl"),
    select: serviceSelector({
      signingConfig: signingConfig === UNKNOWN ? undefined : signingConfig,
      useRekorV2: config.useRekorV2 === true,
      setting,
      env,
    }),
    certificateLog: config.insecureIgnoreSct === true ? "ignored" : "required",
    now: () => new Date(),
    onProgress: (message, fields) => log.info(message, fields),
  };
}

/** Runs a step once for each name. After a failure, the next resource tries again. */
function once<Given extends readonly [name?: string, ...rest: unknown[]], Result>(
  step: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  const results = new Map<string | undefined, Promise<Result>>();
  return (...given) => {
    const [name] = given;
    const known = results.get(name);
    if (known !== undefined) return known;
    const running = step(...given);
    results.set(name, running);
    running.catch(() => results.delete(name));
    return running;
  };
}

function knownRegistries({ registries }: Config): readonly RegistryAccess[] {
  if (registries === UNKNOWN) return [];
  const known = <T>(value: T | Unknown | null): T | undefined =>
    value === UNKNOWN ? undefined : (value ?? undefined);
  return registries.flatMap(({ host, username, password, plainHttp }) =>
    host === UNKNOWN
      ? []
      : [
          {
            host,
            username: known(username),
            password: known(password),
            plainHttp: known(plainHttp),
          },
        ],
  );
}

/** The public instance's services with Rekor v2. */
const publicTarget = "signing_config_rekor_v2.v0.2.json";

/** Creates a {@link ServiceSelector}; undefined with neither a signing config nor Rekor v2. */
function serviceSelector({
  signingConfig,
  useRekorV2,
  setting,
  env,
}: {
  readonly signingConfig: string | undefined;
  readonly useRekorV2: boolean;
  readonly setting: (name: "fulcioUrl" | "rekorUrl" | "timestampUrl") => string | undefined;
  readonly env: ConfigureContext["env"];
}): ServiceSelector | undefined {
  if (signingConfig !== undefined) {
    const load = once(async () => readSigningConfig(await documentText(signingConfig)));
    return async (format) => {
      const loaded = await load();
      return selectServices(loaded, { now: new Date(), logVersions: versions[format] });
    };
  }
  if (!useRekorV2) return undefined;
  const load = once(async () => {
    const { publicInstanceTarget } = await import("../sigstore/trust/public-instance.js");
    const signal = AbortSignal.timeout(fetchTimeoutMs);
    return readSigningConfig(await publicInstanceTarget(publicTarget, env, signal));
  });
  const [fulcioUrl, rekorUrl] = [setting("fulcioUrl"), setting("rekorUrl")];
  const timestampUrl = setting("timestampUrl");
  const own = timestampUrl === undefined ? undefined : [timestampUrl];
  return async (format) => {
    const version: LogVersion = format === "legacy" ? 1 : 2;
    const url = version === 1 ? publicUrls.rekorUrl : rekorUrl;
    if (url !== undefined) {
      const authority = fulcioUrl ?? publicUrls.fulcioUrl;
      return { fulcioUrl: authority, logs: [{ url, version }], timestampUrls: own ?? [] };
    }
    const selected = selectServices(await load(), { now: new Date(), logVersions: [2] });
    return {
      ...selected,
      fulcioUrl: fulcioUrl ?? selected.fulcioUrl,
      timestampUrls: own ?? selected.timestampUrls,
    };
  };
}

const versions: Readonly<Record<"legacy" | "bundle", readonly LogVersion[]>> = {
  legacy: [1],
  bundle: [1, 2],
};
