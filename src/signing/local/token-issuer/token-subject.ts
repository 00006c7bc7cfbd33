/** The identity in a token: a person's email address, or a machine's subject such as a URI. */
export type TokenSubject = {
  /** @default "sigstore" */
  readonly audience?: string | undefined;
  /** @default 600 */
  readonly lifetimeSeconds?: number | undefined;
} & (
  | { readonly email: string; readonly subject?: string | undefined }
  | { readonly email?: undefined; readonly subject: string }
);
