import type { Values } from "../../provider-kit/plan/planning";
import { details, summaries } from "../../provider-kit/server/protocol";
import type { Declaration } from "../../../../src/core/schema";
import { attest } from "../../../../src/core/signing/attest/declare";
import { copy } from "../../../../src/core/signing/copy/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import type { Descriptor } from "../../../../src/core/signing/oci/reference/descriptor";
import {
  formatRepository,
  type Repository,
} from "../../../../src/core/signing/oci/reference/image-name";
import {
  namedRegistries,
  openNamedRegistry,
  type NamedRegistry,
} from "../oci/registry/outside-registries";
import { openClient, pushImage, pushIndex } from "../oci/registry/registries";
import { attachedTo } from "../sign/attached";
import { predicateType } from "../sign/operations";
import { openBench } from "../sign/signing-bench";
import {
  apply,
  connect,
  email,
  keyless,
  make,
  plan,
  policyText,
  refresh,
  verifyImage,
} from "./signing";

// These are the rows of the table in `docs/design/signing-interoperability.md`.
const formats = ["legacy", "bundle", "both"] as const;
type Format = (typeof formats)[number];

const storedAs = (format: Format): readonly ("legacy" | "bundle")[] =>
  format === "both" ? ["legacy", "bundle"] : [format];

const predicates = [{ type: predicateType, json: '{"passed":true}' }];

async function open(name: NamedRegistry, format: Format, deletes = true) {
  const bench = await openBench();
  const host = await openNamedRegistry(name, deletes);
  const repository = { registry: host, path: "lab/app" };
  const { digest } = await pushImage(openClient(), repository, "outside");
  const provider = await connect(bench.local, {
    defaultSignatureFormat: format,
    timestampUrl: bench.local.addresses.timestampAuthority,
  });
  const image = `${formatRepository(repository)}@${digest}`;
  const found = (at: Repository = repository) =>
    attachedTo({ ...bench, repository: at }, { ...at, digest });
  return {
    bench,
    repository,
    digest,
    provider,
    image,
    found,
    /** What a policy says of signatures, or of attestations, in each format of this row. */
    verifies: async (what: "signature" | "attestation", reference = image, subject = email) => {
      const attestations = [{ name: "passed", predicateType }];
      const said: string[] = [];
      for (const signatureFormat of storedAs(format)) {
        const more = { signatureFormat, ...(what === "attestation" ? { attestations } : {}) };
        const authorities = [keyless(bench.local, more, subject)];
        const policy = policyText(bench.local, { authorities });
        said.push(...(await verifyImage(provider, reference, policy)).summaries);
      }
      return said;
    },
    /** Applies, refreshes and plans again: nothing is to be done. */
    settles: async (declaration: Declaration, config: Values) => {
      const kept = await make(provider, declaration, config);
      const refreshed = await refresh(provider, declaration, kept);
      expect(refreshed).toMatchObject({ state: kept.state, diagnostics: [] });
      expect((await plan(provider, declaration, config, kept)).planned).toEqual(kept.state);
      return kept;
    },
    /** The status with which the registry answers when somebody removes a manifest. */
    removal: async (manifest: string): Promise<number> => {
      const url = `http://${host}/v2/${repository.path}/manifests/${manifest}`;
      return (await fetch(url, { method: "DELETE" })).status;
    },
  };
}

/** The others list referrers under a tag, where an entry is replaced without a delete. */
const hasReferrersApi = (name: NamedRegistry): boolean =>
  name === "zot" || name === "trivet local signing";

const refused = (format: Format): readonly string[] =>
  storedAs(format).map(() => "ERROR image Image Refused By Policy");

describe.each(namedRegistries)("%s", (name) => {
  describe.each(formats)("in the format %s", (format) => {
    test("sign", async () => {
      const { image, settles, verifies } = await open(name, format);
      expect(await verifies("signature")).toEqual(refused(format));
      await settles(sign, { image });
      expect(await verifies("signature")).toEqual([]);
    });

    test("sign an index, for each digest in it", async () => {
      const { bench, repository, settles, verifies } = await open(name, format);
      const client = openClient();
      const images = [];
      for (const text of ["one", "two"]) images.push(await pushImage(client, repository, text));
      const index = await pushIndex(client, repository, images);
      const nameOf = ({ digest }: Descriptor) => `${formatRepository(repository)}@${digest}`;
      await settles(sign, { image: nameOf(index) });
      const logged = await bench.logSize();
      await settles(sign, { image: nameOf(index) });
      expect(await bench.logSize()).toBe(logged);
      await settles(copy, {
        source: nameOf(index),
        destination: `${repository.registry}/lab/copy`,
      });
      for (const each of [...images, index]) {
        const copied = nameOf(each).replace("/lab/app@", "/lab/copy@");
        expect(await verifies("signature", nameOf(each))).toEqual([]);
        expect(await verifies("signature", copied)).toEqual([]);
      }
    });

    test("attest", async () => {
      const { image, settles, verifies } = await open(name, format);
      expect(await verifies("attestation")).toEqual(refused(format));
      await settles(attest, { image, predicates });
      expect(await verifies("attestation")).toEqual([]);
    });

    test("copy there and back again", async () => {
      const { bench, image, repository, digest, provider, settles, verifies } = await open(
        name,
        format,
      );
      const near = { registry: bench.local.registryHost, path: "near/app" };
      const there = `${formatRepository(near)}@${digest}`;
      await make(provider, sign, { image });
      await make(provider, attest, { image, predicates });
      await settles(copy, { source: image, destination: formatRepository(near) });
      const back = { ...repository, path: "back/app" };
      await settles(copy, { source: there, destination: formatRepository(back) });
      for (const each of [there, `${formatRepository(back)}@${digest}`]) {
        expect(await verifies("signature", each)).toEqual([]);
        expect(await verifies("attestation", each)).toEqual([]);
      }
    });

    test("verify refuses another identity", async () => {
      const { image, provider, verifies } = await open(name, format);
      await make(provider, sign, { image });
      await make(provider, attest, { image, predicates });
      for (const what of ["signature", "attestation"] as const) {
        expect(await verifies(what)).toEqual([]);
        expect(await verifies(what, image, "other@example.com")).toEqual(refused(format));
      }
    });

    test.each([
      ["signature", sign, ".sig", {}],
      ["attestation", attest, ".att", { predicates }],
    ] as const)("drift: a removed %s is noticed", async (what, declaration, suffix, more) => {
      const { image, found, removal, provider, verifies } = await open(name, format);
      const config = { image, ...more };
      const kept = await make(provider, declaration, config);
      const tagged = await found().tagged(suffix);
      const bundles = await found().bundleBytes();
      for (const { digest } of [...(tagged ? [tagged] : []), ...bundles]) {
        expect(await removal(digest)).toBe(202);
      }
      const refreshed = await refresh(provider, declaration, kept);
      expect(refreshed.state).toBeNull();
      expect(details(refreshed.diagnostics)).toContain("The next apply creates them again");
      expect(await verifies(what)).toEqual(refused(format));
      await make(provider, declaration, config);
      expect(await verifies(what)).toEqual([]);
    });

    test("REPLACE where nothing may be deleted", async () => {
      const { image, found, provider, removal, verifies } = await open(name, format, false);
      const keeps = format !== "legacy" && hasReferrersApi(name);
      for (let run = 0; run < 3; run++) {
        const outcome = await apply(provider, sign, { image, conflict: "REPLACE" });
        expect(outcome.state).not.toBeNull();
        const warns = keeps && run > 0;
        expect(summaries(outcome.diagnostics)).toEqual(
          warns ? ["WARNING - Earlier Bundles Were Kept"] : [],
        );
      }
      const written = [await found().tagged(".sig"), ...(await found().bundleBytes())];
      for (const each of written.filter((one) => one !== undefined)) {
        expect([401, 403, 405]).toContain(await removal(each.digest));
      }
      expect(await found().signatures()).toEqual(format === "bundle" ? [] : [email]);
      expect(await found().bundles("signature")).toEqual(format === "legacy" ? [] : [email]);
      expect(await verifies("signature")).toEqual([]);
    });
  });
});
