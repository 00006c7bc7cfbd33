import { isFailure } from "../../failure/failure";
import type { CallContext } from "../../http/call-context";
import { createHttpClient, lazyTransport, type HttpClient } from "../../http/client";
import {
  registryAccess,
  type RegistryAccess,
  createRegistryClient,
  type RegistryClient,
  withLayouts,
} from "../oci/registry/client";
import { layoutKindOf } from "../oci/reference/image-name";
import type { ImageVerdict } from "../policy/image-verdict";
import { loadTrust } from "../sigstore/trust/load-trust";
import type { TrustMaterial } from "../sigstore/trust/trusted-root";
import type { ImageTree } from "../tree/image-tree";
import { readTree } from "../tree/read-tree";
import {
  checkImage,
  type ImageRequest,
  missingImage,
  parseGiven,
  VerifyError,
  type VerifyErrorCode,
} from "./check-image";

// The build replaces this module, and `instanceof` needs the class whose errors it throws.
export { VerifyError, type VerifyErrorCode };

/** The trusted certificates and keys, and the access to registries. */
export interface VerifierSettings {
  /**
   * The content or the path of a `trusted_root.json`. With it, requests go only to registries.
   *
   * @default the PEM files in `environment` (`SIGSTORE_ROOT_FILE` and so on), otherwise the trusted root of the public instance,
   * which is fetched
   */
  readonly trustedRoot?: string | undefined;
  /** The access to registries. @default anonymous, or with the credentials in `environment` */
  readonly registries?: readonly RegistryAccess[] | undefined;
  /**
   * True if images may be in layouts on this machine. Leave it out if other people choose the image: they could read any path.
   *
   * @default false
   */
  readonly layouts?: boolean | undefined;
  /**
   * The environment variables: credentials of registries and key-management services, as `docker login` and clouds store them,
   * proxies, and the `PATH` of `cue` and `opa`. Usually `process.env`: the clouds' libraries read no other environment.
   *
   * @default none, so that policies in CUE and Rego are an error
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An image, and the limits for reading it. */
export interface TreeRequest extends Pick<ImageRequest, "image"> {
  /** Ends the call with the error `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
  /** The time in milliseconds after which the call ends with the error `DEADLINE`. @default 180000 */
  readonly timeoutMs?: number | undefined;
}

/** The image to verify, the policies, and the limits. */
export interface VerifyRequest extends ImageRequest, TreeRequest {}

const defaultTimeoutMs = 180_000;

/** Verifies images against policies. Reuses connections and the trusted root. */
export class ImageVerifier {
  readonly #http: HttpClient;
  readonly #registry: RegistryClient;
  readonly #settings: VerifierSettings;
  #trust: Promise<TrustMaterial> | undefined;

  /** Connects to nothing yet. */
  constructor(settings: VerifierSettings) {
    this.#settings = settings;
    const { registries = [], environment = {} } = settings;
    const transport = lazyTransport({ ...environment });
    this.#http = createHttpClient({ userAgent: "trivet-signing", transport });
    const homeFolder = environment["HOME"] ?? "";
    this.#registry = withLayouts(
      createRegistryClient({
        http: this.#http,
        ...registryAccess(registries, { ...this.#cloud(), homeFolder }),
      }),
      async () => (await import("../oci/layout/layout-client.js")).createLayoutClient(),
    );
  }

  /**
   * Verifies an image. Everything that cannot be read, except for the image itself, counts against the authority that needs it.
   *
   * @throws VerifyError
   */
  async verify(request: VerifyRequest): Promise<ImageVerdict> {
    const context = contextOf(request);
    const means = {
      registry: this.#registry,
      trust: () => this.#trusted(),
      publicKey: (uri: string) => this.#publicKey(uri, context),
      env: this.#settings.environment ?? {},
      layouts: this.#layouts,
      context,
    };
    return explained(request, () => checkImage(request, means));
  }

  /**
   * Reads what is attached to an image and to the images of an index, and verifies it against the trusted root: who signed
   * what, and when. Applies no policy, and writes nothing.
   *
   * @throws VerifyError
   */
  async tree(request: TreeRequest): Promise<ImageTree> {
    const image = parseGiven(request.image, this.#layouts);
    const context = contextOf(request);
    const trust = () => this.#trusted();
    const tree = await explained(request, () =>
      readTree({ registry: this.#registry, image, trust, context }),
    );
    if (tree === undefined) throw missingImage(request.image, image);
    return tree;
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#registry.close();
  }

  get #layouts(): boolean {
    return this.#settings.layouts === true;
  }

  /** After a failure, the next image tries again. */
  #trusted(): Promise<TrustMaterial> {
    if (this.#trust !== undefined) return this.#trust;
    const { trustedRoot, environment = {} } = this.#settings;
    const loading = loadTrust({ trustedRoot, environment, signal: AbortSignal.timeout(60_000) });
    this.#trust = loading;
    loading.catch(() => {
      this.#trust = undefined;
    });
    return loading;
  }

  async #publicKey(uri: string, context: CallContext) {
    const { openPublicKey } = await import("../sigstore/key/open-key.js");
    return openPublicKey(uri, this.#cloud(), context);
  }

  #cloud() {
    const { environment: env = {} } = this.#settings;
    return { http: this.#http, env, redact: () => undefined };
  }
}

/** Verifies one image, and closes the connections. For several images, use {@link ImageVerifier}. @throws VerifyError */
export async function verifyImage(
  request: VerifyRequest & VerifierSettings,
): Promise<ImageVerdict> {
  const verifier = new ImageVerifier(request);
  try {
    return await verifier.verify(request);
  } finally {
    await verifier.close();
  }
}

function contextOf({ signal, timeoutMs = defaultTimeoutMs }: TreeRequest): CallContext {
  return { signal: signal ?? new AbortController().signal, deadline: Date.now() + timeoutMs };
}

/** Converts failures of the registry or the layout to a `VerifyError`. Other errors are bugs, and pass unchanged. */
async function explained<T>({ image }: TreeRequest, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isFailure(error) || error instanceof VerifyError) throw error;
    const { code, message } = error;
    const place = layoutKindOf(image) === undefined ? "REGISTRY" : "LAYOUT";
    throw new VerifyError(codes[code] ?? place, message, { cause: error });
  }
}

const codes: Readonly<Record<string, VerifyErrorCode>> = {
  DEADLINE: "DEADLINE",
  CANCELLED: "CANCELLED",
  // Of an index.
  IMAGE_MISSING: "NO_IMAGE",
};
