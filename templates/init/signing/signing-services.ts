import { resolve } from "node:path";
import type { ImageStackProps } from "./image-stack";

/** The public services, and a job on GitHub that signs. */
export const publicSigning: ImageStackProps = {
  repository: "registry.example.org/release/app",
  signer: {
    subject: "https://github.com/example/app/.github/workflows/release.yml@refs/heads/main",
    issuer: "https://token.actions.githubusercontent.com",
  },
};

/** The registry and the services of `npm run local:signing`. */
export function localSigning(port: number): ImageStackProps {
  const service = (next: number): string => `http://127.0.0.1:${port + next}`;
  return {
    repository: `127.0.0.1:${port}/release/app`,
    services: {
      fulcioUrl: service(1),
      rekorUrl: service(2),
      timestampUrl: `${service(3)}/api/v1/timestamp`,
      trustedRoot: resolve(".trivet/signing/trusted_root.json"),
    },
    signer: { subject: "dev@example.com", issuer: service(4) },
  };
}
