import { createHash } from "node:crypto";
import { DerElement } from "../../../../../src/core/signing/sigstore/der/der-element";
import {
  derInteger,
  derOctetString,
  derSequence,
  derUtf8String,
} from "../../../../../src/core/signing/sigstore/der/write-der";
import { requestTimestamp } from "../../../../../src/core/signing/sigstore/service/log-and-timestamp";
import { readTrustedRoot } from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import { checkTimestamp } from "../../../../../src/core/signing/sigstore/verification/timestamp-check";
import { readFile } from "node:fs/promises";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { openServices } from "../../../../local/signing/local-services";
import { failureOf, openClient } from "./client-bench";

const content = Buffer.from("a signature");

async function scripted(script: Script, client = openClient()) {
  const server = await startScriptedServer(script);
  const { http, context } = client;
  const url = `${server.origin}/stamp?key=secret`;
  const nonce = Buffer.of(0x81, 2, 3);
  return { server, call: () => requestTimestamp({ http, context, url, content, nonce }) };
}

const status = (number: number, ...more: readonly Buffer[]) =>
  derSequence(derSequence(derInteger(number), ...more));

describe("a timestamp", () => {
  test("of the local authority proves when the content existed", async () => {
    const now = new Date("2026-03-01T12:00:00Z");
    const services = await openServices({ now: () => now });
    const { http, context } = openClient();
    const url = services.addresses.timestampAuthority;
    const stamp = await requestTimestamp({ http, context, url, content });
    const trust = readTrustedRoot(await readFile(services.files.trustedRoot));
    expect(checkTimestamp(stamp, [content], trust.timestampAuthorities)).toEqual({ time: now });
  });

  test("of another request for the same content is refused", async () => {
    const services = await openServices({});
    const { http, context } = openClient();
    const url = services.addresses.timestampAuthority;
    const earlier = await requestTimestamp({ http, context, url, content });
    const { call } = await scripted(() => ({ body: earlier }));
    expect(await failureOf(call())).toMatchObject({
      code: "TIMESTAMP",
      message: "The timestamp authority returned the timestamp of another request.",
    });
  });

  test("is requested with the content's hash and a nonce, and includes the certificate", async () => {
    const { server, call } = await scripted(() => ({ body: status(0) }));
    await call();
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: "POST",
      url: "/stamp?key=secret",
      headers: { "content-type": "application/timestamp-query" },
    });
    const [version, imprint, nonce, certificate] = DerElement.read(
      request?.body ?? Buffer.alloc(0),
    ).sequence();
    const [algorithm, digest] = imprint?.sequence() ?? [];
    expect(version?.bytes.toString("hex")).toBe("020101");
    expect(algorithm?.bytes.toString("hex")).toBe("300d06096086480165030402010500");
    expect(digest?.bytes).toEqual(derOctetString(createHash("sha256").update(content).digest()));
    expect(nonce?.bytes.toString("hex")).toBe("020400810203");
    expect(certificate?.bytes.toString("hex")).toBe("0101ff");
  });

  test("has another nonce each time", async () => {
    const server = await startScriptedServer(() => ({ body: status(0) }));
    const { http, context } = openClient();
    for (let time = 0; time < 2; time++) {
      await requestTimestamp({ http, context, url: server.origin, content });
    }
    const [first, second] = server.requests.map(({ body }) => body.toString("hex"));
    expect(first).not.toBe(second);
  });

  test.each([200, 201])("may be granted, also with modifications, with status %i", async (code) => {
    for (const granted of [0, 1]) {
      const body = status(granted);
      const { call } = await scripted(() => ({ status: code, body }));
      expect(await call()).toEqual(body);
    }
  });

  test.each([200, 400])(
    "may be refused with the protocol's status text, with status %i",
    async (code) => {
      const body = status(2, derSequence(derUtf8String("bad\nalgorithm")));
      const { call } = await scripted(() => ({ status: code, body }));
      expect(await failureOf(call())).toMatchObject({
        code: "TIMESTAMP",
        message: 'The timestamp authority refused (status 2): "bad algorithm"',
      });
    },
  );

  test("may be refused without a message", async () => {
    const { call } = await scripted(() => ({ body: status(3) }));
    expect((await failureOf(call())).message).toBe("The timestamp authority refused (status 3)");
  });

  test("granted with a status of failure is refused", async () => {
    const { call } = await scripted(() => ({ status: 404, body: status(0) }));
    expect(await failureOf(call())).toMatchObject({ code: "TIMESTAMP" });
  });

  test("may be refused with the server's message, which is reported without the URL's query", async () => {
    const { call } = await scripted(() => ({ status: 403, body: "no key" }));
    const { message } = await failureOf(call());
    expect(message).toBe('The timestamp authority responded with HTTP status 403: "no key"');
  });

  test.each([
    ["nothing", ""],
    ["a page", "<html>"],
    ["DER of something else", derInteger(0)],
    ["an empty answer in DER", derSequence()],
  ])("is not %s", async (_, body) => {
    const { call } = await scripted(() => ({ body }));
    expect(await failureOf(call())).toMatchObject({
      code: "TIMESTAMP",
      message: expect.stringMatching(/did not return a timestamp/) as unknown,
    });
  });

  test("is requested again after a temporary failure", async () => {
    const { server, call } = await scripted((_, number) =>
      number === 1 ? { status: 502 } : { body: status(0) },
    );
    await call();
    expect(server.requests).toHaveLength(2);
  });

  test("is not awaited beyond the deadline, and the URL's query is not reported", async () => {
    const opened = openClient();
    const context = { ...opened.context, deadline: opened.clock.now() + 3_000 };
    const client = { ...opened, context };
    const { call } = await scripted(() => {
      client.clock.advance(3_000);
      return undefined;
    }, client);
    const failure = await failureOf(call());
    expect(failure).toMatchObject({ code: "DEADLINE" });
    expect(failure.message).not.toContain("secret");
    expect(client.logged.join()).not.toContain("secret");
  });
});
