import type { TokenSubject } from "./token-issuer/token-subject";
import type { RegistryAccess } from "./registry/registry-access";

export interface LocalSigningSettings {
  /** Where keys, images, the logs and the files for other tools are kept; made when absent. */
  readonly folder: string;
  /**
   * The registry's port; the other four services take the ports after it. 0 takes free ones.
   * @default the ports of the folder's last run, else free ones
   */
  readonly port?: number | undefined;
  /**
   * Whether the registry lists referrers itself.
   * @default true
   */
  readonly referrersApi?: boolean | undefined;
  /** Who may use the registry. @default everyone */
  readonly registryAccess?: RegistryAccess | undefined;
  /** Whom the token in `files.identityToken` names. @default "dev@example.com" */
  readonly email?: string | undefined;
  /** The time in certificates, logs and time-stamps. @default the system's */
  readonly now?: (() => Date) | undefined;
  /** Gets a line for each request that changes something. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Base addresses, without a slash at the end. */
export interface LocalSigningAddresses {
  readonly registry: string;
  readonly certificateAuthority: string;
  readonly transparencyLog: string;
  /** The whole address that requests are posted to. */
  readonly timestampAuthority: string;
  readonly tokenIssuer: string;
}

/** Absolute paths. */
export interface LocalSigningFiles {
  readonly trustedRoot: string;
  /** The addresses for tools that take them from a file (`--signing-config`). */
  readonly signingConfig: string;
  /** The certificates of the authority, intermediate first. */
  readonly certificateChain: string;
  readonly ctLogPublicKey: string;
  readonly transparencyLogPublicKey: string;
  readonly timestampChain: string;
  /** A fresh token while the services run; readable by its owner only. */
  readonly identityToken: string;
  /** `export` lines with `environment`, to be sourced by a shell. */
  readonly environment: string;
}

/** The running services. */
export interface LocalSigning {
  readonly addresses: LocalSigningAddresses;
  /** What image references begin with: `127.0.0.1:port`. */
  readonly registryHost: string;
  readonly files: LocalSigningFiles;
  /** The variables by which outside tools find keys and certificates. */
  readonly environment: Readonly<Record<string, string>>;
  /** A signed identity token for the audience `sigstore`, good for 10 minutes. */
  issueToken(subject: TokenSubject): string;
  /** Drops every connection, stops listening, and waits until everything is written. */
  close(): Promise<void>;
}
