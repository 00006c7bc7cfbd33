import { attest } from "../../../../src/core/signing/attest/declare";
import { copy } from "../../../../src/core/signing/copy/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { openRegistry, registryKinds } from "../oci/registry/registries";
import { openBench } from "../sign/signing-bench";
import { connect, keyless, make, policyText, refresh, verifyImage } from "./signing";

test.each(registryKinds)("the whole flow works with the registry %s", async (kind) => {
  const bench = await openBench();
  const host = await openRegistry(kind);
  const image = await bench.pushImage("travels");
  const provider = await connect(bench.local, { defaultSignatureFormat: "both" });
  const source = `${formatRepository(image)}@${image.digest}`;
  const copied = await make(provider, copy, { source, destination: `${host}/mine/app` });
  const reference = String(copied.state["copiedRef"]);
  expect(reference).toBe(`${host}/mine/app@${image.digest}`);
  const signed = await make(provider, sign, { image: reference });
  const predicates = [{ type: "custom", json: '{"tested":true}' }];
  const attested = await make(provider, attest, { image: reference, predicates });
  for (const [declaration, kept] of [
    [copy, copied],
    [sign, signed],
    [attest, attested],
  ] as const) {
    expect(await refresh(provider, declaration, kept)).toMatchObject({
      state: kept.state,
      diagnostics: [],
    });
  }
  const attestations = [{ name: "tested", predicateType: "custom" }];
  for (const signatureFormat of ["legacy", "bundle"]) {
    const authorities = [
      keyless(bench.local, { signatureFormat }),
      keyless(bench.local, { signatureFormat, attestations }),
    ];
    for (const authority of authorities) {
      const policy = policyText(bench.local, { authorities: [authority] });
      const { state, summaries: found } = await verifyImage(provider, reference, policy);
      expect(found).toEqual([]);
      expect(state).toMatchObject({ verifiedRef: reference });
    }
  }
});
