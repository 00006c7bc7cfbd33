import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ambientSources,
  identitySource,
} from "../../../../../src/core/signing/sigstore/service/identity-source";
import { startScriptedServer } from "../../../http/scripted-server";
import { temporaryFolder } from "../../../../local/signing/local-services";
import { failureOf, tokenOf, openSearch } from "./client-bench";

/** The places that an environment says this is, by their order. */
async function placesIn(env: Readonly<Record<string, string>>, productFile = "/nonexistent") {
  const places: number[] = [];
  for (const [index, source] of ambientSources(productFile).entries()) {
    if (await source.isPresent(env)) places.push(index);
  }
  return places;
}

async function product(name: string): Promise<string> {
  const file = join(await temporaryFolder(), "product_name");
  await writeFile(file, `${name}\n`);
  return file;
}

describe("where this process runs", () => {
  test.each([
    [[], {}],
    [[], { ACTIONS_ID_TOKEN_REQUEST_URL: "x", BUILDKITE_AGENT_ACCESS_TOKEN: "" }],
    [[0], { ACTIONS_ID_TOKEN_REQUEST_URL: "x", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "x" }],
    [[1], { BUILDKITE_AGENT_ACCESS_TOKEN: "x" }],
    [[2], { GCE_METADATA_HOST: "x" }],
    [[2], { CLOUD_RUN_JOB: "x" }],
    [[], { GCE_METADATA_HOST: "x", NO_GCE_CHECK: "true" }],
    [[3], { GOOGLE_SERVICE_ACCOUNT_NAME: "x" }],
    [[4], { SPIFFE_ENDPOINT_SOCKET: "x" }],
    [[2, 4], { SPIFFE_ENDPOINT_SOCKET: "x", GCE_METADATA_HOST: "x" }],
  ] as [number[], Record<string, string>][])("is %j by %j", async (places, env) => {
    expect(await placesIn(env)).toEqual(places);
  });

  test("is Google's by the name of the machine's product", async () => {
    expect(await placesIn({}, await product("Google"))).toEqual([2]);
    expect(await placesIn({}, await product("Google Compute Engine"))).toEqual([2]);
    expect(await placesIn({ NO_GCE_CHECK: "TRUE" }, await product("Google"))).toEqual([]);
    expect(await placesIn({}, await product("Googled Engine"))).toEqual([]);
    expect(await placesIn({}, await temporaryFolder())).toEqual([]);
  });
});

describe("the identity of the surroundings", () => {
  async function open(metadata: { readonly status: number; readonly body?: string }) {
    const headers = { "metadata-flavor": "Google" };
    const server = await startScriptedServer(({ url }) =>
      url.startsWith("/computeMetadata/")
        ? { ...metadata, headers }
        : { body: JSON.stringify({ token: buildkite }) },
    );
    const host = `127.0.0.1:${server.port}`;
    const { search } = openSearch({});
    const exp = search.now() / 1000 + 600;
    const buildkite = tokenOf({ sub: "buildkite", exp });
    const places = {
      buildkite: {
        BUILDKITE_AGENT_ACCESS_TOKEN: "x",
        BUILDKITE_JOB_ID: "x",
        BUILDKITE_AGENT_ENDPOINT: `http://${host}`,
      },
      google: { GCE_METADATA_HOST: host },
      spiffe: { SPIFFE_ENDPOINT_SOCKET: "/nonexistent/agent.sock" },
    };
    const none = { file: "/nonexistent/token", productFile: "/nonexistent/product" };
    const { context, ...rest } = search;
    const ask = (env: Record<string, string>, file = none.file) =>
      identitySource({ ...rest, ...none, file, env })(context);
    return { server, places, ask, exp };
  }

  test("comes from the first source, after the token file", async () => {
    const { places, ask, exp, server } = await open({ status: 500 });
    const { buildkite, google, spiffe } = places;
    const env = { ...google, ...spiffe, ...buildkite };
    expect(await ask(env)).toMatchObject({ subject: "buildkite" });
    const folder = await temporaryFolder();
    const file = join(folder, "token");
    await writeFile(file, tokenOf({ sub: "file", exp }));
    expect(await ask(env, file)).toMatchObject({ subject: "file" });
    expect(server.requests).toHaveLength(1);
    await writeFile(file, "x".repeat(70_000));
    expect((await failureOf(ask(env, file))).message).toMatch(/more than 65536 bytes/);
    await mkdir(join(folder, "folder"));
    expect((await failureOf(ask(env, join(folder, "folder")))).message).toMatch(/regular file/);
  });

  test("is not waited for in a file that is a pipe", async () => {
    const { ask } = await open({ status: 500 });
    const pipe = join(await temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    expect((await failureOf(ask({}, pipe))).message).toMatch(/regular file/);
  });

  test("comes from the next source when one has none, and from no source when one fails", async () => {
    const absent = await open({ status: 404 });
    const { google, spiffe } = absent.places;
    expect(await absent.ask(google)).toBeUndefined();
    const next = await failureOf(absent.ask({ ...google, ...spiffe }));
    expect(next.message).toMatch(/^The SPIFFE workload API/);
    const failing = await open({ status: 403 });
    const refusal = await failureOf(failing.ask({ ...failing.places.google, ...spiffe }));
    expect(refusal.message).toMatch(/^Google's metadata server/);
  });
});
