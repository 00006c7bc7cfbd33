import type { Manifest } from "../../../../src/signing/oci/registry/manifests";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { contextOf, failureOf, json, openClient } from "./registries";

const mediaType = "application/vnd.oci.image.manifest.v1+json";
const context = contextOf();

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
  const client = openClient();
  const update = () => client.updateTag(repository, "shared", { merge, isApplied }, context);
  return { server, update, merged };
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
