import { attest } from "../../../../src/core/signing/attest/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import {
  cosignMakes,
  cosignVerifies,
  findCosign,
  type Cosign,
  type Evidence,
} from "../../../local/signing/outside-cosign";
import { connect, email, keyless, make, policyText, verifyImage } from "../provider/signing";
import { skippedWithout } from "../../../on-path";
import { predicateType, pushBuiltIndex } from "../sign/operations";
import { openBench, type SigningBench } from "../sign/signing-bench";

/** Who makes or verifies: we, or a version of cosign that is on `PATH`. */
type Tool = "signing" | Cosign;

const cosigns = findCosign();
const tools: readonly Tool[] = ["signing", ...cosigns];
const nameOf = (tool: Tool): string => (tool === "signing" ? tool : `cosign ${tool.version}`);

const missing = ([2, 3] as const).filter((major) => !cosigns.some((each) => each.major === major));
skippedWithout(
  missing.map((major) => `cosign ${major}`),
  "nothing is made or verified",
);

const json = '{"passed":true}';
const statement = { predicateType, json };
const other = "other@example.com";

async function makes(
  tool: Tool,
  evidence: Evidence,
  bench: SigningBench,
  image: string,
  recursive = false,
) {
  const { local } = bench;
  const more = recursive ? ["--recursive"] : [];
  if (tool !== "signing") return cosignMakes(tool, evidence, statement, local, image, email, more);
  const timestampUrl = local.addresses.timestampAuthority;
  const provider = await connect(local, { timestampUrl });
  const config = { image, signatureFormat: evidence.format, recursive };
  if (evidence.what === "signature") await make(provider, sign, config);
  else await make(provider, attest, { ...config, predicates: [{ type: predicateType, json }] });
}

interface How {
  readonly email: string;
  /** Whether the timestamp is required, beside the log or instead of it. */
  readonly timestamp: boolean;
}

async function verifies(
  tool: Tool,
  evidence: Evidence,
  { local }: SigningBench,
  image: string,
  how: How,
): Promise<boolean> {
  if (tool !== "signing") {
    try {
      await cosignVerifies(tool, evidence, statement, local, image, how);
      return true;
    } catch {
      return false;
    }
  }
  const attestations = [{ name: "passed", predicateType }];
  const more = {
    signatureFormat: evidence.format,
    ...(evidence.what === "attestation" ? { attestations } : {}),
    ...(how.timestamp ? { rfc3161timestamp: {} } : {}),
  };
  const policy = policyText(local, { authorities: [keyless(local, more, how.email)] });
  const { state } = await verifyImage(await connect(local), image, policy);
  return state !== undefined;
}

/** cosign 3 timestamps the signature of a legacy attestation, where cosign expects its envelope. */
const isStampRefused = ({ format, what }: Evidence, maker: Tool, verifier: Tool): boolean =>
  format === "legacy" &&
  what === "attestation" &&
  maker !== "signing" &&
  maker.major === 3 &&
  verifier !== "signing";

const kinds: readonly Evidence[] = [
  { format: "legacy", what: "signature" },
  { format: "legacy", what: "attestation" },
  { format: "bundle", what: "signature" },
  { format: "bundle", what: "attestation" },
];

describe.each(kinds)("a $format $what", (evidence) => {
  describe.each(tools.map((tool) => [nameOf(tool), tool] as const))("by %s", (_name, maker) => {
    test.each(tools.map((tool) => [nameOf(tool), tool] as const))(
      "is verified by %s",
      async (_by, verifier) => {
        const bench = await openBench();
        const pushed = await bench.pushImage("outside");
        const image = `${formatRepository(pushed)}@${pushed.digest}`;
        const verify = (how: How) => verifies(verifier, evidence, bench, image, how);
        expect(await verify({ email, timestamp: false })).toBe(false);
        await makes(maker, evidence, bench, image);
        expect({
          log: await verify({ email, timestamp: false }),
          timestamp: await verify({ email, timestamp: true }),
        }).toEqual({ log: true, timestamp: !isStampRefused(evidence, maker, verifier) });
        expect(await verify({ email: other, timestamp: false })).toBe(false);
      },
      300_000,
    );
  });
});

describe.each(["legacy", "bundle"] as const)("recursively, as %s", (format) => {
  describe.each(tools.map((tool) => [nameOf(tool), tool] as const))("by %s", (_name, maker) => {
    // Nobody else attests the images of an index.
    const made = kinds.filter(
      ({ format: each, what }) => each === format && (what === "signature" || maker === "signing"),
    );

    test.each(made)(
      "the $what of an index covers each digest in it, for the others too",
      async (evidence) => {
        const bench = await openBench();
        const { image, about, index } = await pushBuiltIndex(bench);
        const name = (of: DigestReference): string => `${formatRepository(of)}@${of.digest}`;
        await makes(maker, evidence, bench, name(index), true);
        const how = { email, timestamp: false };
        const found: Record<string, boolean> = {};
        for (const verifier of tools) {
          for (const [what, each] of Object.entries({ image, about, index })) {
            const key = `${nameOf(verifier)}: ${what}`;
            found[key] = await verifies(verifier, evidence, bench, name(each), how);
          }
        }
        const expected = tools.flatMap((verifier) => [
          [`${nameOf(verifier)}: image`, true],
          [`${nameOf(verifier)}: about`, evidence.what === "signature"],
          [`${nameOf(verifier)}: index`, true],
        ]);
        expect(found).toEqual(Object.fromEntries(expected));
      },
      300_000,
    );
  });
});
