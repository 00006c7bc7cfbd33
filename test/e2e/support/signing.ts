import { providerRoutes } from "../../../src/core/provider-kit";
import { startReattach } from "../../../src/core/provider-kit/host/reattach";
import { provider } from "../../../src/core/signing/provider-definition";
import {
  type DigestReference,
  formatRepository,
} from "../../../src/core/signing/oci/reference/image-name";
import { openBench, type SigningBench } from "../../core/signing/sign/signing-bench";
import { installation } from "./installation";
import type { Tool } from "./tool";
import { Workspace } from "./workspace";

const endings: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Who signs. */
export const signerEmail = "dev@example.com";

/** A registry with the signing services, and a folder whose configurations use them. */
export interface SigningScenario {
  readonly bench: SigningBench;
  readonly workspace: Workspace;
  readonly identityToken: string;
}

/** The tool starts the installed provider; when the test is over none may be running. */
export async function signingScenario(tool: Tool): Promise<SigningScenario> {
  const bench = await openBench();
  const identityToken = bench.local.issueToken({ email: signerEmail });
  const workspace = new Workspace(tool, { SIGSTORE_ID_TOKEN: identityToken });
  endings.push(async () => {
    const left = await workspace.outliving();
    workspace.remove();
    expect(left).toEqual([]);
  });
  return { bench, workspace, identityToken };
}

/** The same with the provider in this process: for what does not depend on processes. */
export async function attachedSigning(tool: Tool): Promise<SigningScenario> {
  const made = await signingScenario(tool);
  const attached = await startReattach({
    source: "trivet.local/trivet/signing",
    routes: providerRoutes(provider, { SIGSTORE_ID_TOKEN: made.identityToken }),
    env: {},
  });
  endings.push(attached.close);
  Object.assign(made.workspace.env, attached.env);
  return made;
}

/** A configuration with the provider, which uses the scenario's services. */
export function signingText(
  { bench }: Pick<SigningScenario, "bench">,
  body: string,
  settings = "",
): string {
  const { addresses, files } = bench.local;
  return `terraform {
  required_providers {
    signing = {
      source  = "trivet.local/trivet/signing"
      version = "${installation().signingVersion}"
    }
  }
}

provider "signing" {
  fulcio_url   = "${addresses.certificateAuthority}"
  rekor_url    = "${addresses.transparencyLog}"
  trusted_root = "${files.trustedRoot}"
${settings}}

${body}`;
}

/** `registry/repository@sha256:…` */
export const imageText = (image: DigestReference): string =>
  `${formatRepository(image)}@${image.digest}`;
