import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BuiltPackage } from "../../../src/cli/package/built-package";
import { verifyRelease } from "../../../src/cli/package/verify-release";
import { packageHash, sha256 } from "../../../src/cli/provider-package/package-content";
import { openFileAttester } from "../../../src/core/signing/file-attestation/attest-files";
import { writeBuiltPackage } from "../package-fixture";
import { temporaryFolder } from "../temporary-folder";

const provenanceType = "https://slsa.dev/provenance/v1";

/** A release of one provider, and an attestation of its checksums with a predicate of some type. */
async function release(predicateType = provenanceType) {
  const root = temporaryFolder();
  const built = writeBuiltPackage(root, { version: "0.1.0" });
  const folder = dirname(built.folder);
  const manifest = JSON.stringify({ providers: { ids: await packageHash(built.folder) } });
  writeFileSync(join(folder, "release.json"), manifest);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const attester = await openFileAttester("env://KEY", { KEY: pem });
  const subject = { name: "release.json", digest: `sha256:${sha256(manifest)}` } as const;
  const evidence = {
    key: join(root, "release.pub"),
    attestation: join(root, "attestation.json"),
  };
  writeFileSync(evidence.key, attester.publicKeyPem);
  const attestation = await attester.attest([subject], { predicateType, predicate: {} });
  writeFileSync(evidence.attestation, attestation);
  const verify = (packages: readonly BuiltPackage[] = [built]) =>
    verifyRelease(folder, packages, evidence);
  return { built, folder, evidence, verify };
}

test("a release that is attested with the key is accepted", async () => {
  const { verify } = await release();
  expect(await verify()).toMatchObject({ by: "signature" });
});

test.each(["https://cyclonedx.org/bom", "https://slsa.dev/provenance/v0.2", `${provenanceType}/`])(
  "an attestation of the type %s by the same key is no provenance",
  async (type) => {
    const { verify } = await release(type);
    await expect(verify()).rejects.toMatchObject({
      name: "CommandError",
      message: expect.stringContaining(`its predicate type is ${JSON.stringify(type)}`) as string,
      advice: expect.stringContaining(".provenance.sigstore.json") as string,
    });
  },
);

test.each<[string, (folder: string, root: string) => void, string]>([
  ["link to a file", (folder, root) => symlinkSync(join(root, "outside"), join(folder, "x")), "x"],
  ["link to nothing", (folder) => symlinkSync("nothing", join(folder, "x")), "x"],
  ["link to a folder", (folder, root) => symlinkSync(root, join(folder, "x")), "x"],
  [
    "link in a folder",
    (folder) => {
      mkdirSync(join(folder, "sub"));
      symlinkSync("../provider.cjs", join(folder, "sub", "x"));
    },
    join("sub", "x"),
  ],
  [
    "link in place of a file with the same content",
    (folder, root) => {
      writeFileSync(join(root, "outside"), readFileSync(join(folder, "provider.cjs")));
      rmSync(join(folder, "provider.cjs"));
      symlinkSync(join(root, "outside"), join(folder, "provider.cjs"));
    },
    "provider.cjs",
  ],
])("a package with a %s is refused", async (_, change, path) => {
  const { built, verify } = await release();
  change(built.folder, temporaryFolder());
  await expect(verify()).rejects.toMatchObject({
    name: "CommandError",
    message: expect.stringContaining(`${join(built.folder, path)} is a symbolic link`) as string,
  });
});

test("a package that is itself a link is refused", async () => {
  const { built, verify } = await release();
  const other = writeBuiltPackage(temporaryFolder(), { version: "0.1.0" });
  rmSync(built.folder, { recursive: true });
  symlinkSync(other.folder, built.folder);
  await expect(verify()).rejects.toThrow(`${built.folder} is a symbolic link`);
});
