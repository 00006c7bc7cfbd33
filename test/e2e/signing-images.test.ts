import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { copyImage } from "../../src/core/signing/copy/copy-image";
import { tagOfDigest } from "../../src/core/signing/oci/reference/descriptor";
import { onPath, skippedWithout } from "../on-path";
import { startFront } from "../core/signing/oci/registry/front";
import { keyless, policyText, remove } from "../core/signing/provider/signing";
import { attachedTo } from "../core/signing/sign/attached";
import { inTime } from "../core/signing/sign/signing-bench";
import { startCommand, words } from "./support/command";
import {
  attachedSigning,
  imageText,
  signerEmail,
  type SigningScenario,
  signingScenario,
  signingText,
} from "./support/signing";
import { tools } from "./support/tool";

const hasSkopeo = onPath("skopeo") !== undefined;
const hasCosign = onPath("cosign") !== undefined;
skippedWithout(
  [...(hasSkopeo ? [] : ["skopeo"]), ...(hasCosign ? [] : ["cosign"])],
  "what we write is not shown to others",
);

const policyOf = ({ bench }: SigningScenario): string =>
  JSON.stringify(
    policyText(bench.local, {
      authorities: [
        keyless(bench.local, { attestations: [{ name: "tested", predicateType: "custom" }] }),
      ],
    }),
  );

/** Copy, sign, attest and verify, each with what the one before has made. */
const flow = (scenario: SigningScenario, source: string, format: string): string => `
resource "signing_copy" "app" {
  source      = "${source}"
  destination = "${scenario.bench.local.registryHost}/mine/app"
}
resource "signing_sign" "app" {
  image            = signing_copy.app.copied_ref
  signature_format = "${format}"
}
resource "signing_attest" "app" {
  image            = signing_sign.app.signed_ref
  signature_format = "${format}"
  predicates {
    type = "custom"
    json = jsonencode({ tested = true })
  }
}
data "signing_verify" "app" {
  image  = signing_attest.app.attested_ref
  policy = ${policyOf(scenario)}
}
output "verified" {
  value = data.signing_verify.app.verified_ref
}
`;

const attestAgain = (image: string, run: number): string => `
resource "signing_attest" "app" {
  image            = "${image}"
  signature_format = "bundle"
  conflict         = "REPLACE"
  predicates {
    type = "vuln"
    json = jsonencode({ run = ${run} })
  }
}
`;

const signOnly = (image: string): string =>
  `resource "signing_sign" "app" {\n  image = "${image}"\n}\n`;

const verifyOnly = (scenario: SigningScenario, image: string): string =>
  `data "signing_verify" "app" {\n  image = "${image}"\n  policy = ${JSON.stringify(policyText(scenario.bench.local))}\n}\n`;

describe.each(tools)("images under %s", (tool) => {
  it("are copied, signed in both formats, attested and verified, and the next plan is empty", async () => {
    const scenario = await attachedSigning(tool);
    const { bench, workspace } = scenario;
    const image = await bench.pushImage("app");
    workspace.write(signingText(scenario, flow(scenario, imageText(image), "both")));
    await workspace.apply();
    const verified = await workspace.run("output", "-raw", "verified");
    const copied = `${bench.local.registryHost}/mine/app@${image.digest}`;
    expect(verified.stdout).toBe(copied);
    const mine = { ...bench, repository: { ...bench.repository, path: "mine/app" } };
    const found = attachedTo(mine, image);
    expect(await found.signatures()).toEqual([signerEmail]);
    expect(await found.attestations()).toEqual([signerEmail]);
    expect(await workspace.plansChanges()).toBe(false);
    await shownToOthers(scenario, copied);

    await remove(mine, tagOfDigest(image.digest, ".sig"));
    const plan = await workspace.run("plan");
    expect(words(plan.output)).toContain("Signatures Are Missing");
    expect(plan.output).toContain("signing_sign.app will be created");
    await workspace.apply();
    expect(await found.signatures()).toEqual([signerEmail]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("are attested anew where the registry deletes nothing, and nothing piles up", async () => {
    const scenario = await attachedSigning(tool);
    const { bench, workspace } = scenario;
    const pushed = await bench.pushImage("kept");
    const front = await startFront(bench.local.addresses.registry, ({ method }) =>
      method === "DELETE" ? { status: 405 } : undefined,
    );
    const image = { ...pushed, registry: front.host };
    const write = (run: number) => {
      workspace.write(signingText(scenario, attestAgain(imageText(image), run)));
    };
    write(1);
    await workspace.apply();
    write(2);
    const { output } = await workspace.apply();
    expect(words(output)).toContain("Earlier Bundles Were Kept");
    for (let again = 0; again < 2; again++) {
      await workspace.run("apply", "-auto-approve", "-replace=signing_attest.app");
    }
    expect(await workspace.plansChanges()).toBe(false);
    expect(await attachedTo(bench, pushed).bundleBytes()).toHaveLength(2);
    expect(await bench.logSize()).toBe(2);
  });

  it("that are copied get tags, and a tag that moved is set again", async () => {
    const scenario = await attachedSigning(tool);
    const { bench, workspace } = scenario;
    const [image, other] = [await bench.pushImage("one"), await bench.pushImage("two")];
    const destination = `${bench.local.registryHost}/mine/app`;
    const copies = (tags: string) => `
resource "signing_copy" "app" {
  source      = "${imageText(image)}"
  destination = "${destination}"
  tags        = ${tags}
}
`;
    workspace.write(signingText(scenario, copies('["v1", "latest"]')));
    await workspace.apply();
    expect(await workspace.plansChanges()).toBe(false);

    const mine = { ...bench.repository, path: "mine/app" };
    const context = inTime();
    await copyImage(other, mine, { client: bench.registry, context, tags: ["latest"] });
    expect(words((await workspace.run("plan")).output)).toContain('+ "latest"');
    expect((await workspace.apply()).output).toContain("0 added, 1 changed, 0 destroyed");
    const found = await bench.registry.manifests.head(mine, "latest", context);
    expect(found?.digest).toBe(image.digest);
    workspace.write(signingText(scenario, copies('["v2"]')));
    expect((await workspace.apply()).output).toContain("0 added, 1 changed, 0 destroyed");
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("that change are signed again; destroying keeps the signatures", async () => {
    const scenario = await attachedSigning(tool);
    const { bench, workspace } = scenario;
    const [first, second] = [await bench.pushImage("one"), await bench.pushImage("two")];
    workspace.write(signingText(scenario, signOnly(imageText(first))));
    await workspace.apply();
    workspace.write(signingText(scenario, signOnly(imageText(second))));
    const { output } = await workspace.apply();
    expect(output).toContain("1 added, 0 changed, 1 destroyed");
    await workspace.run("destroy", "-auto-approve");
    expect(await attachedTo(bench, first).signatures()).toEqual([signerEmail]);
    expect(await attachedTo(bench, second).signatures()).toEqual([signerEmail]);

    workspace.write(signingText(scenario, signOnly(imageText(second))));
    await workspace.run("import", "signing_sign.app", imageText(second));
    expect((await workspace.apply()).output).toContain("0 added, 0 changed, 0 destroyed");
    expect(await bench.logSize()).toBe(2);
  });

  it("that are unsigned fail the plan, and so does one that replaced another under its tag", async () => {
    const scenario = await attachedSigning(tool);
    const { bench, workspace } = scenario;
    const good = await bench.pushImage("good");
    workspace.write(signingText(scenario, verifyOnly(scenario, imageText(good))));
    const unsigned = await workspace.attempt(["plan"]);
    expect(unsigned.code).toBe(1);
    expect(words(unsigned.output)).toContain("Image Refused By Policy");

    workspace.write(signingText(scenario, signOnly(imageText(good))));
    await workspace.apply();
    workspace.write(signingText(scenario, verifyOnly(scenario, imageText(good))));
    expect((await workspace.attempt(["plan"])).code).toBe(0);

    const { registry, repository } = bench;
    const bad = await bench.pushImage("evil");
    const name = tagOfDigest(good.digest, ".sig");
    const signature = await registry.manifests.get(repository, name, inTime());
    if (signature === undefined) throw new Error("there is no signature");
    const stolen = tagOfDigest(bad.digest, ".sig");
    await registry.manifests.put(repository, signature, inTime(), { tag: stolen });
    workspace.write(signingText(scenario, verifyOnly(scenario, imageText(bad))));
    const tampered = await workspace.attempt(["plan"]);
    expect(tampered.code).toBe(1);
    expect(words(tampered.output)).toContain("Image Refused By Policy");
  });

  it("are signed by the installed provider, and no secret is in an output, a trace or the state", async () => {
    const scenario = await signingScenario(tool);
    const { bench, workspace, identityToken } = scenario;
    const image = await bench.pushImage("secret");
    const password = `pw-${createHash("sha256").update(identityToken).digest("hex")}`;
    const settings = `  registry {
    host     = "${bench.local.registryHost}"
    username = "ada"
    password = var.password
  }
`;
    const variable = 'variable "password" {\n  sensitive = true\n}\n';
    workspace.write(signingText(scenario, variable + signOnly(imageText(image)), settings));
    const env = { TF_VAR_password: password, TF_LOG: "TRACE" };
    await workspace.init();
    const applied = await workspace.attempt(["apply", "-auto-approve"], env);
    expect(applied.code).toBe(0);
    expect(applied.output).toContain("logged a signature");
    const state = await workspace.run("state", "pull");
    for (const secret of [identityToken, identityToken.split(".")[2] ?? "", password]) {
      expect(applied.output).not.toContain(secret);
      expect(state.output).not.toContain(secret);
    }
  });
});

/** Other people's tools see the same, where they are installed. */
async function shownToOthers({ bench }: SigningScenario, copied: string): Promise<void> {
  const { local } = bench;
  const run = (command: string, args: readonly string[]) =>
    startCommand(command, args, { cwd: tmpdir(), env: process.env }).ended;
  if (hasSkopeo) {
    const inspect = ["inspect", "--raw", "--tls-verify=false", `docker://${copied}`];
    expect((await run("skopeo", inspect)).code).toBe(0);
  }
  if (!hasCosign) return;
  const identity = [
    `--certificate-identity=${signerEmail}`,
    `--certificate-oidc-issuer=${local.addresses.tokenIssuer}`,
  ];
  const offline = ["--offline", `--trusted-root=${local.files.trustedRoot}`];
  const options = [...identity, ...offline, "--allow-http-registry", copied];
  for (const verify of [
    ["verify"],
    ["verify", "--new-bundle-format=false"],
    ["verify-attestation", "--type=custom"],
    ["verify-attestation", "--type=custom", "--new-bundle-format=false"],
  ]) {
    const { code, output } = await run("cosign", [...verify, ...options]);
    expect([...verify, code]).toEqual([...verify, 0]);
    expect(output).toContain("The cosign claims were validated");
  }
}
