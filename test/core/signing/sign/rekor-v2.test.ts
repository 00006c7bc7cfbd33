import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { withFaults } from "../../../local/service/with-faults";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import type { BundleServices } from "../../../../src/core/signing/provider/services";
import { readBundle } from "../../../../src/core/signing/sigstore/format/bundle";
import { signImage } from "../../../../src/core/signing/sign/sign-image";
import { closeAfterTest } from "../../http/close-after-test";
import { VirtualClock } from "../../http/virtual-clock";
import { attachedTo } from "./attached";
import { attest, sign } from "./operations";
import { openBench, type SigningBench } from "./signing-bench";

const ada = "ada@example.com";
const bundle = { format: "bundle" } as const;

/** The bench's own services, with version 2 of the log. */
function servicesOf(bench: SigningBench, changes: Partial<BundleServices> = {}) {
  const services: BundleServices = {
    logs: [{ url: bench.urls.rekorUrl, version: 2 }],
    timestampUrls: [bench.local.addresses.timestampAuthority],
    ...changes,
  };
  return { bundleServices: services };
}

/** How many entries the log of version 2 has. */
async function entriesIn(bench: SigningBench): Promise<number> {
  const response = await fetch(`${bench.urls.rekorUrl}/api/v2/checkpoint`);
  const [, size] = (await response.text()).split("\n");
  return Number(size);
}

async function kindsOf(bench: SigningBench, image: DigestReference) {
  const found = await attachedTo(bench, image).bundleBytes();
  return found.map(({ bytes }) => readBundle(bytes).logEntries.map(({ kind }) => kind));
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Passes requests on to the log, and changes what it answers. */
async function lyingLog(bench: SigningBench, lie: (entry: Record<string, unknown>) => object) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void fetch(`${bench.urls.rekorUrl}${request.url ?? ""}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: Buffer.concat(chunks),
      }).then(async (answer) => {
        const entry = (await answer.json()) as Record<string, unknown>;
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(JSON.stringify(lie(entry)));
      });
    });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

describe("signing in Rekor v2", () => {
  it("makes bundles that verify, and leaves what is there", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const person = bench.person(ada, servicesOf(bench));
    await sign(bench, person, image, bundle);
    await attest(bench, person, image, bundle);
    const attached = attachedTo(bench, image);
    expect(await attached.bundles("signature")).toContain(ada);
    expect(await attached.bundles("attestation")).toContain(ada);
    expect(await kindsOf(bench, image)).toEqual([["hashedrekord/0.0.2"], ["hashedrekord/0.0.2"]]);
    await sign(bench, person, image, bundle);
    await attest(bench, person, image, bundle);
    expect([await entriesIn(bench), await bench.logSize()]).toEqual([2, 0]);
  });

  it("logs in every configured log, with every timestamp", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const { rekorUrl: url } = bench.urls;
    const { timestampAuthority } = bench.local.addresses;
    const services = servicesOf(bench, {
      logs: [
        { url, version: 2 },
        { url, version: 1 },
      ],
      timestampUrls: [timestampAuthority, timestampAuthority],
    });
    await sign(bench, bench.person(ada, services), image, bundle);
    expect(await kindsOf(bench, image)).toEqual([["hashedrekord/0.0.2", "dsse/0.0.1"]]);
    expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada]);
    const [found] = await attachedTo(bench, image).bundleBytes();
    expect(found && readBundle(found.bytes).timestamps).toHaveLength(2);
  });

  it("signs again if the log's answer was lost, because the log cannot be asked for it", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const log = await withFaults(bench.urls.rekorUrl, ({ index }) =>
      index === 0 ? { kind: "truncate", bytes: 20 } : undefined,
    );
    closeAfterTest(() => log.close());
    const services = servicesOf(bench, { logs: [{ url: log.url, version: 2 }] });
    await sign(bench, bench.person(ada, services), image, bundle);
    expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada]);
    expect(await entriesIn(bench)).toBe(2);
  });

  it("ends at the deadline if the log never answers, and names it", async () => {
    const clock = new VirtualClock();
    // The bench's own calls have deadlines in the system's time.
    clock.advance(Date.now() - clock.now());
    const bench = await openBench({}, clock);
    const image = await bench.pushImage("one");
    const silent = createServer(() => {
      clock.advance(10_000);
    }).listen(0, "127.0.0.1");
    servers.push(silent);
    await once(silent, "listening");
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const url = `http://127.0.0.1:${address.port}`;
    const { services } = bench.person(ada, servicesOf(bench, { logs: [{ url, version: 2 }] }));
    const request = { image, conflict: "SKIPSAME", ...bundle, ...bench.urls } as const;
    const call = { signal: new AbortController().signal, deadline: clock.now() + 10_000 };
    await expect(signImage(request, services, call)).rejects.toMatchObject({
      code: "DEADLINE",
      message: expect.stringMatching(/transparency log \(Rekor v2\).*127\.0\.0\.1/) as string,
    });
    expect(await attachedTo(bench, image).bundleBytes()).toEqual([]);
  });

  it("stops at a log that refuses, and reports its words", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const log = await withFaults(bench.urls.rekorUrl, () => ({
      kind: "answer",
      status: 405,
      body: "This log has been frozen, please switch to the latest log.",
    }));
    closeAfterTest(() => log.close());
    const services = servicesOf(bench, { logs: [{ url: log.url, version: 2 }] });
    await expect(sign(bench, bench.person(ada, services), image, bundle)).rejects.toMatchObject({
      code: "TRANSPARENCY_LOG",
      message: expect.stringContaining("frozen, please switch") as string,
    });
  });
});

describe("signing in Rekor v2 writes nothing", () => {
  type Entry = Record<string, unknown> & { readonly inclusionProof: Record<string, unknown> };
  const withProof = (entry: Entry, changed: object) => ({
    ...entry,
    inclusionProof: { ...entry.inclusionProof, ...changed },
  });
  const other = Buffer.from("other").toString("base64");
  it.each<[string, (entry: Entry) => object]>([
    ["another index", (entry) => ({ ...entry, logIndex: "7" })],
    ["another log", (entry) => ({ ...entry, logId: { keyId: other } })],
    ["a time", (entry) => ({ ...entry, integratedTime: "1" })],
    ["a promise", (entry) => ({ ...entry, inclusionPromise: { signedEntryTimestamp: other } })],
    ["no proof", (entry) => ({ ...entry, inclusionProof: null })],
    ["another root", (entry) => withProof(entry, { rootHash: other })],
    ["another size", (entry) => withProof(entry, { treeSize: "9" })],
    ["no checkpoint", (entry) => withProof(entry, { checkpoint: { envelope: "" } })],
    ["more hashes", (entry) => withProof(entry, { hashes: [Buffer.alloc(32).toString("base64")] })],
    ["another entry", (entry) => ({ ...entry, canonicalizedBody: other })],
    ["nothing", () => ({})],
    ["members that nobody knows", (entry) => ({ ...entry, more: 1 })],
  ])("when the log answers with %s", async (_, lie) => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const url = await lyingLog(bench, (entry) => lie(entry as Entry));
    const services = servicesOf(bench, { logs: [{ url, version: 2 }] });
    await expect(sign(bench, bench.person(ada, services), image, bundle)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:UNVERIFIED|TRANSPARENCY_LOG)$/) as string,
    });
    expect(await attachedTo(bench, image).bundleBytes()).toEqual([]);
  });

  it("in a log that is not trusted, although another one is", async () => {
    const [bench, stranger] = [await openBench(), await openBench()];
    const image = await bench.pushImage("one");
    const logs = [bench, stranger].map(({ urls }) => ({ url: urls.rekorUrl, version: 2 as const }));
    const services = servicesOf(bench, { logs });
    const signing = sign(bench, bench.person(ada, services), image, bundle);
    await expect(signing).rejects.toMatchObject({ code: "UNVERIFIED" });
    expect(await attachedTo(bench, image).bundleBytes()).toEqual([]);
  });

  it("and logs nothing, without a timestamp of a trusted authority", async () => {
    const [bench, stranger] = [await openBench(), await openBench()];
    const image = await bench.pushImage("one");
    for (const timestampUrls of [[], [stranger.local.addresses.timestampAuthority]]) {
      const person = bench.person(ada, servicesOf(bench, { timestampUrls }));
      await expect(sign(bench, person, image, bundle)).rejects.toMatchObject({
        code: "UNVERIFIED",
      });
    }
    expect(await entriesIn(bench)).toBe(0);
  });

  it("and logs nothing, with a certificate of an authority that is not trusted", async () => {
    const [bench, stranger] = [await openBench(), await openBench()];
    const image = await bench.pushImage("one");
    const { signer } = stranger.person(ada).services;
    const person = bench.person(ada, { ...servicesOf(bench), signer });
    const changes = { ...bundle, fulcioUrl: stranger.urls.fulcioUrl };
    await expect(sign(bench, person, image, changes)).rejects.toMatchObject({ code: "UNVERIFIED" });
    expect(await entriesIn(bench)).toBe(0);
  });
});
