import { Testing } from "cdktf";
import { ImageStack, type ImageStackProps } from "./image-stack";
import { localSigning, publicSigning } from "./signing-services";

interface Synthesized {
  readonly data: {
    readonly signing_verify: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  readonly provider: { readonly signing: readonly Readonly<Record<string, unknown>>[] };
  readonly resource: Readonly<Record<string, unknown>>;
}

/** What Terraform reads. With `true`, all rules are checked, as in a deployment. */
function synthesized(props: ImageStackProps): Synthesized {
  const stack = new ImageStack(Testing.app(), "image", props);
  return JSON.parse(Testing.synth(stack, true)) as Synthesized;
}

test("its resources stay as they are", () => {
  expect(synthesized(publicSigning).resource).toMatchSnapshot();
});

test("accepts only images that the signer signed", () => {
  const { policy = "" } = synthesized(publicSigning).data.signing_verify["verified"] ?? {};
  expect(JSON.parse(policy)).toMatchObject({
    spec: {
      images: [{ glob: publicSigning.repository }],
      authorities: [{ keyless: { identities: [publicSigning.signer] } }],
    },
  });
});

test("uses the public services unless others are named", () => {
  expect(synthesized(publicSigning).provider.signing[0]).not.toHaveProperty("fulcio_url");
  expect(synthesized(localSigning(5000)).provider.signing[0]).toMatchObject({
    fulcio_url: "http://127.0.0.1:5001",
  });
});
