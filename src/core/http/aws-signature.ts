import { createHash, createHmac } from "node:crypto";

/** Keys of Amazon's cloud. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly service: string;
  readonly now: Date;
}

/**
 * Returns the headers of a request with its signature.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signedHeaders(
  { method, url, headers, body, region, service, now }: SignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
): Readonly<Record<string, string>> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const date = time.slice(0, 8);
  const all = new Map(
    Object.entries({
      ...headers,
      host: url.host,
      "x-amz-date": time,
      ...(sessionToken === undefined ? {} : { "x-amz-security-token": sessionToken }),
    }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const names = [...all.keys()].join(";");
  const lines = [...all].map(([name, value]) => `${name}:${value.trim()}\n`).join("");
  const query = [...url.searchParams]
    .map(([name, value]) => [escape(name), escape(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
  const canonical = [method, url.pathname, query, lines, names, sha256(body)].join("\n");
  const scope = `${date}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [date, region, service, "aws4_request"].reduce<string | Buffer>(
    (last, part) => createHmac("sha256", last).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const signature = createHmac("sha256", key).update(text).digest("hex");
  const credential = `Credential=${accessKeyId}/${scope}`;
  // The HTTP client sets the host.
  all.delete("host");
  return {
    ...Object.fromEntries(all),
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** As RFC 3986 has it, which reserves more characters than URLs of the web. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
