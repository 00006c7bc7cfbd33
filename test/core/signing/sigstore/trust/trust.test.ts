import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonFields } from "../../../../../src/core/json/parse-json";
import { toPem } from "../../../../../src/core/signing/sigstore/der/der-element";
import { loadTrust } from "../../../../../src/core/signing/sigstore/trust/load-trust";
import {
  type TrustMaterial,
  readTrustedRoot,
  type TrustError,
  isTrustError,
} from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import { image, rulesOf, signature, verifySignatureLayer } from "../verification/artefacts";
import { Authorities, signedAt } from "../verification/authorities";

const world = new Authorities();
const folder = mkdtempSync(join(tmpdir(), "trivet-trust-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const document = file("trusted_root.json", JSON.stringify(world.trustedRoot()));
const environment = {
  SIGSTORE_ROOT_FILE: file("ca.pem", world.chainPem),
  SIGSTORE_REKOR_PUBLIC_KEY: file("log.pub", world.logKey.publicKeyPem),
  SIGSTORE_CT_LOG_PUBLIC_KEY_FILE: file("ct.pub", world.certificateLogKey.publicKeyPem),
  SIGSTORE_TSA_CERTIFICATE_FILE: file(
    "tsa.pem",
    [world.stamp, world.stampRoot].map((der) => toPem("CERTIFICATE", der)).join(""),
  ),
};
const signal = new AbortController().signal;
const nobodyAsked = (): Promise<TrustMaterial> =>
  Promise.reject(new Error("the public instance was asked"));
const load = (props: Partial<Parameters<typeof loadTrust>[0]>) =>
  loadTrust({ environment: {}, signal, publicInstance: nobodyAsked, ...props });

async function failure(work: Promise<unknown>): Promise<TrustError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isTrustError(error)) return error;
  throw new Error(`not a TrustError: ${String(error)}`);
}

describe("trust material", () => {
  test.each([
    ["a document's path", { trustedRoot: document }],
    ["a document's content", { trustedRoot: JSON.stringify(world.trustedRoot()) }],
    [
      "a document with several lines",
      { trustedRoot: JSON.stringify(world.trustedRoot(), undefined, 2) },
    ],
    ["the PEM files of the environment", { environment }],
  ])("comes from %s", async (_, props) => {
    const trust = await load(props);
    const layer = signature(world, { stampedAt: signedAt });
    const time = "log-and-timestamp" as const;
    expect(verifySignatureLayer(layer, image, rulesOf(world, { trust, time }))).toMatchObject({
      at: signedAt,
    });
  });

  test("is anchored in the root of a file, in whatever order its certificates are", async () => {
    const [root, issuing] = [world.root, world.issuing].map((der) => toPem("CERTIFICATE", der));
    const SIGSTORE_ROOT_FILE = file("reversed.pem", `${root}${issuing}`);
    const [authority] = (await load({ environment: { SIGSTORE_ROOT_FILE } }))
      .certificateAuthorities;
    expect(authority?.anchors.map(({ der }) => der)).toEqual([world.root]);
    expect(authority?.intermediates.map(({ der }) => der)).toEqual([world.issuing]);
  });

  test("comes from the document before the environment, kind by kind", async () => {
    const other = new Authorities();
    const root = { ...other.trustedRoot(), ctlogs: [], timestampAuthorities: [] };
    const trust = await load({ trustedRoot: JSON.stringify(root), environment });
    expect(trust.transparencyLogs[0]?.id).toEqual(other.logKey.id);
    expect(trust.certificateAuthorities[0]?.anchors[0]?.der).toEqual(other.root);
    expect(trust.certificateLogs[0]?.id).toEqual(world.certificateLogKey.id);
    expect(trust.timestampAuthorities[0]?.intermediates[0]?.der).toEqual(world.stamp);
  });

  test("comes from the public instance by default, with its mirror", async () => {
    const asked: unknown[] = [];
    const trust = await load({
      environment: { TUF_MIRROR: "https://mirror.example.com", TUF_ROOT_JSON: "/root.json" },
      publicInstance: ({ TUF_MIRROR, TUF_ROOT_JSON }) => {
        asked.push([TUF_MIRROR, TUF_ROOT_JSON]);
        return Promise.resolve(world.trust());
      },
    });
    expect(asked).toEqual([["https://mirror.example.com", "/root.json"]]);
    expect(trust.transparencyLogs[0]?.id).toEqual(world.logKey.id);
  });

  test("combines timestamp authorities from the environment with the public instance", async () => {
    const { SIGSTORE_TSA_CERTIFICATE_FILE } = environment;
    const publicTrust = { ...world.trust(), timestampAuthorities: [] };
    const trust = await load({
      environment: { SIGSTORE_TSA_CERTIFICATE_FILE },
      publicInstance: () => Promise.resolve(publicTrust),
    });
    expect(trust.timestampAuthorities).toHaveLength(1);
  });

  test("is never completed by the public instance when services are private", async () => {
    const { SIGSTORE_ROOT_FILE } = environment;
    const trust = await load({ environment: { SIGSTORE_ROOT_FILE } });
    expect(trust).toMatchObject({ transparencyLogs: [], certificateLogs: [] });
    expect(verifySignatureLayer(signature(world), image, rulesOf(world, { trust }))).toMatchObject({
      code: "NO_TRUST",
    });
  });
});

describe("what is refused", () => {
  test("a file that is missing, or is not text", async () => {
    const missing = join(folder, "missing");
    const error = await failure(load({ trustedRoot: missing }));
    expect(error.code).toBe("FILE");
    expect(error.message).toBe(
      `the file ${JSON.stringify(missing)} cannot be used: it does not exist`,
    );
    expect((await failure(load({ trustedRoot: folder }))).code).toBe("FILE");
  });

  test("a file of more than 4 MiB", async () => {
    const large = join(folder, "large");
    writeFileSync(large, Buffer.alloc(4 * 1024 * 1024 + 1, " "));
    const error = await failure(load({ trustedRoot: large }));
    expect(error).toMatchObject({
      code: "FILE",
      message: expect.stringContaining("more than 4194304 bytes") as unknown,
    });
  });

  test.each([
    ["not JSON", "{", "not JSON"],
    [
      "another document",
      '{"mediaType":"text/plain"}',
      "mediaType must be the media type of a trusted root",
    ],
    ["no certificates", '{"certChain":{}}', "certChain must be a chain of certificates"],
    ["a broken certificate", '{"certChain":{"certificates":[{"rawBytes":"AAAA"}]}}', "DER"],
  ])("a document with %s", async (_, text, message) => {
    const mediaType = "application/vnd.dev.sigstore.trustedroot+json;version=0.1";
    const authority = text.includes("certChain");
    const trustedRoot = authority
      ? `{"mediaType":"${mediaType}","certificateAuthorities":[${text}]}`
      : text;
    const error = await failure(load({ trustedRoot }));
    expect(error.code).toBe("DOCUMENT");
    expect(error.message).toContain(message);
  });

  test.each(Object.keys(environment))("a file without PEM in %s", async (variable) => {
    const error = await failure(load({ environment: { [variable]: file("empty", "nothing") } }));
    expect(error.code).toBe("DOCUMENT");
    expect(error.message).toMatch(new RegExp(`^the file in ${variable}: contains no `));
  });
});

describe("a trusted root", () => {
  test("is not blamed for a bug", () => {
    const reading = jest.spyOn(JsonFields, "of").mockImplementation(() => {
      throw new TypeError("a bug");
    });
    try {
      expect(() => readTrustedRoot("{}")).toThrow(new TypeError("a bug"));
    } finally {
      reading.mockRestore();
    }
  });

  test("may list several authorities and logs, each with its time", () => {
    const root = world.trustedRoot();
    const [log] = root.tlogs;
    if (!log) throw new Error("no log");
    const validFor = { start: "2020-01-01T00:00:00Z", end: "2025-01-01T00:00:00.5+01:00" };
    const trust = readTrustedRoot(
      JSON.stringify({
        ...root,
        tlogs: [{ ...log, publicKey: { ...log.publicKey, validFor } }, log],
        certificateAuthorities: [
          ...new Authorities().trustedRoot().certificateAuthorities,
          ...root.certificateAuthorities,
        ],
      }),
    );
    expect(trust.transparencyLogs[0]?.validity).toEqual({
      from: new Date("2020-01-01T00:00:00Z"),
      to: new Date("2024-12-31T23:00:00.5Z"),
    });
    expect(verifySignatureLayer(signature(world), image, rulesOf(world, { trust }))).toMatchObject({
      at: signedAt,
    });
  });
});
