import {
  type ConfigOf,
  type ConfigureContext,
  type Logger,
  parseDuration,
  settingsNotKnownYet,
  stringSetting,
  type Unknown,
  unknownSettings,
} from "../../provider-kit";
import { signingProvider } from "./declare";
import type { ProviderServices } from "./services";

type Config = ConfigOf<typeof signingProvider>;

/** What the handlers of the provider work with. */
export interface Signing {
  readonly fulcioUrl: string | Unknown;
  readonly rekorUrl: string | Unknown;
  readonly format: "legacy" | "bundle" | "both" | Unknown;
  readonly entryType: "intoto" | "dsse";
  /** Milliseconds that signing or attesting one image may take. */
  readonly timeoutMs: number;
  /** Whether an image may stay unsigned for want of an identity. */
  readonly skipWithoutIdentity: boolean;
  /**
   * The clients of the registries and services, made when they are first needed.
   *
   * @throws ProviderError while a setting that they need is unknown
   */
  services(): Promise<ProviderServices>;
}

/** The public services. */
const publicUrls = {
  fulcioUrl: "https://fulcio.sigstore.dev",
  rekorUrl: "https://rekor.sigstore.dev",
} as const;

const defaultTimeout = "3m";

/** Reads the settings; nothing is connected to yet. */
export function configure(config: Config, { env, log }: ConfigureContext): Signing {
  const url = (name: keyof typeof publicUrls): string | Unknown =>
    stringSetting(signingProvider, name, config, env) ?? publicUrls[name];
  const missing = unknownSettings(config, neededByServices);
  let services: Promise<ProviderServices> | undefined;
  return {
    fulcioUrl: url("fulcioUrl"),
    rekorUrl: url("rekorUrl"),
    format: config.defaultSignatureFormat ?? "legacy",
    entryType: config.defaultAttestationEntryType === "dsse" ? "dsse" : "intoto",
    timeoutMs: durationMs(config.timeout),
    skipWithoutIdentity: config.skipWithoutIdentity === true,
    services() {
      if (missing.length > 0) {
        throw settingsNotKnownYet(signingProvider, missing, {
          to: "reach registries and services",
        });
      }
      services ??= makeServices({ config, env, log });
      return services;
    },
  };
}

/** What an HTTP client with TLS, a parser of YAML and the rest weigh is no part of a start. */
async function makeServices(settings: {
  readonly config: Config;
  readonly env: ConfigureContext["env"];
  readonly log: Logger;
}): Promise<ProviderServices> {
  const { signingServices } = await import("./services.js");
  return signingServices(settings);
}

const neededByServices = [
  "defaultAttestationEntryType",
  "timeout",
  "timestampUrl",
  "trustedRoot",
  "identityToken",
  "skipWithoutIdentity",
  "registries",
] as const;

function durationMs(timeout: Config["timeout"]): number {
  const text = typeof timeout === "string" && timeout !== "" ? timeout : defaultTimeout;
  return parseDuration(text) ?? Number.NaN;
}
