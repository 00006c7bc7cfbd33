import { httpError } from "../../../../../src/core/http/http-error";
import { verify } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHttpClient } from "../../../../../src/core/http/client";
import { createNodeTransport } from "../../../../../src/core/http/node-transport";
import { openGoogleKey } from "../../../../../src/core/signing/sigstore/key/google-kms";
import { remoteKeySigner } from "../../../../../src/core/signing/sigstore/key/key-signer";
import { closeAfterTest } from "../../../http/close-after-test";
import { startScriptedServer } from "../../../http/scripted-server";
import { temporaryFolder } from "../../../../local/signing/local-services";
import { content, digest, ec, keyFailure, keySettings, pemOf, signature } from "./kms-services";

const key = "projects/p/locations/europe/keyRings/r/cryptoKeys/k";
const version = (number: number) => ({ name: `${key}/cryptoKeyVersions/${number}` });
const publicKey = { pem: pemOf(ec.publicKey), algorithm: "EC_SIGN_P256_SHA256" };

/** A machine without credentials. */
const nowhere = { HOME: "/nowhere", METADATA_SERVER_DETECTION: "none" };

// The shapes are those of the service's published REST reference. It has no emulator.
class Refusal {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {}
}

async function kms(answers: readonly object[]) {
  const server = await startScriptedServer((_, number) => {
    const answer = answers[number - 1] ?? {};
    return answer instanceof Refusal
      ? { status: answer.status, body: answer.body }
      : { body: JSON.stringify(answer) };
  });
  const { settings, context, secrets } = keySettings();
  const service = { baseUrl: `${server.origin}/v1`, token: () => Promise.resolve("the-token") };
  const open = (rest: string) => openGoogleKey(rest, settings, context, service);
  return { server, context, secrets, open };
}

describe("a key in Google Cloud KMS", () => {
  test("signs with its newest enabled version", async () => {
    const { server, context, secrets, open } = await kms([
      { cryptoKeyVersions: [version(9), version(10), version(2)] },
      publicKey,
      { signature: signature().toString("base64") },
    ]);
    const signer = remoteKeySigner(await open(key));
    expect(verify("sha256", content, ec.publicKey, await signer.sign(content, context))).toBe(true);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /v1/${key}/cryptoKeyVersions?filter=state%3DENABLED&orderBy=name%20desc&pageSize=100`,
      `GET /v1/${key}/cryptoKeyVersions/10/publicKey`,
      `POST /v1/${key}/cryptoKeyVersions/10:asymmetricSign`,
    ]);
    expect(JSON.parse(server.requests[2]?.body.toString() ?? "")).toEqual({
      digest: { sha256: digest.toString("base64") },
    });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 3 }, () => "Bearer the-token"),
    );
    expect(secrets).toContain("the-token");
  });

  test("signs with the version in its URI", async () => {
    const { server, open } = await kms([publicKey]);
    await open(`${key}/versions/7`);
    expect(server.requests[0]?.url).toBe(`/v1/${key}/cryptoKeyVersions/7/publicKey`);
  });

  test("without an enabled version is refused", async () => {
    const { open } = await kms([{}]);
    expect(await keyFailure(open(key))).toMatchObject({
      code: "KEY",
      message: `Google Cloud KMS: the key ${key} has no enabled version`,
    });
  });

  test("with an algorithm that verifiers do not expect is refused", async () => {
    const { open } = await kms([{ ...publicKey, algorithm: "RSA_SIGN_PSS_2048_SHA256" }]);
    expect((await keyFailure(open(`${key}/versions/1`))).message).toContain(
      "the algorithm RSA_SIGN_PSS_2048_SHA256",
    );
  });

  test("that the service refuses is reported in the service's words, without the token", async () => {
    const body = JSON.stringify({
      error: { message: "denied for the-token", status: "PERMISSION_DENIED" },
    });
    const { open } = await kms([new Refusal(403, body)]);
    const { code, message } = await keyFailure(open(`${key}/versions/1`));
    expect(code).toBe("KEY_SERVICE");
    expect(message).toMatch(/^Google Cloud KMS responded with HTTP status 403: ".*denied/);
    expect(message).not.toContain("the-token");
  });

  test.each(["CANCELLED", "DEADLINE"] as const)(
    "whose token service does not respond ends with %s",
    async (code) => {
      const { settings, context } = keySettings();
      const token = () => Promise.reject(httpError(code, "the token service"));
      const service = { baseUrl: "http://127.0.0.1:1", token };
      expect(await keyFailure(openGoogleKey(key, settings, context, service))).toMatchObject({
        code,
        message: "Google Cloud KMS: the token service",
      });
    },
  );

  test("gets one token for all requests, with the application default credentials", async () => {
    const asked: string[] = [];
    const server = await startScriptedServer(({ url, headers, body }) => {
      asked.push(`${String(headers["x-real-url"])} ${String(headers.authorization)}`);
      return {
        body: JSON.stringify(
          url === "/token"
            ? { access_token: "ya29.one", expires_in: 3599, sent: body.toString() }
            : publicKey,
        ),
      };
    });
    const folder = await temporaryFolder();
    const file = join(folder, "key.json");
    const login = { type: "authorized_user", client_id: "a", client_secret: "b" };
    const tokenUri = `${server.origin}/token`;
    writeFileSync(file, JSON.stringify({ ...login, refresh_token: "c", token_uri: tokenUri }));
    const { settings, context, secrets } = keySettings({ GOOGLE_APPLICATION_CREDENTIALS: file });
    const transport = createNodeTransport({});
    const http = createHttpClient({
      transport: {
        send: (request) =>
          transport.send({
            ...request,
            url: request.url.replace("https://cloudkms.googleapis.com", server.origin),
            headers: { ...request.headers, "x-real-url": request.url },
          }),
        close: () => transport.close(),
      },
    });
    closeAfterTest(() => http.close());
    const real = { ...settings, http };
    await openGoogleKey(`${key}/versions/1`, real, { ...context, deadline: Date.now() + 60_000 });
    expect(asked).toEqual([
      `${tokenUri} undefined`,
      `https://cloudkms.googleapis.com/v1/${key}/cryptoKeyVersions/1/publicKey Bearer ya29.one`,
    ]);
    expect(secrets).toEqual(expect.arrayContaining(["b", "c", "ya29.one"]));
  });

  test("without credentials says so", async () => {
    const { settings, context } = keySettings();
    const failing = openGoogleKey(key, { ...settings, env: nowhere }, context);
    expect((await keyFailure(failing)).message).toBe(
      "Google Cloud KMS: there are no usable credentials: none were found; log in with gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS",
    );
  });
});
