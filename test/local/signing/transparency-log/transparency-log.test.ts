import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { canonicalJson } from "../../../../src/core/json/exact-json";
import { readField, readTextField } from "../../../../src/local/service/request";
import { verifyDigest } from "../../../../src/local/signing/transparency-log/verify-digest";
import { reopen } from "../../../reopen";
import { openServices, postJson, temporaryFolder } from "../local-services";
import { certify, envelopeOf, hashedRekord } from "../signer";

const payload = Buffer.from("a payload");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

async function openLog() {
  const services = await openServices();
  const entries = `${services.addresses.transparencyLog}/api/v1/log/entries`;
  return { services, entries, signer: await certify(services) };
}

async function only(response: Response): Promise<{ uuid: string; entry: unknown }> {
  const body: unknown = await response.json();
  const [found] = Object.entries(typeof body === "object" && body !== null ? body : {});
  return { uuid: found?.[0] ?? "", entry: found?.[1] };
}

const bodyOf = (entry: unknown) => Buffer.from(readTextField(entry, "body"), "base64").toString();

it("logs an entry with a signed promise, and finds it by UUID, index and digest", async () => {
  const { services, entries, signer } = await openLog();
  const proposed = hashedRekord(signer, payload);
  const created = await postJson(entries, proposed);
  expect(created.status).toBe(201);
  const location = created.headers.get("location");
  const { uuid, entry } = await only(created);
  expect(location).toBe(`/api/v1/log/entries/${uuid}`);
  expect(bodyOf(entry)).toBe(canonicalJson(proposed));
  expect(uuid.slice(16)).toBe(sha256(Buffer.concat([Buffer.of(0), Buffer.from(bodyOf(entry))])));
  const key = createPublicKey(await readFile(services.files.transparencyLogPublicKey, "utf8"));
  const promised = ["body", "integratedTime", "logID", "logIndex"].map((name) => [
    name,
    readField(entry, name),
  ]);
  const promise = readTextField(entry, "verification", "signedEntryTimestamp");
  const text = Buffer.from(canonicalJson(Object.fromEntries(promised)));
  expect(verify("sha256", text, key, Buffer.from(promise, "base64"))).toBe(true);
  for (const path of [`/${uuid}`, `/${uuid.slice(16)}`, "?logIndex=0"]) {
    const again = await only(await fetch(`${entries}${path}`));
    expect([again.uuid, bodyOf(again.entry)]).toEqual([uuid, bodyOf(entry)]);
  }
  const search = `${services.addresses.transparencyLog}/api/v1/index/retrieve`;
  const found = await postJson(search, { hash: `sha256:${sha256(payload)}` });
  expect(await found.json()).toEqual([uuid]);
  const retrieved = await postJson(`${entries}/retrieve`, { logIndexes: [0], entries: [proposed] });
  expect(await retrieved.json()).toHaveLength(2);
  expect((await fetch(`${entries}?logIndex=1`)).status).toBe(404);
});

it("responds to an equal entry with 409 and the URL of the first", async () => {
  const { entries, signer } = await openLog();
  const proposed = hashedRekord(signer, payload);
  const first = await postJson(entries, proposed);
  const second = await postJson(entries, proposed);
  expect(second.status).toBe(409);
  expect(second.headers.get("location")).toBe(first.headers.get("location"));
});

it("stores attestations by their digests", async () => {
  const { entries, signer } = await openLog();
  const statement = Buffer.from('{"_type":"https://in-toto.io/Statement/v0.1"}');
  const envelope = envelopeOf(signer, statement);
  const publicKey = Buffer.from(signer.leaf).toString("base64");
  const [hash, payloadHash] = [sha256(envelope), sha256(statement)].map((value) => ({
    algorithm: "sha256",
    value,
  }));
  const intoto = {
    kind: "intoto",
    apiVersion: "0.0.1",
    spec: { content: { envelope }, publicKey },
  };
  const { entry } = await only(await postJson(entries, intoto));
  expect(JSON.parse(bodyOf(entry))).toEqual({
    ...intoto,
    spec: { content: { hash, payloadHash }, publicKey },
  });
  const spec = { proposedContent: { envelope, verifiers: [publicKey] } };
  const dsse = { kind: "dsse", apiVersion: "0.0.1", spec };
  const stored = await only(await postJson(entries, dsse));
  const signature = /"sig":"([^"]+)"/.exec(envelope)?.[1];
  expect(JSON.parse(bodyOf(stored.entry))).toEqual({
    ...dsse,
    spec: { envelopeHash: hash, payloadHash, signatures: [{ signature, verifier: publicKey }] },
  });
});

it("refuses entries whose signature does not verify, and unsupported kinds", async () => {
  const { entries, signer } = await openLog();
  const good = hashedRekord(signer, payload);
  const status = async (proposed: unknown) => (await postJson(entries, proposed)).status;
  const { data, signature } = good.spec;
  const otherHash = { hash: { algorithm: "sha256", value: sha256("other") } };
  expect(await status({ ...good, spec: { data: otherHash, signature } })).toBe(400);
  expect(await status({ ...good, spec: { data } })).toBe(400);
  expect(await status({ ...good, apiVersion: "0.0.2" })).toBe(400);
  expect(await status({ ...good, kind: "toString" })).toBe(400);
  const publicKey = Buffer.from(signer.leaf).toString("base64");
  const envelope = envelopeOf(signer, payload).replace('"payload":"', '"payload":"AAAA');
  const spec = { content: { envelope }, publicKey };
  expect(await status({ kind: "intoto", apiVersion: "0.0.1", spec })).toBe(400);
  expect(await status("x")).toBe(400);
});

it("has the same entries and tree after a restart", async () => {
  const folder = await temporaryFolder();
  const first = await openServices({ folder });
  const signer = await certify(first);
  const entries = `${first.addresses.transparencyLog}/api/v1/log/entries`;
  for (const text of ["a", "b", "c"]) {
    await postJson(entries, hashedRekord(signer, Buffer.from(text)));
  }
  const rootOf = async (url: string) => {
    const body: unknown = await (await fetch(`${url}/api/v1/log`)).json();
    return [readField(body, "treeSize"), readField(body, "rootHash"), readField(body, "treeID")];
  };
  const before = await rootOf(first.addresses.transparencyLog);
  const entry: unknown = await (await fetch(`${entries}?logIndex=1`)).json();
  await first.close();
  const second = await reopen(() => openServices({ folder }));
  expect(await rootOf(second.addresses.transparencyLog)).toEqual(before);
  const again: unknown = await (await fetch(`${entries}?logIndex=1`)).json();
  const stable = (value: unknown) => JSON.stringify(value).replace(/"checkpoint":"[^"]*"/, "");
  expect(stable(again)).toBe(stable(entry));
});

it("verifies digests as node:crypto verifies the data", () => {
  const pairs = [
    generateKeyPairSync("ec", { namedCurve: "P-256" }),
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...pairs), fc.uint8Array(), fc.nat(), (pair, data, place) => {
      const digest = createHash("sha256").update(data).digest();
      const signature = sign("sha256", data, pair.privateKey);
      expect(verifyDigest(digest, signature, pair.publicKey)).toBe(true);
      const wrong = Buffer.from(signature);
      const index = place % wrong.byteLength;
      wrong.writeUInt8(wrong.readUInt8(index) ^ (1 << (place % 8)), index);
      expect(verifyDigest(digest, wrong, pair.publicKey)).toBe(false);
    }),
    { numRuns: 50 },
  );
});
