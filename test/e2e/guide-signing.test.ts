import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandsBefore, expectShown, shown } from "../docs/output";
import { onPath, skippedWithout } from "../on-path";
import { firstOfFreePorts } from "../packed/free-ports";
import { saying, startCommand, type Started } from "./support/command";
import { filesOfKind, guideProject, read, writeFiles } from "./support/guide-project";

const cosign = onPath("cosign");

skippedWithout(cosign === undefined ? ["cosign"] : [], "what cosign prints is not compared");

/** Two policies: the second needs provenance, which the project attests. */
function policies(port: number, image: string) {
  const url = `http://127.0.0.1:${port + 1}`;
  const issuer = `http://127.0.0.1:${port + 4}`;
  const policy = (name: string, subject: string, more: object) => ({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name },
    spec: {
      images: [{ glob: image }],
      authorities: [
        { name: "signer", keyless: { url, identities: [{ subject, issuer }] }, ...more },
      ],
    },
  });
  const predicateType = "https://slsa.dev/provenance/v1";
  return [
    policy("release", "release@example.com", {}),
    policy("built", "dev@example.com", { attestations: [{ name: "provenance", predicateType }] }),
  ];
}

/** An app that verifies an image that nobody has signed. */
const verifying = (port: number, image: string, policy: string): string => `
import { App, TerraformStack, TerraformVariable } from "cdktf";
import { signing } from "@trivet/constructs";
import { localSigning } from "./signing-services";

const app = new App();
const stack = new TerraformStack(app, "checked");
new signing.SigningProvider(stack, "signing", localSigning(${port}).services);
// What is known only to the plan is not refused before.
const policy = new TerraformVariable(stack, "policy", { default: ${JSON.stringify(policy)} });
new signing.DataVerify(stack, "verified", { image: "${image}", policy: policy.stringValue });
app.synth();
`;

const invalid = `apiVersion: policy.sigstore.dev/v1beta1
kind: ClusterImagePolicy
metadata:
  name: ours
spec:
  colour: blue
  images:
    - glob: "**"
  authorities:
    - name: release
      keyless:
        identities:
          - subject: dev@example.com
            issuer: https://accounts.example.com
      attestations:
        - name: scan
          predicateType: vuln
          policy:
            type: cue
            remote:
              url: https://policies.example.com/scan.cue
`;

let services: Started | undefined;

afterAll(async () => {
  services?.child.kill("SIGTERM");
  expect(await services?.ended).toMatchObject({ code: 0 });
});

test("the pages on signing show what services, deployments, trees and verdicts print", async () => {
  const { made } = await guideProject({
    ...filesOfKind("signing"),
    "sbom.spdx.json": read("templates/init/signing/sbom.spdx.json"),
  });
  const port = await firstOfFreePorts(5);
  services = made.start("local", ["signing", "--port", `${port}`, "--sample-image", "build/app"]);
  let printed = "";
  services.child.stdout?.on("data", (data: Buffer) => (printed += data.toString()));
  await saying(services)("for other tools");
  expectShown(printed, shown("docs/guide/signing.md", "services"));

  // As \`. ./local-signing.sh\` does.
  const file = (name: string): string =>
    readFileSync(join(made.folder, ".trivet", "signing", name), "utf8").trim();
  const built = file("sample-image");
  const token = file("identity-token");
  const env = { SIGSTORE_ID_TOKEN: token, TF_VAR_built: built, SIGNING_PORT: `${port}` };
  const run = async (command: string, args: readonly string[] = [], more = {}): Promise<string> =>
    (await made.start(command, args, { ...env, ...more }).ended).output;

  const anonymous = await run("deploy", ["--auto-approve"], { SIGSTORE_ID_TOKEN: "" });
  expectShown(anonymous, shown("docs/guide/signing.md", "identity"));
  const deployed = await run("deploy", ["--auto-approve"]);
  expectShown(deployed, shown("docs/guide/signing.md", "deployed"));
  const [, image = ""] = /image = "(.*)"/.exec(deployed) ?? [];
  const root = ["--trusted-root", ".trivet/signing/trusted_root.json"];
  expectShown(
    await run("signing", ["tree", image, ...root]),
    shown("docs/guide/local-signing.md", "tree"),
  );
  const [repository = ""] = image.split("@");
  const both = policies(port, repository).map((each) => JSON.stringify(each));
  writeFileSync(join(made.folder, "policy.yaml"), both.join("\n---\n"));
  expectShown(
    await run("verify", [image, ...root, "--policy", "policy.yaml"]),
    shown("docs/guide/verdicts.md", "verdict"),
  );

  if (cosign !== undefined) {
    const root = ".trivet/signing/trusted_root.json";
    const said = async (page: string, name: string, edit = (line: string) => line) => {
      const [line = ""] = commandsBefore(page, name);
      const local = edit(line.replace("127.0.0.1:5004", `127.0.0.1:${port + 4}`));
      const options = { cwd: made.folder, env: { ...made.env, image, root } };
      return (await startCommand("sh", ["-c", local], options).ended).output;
    };
    const page = "docs/guide/verify-elsewhere.md";
    const verified = await said(page, "verified");
    expectShown(verified, shown("docs/guide/verify-elsewhere.md", "verified"));
    const other = await said(page, "identity", (line) => line.replace("dev@", "other@"));
    expectShown(other, shown("docs/guide/verify-elsewhere.md", "identity"));
    expectShown(await said(page, "tree"), shown("docs/guide/verify-elsewhere.md", "tree"));
  }

  const [, digest = ""] = image.split("@sha256:");
  const signatures = `http://127.0.0.1:${port}/v2/release/app/manifests/sha256-${digest}.sig`;
  expect((await fetch(signatures, { method: "DELETE" })).status).toBe(202);
  expectShown(await run("plan"), shown("docs/guide/signing.md", "missing"));

  const [policy] = policies(port, "**");
  writeFiles(made, { "main.ts": verifying(port, built, JSON.stringify(policy)) });
  expectShown(await run("plan"), shown("docs/guide/signing.md", "refused"));
  const warning = { ...policy, spec: { ...policy?.spec, mode: "warn" } };
  writeFiles(made, { "main.ts": verifying(port, built, JSON.stringify(warning)) });
  expectShown(await run("plan"), shown("docs/guide/policies.md", "warned"));
  writeFiles(made, { "main.ts": verifying(port, built, invalid) });
  expectShown(await run("plan"), shown("docs/guide/policies.md", "invalid"));
});
