import { generateKeyPairSync, sign, verify } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { createCertificate } from "../../../../../src/core/provider-kit/host/connection/certificate";
import { openVaultKey } from "../../../../../src/core/signing/sigstore/key/vault-transit";
import { remoteKeySigner } from "../../../../../src/core/signing/sigstore/key/key-signer";
import { closeAfterTest } from "../../../http/close-after-test";
import { startScriptedServer } from "../../../http/scripted-server";
import { temporaryFolder } from "../../../../local/signing/local-services";
import { content, digest, ec, keyFailure, keySettings, pemOf, signature } from "./kms-services";

const keys = { "1": { public_key: "old" }, "3": { public_key: pemOf(ec.publicKey) } };

async function vault(answers: readonly object[], env: Readonly<Record<string, string>> = {}) {
  const server = await startScriptedServer((_, number) => ({
    body: JSON.stringify(answers[number - 1] ?? {}),
  }));
  const { settings, context, secrets } = keySettings({
    VAULT_ADDR: `${server.origin}/`,
    VAULT_TOKEN: "the-token",
    ...env,
  });
  return {
    server,
    context,
    secrets,
    open: () => openVaultKey("release", "HashiCorp Vault", settings, context),
  };
}

describe("a key of Vault's transit engine", () => {
  test("signs with its newest version", async () => {
    const { server, context, secrets, open } = await vault(
      [
        { data: { type: "ecdsa-p256", latest_version: 3, keys } },
        { data: { signature: `vault:v3:${signature().toString("base64")}` } },
      ],
      { VAULT_NAMESPACE: "team", TRANSIT_SECRET_ENGINE_PATH: "/keys/transit/" },
    );
    const signer = remoteKeySigner(await open());
    expect(verify("sha256", content, ec.publicKey, await signer.sign(content, context))).toBe(true);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /v1/keys/transit/keys/release",
      "POST /v1/keys/transit/sign/release/sha2-256",
    ]);
    expect(JSON.parse(server.requests[1]?.body.toString() ?? "")).toEqual({
      input: digest.toString("base64"),
      prehashed: true,
      key_version: 3,
      marshaling_algorithm: "asn1",
    });
    expect(server.requests[0]?.headers).toMatchObject({
      "x-vault-token": "the-token",
      "x-vault-namespace": "team",
    });
    expect(secrets).toEqual(["the-token"]);
  });

  test.each(["secp384r1", "secp521r1"])(
    "on the curve %s signs with SHA-256, which logs and policies expect",
    async (namedCurve) => {
      const pair = generateKeyPairSync("ec", { namedCurve });
      const keys = { "1": { public_key: pemOf(pair.publicKey) } };
      const { server, context, open } = await vault([
        { data: { type: "ecdsa", latest_version: 1, keys } },
        { data: { signature: `vault:v1:${signature(pair.privateKey).toString("base64")}` } },
      ]);
      await remoteKeySigner(await open()).sign(content, context);
      expect(server.requests[1]?.url).toBe("/v1/transit/sign/release/sha2-256");
    },
  );

  test("of the type ed25519 is read from its bytes, and signs the content itself", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const bytes = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
    const keys = { "1": { name: "ed25519", public_key: bytes.toString("base64") } };
    const { server, context, open } = await vault([
      { data: { type: "ed25519", latest_version: 1, keys } },
      { data: { signature: `vault:v1:${sign(null, content, privateKey).toString("base64")}` } },
    ]);
    const made = await remoteKeySigner(await open()).sign(content, context);
    expect(verify(null, content, publicKey, made)).toBe(true);
    expect(server.requests[1]?.url).toBe("/v1/transit/sign/release");
    expect(JSON.parse(server.requests[1]?.body.toString() ?? "")).toEqual({
      input: content.toString("base64"),
      key_version: 1,
    });
  });

  test("is found with OpenBao's variables if Vault's are not set", async () => {
    const answer = { data: { type: "ecdsa-p256", latest_version: 3, keys } };
    const { server, secrets } = await vault([answer], { VAULT_ADDR: "", VAULT_TOKEN: "" });
    const env = { BAO_ADDR: server.origin, BAO_TOKEN: "another-token", BAO_NAMESPACE: "team" };
    const { settings, context } = keySettings(env);
    await openVaultKey("release", "OpenBao", settings, context);
    expect(server.requests[0]?.headers).toMatchObject({
      "x-vault-token": "another-token",
      "x-vault-namespace": "team",
    });
    expect(secrets).toEqual([]);
  });

  test("is asked for over TLS of an authority in VAULT_CACERT", async () => {
    const { pem, keyPem } = createCertificate();
    const body = JSON.stringify({ data: { type: "ecdsa-p256", latest_version: 3, keys } });
    const server = createServer({ cert: pem, key: keyPem }, (_, response) => response.end(body));
    await once(server.listen(0, "localhost"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    closeAfterTest(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const file = join(await temporaryFolder(), "ca.pem");
    writeFileSync(file, pem);
    const VAULT_ADDR = `https://localhost:${port ?? 0}`;
    const opened = (env: object) => {
      const { settings, context } = keySettings({ VAULT_ADDR, VAULT_TOKEN: "t", ...env });
      return openVaultKey("release", "HashiCorp Vault", settings, context);
    };
    expect((await opened({ VAULT_CACERT: file })).publicKey.equals(ec.publicKey)).toBe(true);
    const { message } = await keyFailure(opened({ VAULT_CACERT: __filename }));
    expect(message).toBe(
      `HashiCorp Vault: the file "${__filename}" in VAULT_CACERT or BAO_CACERT contains no certificate in PEM`,
    );
  });

  test.each([
    [403, 'HTTP status 403: the token must be valid, and needs the capability "read" for keys/'],
    [404, "HTTP status 404: check the name of the key release, TRANSIT_SECRET_ENGINE_PATH and"],
  ])(
    "that the server refuses with the status %s is an error with advice",
    async (status, words) => {
      const server = await startScriptedServer(() => ({ status, body: '{"errors":[]}' }));
      const env = { VAULT_ADDR: server.origin, VAULT_TOKEN: "the-token" };
      const { settings, context } = keySettings(env);
      const { message } = await keyFailure(
        openVaultKey("release", "HashiCorp Vault", settings, context),
      );
      expect(message).toContain(words);
    },
  );

  test("for encryption is refused", async () => {
    const { open } = await vault([
      { data: { latest_version: 1, keys: { "1": { public_key: "" } } } },
    ]);
    expect((await keyFailure(open())).message).toBe(
      "HashiCorp Vault: the key release is not supported. Use the type ecdsa-p256",
    );
  });

  test("of a symmetric type, whose versions are numbers, is refused", async () => {
    const keys = { "1": 1700000000 };
    const { open } = await vault([{ data: { type: "aes256-gcm96", latest_version: 1, keys } }]);
    expect((await keyFailure(open())).message).toBe(
      "HashiCorp Vault: the key release has the type aes256-gcm96, which cannot sign. Use the type ecdsa-p256",
    );
  });

  test("of the type hmac, which has no versions, is refused", async () => {
    const { open } = await vault([{ data: { type: "hmac", latest_version: 1 } }]);
    expect((await keyFailure(open())).message).toContain("the type hmac, which cannot sign");
  });

  test.each([
    "",
    "http://vault.example.org",
    "vault.example.org:8200",
    "https://a:b@vault.example.org",
  ])("needs a safe address, and its token goes to no other: %j", async (VAULT_ADDR) => {
    const { server, open } = await vault([], { VAULT_ADDR });
    expect((await keyFailure(open())).message).toContain("set the environment variable VAULT_ADDR");
    expect(server.requests).toEqual([]);
  });

  test("does not follow a redirect with its token", async () => {
    const other = await startScriptedServer(() => ({ body: "{}" }));
    const server = await startScriptedServer(() => ({
      status: 307,
      headers: { location: `${other.origin}/v1/transit/keys/release` },
    }));
    const { settings, context } = keySettings({
      VAULT_ADDR: server.origin,
      VAULT_TOKEN: "the-token",
    });
    expect(
      await keyFailure(openVaultKey("release", "HashiCorp Vault", settings, context)),
    ).toMatchObject({
      code: "KEY_SERVICE",
    });
    expect(other.requests).toEqual([]);
  });
});
