import type { ProviderRoutes } from "./connection/provider-grpc";

/** A provider that a program runs in its own process, instead of serving it to Terraform. */
interface EmbeddedProvider {
  /** The provider's source address, such as `trivet.local/trivet/ids`. */
  readonly source: string;
  readonly routes: ProviderRoutes;
}

/** Registered under a global key, because the provider is a bundle with its own copy of this module. */
const receiver = Symbol.for("trivet.embed-provider");

type Receiver = (provider: EmbeddedProvider) => void;

/**
 * Loads the main module of a provider without serving it.
 *
 * @param load loads the module, which calls `serve` at once
 * @returns undefined if it does not call `serve`
 */
export function embedProvider(load: () => void): EmbeddedProvider | undefined {
  const slot = globalThis as { [receiver]?: Receiver | undefined };
  let found: EmbeddedProvider | undefined;
  slot[receiver] = (provider) => {
    found = provider;
  };
  try {
    load();
  } finally {
    slot[receiver] = undefined;
  }
  return found;
}

/** Hands a provider over to the program that is loading it. Returns false if no program is. */
export function isEmbedded({ source, routes }: EmbeddedProvider): boolean {
  const receive = (globalThis as { [receiver]?: Receiver | undefined })[receiver];
  if (receive === undefined) return false;
  receive({ source, routes });
  return true;
}
