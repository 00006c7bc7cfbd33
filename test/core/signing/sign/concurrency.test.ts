import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { systemClock } from "../../../../src/core/http/call-context";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { attachedTo } from "./attached";
import { attest, sign } from "./operations";
import { openBench, type SigningBench } from "./signing-bench";

const people = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => `${name}@example.com`);

const folder = mkdtempSync(join(tmpdir(), "trivet-one-signer-"));
const oneSigner = join(folder, "one-signer.cjs");

beforeAll(() => {
  buildSync({
    entryPoints: [join(__dirname, "one-signer.ts")],
    outfile: oneSigner,
    bundle: true,
    platform: "node",
    external: ["@sigstore/tuf"],
  });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function everybodyThere(bench: SigningBench, image: DigestReference) {
  const attached = attachedTo(bench, image);
  const bundles = await attached.bundleBytes();
  return {
    signatures: [...(await attached.signatures())].sort(),
    attestations: [...(await attached.attestations())].sort(),
    bundles: bundles.length,
    signed: (await attached.bundles("signature")).filter((each) => people.includes(each)),
    attested: (await attached.bundles("attestation")).filter((each) => people.includes(each)),
  };
}

const everybody = {
  signatures: people,
  attestations: people,
  bundles: 2 * people.length,
  signed: people,
  attested: people,
};

describe.each([true, false])("with the referrers API: %s", (referrersApi) => {
  it("loses nothing when eight callers in one process sign and attest one image", async () => {
    const bench = await openBench({ referrersApi }, systemClock);
    const image = await bench.pushImage("one");
    const options = { conflict: "APPEND", format: "both" } as const;
    await Promise.all(
      people.flatMap((email) => [
        sign(bench, bench.person(email), image, options),
        attest(bench, bench.person(email), image, options),
      ]),
    );
    expect(await everybodyThere(bench, image)).toEqual(everybody);
    expect(await bench.logSize()).toBe(4 * people.length);
  });

  it("loses nothing when eight processes do so", async () => {
    const bench = await openBench({ referrersApi }, systemClock);
    const image = await bench.pushImage("one");
    const { fulcioUrl, rekorUrl } = bench.urls;
    const { trustedRoot } = bench.local.files;
    await Promise.all(
      people.map((email) => {
        const token = bench.local.issueToken({ email });
        const name = `${formatRepository(bench.repository)}@${image.digest}`;
        const args = [oneSigner, name, fulcioUrl, rekorUrl, trustedRoot, token];
        return promisify(execFile)(process.execPath, args);
      }),
    );
    expect(await everybodyThere(bench, image)).toEqual(everybody);
    expect(await bench.logSize()).toBe(4 * people.length);
  });
});
