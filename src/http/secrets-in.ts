/** Returns the secrets in request headers: credentials and cookies, also in decoded form. */
export function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!/^(?:proxy-)?authorization$|^cookie$/i.test(name)) continue;
    const [scheme = "", credentials = ""] = value.split(/ (.*)/s);
    secrets.push(value, credentials);
    if (scheme.toLowerCase() !== "basic") continue;
    const pair = Buffer.from(credentials, "base64").toString();
    secrets.push(pair, pair.slice(pair.indexOf(":") + 1));
  }
  return secrets.filter((secret) => secret !== "");
}
