import { sign, verify } from "node:crypto";
import type { OutgoingRequest } from "../../../../../src/core/http/client";
import { httpError } from "../../../../../src/core/http/http-error";
import { openAzureKey } from "../../../../../src/core/signing/sigstore/key/azure-key-vault";
import { remoteKeySigner } from "../../../../../src/core/signing/sigstore/key/key-signer";
import { startScriptedServer } from "../../../http/scripted-server";
import { setEnvironment } from "../../set-environment";
import { content, digest, ec, keyFailure, keySettings, rsa, signature } from "./kms-services";

const version = "0123456789abcdef0123456789abcdef";
const kid = `https://ours.vault.azure.net/keys/release/${version}`;

// The shapes are those of the service's published REST reference. It has no emulator.
async function vault(answers: readonly object[]) {
  const server = await startScriptedServer((_, number) => ({
    body: JSON.stringify(answers[number - 1] ?? {}),
  }));
  const { settings, context, secrets } = keySettings();
  const resources: string[] = [];
  const service = {
    baseUrl: () => server.origin,
    token: (resource: string) => {
      resources.push(resource);
      return Promise.resolve("the-token");
    },
  };
  const open = (rest: string) => openAzureKey(rest, settings, context, service);
  return { server, context, secrets, resources, open };
}

describe("a key in Azure Key Vault", () => {
  test("signs with the version that was read", async () => {
    const value = sign("sha256", content, { key: ec.privateKey, dsaEncoding: "ieee-p1363" });
    const { server, context, secrets, resources, open } = await vault([
      { key: { kid, ...ec.publicKey.export({ format: "jwk" }), kty: "EC-HSM" } },
      { kid, value: value.toString("base64url") },
    ]);
    const signer = remoteKeySigner(await open("ours.vault.azure.net/release"));
    expect(verify("sha256", content, ec.publicKey, await signer.sign(content, context))).toBe(true);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /keys/release?api-version=7.4",
      `POST /keys/release/${version}/sign?api-version=7.4`,
    ]);
    expect(JSON.parse(server.requests[1]?.body.toString() ?? "")).toEqual({
      alg: "ES256",
      value: digest.toString("base64url"),
    });
    expect(resources).toEqual(["https://vault.azure.net", "https://vault.azure.net"]);
    expect(secrets).toContain("the-token");
  });

  test("of RSA signs with RS256", async () => {
    const { server, context, open } = await vault([
      { key: { kid, ...rsa.publicKey.export({ format: "jwk" }) } },
      { kid, value: signature(rsa.privateKey).toString("base64url") },
    ]);
    const signer = remoteKeySigner(await open(`ours.vault.azure.net/release/${version}`));
    expect(verify("sha256", content, rsa.publicKey, await signer.sign(content, context))).toBe(
      true,
    );
    expect(server.requests[1]?.body.toString()).toContain('"RS256"');
  });

  test("of another type is refused", async () => {
    const { open } = await vault([{ key: { kid, kty: "oct-HSM" } }]);
    expect((await keyFailure(open("ours.vault.azure.net/release"))).message).toBe(
      "Azure Key Vault: the key release is not supported. Use an EC key with the curve P-256",
    );
  });

  test.each([
    ["vault.azure.net", "https://login.microsoftonline.com"],
    ["vault.azure.cn", "https://login.partner.microsoftonline.cn"],
    ["managedhsm.usgovcloudapi.net", "https://login.microsoftonline.us"],
  ])("in the cloud of %s signs in at %s", async (cloud, authority) => {
    const client = {
      AZURE_TENANT_ID: "tenant",
      AZURE_CLIENT_ID: "id",
      AZURE_CLIENT_SECRET: "hush",
    };
    setEnvironment(client);
    const { settings } = keySettings(client);
    const asked: string[] = [];
    const request = ({ url }: OutgoingRequest) => {
      asked.push(new URL(url).origin);
      return Promise.reject(httpError("NO_ANSWER", "hush"));
    };
    const context = { signal: new AbortController().signal, deadline: Date.now() + 60_000 };
    const http = { ...settings.http, request };
    const failure = await keyFailure(
      openAzureKey(`ours.${cloud}/release`, { ...settings, http }, context),
    );
    expect(failure).toMatchObject({ code: "KEY_SERVICE" });
    expect(failure.message).not.toContain("hush");
    expect([...new Set(asked)]).toEqual([authority]);
  });

  test.each([
    "vault.example.org/release",
    "vault.azure.net.example.org/release",
    "azure.net/release",
  ])("at another host gets no token: %s", async (rest) => {
    const { resources, server, open } = await vault([]);
    expect((await keyFailure(open(rest))).message).toContain(
      "is not that of a vault, such as NAME.vault.azure.net",
    );
    expect([resources, server.requests]).toEqual([[], []]);
  });
});
