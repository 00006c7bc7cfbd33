import { readFileSync } from "node:fs";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { ImageVerifier } from "../../../../src/core/signing/verify";
import { closeAfterTest } from "../../http/close-after-test";
import type { SigningBench } from "../sign/signing-bench";

export const nameOf = (image: DigestReference): string =>
  `${formatRepository(image)}@${image.digest}`;

/** The tree of an image, with the trusted root of the bench unless another one is given. */
export function treeOf({ local }: SigningBench, image: DigestReference, trustedRoot?: string) {
  const root = trustedRoot ?? readFileSync(local.files.trustedRoot, "utf8");
  const verifier = new ImageVerifier({ trustedRoot: root });
  closeAfterTest(() => verifier.close());
  return verifier.tree({ image: nameOf(image) });
}
