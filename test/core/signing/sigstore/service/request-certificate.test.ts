import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { identityOf } from "../../../../../src/core/signing/sigstore/certificate/certificate";
import { readIdentityToken } from "../../../../../src/core/signing/sigstore/service/identity-token";
import { withFaults, type Faults } from "../../../../local/service/with-faults";
import { closeAfterTest } from "../../../http/close-after-test";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { openServices } from "../../../../local/signing/local-services";
import { failureOf, openClient, textsOf, tokenOf } from "../service/client-bench";
import { requestCertificate } from "../../../../../src/core/signing/sigstore/service/signer-source";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

function request(url: string, text: string, client = openClient()) {
  const { http, context } = client;
  const token = readIdentityToken(text, "a test");
  return requestCertificate({ http, context, url, token, publicKey, privateKey });
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
  ])("is issued for the %s of a token, and for our key", async (_, subject, name) => {
    const services = await openServices();
    const text = services.issueToken(subject);
    const answer = await request(`${services.addresses.certificateAuthority}/`, text);
    expect(answer.leaf.publicKey.equals(publicKey)).toBe(true);
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
    const { leaf, chainPem } = await request(url, text);
    expect(leaf.publicKey.equals(publicKey)).toBe(true);
    expect(chainPem).toHaveLength(2);
    expect(paths).toEqual(["/api/v2/signingCert", "/api/v1/signingCert"]);
  });

  test("is requested again after lost connections and temporary failures", async () => {
    const faults = [{ kind: "reset" }, { kind: "answer", status: 503 }] as const;
    const { url, text } = await faulty(({ index }) => faults[index]);
    expect((await request(url, text)).leaf.publicKey.equals(publicKey)).toBe(true);
  });

  test("for another key is refused", async () => {
    const stranger = await openServices();
    const text = stranger.issueToken({ email: "dev@example.com" });
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { http, context } = openClient();
    const token = readIdentityToken(text, "a test");
    const url = stranger.addresses.certificateAuthority;
    const theirs = await requestCertificate({ http, context, url, token, ...other });
    const { url: tampered, text: own } = await faulty(() => tamper([theirs.leafPem]));
    expect(await failureOf(request(tampered, own))).toMatchObject({
      code: "CERTIFICATE_AUTHORITY",
      message: expect.stringMatching(/another key than the one that was sent/) as unknown,
    });
  });

  test("for another identity is refused", async () => {
    const services = await openServices();
    const url = services.addresses.certificateAuthority;
    const theirs = await request(url, services.issueToken({ email: "other@example.com" }));
    const { url: tampered, text } = await faulty(() => tamper([theirs.leafPem]));
    expect(await failureOf(request(tampered, text))).toMatchObject({
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
    const { http, clock } = client;
    const { server, text } = await scripted(() => {
      clock.advance(3_000);
      return undefined;
    });
    const context = { ...client.context, deadline: clock.now() + 3_000 };
    const token = readIdentityToken(text, "a test");
    const call = requestCertificate({
      http,
      context,
      url: server.origin,
      token,
      publicKey,
      privateKey,
    });
    expect(await failureOf(call)).toMatchObject({ code: "DEADLINE" });
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
