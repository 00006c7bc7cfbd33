import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  identitySource,
  type IdentitySourceSettings,
} from "../../../../../src/core/signing/sigstore/service/identity-source";
import { readIdentityToken } from "../../../../../src/core/signing/sigstore/service/identity-token";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { failureOf, openClient, textsOf, tokenOf } from "../service/client-bench";
import { temporaryFolder } from "../../../../local/signing/local-services";

function bench(settings: Partial<IdentitySourceSettings> = {}) {
  const { http, clock, context, logged } = openClient();
  const seconds = clock.now() / 1000;
  const secrets: string[] = [];
  const source = identitySource({
    env: {},
    http,
    now: () => clock.now(),
    file: "/nonexistent/token",
    productFile: "/nonexistent/product",
    redact: (secret) => secrets.push(secret),
    ...settings,
  });
  const fresh = (sub = "me") => tokenOf({ sub, exp: seconds + 600 });
  return { source: () => source(context), clock, fresh, secrets, logged, seconds };
}

async function github(script: Script) {
  const server = await startScriptedServer(script);
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${server.origin}/token?api-version=2&audience=other`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "the-bearer-secret",
  };
  return { server, env, ...bench({ env }) };
}

const at = Date.parse("2026-03-01T12:00:00Z") / 1000;

describe("an identity token", () => {
  test("proves its email address, or its subject", () => {
    const read = (claims: object) => readIdentityToken(tokenOf({ exp: 1, ...claims }), "a test");
    expect(read({ sub: "me", email: "a@b.c" })).toMatchObject({ subject: "a@b.c", email: "a@b.c" });
    expect(read({ sub: "me", email: "" })).toMatchObject({ subject: "me", email: undefined });
    expect(read({ sub: "me", exp: 7 }).expiresAt).toEqual(new Date(7_000));
    expect(readIdentityToken(` ${tokenOf({ sub: "me", exp: 1 })}\n`, "").text).not.toMatch(/\s/);
  });

  test.each([
    ["no token", "secretsecret"],
    ["nothing", ""],
    ["two parts", "secret.secret"],
    ["four parts", `${tokenOf({ sub: "a", exp: 1 })}.secret`],
    ["no JSON inside", "a.secretsecret.b"],
    ["a list inside", tokenOf(["secret"])],
    ["nobody", tokenOf({ exp: 1, secret: "secret" })],
    ["no end", tokenOf({ sub: "secret" })],
    ["an end in words", tokenOf({ sub: "secret", exp: "secret" })],
  ])("is refused as %s, without being quoted", (_, text) => {
    const read = () => readIdentityToken(text, "a test");
    expect(read).toThrow(/^The identity token from a test /);
    try {
      read();
    } catch (error) {
      expect(textsOf(error).split("\n")[0]).not.toContain("secret");
      expect(error).toMatchObject({ code: "IDENTITY" });
    }
  });
});

describe("the signer", () => {
  test("is undefined without any source", async () => {
    expect(await bench().source()).toBeUndefined();
  });

  test("comes from the given token, before all other sources", async () => {
    const { server, env } = await github(() => ({ status: 500 }));
    const text = tokenOf({ sub: "given", exp: at + 600 });
    const { source, secrets } = bench({ env, given: { text, source: "a setting" } });
    expect(await source()).toMatchObject({ subject: "given", text });
    expect(secrets).toEqual([text]);
    expect(server.requests).toEqual([]);
  });

  test("comes from the token file, which is read again when its token has expired", async () => {
    const file = join(await temporaryFolder(), "token");
    const { source, clock, fresh, seconds } = bench({ file });
    await writeFile(file, `${fresh("first")}\n`);
    expect(await source()).toMatchObject({ subject: "first" });
    await writeFile(file, tokenOf({ sub: "second", exp: seconds + 6_000 }));
    expect(await source()).toMatchObject({ subject: "first" });
    clock.advance(571_000);
    expect(await source()).toMatchObject({ subject: "second" });
  });

  test("is an error when the token file cannot be read", async () => {
    const { source } = bench({ file: await temporaryFolder() });
    expect(await failureOf(source())).toMatchObject({ code: "IDENTITY" });
  });

  test.each([
    ["has ended", -1],
    ["is about to end", 29],
  ])("cannot come from a token that %s", async (_, left) => {
    const text = tokenOf({ sub: "me", exp: at + left });
    const failure = await failureOf(bench({ given: { text, source: "a setting" } }).source());
    expect(failure).toMatchObject({
      code: "IDENTITY",
      message: expect.stringMatching(/expired/) as unknown,
    });
    expect(textsOf(failure)).not.toContain(text);
  });
});

describe("a workflow of GitHub Actions", () => {
  const value = tokenOf({ sub: "repo:a/b:ref:refs/heads/main", exp: at + 600 });

  test("requests a token for signing, once for all concurrent callers", async () => {
    const { source, server, secrets } = await github(() => ({ body: JSON.stringify({ value }) }));
    const tokens = await Promise.all(Array.from({ length: 8 }, source));
    expect(new Set(tokens.map((token) => token?.text))).toEqual(new Set([value]));
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: "GET",
      url: "/token?api-version=2&audience=sigstore",
      headers: { authorization: "Bearer the-bearer-secret" },
    });
    expect(secrets).toEqual(["the-bearer-secret", value]);
  });

  test("requests another token when its token has expired", async () => {
    const { source, server, clock } = await github((_, number) => ({
      body: JSON.stringify({ value: tokenOf({ sub: `run ${number}`, exp: at + number * 600 }) }),
    }));
    expect(await source()).toMatchObject({ subject: "run 1" });
    clock.advance(580_000);
    expect(await source()).toMatchObject({ subject: "run 2" });
    expect(server.requests).toHaveLength(2);
  });

  test("reports GitHub's message, without the secrets that it repeats", async () => {
    const { source, logged } = await github(({ headers }) => ({
      status: 403,
      // So far behind that a cut would go through the middle of the secret.
      body: `${" ".repeat(9_980)}no for ${headers.authorization ?? ""}`,
    }));
    const failure = await failureOf(source());
    expect(failure.code).toBe("IDENTITY");
    expect(failure.message).toMatch(
      /^GitHub Actions responded with HTTP status 403: "no for Bearer \*\*\*"$/,
    );
    expect(textsOf(failure) + logged.join()).not.toMatch(/the-bearer|api-version/);
  });

  test.each([
    ["no JSON", "<html>"],
    ["no token", "{}"],
    ["a number", '{"value": 1}'],
    ["an invalid token", '{"value": "secret"}'],
  ])("does not accept %s as a token", async (_, body) => {
    const { source } = await github(() => ({ body }));
    const failure = await failureOf(source());
    expect(failure.code).toBe("IDENTITY");
    expect(textsOf(failure)).not.toContain("secret");
  });

  test("tries again after a temporary failure", async () => {
    const { source, server } = await github((_, number) =>
      number === 1 ? { status: 503 } : { body: JSON.stringify({ value }) },
    );
    expect(await source()).toMatchObject({ text: value });
    expect(server.requests).toHaveLength(2);
  });

  test("does not send its secret to another host", async () => {
    const stranger = await startScriptedServer(() => ({ body: JSON.stringify({ value }) }));
    const { source } = await github(() => ({
      status: 307,
      headers: { location: stranger.origin },
    }));
    expect(await failureOf(source())).toMatchObject({ code: "REDIRECT" });
    expect(stranger.requests).toEqual([]);
  });

  test("reports an invalid URL without quoting it", async () => {
    const env = {
      ACTIONS_ID_TOKEN_REQUEST_URL: "secret address",
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "secret",
    };
    const failure = await failureOf(bench({ env }).source());
    expect(failure).toMatchObject({ code: "IDENTITY" });
    expect(failure.message).not.toContain("secret");
  });

  test("needs both of its variables", async () => {
    const env = { ACTIONS_ID_TOKEN_REQUEST_TOKEN: "secret" };
    expect(await bench({ env }).source()).toBeUndefined();
  });
});
