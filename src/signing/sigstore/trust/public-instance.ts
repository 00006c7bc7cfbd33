import { readTrustedRoot } from "./trusted-root";
import { TrustError } from "./trust-error";
import type { TrustMaterial } from "./trust-material";

/** How to fetch the trusted root of the public instance. */
export interface PublicInstanceProps {
  /** URL of a mirror, from `TUF_MIRROR`. @default the public instance */
  readonly mirrorUrl?: string | undefined;
  /** Path of the initial root of the mirror, from `TUF_ROOT_JSON`. */
  readonly rootPath?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Fetches the trusted root of the public instance, or of a mirror, with The Update Framework (TUF).
 *
 * The client is imported only here, because it is large and needs the network.
 *
 * @throws TrustError
 * @see https://theupdateframework.github.io/specification/latest/
 */
export async function publicInstanceTrust(props: PublicInstanceProps): Promise<TrustMaterial> {
  const { mirrorUrl, rootPath, signal } = props;
  try {
    const { initTUF } = await import("@sigstore/tuf");
    const fetched = initTUF({
      ...(mirrorUrl !== undefined && { mirrorURL: mirrorUrl }),
      ...(rootPath !== undefined && { rootPath }),
    }).then((client) => client.getTarget("trusted_root.json"));
    return readTrustedRoot(await unlessAborted(fetched, signal));
  } catch (error) {
    if (error instanceof TrustError) throw error;
    throw new TrustError(
      "PUBLIC_INSTANCE",
      "the certificates and keys of the public instance could not be fetched " +
        "(if it is not reachable, set trusted_root in the provider's settings)",
      error,
    );
  }
}

/** The client does not support abort signals. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new Error("cancelled or timed out"));
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  });
}
