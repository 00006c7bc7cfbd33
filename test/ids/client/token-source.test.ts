import { generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { readCredentials, type Credentials } from "../../../src/ids/client/credentials";
import { credentialsToken, staticToken } from "../../../src/ids/client/token-source";
import type { Transport, TransportRequest } from "../../../src/http/transport";
import { failureOf } from "./service";
import { VirtualClock } from "../../http/virtual-clock";

const { signal } = new AbortController();
const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const serviceAccount = {
  type: "service_account",
  client_email: "robot@acme.example",
  private_key: privateKey,
  private_key_id: "key-1",
  token_uri: "https://evil.example/token",
};
const user = {
  type: "authorized_user",
  client_id: "client",
  client_secret: "secret-client",
  refresh_token: "secret-refresh",
};

async function credentialsOf(json: unknown): Promise<Credentials> {
  const read = await readCredentials(JSON.stringify(json));
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

function fakeTransport(status: number, body: unknown) {
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    send: (request) => {
      requests.push(request);
      const headers = { "content-type": "application/json" };
      const bytes = Buffer.from(JSON.stringify(body));
      return Promise.resolve({ status, headers, body: Readable.from([bytes]) });
    },
    close: () => Promise.resolve(),
  };
  return { requests, transport };
}

function decode(part = ""): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}

describe("a service account", () => {
  test("signs its own token with its scope, without a token endpoint", async () => {
    const { transport, requests } = fakeTransport(500, {});
    const source = credentialsToken(await credentialsOf(serviceAccount), { transport });
    const token = await source.token({ signal });
    const [header, payload, signature] = token.split(".");
    const signed = Buffer.from(`${header}.${payload}`);
    const isSigned = verify(
      "RSA-SHA256",
      signed,
      publicKey,
      Buffer.from(signature ?? "", "base64url"),
    );
    expect(isSigned).toBe(true);
    expect(decode(header)).toMatchObject({ alg: "RS256", kid: "key-1" });
    expect(decode(payload)).toMatchObject({
      iss: "robot@acme.example",
      sub: "robot@acme.example",
      scope: "https://www.googleapis.com/auth/cloud-platform",
    });
    expect(requests).toEqual([]);
  });

  test("with a broken key fails without showing it", async () => {
    const broken = privateKey.replaceAll(/[A-M]/g, "x");
    const source = credentialsToken(
      await credentialsOf({ ...serviceAccount, private_key: broken }),
    );
    const failure = await failureOf(source.token({ signal }));
    expect(failure).toMatchObject({ code: "CREDENTIALS" });
    expect(failure.cause).toBeUndefined();
    expect(failure.message).toContain("private_key");
    expect(failure.message).not.toContain(broken.slice(40, 80));
  });
});

describe("a user", () => {
  test("exchanges the refresh token once, until shortly before the token expires", async () => {
    const answer = { access_token: "access-1", expires_in: 3600, token_type: "Bearer" };
    const { transport, requests } = fakeTransport(200, answer);
    const clock = new VirtualClock();
    clock.advance(Date.now() - clock.now());
    const source = credentialsToken(await credentialsOf(user), { transport, clock });
    expect(await Promise.all([source.token({ signal }), source.token({ signal })])).toEqual([
      "access-1",
      "access-1",
    ]);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: "POST",
      url: "https://oauth2.googleapis.com/token",
    });
    const body = requests[0]?.body;
    const form = new URLSearchParams(typeof body === "string" ? body : "");
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: "refresh_token",
      refresh_token: "secret-refresh",
    });
    clock.advance(54 * 60_000);
    await source.token({ signal });
    expect(requests).toHaveLength(1);
    clock.advance(2 * 60_000);
    await source.token({ signal });
    expect(requests).toHaveLength(2);
  });

  test("gets another token after a refusal", async () => {
    const { transport, requests } = fakeTransport(200, { access_token: "a", expires_in: 3600 });
    const source = credentialsToken(await credentialsOf(user), { transport });
    const first = await source.token({ signal });
    await source.token({ signal, rejected: first });
    expect(requests).toHaveLength(2);
  });

  test("gets a token although the first caller was cancelled", async () => {
    const abort = new AbortController();
    const { transport: answering, requests } = fakeTransport(200, {
      access_token: "a",
      expires_in: 3600,
    });
    const transport: Transport = {
      ...answering,
      async send(request) {
        if (request.signal !== abort.signal) return answering.send(request);
        abort.abort();
        throw Object.assign(new Error("aborted"), { code: "UND_ERR_ABORTED" });
      },
    };
    const source = credentialsToken(await credentialsOf(user), { transport });
    const first = source.token({ signal: abort.signal });
    const second = source.token({ signal });
    await expect(first).rejects.toThrow();
    expect(await second).toBe("a");
    expect(requests).toHaveLength(1);
  });

  test("is asked to log in again, without secrets", async () => {
    const answer = { error: "invalid_grant", error_description: "secret-refresh was revoked" };
    const { transport } = fakeTransport(400, answer);
    const source = credentialsToken(await credentialsOf(user), { transport });
    const failure = await failureOf(source.token({ signal }));
    expect(failure.message).toContain("invalid_grant; log in again");
    expect(JSON.stringify(failure) + failure.message + String(failure.stack)).not.toMatch(
      /secret-/,
    );
    expect(failure.cause).toBeUndefined();
  });
});

test("a static token is used as it is", async () => {
  expect(await staticToken("t").token({ signal, rejected: "t" })).toBe("t");
});

describe("credentials", () => {
  test("can be a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trivet-credentials-"));
    try {
      const file = join(folder, "key.json");
      writeFileSync(file, JSON.stringify(user));
      expect(await readCredentials(file)).toMatchObject({ type: "authorized_user" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    ["another type", '{"type":"external_account"}', "the type external_account"],
    ["no type", '{"key":"secret"}', "an unknown type"],
    ["a strange type", '{"type":"secret secret"}', "an unknown type"],
    ["a missing key", '{"type":"service_account","client_email":"secret"}', "has no private_key"],
    [
      "broken JSON",
      '{"type":"service_account","private_key":"secret',
      "does not contain a JSON object",
    ],
    ["a missing file", "/nowhere/key.json", "cannot be read (ENOENT)"],
    ["an access token", "ya29.secret", "use access_token for an access token"],
    ["a bare key", "-----BEGIN PRIVATE KEY-----\nsecret", "looks like a token or a key"],
  ])("with %s are refused with the reason, showing nothing", async (_, text, reason) => {
    const read = await readCredentials(text);
    const problem = "problem" in read ? read.problem : "";
    expect(problem).toContain(reason);
    expect(problem).not.toContain("secret");
  });
});
