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
   * Those for exactly this registry (`index.docker.io`, `registry.example:5000`); `anonymous` when the
   * source says that we are nobody to it, undefined when it says nothing of it.
   *
   * @throws RegistryError `CREDENTIALS` when there should be some but they cannot be read.
   */
  find(registry: string, context: CallContext): Promise<Credentials | undefined>;
}

/** Credentials that somebody gave us, by the registry's exact name. */
export function givenCredentials(given: Readonly<Record<string, Credentials>>): CredentialSource {
  const known = new Map(Object.entries(given));
  return { find: (registry) => Promise.resolve(known.get(registry)) };
}

/**
 * The sources as one: the first that says something of a registry decides. One that fails ends the search,
 * since the credentials of another could be those of somebody else.
 */
export function firstOf(sources: readonly CredentialSource[]): CredentialSource {
  return {
    async find(registry, context) {
      for (const source of sources) {
        const found = await source.find(registry, context);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
