import type { TokenSubject } from "./token-issuer";
import type { StoredImage } from "./registry/stored-images";
import type { QuirkName } from "./registry/quirks";
import type { RegistryAccess } from "./registry/registry-access";

export interface LocalSigningSettings {
  /** Folder for keys, images, logs and the files for other tools; created if it does not exist. */
  readonly folder: string;
  /**
   * The registry's port; the other four services use the ports after it. 0 selects free ports.
   *
   * @default the ports of the folder's last run, or free ports
   */
  readonly port?: number | undefined;
  /** True if the registry implements the referrers API. @default true */
  readonly referrersApi?: boolean | undefined;
  /** How the registry differs from the specification. @default none */
  readonly quirks?: readonly QuirkName[] | undefined;
  /** Who may use the registry. @default everyone */
  readonly registryAccess?: RegistryAccess | undefined;
  /** Repository that gets a small sample image, such as `build/app`. @default none */
  readonly sampleImage?: string | undefined;
  /** Email address in the token in `files.identityToken`. @default "dev@example.com" */
  readonly email?: string | undefined;
  /** The time in certificates, logs and timestamps. @default the system time */
  readonly now?: (() => Date) | undefined;
  /** Receives a line for each request that changes something. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Base URLs, without a slash at the end. */
export interface LocalSigningAddresses {
  readonly registry: string;
  readonly certificateAuthority: string;
  /** Versions 1 and 2 of the API, each with its own log. */
  readonly transparencyLog: string;
  /** The full URL to which requests are posted. */
  readonly timestampAuthority: string;
  readonly tokenIssuer: string;
}

/** Absolute paths. */
export interface LocalSigningFiles {
  readonly trustedRoot: string;
  /** The URLs, for tools that read them from a file (`--signing-config`). */
  readonly signingConfig: string;
  /** The same with version 2 of the transparency log (Rekor v2). */
  readonly signingConfigRekorV2: string;
  /** The certificates of the certificate authority, the intermediate first. */
  readonly certificateChain: string;
  readonly ctLogPublicKey: string;
  readonly transparencyLogPublicKey: string;
  readonly timestampChain: string;
  /** A valid token while the services run; readable only by its owner. */
  readonly identityToken: string;
  /** The reference of the sample image. The file exists only if there is one. */
  readonly sampleImage: string;
  /** Shell script with `export` lines for `environment`. */
  readonly environment: string;
}

/** What the services have stored, for those who look at it. */
export interface StoredContent {
  /** The images in the registry, without what is attached to them. */
  images(): Promise<readonly StoredImage[]>;
  /** The transparency log of each version of the API. */
  readonly logs: Readonly<Record<"v1" | "v2", StoredLog>>;
}

interface StoredLog {
  size(): number;
  /** An entry with its proof, as the log's API returns it. */
  entry(index: number): unknown;
}

export interface LocalSigning {
  readonly addresses: LocalSigningAddresses;
  /** Host of image references: `127.0.0.1:port`. */
  readonly registryHost: string;
  readonly files: LocalSigningFiles;
  /** The sample image, by digest; undefined if none was requested. */
  readonly sampleImage: string | undefined;
  /** Environment variables through which other tools find keys and certificates. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stored: StoredContent;
  /** Creates an identity token for the audience `sigstore`, valid for 10 minutes. */
  issueToken(subject: TokenSubject): string;
  /** Closes all connections, stops listening, and waits until everything is written. */
  close(): Promise<void>;
}
