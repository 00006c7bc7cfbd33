import { copy } from "../../../../src/core/signing/copy/declare";
import { details, summaries } from "../../provider-kit/server/protocol";
import { skipTime } from "../../../skip-time";
import { startFront, type FrontScript } from "../oci/registry/front";
import { apply, connect, make, plan, refresh, remove } from "../provider/signing";
import { openBench } from "../sign/signing-bench";

/** An image, and a registry in front of that which has it, which answers as the test says. */
async function open() {
  const bench = await openBench();
  const image = await bench.pushImage("copied");
  let script: FrontScript = () => undefined;
  const front = await startFront(bench.local.addresses.registry, (...given) => script(...given));
  const config = {
    source: `${front.host}/${image.path}@${image.digest}`,
    destination: `${bench.local.registryHost}/mine/app`,
  };
  return {
    bench,
    image,
    config,
    through: `${front.host}/mine/app`,
    provider: await connect(bench.local),
    answer: (next: FrontScript) => {
      script = next;
    },
  };
}

const never = () => new Promise<undefined>(() => undefined);

const short = { create: "1s", update: "1s" };

/** Never answers requests with a method, whose URL contains a text. */
const silentFor =
  (method: string, part: string): FrontScript =>
  (request) =>
    request.method === method && request.url.includes(part) ? never() : undefined;

/** Sends the beginning of each blob, and then nothing. */
const stalling: FrontScript = async ({ method, url }, behind, response) => {
  if (method !== "GET" || !url.includes("/blobs/")) return undefined;
  const body = Buffer.from((await behind()).body ?? "");
  response.writeHead(200, { "content-length": body.byteLength });
  response.write(body.subarray(0, 1));
  return never();
};

test.each<[string, "source" | "destination", FrontScript]>([
  ["the source does not send a manifest", "source", silentFor("GET", "/manifests/")],
  ["the source does not send a blob", "source", silentFor("GET", "/blobs/")],
  ["the source stops in the middle of a blob", "source", stalling],
  ["the source does not list referrers", "source", silentFor("GET", "/referrers/")],
  ["the destination does not begin an upload", "destination", silentFor("POST", "/uploads/")],
  ["the destination does not take a manifest", "destination", silentFor("PUT", "/manifests/sha")],
  ["the destination does not take a tag", "destination", silentFor("PUT", "/manifests/v1")],
])("a copy ends at its timeout when %s", async (_, side, script) => {
  const { bench, image, config, through, provider, answer } = await open();
  answer(script);
  const direct = `${bench.local.registryHost}/${image.path}@${image.digest}`;
  const places = side === "source" ? config : { source: direct, destination: through };
  const given = { ...places, tags: ["v1"], timeouts: short };
  const { state, diagnostics } = await apply(provider, copy, given);
  expect(state).toBeNull();
  expect(summaries(diagnostics)).toEqual(["ERROR - Operation Timed Out"]);
  const text = details(diagnostics);
  expect(text).toContain(`Copying ${places.source} to ${places.destination} failed: the deadline`);
  expect(text).toContain('Allow more time with timeouts { create = "…" }, and apply again');
  expect(text).not.toContain("provider");

  answer(() => undefined);
  await make(provider, copy, { ...given, timeouts: null });
});

test("an update ends at its own timeout, and keeps the state", async () => {
  const { config, provider, answer } = await open();
  const kept = await make(provider, copy, config);
  answer(silentFor("GET", "/manifests/"));
  const timeouts = { create: "1h", update: "1s" };
  const failed = await apply(provider, copy, { ...config, tags: ["v1"], timeouts }, kept);
  expect(failed.state).toEqual(kept.state);
  expect(summaries(failed.diagnostics)).toEqual(["ERROR - Operation Timed Out"]);
  expect(details(failed.diagnostics)).toContain('timeouts { update = "…" }');
});

test.each([
  [119, "is finished"],
  [121, "has timed out"],
])("without timeouts, a copy that takes %d minutes %s", async (minutes, end) => {
  const { config, provider, answer } = await open();
  let isFirst = true;
  answer(() => {
    if (isFirst) skipTime(minutes * 60_000);
    isFirst = false;
    return undefined;
  });
  const { diagnostics } = await apply(provider, copy, config);
  expect(summaries(diagnostics)).toEqual(
    end === "is finished" ? [] : ["ERROR - Operation Timed Out"],
  );
});

test("other timeouts are stored without the source, which may be gone", async () => {
  const { bench, image, config, provider } = await open();
  const kept = await make(provider, copy, config);
  await remove({ local: bench.local, repository: image }, image.digest);
  const changed = { ...config, timeouts: { create: "4h", update: null } };
  const next = await make(provider, copy, changed, kept);
  expect(next.state).toEqual({ ...kept.state, timeouts: changed.timeouts });
  expect((await plan(provider, copy, changed, next)).planned).toEqual(next.state);
});

test("a state without timeouts, as an earlier version wrote it, needs no change", async () => {
  const { config, provider } = await open();
  const kept = await make(provider, copy, config);
  const { timeouts, ...state } = kept.state;
  expect(timeouts).toBeNull();
  expect(await refresh(provider, copy, { ...kept, state })).toMatchObject({ state: kept.state });
});
