/** What a registry wants to see, from its `WWW-Authenticate` header. */
export type Challenge =
  | { readonly scheme: "basic" }
  | {
      readonly scheme: "bearer";
      readonly realm: string;
      readonly service: string | undefined;
      readonly scopes: readonly string[];
    };

/** The challenge that we can answer, bearer first; undefined when there is none. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const text = (header ?? "").slice(0, 8_192);
  const bearer = /(?:^|,\s*)bearer\s+(.*)$/is.exec(text)?.[1];
  if (bearer !== undefined) {
    const values = new Map<string, string>();
    for (const [, name = "", quoted, plain] of bearer.matchAll(
      /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi,
    )) {
      const key = name.toLowerCase();
      const value = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "";
      if (!values.has(key)) values.set(key, value);
    }
    const realm = values.get("realm");
    if (realm !== undefined && realm !== "") {
      const scopes = (values.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
      return { scheme: "bearer", realm, service: values.get("service"), scopes };
    }
  }
  return /(?:^|,\s*)basic(?:\s|,|$)/i.test(text) ? { scheme: "basic" } : undefined;
}
