import type { CallContext } from "../../http/call-context";
import { createHttpClient, lazyTransport, type HttpClient } from "../../http/client";
import { registryAccess } from "../oci/credentials/registry-access";
import type { RegistryAccess } from "../oci/credentials/registry-settings";
import { createRegistryClient, type RegistryClient } from "../oci/registry/client";
import { withLayouts } from "../oci/layout/with-layouts";
import { parseImage } from "../oci/reference/layout";
import { parseReference, type Reference } from "../oci/reference/reference";
import { isLayout } from "../oci/reference/repository";
import { parsePolicies } from "../policy/parse/parse-policies";
import { formatProblem } from "../policy/parse/policy-fields";
import { CodedError } from "../sigstore/coded-error";
import { loadTrust } from "../sigstore/trust/load-trust";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { checkImage, parsePolicyName } from "./check-image";
import { findEngines } from "./find-engines";
import type { ImageVerdict } from "./verdict/image-verdict";
import type { ImageTree } from "../tree/image-tree";
import { readTree } from "../tree/read-tree";

/** What a verifier trusts, and how it reaches registries. */
export interface VerifierSettings {
  /**
   * The content, or the path, of a `trusted_root.json`. With it, nothing but registries is asked.
   *
   * @default the PEM files that `environment` names (`SIGSTORE_ROOT_FILE` and so on), otherwise the trusted root of the public
   * instance, which is fetched
   */
  readonly trustedRoot?: string | undefined;
  /** The access to registries. @default anonymous, or as `environment` says */
  readonly registries?: readonly RegistryAccess[] | undefined;
  /**
   * True if images may be in layouts on this machine. Leave it out if others choose the image: it would read their paths.
   *
   * @default false
   */
  readonly layouts?: boolean | undefined;
  /**
   * The variables in which credentials are found, as `docker login` and clouds store them, for keys in key-management services
   * too, proxies, and `PATH` with `cue` and `opa`. Pass `process.env` to use those of the process: the clouds' libraries read no others.
   *
   * @default none: policies in CUE and Rego are then an error
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An image, and the limits for what is read of it. */
export interface TreeRequest {
  /** By tag or digest. A tag is resolved once. In a layout, `oci:PATH:TAG` or `oci-archive:PATH:TAG`. */
  readonly image: string;
  /** Ends the call with the error `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds. Afterwards, the call ends with the error `DEADLINE`. @default 180000 */
  readonly timeoutMs?: number | undefined;
}

/** The image to verify, and the policies. */
export interface VerifyRequest extends TreeRequest {
  /**
   * The name by which policies know the image, if `image` is a copy of it.
   *
   * @default that of `image`; a layout has none, so only policies for all images apply to it
   */
  readonly name?: string | undefined;
  /** Policies in YAML or JSON, as `signing_verify` takes them. */
  readonly policy: string;
  /** True to verify each image of an index, too, as if it were deployed by its digest. @default false */
  readonly recursive?: boolean | undefined;
}

/**
 * Why there is no verdict: the reference is invalid, the policies are (or use what is not supported), `cue` or `opa` is not
 * on the given `PATH`, the image is not in the registry or the layout, the registry does not give it out, the layout cannot be
 * read, or the time is over.
 */
export type VerifyErrorCode =
  | "INVALID_IMAGE"
  | "INVALID_POLICY"
  | "NO_ENGINE"
  | "NO_IMAGE"
  | "REGISTRY"
  | "LAYOUT"
  | "DEADLINE"
  | "CANCELLED";

/** There is no verdict about an image. Its message contains no secrets. */
export class VerifyError extends CodedError<VerifyErrorCode> {
  override readonly name = "VerifyError";
}

const defaultTimeoutMs = 180_000;

/** Verifies images against policies. Keeps connections and the trusted root from one image to the next. */
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
    );
  }

  /**
   * Verifies an image. Everything that cannot be read, except for the image itself, counts against the authority that needs it.
   *
   * @throws VerifyError
   */
  async verify(request: VerifyRequest): Promise<ImageVerdict> {
    const { image: given, policy } = request;
    const image = this.#parse(given);
    const name = request.name === undefined ? undefined : parsePolicyName(request.name);
    if (name !== undefined && "problem" in name) {
      throw new VerifyError("INVALID_IMAGE", `the name ${name.problem}`);
    }
    const parsed = parsePolicies(policy);
    if ("problems" in parsed) {
      throw new VerifyError("INVALID_POLICY", parsed.problems.map(formatProblem).join("\n"));
    }
    const { policies, warnings: advice } = parsed;
    const context = contextOf(request);
    const engines = await findEngines(policies, this.#settings.environment ?? {}, context);
    if ("problems" in engines) throw new VerifyError("NO_ENGINE", engines.problems.join("\n"));
    const checked = await explained(image, () =>
      checkImage({
        given,
        image,
        name,
        policies,
        advice,
        isRecursive: request.recursive,
        registry: this.#registry,
        trust: () => this.#trusted(),
        publicKey: (uri) => this.#publicKey(uri, context),
        evaluate: engines.evaluate,
        context,
      }),
    );
    return found(checked, given, image).report;
  }

  /**
   * Reads what is attached to an image and to the images of an index, and verifies it against the trusted root: who has
   * signed what, and when. Decides nothing, and writes nothing.
   *
   * @throws VerifyError
   */
  async tree(request: TreeRequest): Promise<ImageTree> {
    const image = this.#parse(request.image);
    const context = contextOf(request);
    const trust = () => this.#trusted();
    const tree = await explained(image, () =>
      readTree({ registry: this.#registry, image, trust, context }),
    );
    return found(tree, request.image, image);
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#registry.close();
  }

  #parse(given: string): Reference {
    const image = this.#settings.layouts === true ? parseImage(given) : parseReference(given);
    if ("problem" in image) throw new VerifyError("INVALID_IMAGE", `the image ${image.problem}`);
    return image;
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

/**
 * Verifies one image, and closes the connections: see {@link ImageVerifier} for several.
 *
 * @throws VerifyError
 */
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

function found<T>(result: T | undefined, given: string, image: Reference): T {
  if (result !== undefined) return result;
  const place = isLayout(image) ? "layout" : "registry";
  throw new VerifyError("NO_IMAGE", `the image ${given} is not in the ${place}`);
}

async function explained<T>(image: Reference, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const { code, message } = error;
    throw new VerifyError(
      codes[String(code)] ?? (isLayout(image) ? "LAYOUT" : "REGISTRY"),
      message,
      error,
    );
  }
}

const codes: Readonly<Record<string, VerifyErrorCode>> = {
  DEADLINE: "DEADLINE",
  CANCELLED: "CANCELLED",
  // Of an index.
  IMAGE_MISSING: "NO_IMAGE",
};
