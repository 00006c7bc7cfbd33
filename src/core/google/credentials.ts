interface Origin {
  /**
   * Their source in messages: a setting, a variable or a program, with the file:
   * `GOOGLE_APPLICATION_CREDENTIALS ("/etc/key.json")`.
   */
  readonly origin: string;
  /** The project that they belong to. */
  readonly project?: string | undefined;
  /** The project that pays for requests, and whose quota they use. */
  readonly quotaProject?: string | undefined;
  /** The domain of all services: `googleapis.com`, or that of a sovereign cloud. */
  readonly universeDomain: string;
}

export interface ServiceAccountKey extends Origin {
  readonly type: "service_account";
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly privateKeyId: string | undefined;
  readonly tokenUrl: string;
}

/** The refresh token of a user, from Google or through a workforce identity pool. */
export interface UserCredentials extends Origin {
  readonly type: "authorized_user" | "external_account_authorized_user";
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  readonly tokenUrl: string;
}

/** A service account that other credentials impersonate. */
interface ImpersonatedAccount extends Origin {
  readonly type: "impersonated_service_account";
  readonly source: Credentials;
  readonly impersonation: Impersonation;
}

export interface Impersonation {
  /** The whole URL, which ends with `/serviceAccounts/EMAIL:generateAccessToken`. */
  readonly url: string;
  /** Service accounts between the source and the target, in the order of their trust. */
  readonly delegates: readonly string[];
  readonly lifetimeSeconds: number;
}

/** An identity of another identity provider: workload or workforce identity federation. */
export interface ExternalAccount extends Origin {
  readonly type: "external_account";
  readonly audience: string;
  readonly subjectTokenType: string;
  readonly subject: SubjectTokenSource;
  readonly tokenUrl: string;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly workforcePoolUserProject: string | undefined;
  readonly impersonation: Impersonation | undefined;
}

/** The source of the token of another identity provider. */
export type SubjectTokenSource =
  | { readonly kind: "given"; readonly token: string }
  /** As in the file's `credential_source`, checked. */
  | {
      readonly kind: "file" | "url" | "aws" | "executable";
      readonly settings: Readonly<Record<string, unknown>>;
    };

/** The service account of the machine, from its metadata server. */
interface MachineAccount extends Origin {
  readonly type: "machine";
}

/** An access token that was obtained elsewhere. */
interface GivenToken extends Origin {
  readonly type: "access_token";
  readonly token: string;
}

/** Google credentials of any kind. */
export type Credentials =
  | GivenToken
  | ServiceAccountKey
  | UserCredentials
  | ImpersonatedAccount
  | ExternalAccount
  | MachineAccount;

/** The services that may receive tokens and secrets. Settings decide that, never a file of credentials. */
export interface TrustedServices {
  /** The domain of all services. @default "googleapis.com" */
  readonly universeDomain?: string | undefined;
  /** True if services on this machine are trusted. @default false */
  readonly areLocal?: boolean | undefined;
}

/** The domain of Google's public services. */
export const googleUniverse = "googleapis.com";
