import type { ClientLog } from "../../../../../src/core/http/call-context";
import { createHttpClient } from "../../../../../src/core/http/client";
import {
  givenCredentials,
  type Credentials,
} from "../../../../../src/core/signing/oci/registry/credentials";
import { digestOf } from "../../../../../src/core/signing/oci/reference/descriptor";
import { parseRealm } from "../../../../../src/core/signing/oci/registry/connection";
import { closeAfterTest } from "../../../http/close-after-test";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { VirtualClock } from "../../../http/virtual-clock";
import { contextOf, failureOf, json, openClient } from "./registries";

const context = contextOf();
const robot: Credentials = { kind: "basic", username: "robot", password: "secret-password" };

/** A registry with scripted responses, except that `/v2/` exists. */
async function start(script: Script, credentials?: Credentials, log?: ClientLog) {
  const server = await startScriptedServer((request, number, response) =>
    request.url === "/v2/" ? { body: "{}" } : script(request, number - 1, response),
  );
  const registry = `127.0.0.1:${server.port}`;
  const clock = new VirtualClock();
  const given = credentials && givenCredentials({ [registry]: credentials });
  const http = createHttpClient({ clock, random: () => 0, log });
  closeAfterTest(() => http.close());
  const own = { clock, http, log };
  const client = openClient({ ...own, ...(given === undefined ? {} : { credentials: given }) });
  return { server, registry, clock, client, repository: { registry, path: "lab/app" } };
}

const blobOf = (text: string) => ({ digest: digestOf(Buffer.from(text)), size: text.length });

describe("content from a registry", () => {
  test("is verified against the requested digest", async () => {
    const { client, repository } = await start(() => ({
      headers: { "docker-content-digest": blobOf("{}").digest },
      body: '{"schemaVersion":2}',
    }));
    const failure = await failureOf(client.manifests.get(repository, blobOf("{}").digest, context));
    expect(failure.code).toBe("WRONG_CONTENT");
    const byTag = await client.manifests.get(repository, "v1", context);
    expect(byTag?.digest).toBe(digestOf(Buffer.from('{"schemaVersion":2}')));
  });

  test("is held against a sha512 digest as well, and never against what a header says", async () => {
    const asked = digestOf(Buffer.from("{}"), "sha512");
    const { client, repository } = await start(() => ({
      headers: { "docker-content-digest": asked },
      body: '{"schemaVersion":2}',
    }));
    const manifest = client.manifests.get(repository, asked, context);
    expect((await failureOf(manifest)).code).toBe("WRONG_CONTENT");
    const blob = client.blobs.get(repository, { digest: asked, size: 19 }, context);
    expect((await failureOf(blob)).code).toBe("WRONG_CONTENT");
    // By a tag, a sha256 is computed: another algorithm in the header cannot be compared with it.
    expect(await client.manifests.head(repository, "v1", context)).toEqual({ digest: undefined });
    expect((await client.manifests.get(repository, "v1", context))?.digest).toMatch(/^sha256:/);
  });

  test.each([
    ["other bytes", "other", undefined],
    ["more bytes", "right and more", undefined],
    ["fewer bytes", "rig", undefined],
    ["another announced length", "right and more", { "content-length": "14" }],
  ])("is refused as a blob with %s, before its last piece", async (_, body, headers) => {
    const { client, repository } = await start(() => ({ body, ...(headers ? { headers } : {}) }));
    const got: Uint8Array[] = [];
    const reading = (async () => {
      for await (const piece of await client.blobs.stream(repository, blobOf("right"), context)) {
        got.push(piece);
      }
    })();
    expect((await failureOf(reading)).code).toMatch(/^(?:WRONG_CONTENT|TOO_LARGE)$/);
    expect(got).toEqual([]);
  });

  test("is refused when it is truncated", async () => {
    const { client, repository } = await start((_request, _number, response) => {
      response.writeHead(200, { "content-length": "5" });
      response.write("rig");
      setImmediate(() => response.destroy());
      return undefined;
    });
    const failure = await failureOf(client.blobs.get(repository, blobOf("right"), context));
    expect(failure.code).toBe("TRANSPORT");
  });

  test("is refused when the list of referrers is truncated", async () => {
    const { client, repository } = await start((_request, _number, response) => {
      const type = "application/vnd.oci.image.index.v1+json";
      response.writeHead(200, { "content-type": type, "content-length": "100" });
      response.write("{");
      setImmediate(() => response.destroy());
      return undefined;
    });
    const { digest } = blobOf("right");
    const failure = await failureOf(client.referrers.canRemove(repository, digest, context));
    expect(failure.code).toBe("TRANSPORT");
  });

  test("has a maximum size: a manifest, a blob, an error", async () => {
    const { client, repository } = await start(({ url }) =>
      url.includes("manifests")
        ? { headers: { "content-length": "100000000" }, body: "{" }
        : { status: 400, body: "x".repeat(1_000_000) },
    );
    expect(await failureOf(client.manifests.get(repository, "v1", context))).toMatchObject({
      code: "TOO_LARGE",
    });
    const huge = { ...blobOf("x"), size: 10 ** 12 };
    expect((await failureOf(client.blobs.get(repository, huge, context))).code).toBe("TOO_LARGE");
    const refused = await failureOf(client.blobs.stream(repository, huge, context));
    expect(refused.code).toBe("REFUSED");
    expect(refused.message.length).toBeLessThan(700);
  });

  test("is refused when it is not a manifest", async () => {
    const { client, repository } = await start(() => ({ body: "<html>log in</html>" }));
    expect(await failureOf(client.manifests.get(repository, "v1", context))).toMatchObject({
      code: "MALFORMED_ANSWER",
    });
  });

  test("is not requested in a loop of redirects", async () => {
    const { client, repository, server } = await start(({ url }) => ({
      status: 307,
      headers: { location: url },
    }));
    const failure = await failureOf(client.blobs.get(repository, blobOf("right"), context));
    expect(failure.code).toBe("UNSAFE");
    expect(server.requests).toHaveLength(12);
  });

  test("may be at another host, which never receives our credentials", async () => {
    const other = await startScriptedServer(() => ({ body: "right" }));
    const location = `${other.origin}/store?signature=secret`;
    const { client, repository } = await start(
      ({ headers }) =>
        headers.authorization === undefined
          ? { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } }
          : { status: 307, headers: { location } },
      robot,
    );
    expect(String(await client.blobs.get(repository, blobOf("right"), context))).toBe("right");
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("an unreliable registry", () => {
  const image = { mediaType: "application/vnd.oci.image.manifest.v1+json", bytes: json({}) };
  const unknownBlob = json({ errors: [{ code: "MANIFEST_BLOB_UNKNOWN", message: "not yet" }] });

  test.each([
    ["a 503", { status: 503 }],
    ["too many requests", { status: 429, headers: { "retry-after": "2" } }],
    ["a blob that has not spread yet", { status: 400, body: unknownBlob }],
  ])("receives a manifest again after %s", async (_, answer) => {
    const { client, repository, clock } = await start((_request, number) =>
      number === 1 ? answer : { status: 201 },
    );
    await client.manifests.put(repository, image, context, { tag: "v1" });
    expect(clock.sleeps).toEqual([answer.status === 429 ? 2_000 : 1_000]);
  });

  test("fails after three attempts, with the reason", async () => {
    const body = json({ errors: [{ code: "TOOMANYREQUESTS", message: "pull\u001b[31m rate" }] });
    const { client, repository, server } = await start(() => ({ status: 429, body }));
    const failure = await failureOf(client.manifests.get(repository, "v1", context));
    expect(failure).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(failure.message).toMatch(
      /v1 failed after 3 attempts with HTTP status 429: "TOOMANYREQUESTS: pull\\u001b\[31m rate"$/,
    );
    expect(server.requests).toHaveLength(4);
  });

  test("that asks to wait for an hour is asked again after a minute, and every wait is logged", async () => {
    const waits: string[] = [];
    const log = { debug: () => undefined, warn: (message: string) => void waits.push(message) };
    const body = json({ errors: [{ code: "TOOMANYREQUESTS", message: "pull rate" }] });
    const busy = { status: 429, headers: { "retry-after": "3600" }, body };
    const { client, repository, clock, registry } = await start(() => busy, undefined, log);
    const patient = { ...contextOf(), deadline: clock.now() + 3 * 3_600_000 };
    const failure = await failureOf(client.manifests.get(repository, "v1", patient));
    const request = `GET http://${registry}/v2/lab/app/manifests/v1 failed`;
    const asked = "(the server asks to wait 3600 s)";
    expect(failure.message).toBe(
      `${request} after 3 attempts with HTTP status 429: "TOOMANYREQUESTS: pull rate" ${asked}`,
    );
    expect(clock.sleeps).toEqual([60_000, 60_000]);
    expect(waits).toEqual([
      `${request} with HTTP status 429 ${asked}; attempt 2 follows in 60 s`,
      `${request} with HTTP status 429 ${asked}; attempt 3 follows in 60 s`,
    ]);
  });

  test("that limits the rate of uploads gets one again when it says, and every wait is logged", async () => {
    const waits: string[] = [];
    const log = { debug: () => undefined, warn: (message: string) => void waits.push(message) };
    let puts = 0;
    const { client, repository, clock } = await start(
      ({ method }) => {
        if (method === "HEAD") return { status: 404 };
        if (method === "POST") return { status: 202, headers: { location: "/upload" } };
        if (++puts === 1) return { status: 429, headers: { "retry-after": "7" } };
        return puts === 2 ? { status: 429, headers: { "retry-after": "3600" } } : { status: 201 };
      },
      undefined,
      log,
    );
    const patient = { ...contextOf(), deadline: clock.now() + 3 * 3_600_000 };
    await client.uploads.put(repository, Buffer.from("right"), patient);
    expect(clock.sleeps).toEqual([7_000, 60_000]);
    expect(waits).toEqual([
      expect.stringMatching(/429 \(the server asks to wait 7 s\); attempt 2 follows in 7 s$/),
      expect.stringMatching(/429 \(the server asks to wait 3600 s\); attempt 3 follows in 60 s$/),
    ]);
  });

  test("that never takes an upload fails it with the number of attempts", async () => {
    const { client, repository } = await start(({ method }) => {
      if (method === "HEAD") return { status: 404 };
      return method === "POST"
        ? { status: 202, headers: { location: "/upload" } }
        : { status: 503, body: "no space" };
    });
    const failure = await failureOf(client.uploads.put(repository, Buffer.from("right"), context));
    expect(failure.code).toBe("UNAVAILABLE");
    expect(failure.message).toMatch(/with HTTP status 503: "no space" after 3 attempts$/);
  });

  test("that does not accept a media type is reported, with the type", async () => {
    const body = json({ errors: [{ code: "MANIFEST_INVALID", message: "manifest invalid" }] });
    const { client, repository, registry } = await start(() => ({ status: 415, body }));
    const failure = await failureOf(client.manifests.put(repository, image, context));
    expect(failure).toMatchObject({ code: "MEDIA_TYPE", status: 415 });
    expect(failure.message).toContain(
      `the registry ${registry} does not accept manifests of the media type ${image.mediaType}: PUT `,
    );
    expect(failure.message).toContain('"MANIFEST_INVALID: manifest invalid"');
  });

  test("receives no request after the deadline", async () => {
    const { client, repository, server, clock } = await start(() => ({
      status: 503,
      headers: { "retry-after": "600" },
    }));
    const soon = { ...contextOf(), deadline: clock.now() + 60_000 };
    expect((await failureOf(client.manifests.get(repository, "v1", soon))).code).toBe(
      "UNAVAILABLE",
    );
    clock.advance(60_000);
    expect((await failureOf(client.manifests.get(repository, "v1", soon))).code).toBe("DEADLINE");
    expect(server.requests).toHaveLength(2);
  });

  test("receives an upload again from its beginning", async () => {
    let uploads = 0;
    const { client, repository, server } = await start(({ method, url }) => {
      if (method === "HEAD") return { status: 404 };
      if (method === "POST")
        return { status: 202, headers: { location: `/upload/${++uploads}?a=b` } };
      return url.startsWith("/upload/1") ? { status: 500 } : { status: 201 };
    });
    const { digest } = await client.uploads.put(repository, Buffer.from("right"), context);
    const puts = server.requests.filter(({ method }) => method === "PUT");
    const query = `?a=b&digest=${encodeURIComponent(digest)}`;
    expect(puts.map(({ url }) => url)).toEqual([`/upload/1${query}`, `/upload/2${query}`]);
    expect(puts.map(({ body }) => body.toString())).toEqual(["right", "right"]);
  });

  test("is not blamed for content that cannot be read", async () => {
    const { client, repository } = await start(({ method }) =>
      method === "POST" ? { status: 202, headers: { location: "/upload" } } : { status: 404 },
    );
    // eslint-disable-next-line @typescript-eslint/require-await
    const open = async function* () {
      yield Buffer.from("ri");
      throw new RangeError("the source is gone");
    };
    const pushing = client.uploads.push(repository, { ...blobOf("right"), open }, context);
    await expect(pushing).rejects.toThrow("the source is gone");
  });
});

describe("a redirect or token service of a registry", () => {
  test.each(["http://169.254.169.254/", "ftp://127.0.0.1/", "http://user:pass@127.0.0.1/"])(
    "is not followed with an upload to %s",
    async (location) => {
      const { client, repository, server } = await start(({ method }) =>
        method === "HEAD" ? { status: 404 } : { status: 202, headers: { location } },
      );
      const failure = await failureOf(
        client.uploads.put(repository, Buffer.from("right"), context),
      );
      expect(failure.code).toBe("UNSAFE");
      expect(server.requests.filter(({ method }) => method === "PUT")).toEqual([]);
    },
  );

  test("gets an upload without credentials at another host", async () => {
    const other = await startScriptedServer(() => ({ status: 201 }));
    const { client, repository, server } = await start(({ method, headers }) => {
      if (headers.authorization === undefined) {
        return { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } };
      }
      if (method === "HEAD") return { status: 404 };
      return { status: 202, headers: { location: `${other.origin}/upload` } };
    }, robot);
    await client.uploads.put(repository, Buffer.from("right"), context);
    expect(server.requests.at(-1)?.headers.authorization).toMatch(/^Basic /);
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });

  test.each([
    ["https://auth.example/token", "https://registry.example", true],
    ["http://127.0.0.1:9/token", "http://127.0.0.1:5000", true],
    ["https://10.0.0.1/token", "https://10.0.0.2", true],
    ["http://10.0.0.1/token", "http://10.0.0.1", true],
    ["http://auth.localhost/token", "http://registry.localhost:5000", true],
    ["http://0.1.2.3/token", "http://127.0.0.1:5000", false],
    ["http://auth.example/token", "https://registry.example", false],
    ["http://auth.example/token", "http://127.0.0.1:5000", false],
    ["https://169.254.169.254/token", "https://registry.example", false],
    ["http://169.254.169.254/token", "http://127.0.0.1:5000", false],
    ["https://10.0.0.1/token", "https://registry.example", false],
    ["https://127.0.0.1/token", "https://registry.example", false],
    ["https://user:pass@auth.example/token", "https://registry.example", false],
    ["http://10.0.0.1/token", "https://10.0.0.1", false],
    ["file:///etc/passwd", "https://registry.example", false],
    ["token", "https://registry.example", false],
  ])("is used as token service %s of %s: %s", (realm, registry, allowed) => {
    expect("realm" in parseRealm(realm, new URL(registry))).toBe(allowed);
  });

  test("receives no credentials as a hostile token service", async () => {
    const { client, repository, server } = await start(
      () => ({
        status: 401,
        headers: { "www-authenticate": 'Bearer realm="http://169.254.169.254/token"' },
      }),
      robot,
    );
    const failure = await failureOf(client.manifests.get(repository, "v1", context));
    expect(failure.code).toBe("UNSAFE");
    expect(failure.message).not.toContain("secret-password");
    expect(server.requests).toHaveLength(2);
  });
});

test.each(["10.0.0.1:5000", "0.1.2.3:5000"])(
  "credentials are not sent over plain http to another machine: %s",
  async (registry) => {
    const clock = new VirtualClock();
    const sent: string[] = [];
    const http = createHttpClient({
      clock,
      transport: {
        send({ url, headers }) {
          sent.push(`${url} ${headers["authorization"] ?? "nobody"}`);
          if (url.startsWith("https:")) {
            return Promise.reject(Object.assign(new Error("no TLS"), { code: "ECONNREFUSED" }));
          }
          const challenge = { "www-authenticate": 'Basic realm="x"' };
          const status = headers["authorization"] === undefined ? 401 : 404;
          // eslint-disable-next-line @typescript-eslint/require-await
          const body = (async function* () {
            yield Buffer.alloc(0);
          })();
          return Promise.resolve({ status, headers: challenge, body });
        },
        close: () => Promise.resolve(),
      },
    });
    const repository = { registry, path: "lab/app" };
    const credentials = givenCredentials({ [registry]: robot });
    const client = openClient({ http, clock, credentials });
    const failure = await failureOf(client.manifests.get(repository, "v1", context));
    expect(failure.code).toBe("CREDENTIALS");
    expect(sent.join("\n")).not.toContain("Basic");
    const chosen = openClient({ http, clock, credentials, plainHttpRegistries: [registry] });
    expect(await chosen.manifests.get(repository, "v1", context)).toBeUndefined();
    expect(sent.at(-1)).toContain("Basic");
    const elsewhere = { ...repository, registry: "registry.example" };
    expect((await failureOf(client.manifests.get(elsewhere, "v1", context))).code).toBe(
      "TRANSPORT",
    );
    expect(sent.join("\n")).not.toContain("http://registry.example");
    closeAfterTest(() => http.close());
  },
);
