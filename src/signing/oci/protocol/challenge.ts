/**
 * The authentication that a registry requires, from its `WWW-Authenticate` header.
 *
 * @see https://distribution.github.io/distribution/spec/auth/token/
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export type Challenge =
  | { readonly scheme: "basic" }
  | {
      readonly scheme: "bearer";
      readonly realm: string;
      readonly service: string | undefined;
      readonly scopes: readonly string[];
    };

/** Parses the header. Prefers bearer over basic; undefined if it has no supported challenge. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const value = (header ?? "").slice(0, 8_192);
  const bearer = /(?:^|,\s*)bearer\s+(.*)$/is.exec(value)?.[1];
  if (bearer !== undefined) {
    const parameters = new Map<string, string>();
    for (const [, name = "", quoted, plain] of bearer.matchAll(
      /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi,
    )) {
      const key = name.toLowerCase();
      if (!parameters.has(key)) {
        parameters.set(key, quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "");
      }
    }
    const realm = parameters.get("realm");
    if (realm !== undefined && realm !== "") {
      const scopes = (parameters.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
      return { scheme: "bearer", realm, service: parameters.get("service"), scopes };
    }
  }
  return /(?:^|,\s*)basic(?:\s|,|$)/i.test(value) ? { scheme: "basic" } : undefined;
}
