import { readTrustedRoot } from "./trusted-root";
import { TrustError } from "./trust-error";
import type { TrustMaterial } from "./trust-material";

export interface PublicInstanceProps {
  /** `TUF_MIRROR` @default the public instance's */
  readonly mirrorUrl?: string | undefined;
  /** `TUF_ROOT_JSON`: the first root of another mirror. */
  readonly rootPath?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks the public instance (or a mirror like it) by The Update Framework.
 *
 * The client is loaded only here: it is heavy, and it needs the network.
 *
 * @throws TrustError
 */
export async function publicInstanceTrust(props: PublicInstanceProps): Promise<TrustMaterial> {
  const { mirrorUrl, rootPath, signal } = props;
  try {
    const { initTUF } = await import("@sigstore/tuf");
    const asked = initTUF({
      ...(mirrorUrl !== undefined && { mirrorURL: mirrorUrl }),
      ...(rootPath !== undefined && { rootPath }),
    }).then((client) => client.getTarget("trusted_root.json"));
    return readTrustedRoot(await unlessAborted(asked, signal));
  } catch (error) {
    if (error instanceof TrustError) throw error;
    throw new TrustError(
      "PUBLIC_INSTANCE",
      "the certificates and keys of the public instance could not be fetched " +
        "(without access to it, name a trusted_root.json in the provider's settings)",
      error,
    );
  }
}

/** The client itself knows no signal. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new Error("cancelled, or out of time"));
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  });
}
