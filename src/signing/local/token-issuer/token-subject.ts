/** Whom a token names: a person by email, or a machine by a subject such as a URI. */
export type TokenSubject = {
  /** @default "sigstore" */
  readonly audience?: string | undefined;
  /** @default 600 */
  readonly lifetimeSeconds?: number | undefined;
} & (
  | { readonly email: string; readonly subject?: string | undefined }
  | { readonly email?: undefined; readonly subject: string }
);
