/** What a `.terraform.lock.hcl` says about one provider. */
export interface LockedProvider {
  readonly source: string;
  readonly version: string;
  readonly hashes: readonly string[];
}

export function readLockFile(text: string): readonly LockedProvider[] {
  const blocks = text.matchAll(/^provider\s+"([^"]+)"\s*\{([^}]*)\}/gm);
  return [...blocks].map(([, source = "", body = ""]) => ({
    source,
    version: /^\s*version\s*=\s*"([^"]+)"/m.exec(body)?.[1] ?? "",
    hashes: [...body.matchAll(/"((?:h1|zh):[^"]+)"/g)].map(([, hash = ""]) => hash),
  }));
}
