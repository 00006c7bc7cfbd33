import { signingProvider } from "../../src/core/signing/provider/declare";
import { sign } from "../../src/core/signing/sign/declare";
import type { Subject } from "./subject";

const image = (index: number): string =>
  `registry.example.com/team/app@sha256:${index.toString(16).padStart(64, "0")}`;

export const signing: Subject = {
  name: "signing",
  piece: "signature",
  constructs: ["SigningProvider", "Sign"],
  importRatio: 1.1,
  settings: { declaration: signingProvider, values: {} },
  environment: {},
  resources: [{ declaration: sign, config: (index) => ({ image: image(index) }) }],
  applies: false,
  counts: [1, 100, 1_000],
  targets: {},
  synthCounts: [100, 1_000],
  commandCounts: [1, 100],
  check: { probe: "check-sign", what: "a signature to be made", targetUs: 50 },
  configuration: (count) => ({
    provider: { signing: {} },
    resource: {
      signing_sign: {
        app: {
          count,
          image: 'registry.example.com/team/app@${format("sha256:%064x", count.index)}',
        },
      },
    },
  }),
};
