import { X509Certificate } from "node:crypto";
import { readIdentityToken } from "../../../../../src/core/signing/sigstore/service/identity-token";
import { withFaults, type Faults } from "../../../../local/service/with-faults";
import { closeAfterTest } from "../../../http/close-after-test";
import { VirtualClock } from "../../../http/virtual-clock";
import { openServices } from "../../../../local/signing/local-services";
import { failureOf, openClient } from "../service/client-bench";
import { signerSource } from "../../../../../src/core/signing/sigstore/service/signer-source";

/** The local authority with a stopped clock, behind a server that counts requests. */
async function bench(faults: Faults = () => undefined) {
  const clock = new VirtualClock();
  const services = await openServices({ now: () => new Date(clock.now()) });
  let requests = 0;
  const server = await withFaults(services.addresses.certificateAuthority, (request) => {
    requests += 1;
    return faults(request);
  });
  closeAfterTest(() => server.close());
  const { http, context } = openClient(clock);
  const identity = () => {
    const text = services.issueToken({ email: "dev@example.com" });
    return Promise.resolve(readIdentityToken(text, "a test"));
  };
  const source = signerSource({ http, identity, now: () => clock.now() });
  const { url } = server;
  return {
    identity,
    clock,
    source,
    http,
    context,
    url,
    count: () => requests,
    get: () => source(url, context),
  };
}

describe("a signer", () => {
  test("has a key and its certificate, the same for eight concurrent callers", async () => {
    const { get, count } = await bench();
    const signers = await Promise.all(Array.from({ length: 8 }, get));
    const [first] = signers;
    expect(signers.every((each) => each === first)).toBe(true);
    expect(first && new X509Certificate(first.leafPem).checkPrivateKey(first.privateKey)).toBe(
      true,
    );
    expect(count()).toBe(1);
  });

  test("signs until shortly before the certificate expires, then has a new one for the same key", async () => {
    const { get, clock, count } = await bench();
    const first = await get();
    clock.advance(9 * 60_000 + 29_000);
    expect(await get()).toBe(first);
    clock.advance(1_000);
    const renewed = await Promise.all(Array.from({ length: 8 }, get));
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]?.leaf.serialNumber).not.toBe(first.leaf.serialNumber);
    expect(renewed[0]?.leaf.publicKey.equals(first.leaf.publicKey)).toBe(true);
    expect(count()).toBe(2);
  });

  test("keeps a certificate of an authority whose clock is ahead of ours", async () => {
    const { http, identity, context, url, clock, count } = await bench();
    const behind = signerSource({ http, identity, now: () => clock.now() - 45_000 });
    expect(await behind(url, context)).toBe(await behind(url, context));
    expect(count()).toBe(1);
  });

  test("is separate for each authority", async () => {
    const { source, context, url, get } = await bench();
    const other = await source(`${url}/`, context);
    const first = await get();
    expect(other.leaf.publicKey.equals(first.leaf.publicKey)).toBe(false);
  });

  test("is available after a failure, which all waiting callers received", async () => {
    const { get, count } = await bench(({ index }) =>
      index === 0 ? { kind: "answer", status: 400, body: "not now" } : undefined,
    );
    const failures = await Promise.all(Array.from({ length: 8 }, () => failureOf(get())));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(["CERTIFICATE_AUTHORITY"]));
    expect(count()).toBe(1);
    expect((await get()).chainPem).toHaveLength(2);
  });

  test("is still available to others if the first caller is cancelled", async () => {
    const abort = new AbortController();
    const { source, context, url, get, count } = await bench(({ index }) => {
      if (index > 0) return undefined;
      abort.abort();
      return { kind: "never answer" };
    });
    const first = failureOf(source(url, { ...context, signal: abort.signal }));
    const others = await Promise.all([get(), get()]);
    expect((await first).code).toBe("CANCELLED");
    expect(others[0]).toBe(others[1]);
    expect(count()).toBe(2);
  });

  test("is missing without an identity token", async () => {
    const { http, context, url, count } = await bench();
    const identity = () => Promise.resolve(undefined);
    const source = signerSource({ http, identity, now: Date.now });
    expect(await failureOf(source(url, context))).toMatchObject({ code: "NO_IDENTITY" });
    expect(count()).toBe(0);
  });
});
