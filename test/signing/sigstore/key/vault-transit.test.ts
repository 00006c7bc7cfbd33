import { verify } from "node:crypto";
import { openVaultKey } from "../../../../src/signing/sigstore/key/vault-transit";
import { remoteKeySigner } from "../../../../src/signing/sigstore/key/key-signer";
import { startScriptedServer } from "../../../http/scripted-server";
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
  return { server, context, secrets, open: () => openVaultKey("release", settings, context) };
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
    expect(await keyFailure(openVaultKey("release", settings, context))).toMatchObject({
      code: "KEY_SERVICE",
    });
    expect(other.requests).toEqual([]);
  });
});
