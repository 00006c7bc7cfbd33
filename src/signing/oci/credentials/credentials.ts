import type { CallContext } from "../../../http/call-context";

/** How to say to a registry who we are. */
export type Credentials =
  | { readonly kind: "anonymous" }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  /** Exchanged for a token at the registry's token service. */
  | { readonly kind: "identity-token"; readonly token: string }
  /** Sent to the registry as it is. */
  | { readonly kind: "registry-token"; readonly token: string };

export const anonymous: Credentials = { kind: "anonymous" };

/** Where credentials come from. */
export interface CredentialSource {
  /**
   * Those for exactly this registry (`index.docker.io`, `registry.example:5000`).
   *
   * @throws RegistryError `CREDENTIALS` when there should be some but they cannot be read.
   */
  find(registry: string, context: CallContext): Promise<Credentials>;
}

/** Credentials that somebody gave us, by the registry's exact name. */
export function givenCredentials(
  given: Readonly<Record<string, Credentials>>,
  otherwise: CredentialSource = { find: () => Promise.resolve(anonymous) },
): CredentialSource {
  const known = new Map(Object.entries(given));
  return {
    find: async (registry, context) => known.get(registry) ?? otherwise.find(registry, context),
  };
}
