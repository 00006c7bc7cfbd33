import { createPublicKey, X509Certificate } from "node:crypto";
import { identityOf } from "../../../../../src/core/signing/sigstore/certificate/certificate";
import { readIdentityToken } from "../../../../../src/core/signing/sigstore/service/identity-token";
import { withFaults, type Faults } from "../../../../local/service/with-faults";
import { closeAfterTest } from "../../../http/close-after-test";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { openServices } from "../../../../local/signing/local-services";
import { failureOf, openClient, textsOf, tokenOf } from "../service/client-bench";
import {
  type Signer,
  signerSource,
} from "../../../../../src/core/signing/sigstore/service/signer-source";

/** The certificate for a new key. */
function request(url: string, text: string, { http, context } = openClient()) {
  const identity = () => Promise.resolve(readIdentityToken(text, "a test"));
  return signerSource({ http, identity, now: Date.now })(url, context);
}

function isForOwnKey({ leaf, privateKey }: Signer): boolean {
  return leaf.publicKey.equals(createPublicKey(privateKey));
}

/** The local authority, and a server before it where requests go wrong. */
async function faulty(faults: Faults) {
  const services = await openServices();
  const server = await withFaults(services.addresses.certificateAuthority, faults);
  closeAfterTest(() => server.close());
  return { services, url: server.url, text: services.issueToken({ email: "dev@example.com" }) };
}

async function scripted(script: Script) {
  const server = await startScriptedServer(script);
  const text = tokenOf({ sub: "me", exp: 4_000_000_000 });
  return { server, text, call: () => request(server.origin, text) };
}

describe("a certificate", () => {
  test.each([
    ["email address", { email: "dev@example.com" }, "dev@example.com"],
    ["subject", { subject: "https://example.com/a" }, "https://example.com/a"],
  ])("is issued for the %s of a token, and for the signer's key", async (_, subject, name) => {
    const services = await openServices();
    const text = services.issueToken(subject);
    const answer = await request(`${services.addresses.certificateAuthority}/`, text);
    expect(isForOwnKey(answer)).toBe(true);
    expect(identityOf(answer.leaf)).toEqual({
      subjects: [name],
      issuer: services.addresses.tokenIssuer,
    });
    expect(answer.leafPem).toMatch(
      /^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/,
    );
    const [intermediate, root, ...others] = answer.chainPem.map((pem) => new X509Certificate(pem));
    expect(others).toEqual([]);
    const leaf = new X509Certificate(answer.leafPem);
    expect(intermediate && leaf.verify(intermediate.publicKey)).toBe(true);
    expect(root && intermediate?.verify(root.publicKey)).toBe(true);
  });

  test("is requested from the older API if the newer one does not exist", async () => {
    const paths: string[] = [];
    const { url, text } = await faulty(({ path }) => {
      paths.push(path);
      return path.includes("/v2/") ? { kind: "answer", status: 404 } : undefined;
    });
    const signer = await request(url, text);
    expect(isForOwnKey(signer)).toBe(true);
    expect(signer.chainPem).toHaveLength(2);
    expect(paths).toEqual(["/api/v2/signingCert", "/api/v1/signingCert"]);
  });

  test("is requested again after lost connections and temporary failures", async () => {
    const faults = [{ kind: "reset" }, { kind: "answer", status: 503 }] as const;
    const { url, text } = await faulty(({ index }) => faults[index]);
    expect(isForOwnKey(await request(url, text))).toBe(true);
  });

  test("for another key is refused", async () => {
    const stranger = await openServices();
    const text = stranger.issueToken({ email: "dev@example.com" });
    const other = await request(stranger.addresses.certificateAuthority, text);
    const { url: tampered, text: own } = await faulty(() => tamper([other.leafPem]));
    expect(await failureOf(request(tampered, own))).toMatchObject({
      code: "CERTIFICATE_AUTHORITY",
      message: expect.stringMatching(/another key than the one that was sent/) as unknown,
    });
  });

  test("for another identity is refused", async () => {
    const issued: string[] = [];
    const { services, url, text } = await faulty(() =>
      issued.length > 0 ? tamper(issued) : undefined,
    );
    const { http, context } = openClient();
    const tokens = [services.issueToken({ email: "other@example.com" }), text];
    let now = Date.now();
    const source = signerSource({
      http,
      identity: () => Promise.resolve(readIdentityToken(tokens.shift() ?? "", "a test")),
      now: () => now,
    });
    issued.push((await source(url, context)).leafPem);
    // The next certificate is for the same key.
    now += 3_600_000;
    expect(await failureOf(source(url, context))).toMatchObject({
      code: "CERTIFICATE_AUTHORITY",
      message: expect.stringMatching(/another identity than dev@example\.com/) as unknown,
    });
  });

  test.each([
    ["no JSON", "<html>"],
    ["an empty object", "{}"],
    ["an empty chain", chain([])],
    ["an invalid chain", '{"signedCertificateEmbeddedSct": {"chain": 1}}'],
    ["no certificate", chain(["secret"])],
    [
      "a broken certificate",
      chain(["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]),
    ],
  ])("is not found in %s", async (_, body) => {
    const { call } = await scripted(() => ({ body }));
    expect(await failureOf(call())).toMatchObject({ code: "CERTIFICATE_AUTHORITY" });
  });

  test("is refused with the authority's message, without the token that it repeats", async () => {
    const { call, text } = await scripted(({ body }) => ({
      status: 400,
      body: `no: ${body.toString()}`,
    }));
    const failure = await failureOf(call());
    expect(failure.code).toBe("CERTIFICATE_AUTHORITY");
    expect(failure.message).toMatch(
      /^The certificate authority responded with HTTP status 400: "no: .*\*\*\*/,
    );
    expect(failure.message.length).toBeLessThan(600);
    for (const part of text.split(".")) expect(textsOf(failure)).not.toContain(part);
  });

  test("is refused by the local authority for an expired token, with its message", async () => {
    const services = await openServices();
    const text = services.issueToken({ email: "dev@example.com", lifetimeSeconds: -1 });
    const failure = await failureOf(request(services.addresses.certificateAuthority, text));
    expect(failure.message).toMatch(/status 401: ".*expired/);
    expect(textsOf(failure)).not.toContain(text);
  });

  test("is not awaited beyond the deadline if the authority never responds", async () => {
    const client = openClient();
    const { clock } = client;
    const { server, text } = await scripted(() => {
      clock.advance(3_000);
      return undefined;
    });
    const context = { ...client.context, deadline: clock.now() + 3_000 };
    expect(await failureOf(request(server.origin, text, { ...client, context }))).toMatchObject({
      code: "DEADLINE",
    });
  });

  test("is not awaited after the call is cancelled", async () => {
    const client = openClient();
    const abort = new AbortController();
    const { server, text } = await scripted(() => {
      abort.abort();
      return undefined;
    });
    const context = { ...client.context, signal: abort.signal };
    expect(await failureOf(request(server.origin, text, { ...client, context }))).toMatchObject({
      code: "CANCELLED",
    });
  });

  test("is not requested from another host after a redirect", async () => {
    const stranger = await startScriptedServer(() => ({}));
    const { call } = await scripted(() => ({
      status: 307,
      headers: { location: stranger.origin },
    }));
    expect(await failureOf(call())).toMatchObject({ code: "REDIRECT" });
    expect(stranger.requests).toEqual([]);
  });

  test("must not exceed 4 MiB", async () => {
    const { call } = await scripted(() => ({ body: Buffer.alloc(4 * 1024 * 1024 + 1) }));
    expect(await failureOf(call())).toMatchObject({ code: "TOO_LARGE" });
  });

  test("is unavailable if nothing listens, which is reported without the token", async () => {
    const { server, text, call } = await scripted(() => ({}));
    await server.close();
    const failure = await failureOf(call());
    expect(failure).toMatchObject({ code: "NO_ANSWER" });
    expect(textsOf(failure)).not.toContain(text);
  });
});

function chain(certificates: readonly string[]): string {
  return JSON.stringify({ signedCertificateEmbeddedSct: { chain: { certificates } } });
}

function tamper(certificates: readonly string[]) {
  const body = Buffer.from(chain(certificates));
  return {
    kind: "tamper",
    change: (answer: object) => ({ status: 200, headers: {}, ...answer, body }),
  } as const;
}
