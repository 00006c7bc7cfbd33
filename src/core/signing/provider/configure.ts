import {
  type ConfigOf,
  type ConfigureContext,
  parseDuration,
  settingsNotKnownYet,
  stringSetting,
  type Unknown,
  unknownSettings,
} from "../../provider-kit";
import { publicUrls, signingProvider } from "./declare";
import type { ProviderServices, SignatureFormat } from "./services";

type Config = ConfigOf<typeof signingProvider>;

/** The settings of the provider with their defaults, and its clients, as handlers receive them. */
export interface Signing {
  /** The key to sign with; undefined for an identity. */
  readonly key: string | Unknown | undefined;
  readonly isLogged: boolean;
  /** Base URL of the certificate authority; undefined if a signing config decides. */
  readonly fulcioUrl: string | Unknown | undefined;
  /** Base URL of the transparency log; undefined if a signing config decides. */
  readonly rekorUrl: string | Unknown | undefined;
  /** True if the log at `rekorUrl` has only version 2 of the API, so that only bundles can be logged. */
  readonly isRekorV2: boolean;
  /** How signatures and attestations are stored when the resource does not set a format. */
  readonly format: SignatureFormat | Unknown;
  /** Type of the log entry for legacy attestations. */
  readonly entryType: "intoto" | "dsse";
  /** Timeout in milliseconds for signing, attesting or verifying one image. */
  readonly timeoutMs: number;
  /** True to leave images unsigned, with a warning, when there is no identity token. */
  readonly skipWithoutIdentity: boolean;
  /** The environment of the provider, in which programs for policies are found. */
  readonly env: ConfigureContext["env"];
  /**
   * The clients for registries and signing services, created on first use.
   *
   * @throws ProviderError if a setting they need is still unknown
   */
  services(): Promise<ProviderServices>;
}

const defaultTimeout = "3m";

/** Reads the provider's settings. Connects to nothing. */
export function configure(config: Config, { env, log }: ConfigureContext): Signing {
  const { useRekorV2 } = config;
  const signingConfig = signingConfigSetting(config, env);
  const decides = signingConfig ?? useRekorV2;
  const isDecided = decides !== null && decides !== false;
  const url = (name: keyof typeof publicUrls): string | Unknown | undefined =>
    stringSetting(signingProvider, name, config, env) ?? (isDecided ? undefined : publicUrls[name]);
  const missing = unknownSettings(config, neededByServices);
  let services: Promise<ProviderServices> | undefined;
  return {
    key: stringSetting(signingProvider, "key", config, env),
    isLogged: config.transparencyLog !== false,
    fulcioUrl: url("fulcioUrl"),
    rekorUrl: url("rekorUrl"),
    isRekorV2: useRekorV2 === true && url("rekorUrl") !== undefined,
    format: config.defaultSignatureFormat ?? "legacy",
    entryType: config.defaultAttestationEntryType === "dsse" ? "dsse" : "intoto",
    timeoutMs: durationMs(config.timeout),
    skipWithoutIdentity: config.skipWithoutIdentity === true,
    env,
    services() {
      if (missing.length > 0) {
        throw settingsNotKnownYet(signingProvider, missing, {
          to: "reach registries and services",
        });
      }
      // Imported late: the HTTP client and the parsers would slow down every provider start.
      return (services ??= import("./services.js").then(({ signingServices }) =>
        signingServices(config, signingConfig, { env, log }),
      ));
    },
  };
}

/** The signing config. Services in the configuration take precedence over the environment. */
function signingConfigSetting(
  config: Config,
  env: ConfigureContext["env"],
): string | Unknown | undefined {
  const { fulcioUrl, rekorUrl, timestampUrl, useRekorV2 } = config;
  const isDecided = [fulcioUrl, rekorUrl, timestampUrl, useRekorV2].some((value) => value !== null);
  return stringSetting(signingProvider, "signingConfig", config, isDecided ? {} : env);
}

const neededByServices = [
  "defaultAttestationEntryType",
  "timeout",
  "key",
  "transparencyLog",
  "timestampUrl",
  "useRekorV2",
  "signingConfig",
  "trustedRoot",
  "identityToken",
  "insecureIgnoreSct",
  "skipWithoutIdentity",
  "registries",
] as const;

function durationMs(timeout: Config["timeout"]): number {
  const value = typeof timeout === "string" && timeout !== "" ? timeout : defaultTimeout;
  return parseDuration(value) ?? Number.NaN;
}
