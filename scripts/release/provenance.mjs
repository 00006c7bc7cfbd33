// @ts-check
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * How a release was made, as a predicate of SLSA. It contains no times: the same commit has the same.
 *
 * @see https://slsa.dev/spec/v1.0/provenance
 * @param {{ root: string, version: string, commit: string | undefined }} release
 *   without a commit, what is in the working tree, which nothing identifies
 */
export async function provenance({ root, version, commit }) {
  const lock = await readFile(join(root, "package-lock.json"));
  const sha256 = createHash("sha256").update(lock).digest("hex");
  const source = commit === undefined ? [] : [{ name: "source", digest: { gitCommit: commit } }];
  const locked = { name: "package-lock.json", digest: { sha256 } };
  return {
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:trivet:npm-run-release:v1",
        externalParameters: { version },
        internalParameters: { node: process.versions.node },
        resolvedDependencies: [...source, locked],
      },
      runDetails: { builder: { id: "urn:trivet:release-script" } },
    },
  };
}
