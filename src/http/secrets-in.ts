/** The parts of request headers that must never be shown, in every form in which a server may repeat them. */
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
  // The longest first: a short one inside it would leave the rest of it readable.
  return secrets.filter((secret) => secret !== "").sort((a, b) => b.length - a.length);
}
