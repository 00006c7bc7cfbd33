import { documentText } from "../sigstore/trust/load-trust";
import {
  readSigningConfig,
  selectServices,
  type LogVersion,
  type SigningConfig,
} from "../sigstore/trust/signing-config";
import type { Environment } from "../sigstore/trust/trust-material";
import { publicUrls } from "./declare";
import type { ServiceSelector } from "./signing-services";

/** The settings about services. */
interface SelectorSettings {
  readonly signingConfig: string | undefined;
  readonly useRekorV2: boolean;
  readonly fulcioUrl: string | undefined;
  readonly rekorUrl: string | undefined;
  readonly timestampUrl: string | undefined;
  readonly environment: Environment;
}

/** The public instance's services with Rekor v2. */
const publicTarget = "signing_config_rekor_v2.v0.2.json";

const timeoutMs = 60_000;

/** Creates a {@link ServiceSelector}; undefined if neither a signing config nor Rekor v2 is to be used. */
export function serviceSelector(settings: SelectorSettings): ServiceSelector | undefined {
  const { signingConfig, useRekorV2, fulcioUrl, rekorUrl, timestampUrl, environment } = settings;
  let config: Promise<SigningConfig> | undefined;
  const load = (read: () => Promise<string>): Promise<SigningConfig> => {
    config ??= read().then(readSigningConfig);
    // After a failure, the next resource tries again.
    config.catch(() => (config = undefined));
    return config;
  };
  if (signingConfig !== undefined) {
    return async (format) => {
      const loaded = await load(() => documentText(signingConfig));
      return selectServices(loaded, { now: new Date(), logVersions: versions[format] });
    };
  }
  if (!useRekorV2) return undefined;
  const own = timestampUrl === undefined ? undefined : [timestampUrl];
  return async (format) => {
    const version: LogVersion = format === "legacy" ? 1 : 2;
    const url = version === 1 ? publicUrls.rekorUrl : rekorUrl;
    if (url !== undefined) {
      const authority = fulcioUrl ?? publicUrls.fulcioUrl;
      return { fulcioUrl: authority, logs: [{ url, version }], timestampUrls: own ?? [] };
    }
    const loaded = await load(async () => {
      const { publicInstanceTarget } = await import("../sigstore/trust/public-instance.js");
      const signal = AbortSignal.timeout(timeoutMs);
      return publicInstanceTarget(publicTarget, environment, signal);
    });
    const selected = selectServices(loaded, { now: new Date(), logVersions: [2] });
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
