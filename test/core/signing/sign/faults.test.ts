import { faultKinds } from "../../../../src/core/provider-kit/testing";
import { sign } from "../../../../src/core/signing/sign/declare";
import { buildWhenStale } from "../../../e2e/support/build";
import { changes, eve, imageAt, kills, tryFaults, type World } from "../provider/fault-trial";
import { email } from "../provider/signing";
import { attachedTo } from "./attached";
import { sign as signOutside } from "./operations";
import { openBench, restless } from "./signing-bench";

beforeAll(buildWhenStale);

test.each([
  ["as a layer", "is new", "legacy", faultKinds, { create: 8, read: 1, delete: 0 }],
  ["as a layer", "replaces ours", "legacy", changes, { update: 8 }],
  [
    "as a bundle",
    "is new",
    "bundle",
    [...kills, "reset-before", "no-answer"],
    { create: 8, read: 1, delete: 0 },
  ],
  ["as a bundle", "replaces ours", "bundle", changes, { update: 8 }],
] as const)(
  "an image is signed once %s, whatever happens while the signature %s",
  async (_format, _what, format, kinds, operations) => {
    // Bundles take the most requests in a registry that lists no referrers.
    const bench = await openBench({ referrersApi: format === "legacy" }, restless);
    const other = bench.person(eve);
    const signature = (world: World) => ({ image: imageAt(world), signatureFormat: format });
    await tryFaults({
      bench,
      kinds,
      operations,
      prepare: (image) => signOutside(bench, other, image, { format }),
      declaration: sign,
      config: (world) => ({ ...signature(world), conflict: "SKIPSAME" }),
      changed: (world) => ({ ...signature(world), conflict: "REPLACE" }),
      async check({ scene }) {
        const attached = attachedTo(bench, scene.image);
        const found =
          format === "legacy" ? await attached.signatures() : await attached.bundles("signature");
        expect([...found].sort()).toEqual([email, eve]);
      },
    });
  },
);
