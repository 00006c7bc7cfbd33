import { verify } from "../../../../src/core/signing/verify/declare";
import { buildWhenStale } from "../../../e2e/support/build";
import { imageAt, tryFaults } from "../provider/fault-trial";
import { email, policyText } from "../provider/signing";
import { sign as signOutside } from "../sign/operations";
import { openBench, restless } from "../sign/signing-bench";

beforeAll(buildWhenStale);

test("an image is verified again, whatever happens", async () => {
  const bench = await openBench({}, restless);
  const us = bench.person(email);
  const policy = policyText(bench.local);
  await tryFaults({
    bench,
    operations: { read: 4 },
    prepare: (image) => signOutside(bench, us, image),
    declaration: verify,
    config: (world) => ({ image: imageAt(world), policy }),
    check(world, state) {
      expect(state).toMatchObject({ verifiedRef: imageAt(world) });
    },
  });
});
