import crypto from "node:crypto";
import { image, rulesOf, verifySignatureLayer } from "./artefacts";
import { Authorities } from "./authorities";
import { hostileEvidence } from "./hostile-evidence";
import { verifyBundle } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

const world = new Authorities();
const rules = rulesOf(world, { trust: world.trust() });

// Each costs at most a few milliseconds, with the largest key that is allowed.
const maxSignatureChecks = 120;

test.each(hostileEvidence(world))("$name: refused after few checks", ({ make, problem }) => {
  const evidence = make(image);
  const checks = jest.spyOn(crypto, "verify");
  const keys = jest.spyOn(crypto, "createPublicKey");
  const result =
    "layer" in evidence
      ? verifySignatureLayer(evidence.layer, image, rules)
      : verifyBundle(evidence.bundle, image, "signature", rules);
  expect(result).toMatchObject({ problem: expect.stringMatching(problem) as string });
  expect(checks.mock.calls.length).toBeLessThan(maxSignatureChecks);
  // No key that is not supported reaches the library that would compute with it.
  for (const [key] of keys.mock.calls) expect(JSON.stringify(key).length).toBeLessThan(10_000);
  jest.restoreAllMocks();
});
