import { verify } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { createHttpClient, lazyTransport } from "../../../../../src/core/http/client";
import { createCertificate } from "../../../../../src/core/provider-kit/host/connection/certificate";
import { openAwsKey } from "../../../../../src/core/signing/sigstore/key/aws-kms";
import { remoteKeySigner } from "../../../../../src/core/signing/sigstore/key/key-signer";
import { closeAfterTest } from "../../../http/close-after-test";
import { type Script, startScriptedServer } from "../../../http/scripted-server";
import { temporaryFolder } from "../../../../local/signing/local-services";
import { setEnvironment } from "../../set-environment";
import {
  content,
  digest,
  ec,
  keyFailure,
  keySettings,
  rsa,
  signature,
  spkiOf,
} from "./kms-services";

const keyId = "1234abcd-12ab-34cd-56ef-1234567890ab";

beforeEach(() => {
  setEnvironment({
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "the-secret-access-key",
    AWS_REGION: "eu-central-1",
  });
});

/** Answers as the service does: the operation is in a header, bytes are in base64. */
async function kms(operations: Readonly<Record<string, object | number>>) {
  const script: Script = ({ headers }) => {
    const target = String(headers["x-amz-target"]).replace("TrentService.", "");
    const answer = operations[target] ?? 400;
    const type = { "content-type": "application/x-amz-json-1.1" };
    return typeof answer === "number"
      ? {
          status: answer,
          headers: type,
          body: JSON.stringify({ __type: "NotFoundException", message: "no such key" }),
        }
      : { headers: type, body: JSON.stringify(answer) };
  };
  const server = await startScriptedServer(script);
  const { settings } = keySettings();
  // The SDK has its own timers, so its deadline is one of the real clock.
  const { signal } = new AbortController();
  const context = { signal, deadline: Date.now() + 600_000 };
  const open = () => openAwsKey(`127.0.0.1:${server.port}/${keyId}`, settings, context);
  return { server, context, open };
}

const publicKey = { KeyUsage: "SIGN_VERIFY", PublicKey: spkiOf(ec.publicKey).toString("base64") };

describe("a key in AWS KMS", () => {
  test("signs a digest, and nothing else leaves this machine", async () => {
    const { server, context, open } = await kms({
      GetPublicKey: publicKey,
      Sign: { Signature: signature().toString("base64") },
    });
    const signer = remoteKeySigner(await open());
    const signed = await signer.sign(content, context);
    expect(verify("sha256", content, ec.publicKey, signed)).toBe(true);
    const bodies = server.requests.map(({ body }) => JSON.parse(body.toString()) as unknown);
    expect(bodies).toEqual([
      { KeyId: keyId },
      {
        KeyId: keyId,
        Message: digest.toString("base64"),
        MessageType: "DIGEST",
        SigningAlgorithm: "ECDSA_SHA_256",
      },
    ]);
    expect(server.requests[0]?.headers.authorization).toContain("AKIDEXAMPLE/");
    expect(JSON.stringify(server.requests)).not.toContain("the-secret-access-key");
  });

  test("of an emulator on this machine is reached with TLS, if it speaks TLS", async () => {
    const { pem, keyPem } = createCertificate();
    const server = createServer({ cert: pem, key: keyPem }, (_, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end(JSON.stringify(publicKey));
    });
    await once(server.listen(0, "localhost"), "listening");
    closeAfterTest(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const roots = join(await temporaryFolder(), "roots.pem");
    writeFileSync(roots, pem);
    const http = createHttpClient({ transport: lazyTransport({ NODE_EXTRA_CA_CERTS: roots }) });
    closeAfterTest(() => http.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { context } = await kms({});
    const settings = { ...keySettings().settings, http };
    const opened = await openAwsKey(`localhost:${port ?? 0}/${keyId}`, settings, context);
    expect(opened.publicKey.equals(ec.publicKey)).toBe(true);
  });

  test("of RSA signs with PKCS #1", async () => {
    const { server, context, open } = await kms({
      GetPublicKey: { ...publicKey, PublicKey: spkiOf(rsa.publicKey).toString("base64") },
      Sign: { Signature: signature(rsa.privateKey).toString("base64") },
    });
    await remoteKeySigner(await open()).sign(content, context);
    expect(server.requests[1]?.body.toString()).toContain('"RSASSA_PKCS1_V1_5_SHA_256"');
  });

  test("for encryption is refused", async () => {
    const { open } = await kms({ GetPublicKey: { ...publicKey, KeyUsage: "ENCRYPT_DECRYPT" } });
    expect(await keyFailure(open())).toMatchObject({
      code: "KEY",
      message: `AWS KMS: the key ${keyId} is not for signing. Use a key with the usage SIGN_VERIFY`,
    });
  });

  test("that does not exist is reported in the service's words", async () => {
    const { open } = await kms({ GetPublicKey: 400 });
    expect(await keyFailure(open())).toMatchObject({
      code: "KEY_SERVICE",
      message: "AWS KMS: NotFoundException: no such key",
    });
  });

  test("is not opened with a refused token, which the message does not repeat", async () => {
    const refusal = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error>
      <Type>Sender</Type><Code>InvalidIdentityToken</Code><Message>not accepted: the-pods-token</Message>
    </Error></ErrorResponse>`;
    const type = { "content-type": "text/xml" };
    const server = await startScriptedServer(() => ({ status: 400, headers: type, body: refusal }));
    const file = join(await temporaryFolder(), "token");
    writeFileSync(file, "the-pods-token");
    setEnvironment({
      AWS_ACCESS_KEY_ID: "",
      AWS_SECRET_ACCESS_KEY: "",
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/signer",
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_REGION: "eu-central-1",
      AWS_ENDPOINT_URL_STS: server.origin,
    });
    const { settings, secrets } = keySettings();
    const { context } = await kms({});
    const opening = openAwsKey(`127.0.0.1:${server.port}/${keyId}`, settings, context);
    expect((await keyFailure(opening)).message).toMatch(/^AWS KMS: \w+: not accepted: \*\*\*$/);
    expect(secrets).toEqual(["the-pods-token"]);
  });

  test("gives its credentials to the log, which redacts them", async () => {
    setEnvironment({
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "the-secret-access-key",
      AWS_SESSION_TOKEN: "the-session-token",
      AWS_REGION: "eu-central-1",
    });
    const server = await startScriptedServer(({ headers }) => ({
      status: 400,
      headers: { "content-type": "application/x-amz-json-1.1" },
      body: JSON.stringify({ __type: "Denied", message: headers["x-amz-security-token"] }),
    }));
    const { settings, secrets } = keySettings();
    const { context } = await kms({});
    const opening = openAwsKey(`127.0.0.1:${server.port}/${keyId}`, settings, context);
    expect((await keyFailure(opening)).message).toBe("AWS KMS: Denied: ***");
    expect(secrets).toEqual(["the-secret-access-key", "the-session-token"]);
  });

  test("whose service signs something else is not used", async () => {
    const { context, open } = await kms({
      GetPublicKey: publicKey,
      Sign: { Signature: Buffer.from("other").toString("base64") },
    });
    const signer = remoteKeySigner(await open());
    expect(await keyFailure(signer.sign(content, context))).toMatchObject({
      code: "KEY_SERVICE",
      message: "AWS KMS returned a signature that does not match its own public key",
    });
  });

  test("of a service that does not respond ends at the deadline, or when it is cancelled", async () => {
    const server = await startScriptedServer(() => new Promise(() => undefined));
    const { settings } = keySettings();
    const rest = `127.0.0.1:${server.port}/${keyId}`;
    const { signal } = new AbortController();
    const late = openAwsKey(rest, settings, { signal, deadline: Date.now() + 50 });
    expect(await keyFailure(late)).toMatchObject({ code: "DEADLINE" });
    const aborted = { signal: AbortSignal.abort(), deadline: Date.now() + 600_000 };
    expect(await keyFailure(openAwsKey(rest, settings, aborted))).toMatchObject({
      code: "CANCELLED",
    });
  });
});
