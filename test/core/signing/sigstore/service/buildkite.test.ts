import { buildkiteToken } from "../../../../../src/core/signing/sigstore/service/identity-token";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { failureOf, textsOf, openSearch } from "./client-bench";

const access = "the-agent-secret";

async function open(script: (token: string) => Script) {
  let answer: Script = () => ({ status: 500 });
  const server = await startScriptedServer((...call) => answer(...call));
  const bench = openSearch({
    BUILDKITE_AGENT_ACCESS_TOKEN: access,
    BUILDKITE_AGENT_ENDPOINT: `${server.origin}/v3/`,
    BUILDKITE_JOB_ID: "0190-job/..",
  });
  answer = script(bench.token);
  return { server, ...bench };
}

describe("a job of Buildkite", () => {
  test("asks the agent API for a token for signing", async () => {
    const { search, server, token, secrets } = await open((text) => () => ({
      body: JSON.stringify({ token: text }),
    }));
    expect(await buildkiteToken(search)).toMatchObject({ subject: "me", text: token });
    expect(server.requests).toMatchObject([
      {
        method: "POST",
        url: "/v3/jobs/0190-job%2F../oidc/tokens",
        headers: { authorization: `Token ${access}`, "content-type": "application/json" },
      },
    ]);
    expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ audience: "sigstore" });
    expect(secrets).toContain(access);
  });

  test("reports the API's answer without the secret in it", async () => {
    const { search, logged } = await open(() => ({ headers }) => ({
      status: 422,
      body: `not for ${headers.authorization ?? ""}`,
    }));
    const failure = await failureOf(buildkiteToken(search));
    expect(failure).toMatchObject({
      code: "IDENTITY",
      message: `Buildkite's agent API responded with HTTP status 422: "not for Token ***"`,
    });
    expect(textsOf(failure) + logged.join()).not.toContain(access);
  });

  test.each([
    ["no token", '{"token":""}'],
    ["a number", '{"token":1}'],
    ["more than a token can have", JSON.stringify({ token: "x".repeat(70_000) })],
  ])("does not take %s for a token", async (_, body) => {
    const { search } = await open(() => () => ({ body }));
    expect((await failureOf(buildkiteToken(search))).message).toMatch(/^Buildkite's agent API/);
  });

  test("does not take its secret to another host, nor over plain http", async () => {
    const stranger = await startScriptedServer(() => ({}));
    const { search } = await open(() => () => ({
      status: 307,
      headers: { location: stranger.origin },
    }));
    expect(await failureOf(buildkiteToken(search))).toMatchObject({ code: "REDIRECT" });
    for (const BUILDKITE_AGENT_ENDPOINT of ["http://agent.example.com/v3", "agent", "ftp://a"]) {
      const env = { ...search.env, BUILDKITE_AGENT_ENDPOINT };
      const failure = await failureOf(buildkiteToken({ ...search, env }));
      expect(failure.message).toMatch(/^BUILDKITE_AGENT_ENDPOINT must be an https URL/);
    }
    expect(stranger.requests).toEqual([]);
  });

  test("needs the job's ID", async () => {
    const { search } = openSearch({ BUILDKITE_AGENT_ACCESS_TOKEN: access });
    const { message } = await failureOf(buildkiteToken(search));
    expect(message).toMatch(/BUILDKITE_JOB_ID is not/);
    expect(message).not.toContain(access);
  });
});
