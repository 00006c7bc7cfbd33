import { createPublicKey, verify } from "node:crypto";
import { readField, readTextField } from "../../../src/local/service/request";
import { openServices } from "./local-services";

const claimsOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

it("is found by discovery, and its tokens verify with its key set", async () => {
  const services = await openServices();
  const { tokenIssuer } = services.addresses;
  const discovery = await fetch(`${tokenIssuer}/.well-known/openid-configuration`);
  const found: unknown = await discovery.json();
  expect(readField(found, "issuer")).toBe(tokenIssuer);
  const keySet: unknown = await (await fetch(readTextField(found, "jwks_uri"))).json();
  const text = (name: string) => readTextField(keySet, "keys", "0", name);
  const jwk = { kty: text("kty"), crv: text("crv"), x: text("x"), y: text("y") };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const response = await fetch(`${tokenIssuer}/token?email=ada@example.com`, { method: "POST" });
  const token = readTextField(await response.json(), "token");
  const [header = "", body = "", signature = ""] = token.split(".");
  const signed = Buffer.from(`${header}.${body}`);
  const bytes = Buffer.from(signature, "base64url");
  expect(verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, bytes)).toBe(true);
});

it("issues tokens for people, for machines, for other audiences, and with a lifetime", async () => {
  const now = () => new Date("2026-01-01T00:00:00Z");
  const services = await openServices({ now });
  const ask = async (query: string) => {
    const url = `${services.addresses.tokenIssuer}/token?${query}`;
    const response = await fetch(url, { method: "POST" });
    return claimsOf(readTextField(await response.json(), "token"));
  };
  const seconds = now().getTime() / 1000;
  expect(await ask("email=ada@example.com")).toMatchObject({
    iss: services.addresses.tokenIssuer,
    aud: "sigstore",
    sub: "ada@example.com",
    email: "ada@example.com",
    email_verified: true,
    iat: seconds,
    exp: seconds + 600,
  });
  const machine = await ask("sub=https://ci.example.com/1&audience=other&lifetime=5");
  expect(machine).toMatchObject({
    sub: "https://ci.example.com/1",
    aud: "other",
    exp: seconds + 5,
  });
  expect(machine).not.toHaveProperty("email");
  expect(claimsOf(services.issueToken({ subject: "spiffe://a/b" }))).toMatchObject({
    sub: "spiffe://a/b",
  });
});

it("requires a subject, and refuses GET", async () => {
  const { addresses } = await openServices();
  expect((await fetch(`${addresses.tokenIssuer}/token`, { method: "POST" })).status).toBe(400);
  expect((await fetch(`${addresses.tokenIssuer}/token?email=a@b.c`)).status).toBe(404);
});
