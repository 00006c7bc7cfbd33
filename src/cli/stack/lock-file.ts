/**
 * One provider in a `.terraform.lock.hcl`.
 *
 * @see https://developer.hashicorp.com/terraform/language/files/dependency-lock
 */
export interface LockedProvider {
  readonly source: string;
  readonly version: string;
  /** The versions that the configuration required when it was locked, such as `~> 0.1`. */
  readonly constraints: string | undefined;
  /** With their schemes: `h1:…`, `zh:…`. */
  readonly hashes: readonly string[];
}

/** Parses the providers of a lock file. */
export function readLockFile(content: string): readonly LockedProvider[] {
  const blocks = content.matchAll(/^provider\s+"([^"]+)"\s*\{([^}]*)\}/gm);
  return [...blocks].map(([, source = "", body = ""]) => ({
    source,
    version: /^\s*version\s*=\s*"([^"]+)"/m.exec(body)?.[1] ?? "",
    constraints: /^\s*constraints\s*=\s*"([^"]+)"/m.exec(body)?.[1],
    hashes: [...body.matchAll(/"((?:h1|zh):[^"]+)"/g)].map(([, hash = ""]) => hash),
  }));
}

/**
 * Checks whether the lock file was written for this requirement. The locked version may also meet a later
 * requirement, but Terraform decides that.
 *
 * @param version the version constraint, such as `0.1.0` or `~> 0.1`
 */
export function isLockedFor(version: string, { constraints = "" }: LockedProvider): boolean {
  const known = partsOf(constraints);
  return partsOf(version).every((part) => known.includes(part));
}

const partsOf = (constraints: string): readonly string[] =>
  constraints.split(",").map((part) => part.replaceAll(/\s+/g, "").replace(/^=/, ""));
