import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { createHttpClient } from "../../../../src/core/http/client";
import { canonicalJson } from "../../../../src/core/json/exact-json";
import { parseJson } from "../../../../src/core/json/parse-json";
import { createRegistryClient } from "../../../../src/core/signing/oci/registry/client";
import { VirtualClock } from "../../http/virtual-clock";
import { attachedTo } from "./attached";
import { attest, sign } from "./operations";
import { inTime, openBench } from "./signing-bench";
import { signImage } from "../../../../src/core/signing/sign/sign-image";

const ada = "ada@example.com";
// A signature by its form, and of nothing that the log knows.
const promise = Buffer.from("3006020101020101", "hex").toString("base64");
const patienceMs = 700;
const formats = ["legacy", "bundle"] as const;

const canonical = (body: string) => canonicalJson(parseJson(body));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Accepts requests and never responds. When one has arrived, the caller's deadline passes. */
async function silentService(clock: VirtualClock): Promise<string> {
  const server = createServer(() => {
    clock.advance(patienceMs);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Passes requests on to a service, and changes what it answers. */
async function lyingService(target: string, lie: (body: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void fetch(`${target}${request.url ?? ""}`, {
        method: request.method ?? "GET",
        headers: { "content-type": request.headers["content-type"] ?? "" },
        ...(request.method === "GET" ? {} : { body: Buffer.concat(chunks) }),
      }).then(async (answer) => {
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(lie(await answer.text()));
      });
    });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

describe.each(formats)("in the format %s", (format) => {
  it("writes nothing with the promise of an untrusted log", async () => {
    const bench = await openBench();
    const other = await openBench();
    const image = await bench.pushImage("one");
    const changes = { format, rekorUrl: other.urls.rekorUrl };
    for (const operation of [sign, attest]) {
      const running = operation(bench, bench.person(ada), image, changes);
      await expect(running).rejects.toMatchObject({
        code: "UNVERIFIED",
        message: expect.stringContaining("not trusted") as string,
      });
    }
    const attached = attachedTo(bench, image);
    expect(await attached.tagged(".sig")).toBeUndefined();
    expect(await attached.tagged(".att")).toBeUndefined();
    expect(await attached.bundleBytes()).toEqual([]);
  });

  it("writes nothing with a certificate of an untrusted authority", async () => {
    const bench = await openBench();
    const other = await openBench();
    const image = await bench.pushImage("one");
    const person = bench.person(ada, { signer: other.person(ada).services.signer });
    const changes = { format, fulcioUrl: other.urls.fulcioUrl };
    await expect(sign(bench, person, image, changes)).rejects.toMatchObject({ code: "UNVERIFIED" });
    expect(await attachedTo(bench, image).tagged(".sig")).toBeUndefined();
  });

  it("writes what a trusted log behind a proxy has promised", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const rekorUrl = await lyingService(bench.urls.rekorUrl, (body) => body);
    await sign(bench, bench.person(ada), image, { format, rekorUrl });
    const attached = attachedTo(bench, image);
    const found = format === "legacy" ? attached.signatures() : attached.bundles("signature");
    expect(await found).toEqual([ada]);
  });

  it.each([
    ["another time", /"integratedTime":(\d+)/, '"integratedTime":1$1'],
    ["another index", /"logIndex":(\d+),"verification/, '"logIndex":7$1,"verification'],
    ["another promise", /"signedEntryTimestamp":"[^"]+"/, `"signedEntryTimestamp":"${promise}"`],
    ["a proof of another tree", /"rootHash":"[^"]+"/, `"rootHash":"${"00".repeat(32)}"`],
  ])("writes nothing when the log responds with %s", async (_name, pattern, lie) => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const lies: boolean[] = [];
    const rekorUrl = await lyingService(bench.urls.rekorUrl, (body) => {
      // Compact and in a known order, with nothing inside of its texts touched.
      const text = canonical(body);
      lies.push(text !== text.replace(pattern, lie));
      return text.replace(pattern, lie);
    });
    const signing = sign(bench, bench.person(ada), image, { format, rekorUrl });
    await expect(signing).rejects.toMatchObject({
      code: "UNVERIFIED",
      message: expect.stringMatching(/the log's|the certificate was valid/) as string,
    });
    expect(lies).toEqual([true]);
    expect(await attachedTo(bench, image).tagged(".sig")).toBeUndefined();
    expect(await attachedTo(bench, image).bundleBytes()).toEqual([]);
  });
});

it("writes nothing with a timestamp of an untrusted authority", async () => {
  const bench = await openBench();
  const other = await openBench();
  const image = await bench.pushImage("one");
  const timestampUrl = other.local.addresses.timestampAuthority;
  const signing = sign(bench, bench.person(ada, { timestampUrl }), image);
  await expect(signing).rejects.toMatchObject({ code: "UNVERIFIED" });
  expect(await attachedTo(bench, image).tagged(".sig")).toBeUndefined();
});

describe("ends at the deadline, and names the service that never responded:", () => {
  let clock: VirtualClock;
  beforeEach(() => {
    clock = new VirtualClock();
    // The bench's own calls have deadlines in the system's time.
    clock.advance(Date.now() - clock.now());
  });
  const soon = () => ({ ...inTime(), deadline: clock.now() + patienceMs });

  it.each([
    ["the certificate authority", "fulcioUrl"],
    ["the transparency log", "rekorUrl"],
    ["the timestamp authority", "timestampUrl"],
  ] as const)("%s", async (name, setting) => {
    const bench = await openBench({}, clock);
    const image = await bench.pushImage("one");
    const url = await silentService(clock);
    const person = bench.person(ada, setting === "timestampUrl" ? { timestampUrl: url } : {});
    const request = { image, conflict: "SKIPSAME", format: "legacy", ...bench.urls } as const;
    const signing = signImage({ ...request, [setting]: url }, person.services, soon());
    await expect(signing).rejects.toMatchObject({
      code: "DEADLINE",
      message: expect.stringMatching(new RegExp(`${name}.*${new URL(url).host}`, "i")) as string,
    });
    expect(await attachedTo(bench, image).tagged(".sig")).toBeUndefined();
  });

  it("the registry", async () => {
    const bench = await openBench();
    const http = createHttpClient({ clock });
    const { host } = new URL(await silentService(clock));
    const image = { registry: host, path: "lab/app", digest: `sha256:${"0".repeat(64)}` } as const;
    const services = {
      ...bench.person(ada).services,
      registry: createRegistryClient({ http, clock }),
    };
    const request = { image, conflict: "SKIPSAME", format: "legacy", ...bench.urls } as const;
    await expect(signImage(request, services, soon())).rejects.toMatchObject({
      code: "DEADLINE",
      message: expect.stringContaining(host) as string,
    });
    await http.close();
  });
});
