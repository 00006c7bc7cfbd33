import type { RegistryClient } from "../../../../../src/core/signing/oci/registry/client";
import {
  givenCredentials,
  type Credentials,
} from "../../../../../src/core/signing/oci/registry/credentials";
import { digestOf } from "../../../../../src/core/signing/oci/reference/descriptor";
import type { Repository } from "../../../../../src/core/signing/oci/reference/image-name";
import {
  startScriptedServer,
  type ScriptedAnswer,
  type ScriptedRequest,
} from "../../../http/scripted-server";
import { contextOf, failureOf, openClient } from "./registries";

const context = contextOf();
const content = Buffer.from("right");
const blob = { digest: digestOf(content), size: content.byteLength };
const token = JSON.stringify({ token: "token-of-the-registry", expires_in: 300 });

const basic: Credentials = { kind: "basic", username: "robot", password: "secret-password" };
const identity: Credentials = { kind: "identity-token", token: "secret-identity" };
const given: Credentials = { kind: "registry-token", token: "secret-token" };

const secrets = [
  "secret-",
  Buffer.from("robot:secret-password").toString("base64"),
  "token-of-the-registry",
];

type Operation = readonly [
  name: string,
  run: (client: RegistryClient, repository: Repository) => Promise<unknown>,
];

const operations: readonly Operation[] = [
  ["reading a blob", (client, repository) => client.blobs.get(repository, blob, context)],
  ["looking for a blob", (client, repository) => client.blobs.has(repository, blob, context)],
  ["reading a manifest", (client, repository) => client.manifests.get(repository, "v1", context)],
  [
    "looking for a manifest",
    (client, repository) => client.manifests.head(repository, "v1", context),
  ],
  [
    "uploading a blob",
    (client, repository) =>
      client.uploads.push(repository, { ...blob, open: () => once(content) }, context),
  ],
  [
    "listing referrers",
    (client, repository) => client.referrers.list(repository, blob.digest, context),
  ],
];

// eslint-disable-next-line @typescript-eslint/require-await
async function* once(bytes: Buffer) {
  yield bytes;
}

/** A registry that requires a token or a password, and sends everything else to another host. */
async function openScene(scheme: "basic" | "bearer", elsewhere: (path: string) => string) {
  const registry = await startScriptedServer(({ method, url, headers }): ScriptedAnswer => {
    if (url.startsWith("/token")) return { body: token };
    if (headers.authorization === undefined) {
      const realm = `Bearer realm="${registry.origin}/token",service="registry"`;
      const challenge = scheme === "basic" ? 'Basic realm="registry"' : realm;
      return { status: 401, headers: { "www-authenticate": challenge } };
    }
    if (url === "/v2/") return { body: "{}" };
    if (url.includes("/referrers/")) return referrersPage(elsewhere(url));
    const status = method === "POST" ? 202 : 307;
    return { status, headers: { location: elsewhere(url) } };
  });
  const host = `127.0.0.1:${registry.port}`;
  return { registry, host, repository: { registry: host, path: "lab/app" } };
}

const referrersPage = (next: string): ScriptedAnswer => ({
  headers: {
    "content-type": "application/vnd.oci.image.index.v1+json",
    link: `<${next}>; rel="next"`,
  },
  body: JSON.stringify({ manifests: [] }),
});

/** A host that requires credentials in the name of its own token service. */
async function openThief(challenge: (origin: string) => string) {
  const thief = await startScriptedServer(({ url }): ScriptedAnswer => {
    if (url.startsWith("/stolen")) return { body: JSON.stringify({ token: "of-the-thief" }) };
    return { status: 401, headers: { "www-authenticate": challenge(thief.origin) } };
  });
  return thief;
}

const everything = (requests: readonly ScriptedRequest[]) =>
  requests.map(({ url, headers, body }) => `${url} ${JSON.stringify(headers)} ${String(body)}`);

describe("a 401 from a host that the registry redirected to", () => {
  const challenges: readonly (readonly [string, (origin: string) => string])[] = [
    ["a token service", (origin) => `Bearer realm="${origin}/stolen",service="registry"`],
    ["a password", () => 'Basic realm="registry"'],
  ];
  const rows = operations.flatMap(([operation, run]) =>
    challenges.flatMap(([wanted, challenge]) =>
      ([basic, identity, given] as const).map(
        (credentials) =>
          [operation, credentials.kind, wanted, { run, credentials, challenge }] as const,
      ),
    ),
  );

  test.each(rows)("%s with %s credentials: gets none for %s", async (_a, _b, _c, row) => {
    const { run, credentials, challenge } = row;
    const thief = await openThief(challenge);
    const scheme = credentials.kind === "identity-token" ? "bearer" : "basic";
    const { host, repository, registry } = await openScene(scheme, (path) => thief.origin + path);
    const client = openClient({ credentials: givenCredentials({ [host]: credentials }) });
    await run(client, repository).catch(() => undefined);
    expect(registry.requests.length).toBeGreaterThan(1);
    for (const request of thief.requests) expect(request.headers.authorization).toBeUndefined();
    const seen = everything(thief.requests).join("\n");
    for (const secret of secrets) expect(seen).not.toContain(secret);
    expect(seen).not.toContain("/stolen");
  });

  test("is an error that names the host, and is not taken for the registry's own", async () => {
    const thief = await openThief(() => 'Basic realm="registry"');
    const { host, repository } = await openScene("bearer", (path) => thief.origin + path);
    const client = openClient({ credentials: givenCredentials({ [host]: basic }) });
    const failure = await failureOf(client.blobs.get(repository, blob, context));
    expect(failure).toMatchObject({ code: "REFUSED", status: 401 });
    expect(failure.message).toContain(`redirected to ${thief.origin}`);
  });

  test("leaves the registry's own challenge in force", async () => {
    const thief = await openThief((origin) => `Bearer realm="${origin}/stolen",service="x"`);
    const { host, repository, registry } = await openScene("basic", (path) => thief.origin + path);
    const client = openClient({ credentials: givenCredentials({ [host]: basic }) });
    await failureOf(client.blobs.get(repository, blob, context));
    const before = registry.requests.length;
    await failureOf(client.manifests.get({ ...repository, path: "lab/other" }, "v1", context));
    const later = registry.requests.slice(before).map(({ headers }) => headers.authorization ?? "");
    expect(later).toEqual([expect.stringMatching(/^Basic /)]);
  });
});

test("a list of referrers that continues at another host is an error, not a shorter list", async () => {
  const thief = await openThief(() => 'Basic realm="registry"');
  const { host, repository } = await openScene(
    "basic",
    (path) => thief.origin.replace("127.0.0.1", "127.0.0.2") + path,
  );
  const client = openClient({ credentials: givenCredentials({ [host]: basic }) });
  const failure = await failureOf(client.referrers.list(repository, blob.digest, context));
  expect(failure.code).toBe("UNSAFE");
  expect(failure.message).toContain("at another host, 127.0.0.2");
});

test("a token service that redirects to another host leads no credentials there", async () => {
  const thief = await openThief((origin) => `Bearer realm="${origin}/stolen"`);
  for (const credentials of [basic, identity]) {
    const registry = await startScriptedServer(({ url }): ScriptedAnswer => {
      if (url.startsWith("/token")) {
        return { status: 307, headers: { location: `${thief.origin}/stolen` } };
      }
      const realm = `Bearer realm="${registry.origin}/token"`;
      return { status: 401, headers: { "www-authenticate": realm } };
    });
    const host = `127.0.0.1:${registry.port}`;
    const client = openClient({ credentials: givenCredentials({ [host]: credentials }) });
    const repository = { registry: host, path: "lab/app" };
    const failure = await failureOf(client.manifests.get(repository, "v1", context));
    expect(failure.code).toBe("UNSAFE");
  }
  expect(thief.requests).toEqual([]);
});

test("a chain of redirects that leaves the registry and returns carries no credentials", async () => {
  const other = await startScriptedServer(({ url }): ScriptedAnswer => ({
    status: 307,
    headers: { location: `${back}${url}?returned` },
  }));
  const { host, repository, registry } = await openScene("basic", (path) =>
    path.endsWith("?returned") ? `${other.origin}/end` : other.origin + path,
  );
  const back = registry.origin;
  const client = openClient({ credentials: givenCredentials({ [host]: basic }) });
  await failureOf(client.blobs.get(repository, blob, context));
  for (const request of other.requests) expect(request.headers.authorization).toBeUndefined();
  const returned = registry.requests.filter(({ url }) => url.endsWith("?returned"));
  expect(returned.length).toBeGreaterThan(0);
  for (const request of returned) expect(request.headers.authorization).toBeUndefined();
});
