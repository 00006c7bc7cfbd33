import type { Product } from "../../construct";
import { cosignRefusals } from "./cosign-refusals";

/** The provider `chainguard-dev/cosign`, for the public Sigstore services. */
export const cosign = {
  name: "cosign",
  environmentPrefix: "TF_COSIGN",
  providers: {
    signing: {
      source: "chainguard-dev/cosign",
      version: "0.4.5",
      typePrefix: "cosign",
      refusals: cosignRefusals,
    },
  },
} as const satisfies Product;
