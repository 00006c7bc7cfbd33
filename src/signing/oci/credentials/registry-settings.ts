/** The access to one registry. */
export interface RegistryAccess {
  /** Name of the registry, as in references of images: `registry.example.org`, `localhost:5000`. */
  readonly host: string;
  /** @default none, as some registries take only a token */
  readonly username?: string | undefined;
  /** Password or access token. @default found in the environment, if there is one; anonymous otherwise */
  readonly password?: string | undefined;
  /** Allows plain HTTP to this registry, with credentials too. @default false */
  readonly plainHttp?: boolean | undefined;
}
