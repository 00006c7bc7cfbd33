import type { Manifest } from "../../../../../src/core/signing/oci/registry/manifests";
import { digestOf } from "../../../../../src/core/signing/oci/reference/descriptor";
import { VirtualClock } from "../../../http/virtual-clock";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { contextOf, failureOf, json, openClient } from "./registries";

const mediaType = "application/vnd.oci.image.manifest.v1+json";
const context = contextOf();

const digest = (text: string) => digestOf(Buffer.from(text));

/** A tag with counts, to which the test's client adds "ours". */
async function start(script: Script) {
  const server = await startScriptedServer((request, number, response) =>
    request.url === "/v2/" ? {} : script(request, number, response),
  );
  const repository = { registry: `127.0.0.1:${server.port}`, path: "lab/app" };
  const merged: (string | undefined)[] = [];
  const isApplied = (current: Manifest | undefined) => current?.json["ours"] === true;
  const merge = (current: Manifest | undefined) => {
    merged.push(current?.bytes.toString());
    const bytes = json({ ...current?.json, ours: true });
    return Promise.resolve(isApplied(current) ? undefined : { mediaType, bytes });
  };
  const clock = new VirtualClock();
  const client = openClient({ clock });
  const update = () => client.updateTag(repository, "shared", { merge, isApplied }, context);
  return { server, update, merged, clock, sleeps: clock.sleeps };
}

test("a concurrent write between our read and our write is merged", async () => {
  let held = '{"count":1}';
  let heads = 0;
  const { update, merged } = await start(({ method, body }) => {
    if (method === "HEAD" && ++heads === 1) held = '{"count":2}';
    if (method === "PUT") held = body.toString();
    return method === "PUT" ? { status: 201 } : { body: held };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 1 });
  expect(merged).toEqual(['{"count":1}', '{"count":2}']);
  expect(held).toBe('{"count":2,"ours":true}');
});

test("a concurrent write that replaced ours is merged with it again", async () => {
  let held = "{}";
  let puts = 0;
  const { update } = await start(({ method, body }) => {
    // Their write arrives just after our first one, made of what was there before.
    if (method === "PUT") held = ++puts === 1 ? '{"theirs":true}' : body.toString();
    return method === "PUT" ? { status: 201 } : { body: held };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 1 });
  expect(held).toBe('{"theirs":true,"ours":true}');
});

test("a registry that checks If-Match causes another merge", async () => {
  let held = "{}";
  const { update, server } = await start(({ method, headers, body }) => {
    if (method !== "PUT") return { headers: { etag: `"${held}"` }, body: held };
    if (headers["if-match"] === '"{}"') {
      held = '{"count":1}';
      return { status: 412 };
    }
    held = body.toString();
    return { status: 201 };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 1 });
  expect(held).toBe('{"count":1,"ours":true}');
  expect(server.requests.filter(({ method }) => method === "PUT")).toHaveLength(2);
});

test("without another writer, the tag is read once after the write, after one wait", async () => {
  let held = "{}";
  const { update, server, sleeps } = await start(({ method, body }) => {
    if (method === "PUT") held = body.toString();
    const headers = { "docker-content-digest": digest(held) };
    return method === "PUT" ? { status: 201 } : { headers, body: method === "HEAD" ? "" : held };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 0 });
  const asked = server.requests.filter(({ url }) => url !== "/v2/").map(({ method }) => method);
  expect(asked).toEqual(["GET", "HEAD", "PUT", "HEAD"]);
  expect(sleeps).toEqual([112]);
});

test("a writer who paused after its look looks again, and keeps what was written meanwhile", async () => {
  let held = "{}";
  let heads = 0;
  const { update, merged, clock } = await start(({ method, body }) => {
    if (method === "PUT") held = body.toString();
    if (method === "PUT") return { status: 201 };
    const answer = { headers: { "docker-content-digest": digest(held) }, body: held };
    if (method === "GET") return answer;
    if (++heads === 1) {
      // The other writer writes, watches for as long as it must, and ends.
      held = '{"theirs":true}';
      clock.advance(112);
    }
    return { ...answer, body: "" };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 1 });
  expect(merged).toEqual(["{}", '{"theirs":true}']);
  expect(held).toBe('{"theirs":true,"ours":true}');
});

test("a registry that is far away is asked only once more before the write", async () => {
  let held = "{}";
  const { update, server, clock, sleeps } = await start(({ method, body }) => {
    if (method === "PUT") held = body.toString();
    if (method === "HEAD") clock.advance(150);
    const headers = { "docker-content-digest": digest(held) };
    return method === "PUT" ? { status: 201 } : { headers, body: method === "HEAD" ? "" : held };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 0 });
  const asked = server.requests.filter(({ url }) => url !== "/v2/").map(({ method }) => method);
  expect(asked).toEqual(["GET", "HEAD", "HEAD", "PUT", "HEAD"]);
  expect(sleeps).toEqual([7 * 300]);
});

test("a slow write is watched for longer, because those of others may be as slow", async () => {
  let held = "{}";
  const { update, clock, sleeps } = await start(({ method, body }) => {
    if (method === "PUT") held = body.toString();
    if (method === "PUT") clock.advance(400);
    return method === "PUT" ? { status: 201 } : { body: held };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 0 });
  expect(sleeps).toEqual([7 * 200]);
});

test("if looks become slow after the write, the wait is repeated", async () => {
  let held = "{}";
  let heads = 0;
  const { update, clock, sleeps } = await start(({ method, body }) => {
    if (method === "PUT") held = body.toString();
    if (method === "HEAD" && ++heads === 2) clock.advance(100);
    const headers = { "docker-content-digest": digest(held) };
    return method === "PUT" ? { status: 201 } : { headers, body: method === "HEAD" ? "" : held };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 0 });
  expect(sleeps).toEqual([112, 1400]);
});

test("a write that failed for a moment is not repeated without another look", async () => {
  let held = "{}";
  let puts = 0;
  const { update, sleeps } = await start(({ method, body }) => {
    if (method !== "PUT") return { body: held };
    if (++puts === 1) {
      held = '{"theirs":true}';
      return { status: 503, headers: { "retry-after": "7" } };
    }
    held = body.toString();
    return { status: 201 };
  });
  expect(await update()).toEqual({ wrote: true, mergedAgain: 1 });
  expect(held).toBe('{"theirs":true,"ours":true}');
  expect(sleeps).toContain(7_000);
});

test("a registry that asks to wait for an hour gets the write again after a minute", async () => {
  let held = "{}";
  let puts = 0;
  const { update, sleeps } = await start(({ method, body }) => {
    if (method !== "PUT") return { body: held };
    if (++puts === 1) return { status: 429, headers: { "retry-after": "3600" } };
    held = body.toString();
    return { status: 201 };
  });
  expect(await update()).toMatchObject({ wrote: true });
  expect(sleeps).toContain(60_000);
  expect(sleeps).not.toContain(3_600_000);
});

test("a write that fails again and again fails the update after three attempts", async () => {
  const { update, server } = await start(({ method }) =>
    method === "PUT" ? { status: 503 } : { body: "{}" },
  );
  expect(await failureOf(update())).toMatchObject({ code: "UNAVAILABLE", status: 503 });
  expect(server.requests.filter(({ method }) => method === "PUT")).toHaveLength(3);
});

test("a change that another writer put back is watched too", async () => {
  let held = "{}";
  let puts = 0;
  let gets = 0;
  const { update } = await start(({ method, body }) => {
    if (method === "GET") gets++;
    if (method === "PUT") {
      held = ++puts === 1 ? '{"theirs":true}' : body.toString();
      return { status: 201 };
    }
    const answer = { body: method === "HEAD" ? "" : held };
    if (method === "HEAD") return { headers: { "docker-content-digest": digest(held) } };
    // Put back after we noticed, then overwritten by a writer who had looked before that.
    if (gets === 2) held = '{"theirs":true,"ours":true}';
    if (gets === 3) held = '{"theirs":true,"late":true}';
    return answer;
  });
  expect(await update()).toMatchObject({ wrote: true });
  expect(JSON.parse(held)).toEqual({ theirs: true, late: true, ours: true });
});

test("nothing is written if nothing changes", async () => {
  const { update, server } = await start(() => ({ body: '{"ours":true}' }));
  expect(await update()).toEqual({ wrote: false, mergedAgain: 0 });
  expect(server.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

test("the update fails if others never stop writing", async () => {
  let count = 0;
  const { update } = await start(({ method }) => {
    if (method === "PUT") return { status: 201 };
    return { body: JSON.stringify({ count: ++count }) };
  });
  const failure = await failureOf(update());
  expect(failure.code).toBe("CONTENTION");
  expect(failure.message).toContain(":shared");
});
