import type { HttpClient } from "../../http/client";

/** The means to find the identity of this machine or user in a cloud. */
export interface CloudSettings {
  readonly http: HttpClient;
  /** The environment of this process: the libraries of clouds read no other. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives every secret, so that logs can redact it. */
  readonly redact: (secret: string) => void;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** The file with the name of the machine's product, by which Google's machines are known. @default Linux's */
  readonly productFile?: string | undefined;
}
