import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { onPath, skippedWithout } from "../../../on-path";
import { cosignMakes, findCosign, type Evidence } from "../../../local/signing/outside-cosign";
import { temporaryFolder } from "../../../local/signing/local-services";
import { email } from "../provider/signing";
import { attest, predicateType, sign } from "../sign/operations";
import { openBench } from "../sign/signing-bench";
import { attachArtifact } from "../verify/other-attachments";
import { nameOf, treeOf } from "./trees";

const run = promisify(execFile);
const cosigns = findCosign();
const cosign = cosigns.find(({ major }) => major === 3);
const oras = onPath("oras");
skippedWithout(
  [...(cosign ? [] : ["cosign 3"]), ...(oras === undefined ? ["oras"] : [])],
  "the tree of an image is compared with no other",
);

const kinds: readonly Evidence[] = [
  { format: "legacy", what: "signature" },
  { format: "legacy", what: "attestation" },
  { format: "bundle", what: "signature" },
  { format: "bundle", what: "attestation" },
];

(cosign === undefined || oras === undefined ? test.skip : test)(
  "lists what cosign and oras list, made by cosign and by us",
  async () => {
    if (cosign === undefined || oras === undefined) return;
    const bench = await openBench();
    const image = await bench.pushImage("outside");
    const other = await attachArtifact(bench, image, "application/x-notes", {
      bytes: Buffer.from("notes"),
      mediaType: "text/plain",
    });
    const statement = { predicateType, json: "{}" };
    for (const evidence of kinds) {
      await cosignMakes(
        cosign,
        evidence,
        statement,
        bench.local,
        nameOf(image),
        "cosign@example.com",
      );
      const make = evidence.what === "signature" ? sign : attest;
      await make(bench, bench.person(email), image, {
        format: evidence.format,
        conflict: "APPEND",
      });
    }
    const { attached } = await treeOf(bench, image);
    const env = { PATH: process.env["PATH"], HOME: await temporaryFolder() };
    const drawn = await run(cosign.path, ["tree", "--allow-http-registry", nameOf(image)], { env });
    const discover = ["discover", "--plain-http", "--format", "json", nameOf(image)];
    const found = await run(oras, discover, { env });
    const { referrers } = JSON.parse(found.stdout) as { referrers: { digest: string }[] };
    const under = (isUnderTag: boolean) =>
      attached
        .filter(({ format }) => (format === "legacy") === isUnderTag)
        .map(({ digest }) => digest)
        .sort();
    expect(attached).toHaveLength(9);
    expect(attached.at(-1)).toMatchObject({ digest: other.digest, type: "application/x-notes" });
    expect(attached.slice(0, -1).map(({ check }) => check.result)).toEqual(
      Array(8).fill("verified"),
    );
    expect(under(false)).toEqual(referrers.map(({ digest }) => digest).sort());
    expect(byTag(drawn.stdout)).toEqual(under(true));
    for (const digest of under(false)) expect(drawn.stdout).toContain(digest);
  },
  300_000,
);

/** What cosign draws below tags. */
function byTag(drawn: string): readonly string[] {
  const places = drawn.split(/^└── /m).filter((place) => place.includes(" tag: "));
  const digests = places.flatMap((place) => [...place.matchAll(/🍒 (sha256:[\da-f]+)/gu)]);
  return digests.map(([, digest = ""]) => digest).sort();
}
