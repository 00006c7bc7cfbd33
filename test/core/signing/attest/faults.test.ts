import { attest } from "../../../../src/core/signing/attest/declare";
import { sample } from "../../../all-tests";
import { buildWhenStale } from "../../../e2e/support/build";
import { changes, eve, imageAt, kills, tryFaults, type World } from "../provider/fault-trial";
import { email } from "../provider/signing";
import { attachedTo } from "../sign/attached";
import { attest as attestOutside, predicateType } from "../sign/operations";
import { openBench, restless } from "../sign/signing-bench";

beforeAll(buildWhenStale);

const otherType = "https://example.com/other/v1";

// Each format and each operation. Signatures, which the same code writes, try the other pairs.
const pairs = [
  ["as layers", "change", "legacy", changes, { update: 8 }],
  ["as bundles", "are new", "bundle", kills, { create: 8, read: 1, delete: 0 }],
] as const;
const otherPairs = [
  ["as layers", "are new", "legacy", kills, { create: 8, read: 1, delete: 0 }],
  ["as bundles", "change", "bundle", changes, { update: 8 }],
] as const;

test.each(sample([...pairs, ...otherPairs], [...pairs]))(
  "predicates are attested once %s, whatever happens while they %s",
  async (_format, _what, format, kinds, operations) => {
    // Version 2 of the log has no entries for layers.
    const useRekorV2 = format === "bundle";
    const bench = await openBench({}, restless);
    const { timestampAuthority } = bench.local.addresses;
    const other = bench.person(eve);
    const attestations = (passed: boolean) => (world: World) => ({
      image: imageAt(world),
      signatureFormat: format,
      predicates: [
        { type: predicateType, json: JSON.stringify({ passed }), files: [] },
        { type: otherType, json: "{}", files: [] },
      ],
    });
    await tryFaults({
      bench,
      kinds,
      operations,
      services: useRekorV2 ? { timestampAuthority } : {},
      settings: ({ urls }) =>
        useRekorV2 ? { useRekorV2, timestampUrl: urls["timestampAuthority"] } : {},
      prepare: (image) => attestOutside(bench, other, image, { format }),
      declaration: attest,
      config: attestations(true),
      changed: attestations(false),
      async check({ scene }) {
        const found = await attachedTo(bench, scene.image).claims(format);
        const passed = !("update" in operations);
        expect([...found].sort()).toEqual([
          `${email}: ${predicateType} {"passed":${passed}}`,
          `${email}: ${otherType} {}`,
          `${eve}: ${predicateType} {"passed":true}`,
        ]);
      },
    });
  },
);
