import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatRepository } from "../../../src/core/signing/oci/reference/image-name";
import { email, policyText } from "../../core/signing/provider/signing";
import { Authorities } from "../../core/signing/sigstore/verification/authorities";
import { sign } from "../../core/signing/sign/operations";
import { openBench } from "../../core/signing/sign/signing-bench";
import { TrivetFixture } from "../command-fixture";

function rootWithoutStart() {
  const root = new Authorities().trustedRoot();
  const [log] = root.tlogs;
  return { ...root, tlogs: [{ ...log, publicKey: { ...log?.publicKey, validFor: {} } }] };
}

const staticPolicy = (action: "pass" | "fail"): string =>
  JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name: `always-${action}` },
    spec: { images: [{ glob: "**" }], authorities: [{ static: { action } }] },
  });

describe("trivet verify", () => {
  const trivet = new TrivetFixture();

  async function open() {
    const bench = await openBench();
    const image = await bench.pushImage("verified");
    await sign(bench, bench.person(email), image);
    const file = (name: string, text: string): string => {
      const path = join(trivet.root, name);
      writeFileSync(path, text);
      return path;
    };
    const reference = `${formatRepository(image)}@${image.digest}`;
    const root = ["--trusted-root", bench.local.files.trustedRoot];
    const verify = (policy: string, ...more: readonly string[]) =>
      trivet.run(["verify", reference, "--policy", file("policy.json", policy), ...root, ...more]);
    return { bench, file, reference, verify };
  }

  it("prints because of what an image is accepted, or refused with code 3", async () => {
    const { bench, verify } = await open();
    const accepted = await verify(policyText(bench.local));
    expect(accepted).toMatchObject({ code: 0, stderr: "" });
    expect(accepted.stdout).toContain(`by \`${email}\``);
    const refused = await verify(policyText(bench.local, {}, "boss@example.com"));
    expect(refused).toMatchObject({ code: 3, stderr: "" });
    expect(refused.stdout).toContain("did not count (IDENTITY)");
  });

  it("prints the same as JSON, and takes several policies", async () => {
    const { bench, file, verify } = await open();
    const boss = file("boss.json", policyText(bench.local, {}, "boss@example.com"));
    const { code, stdout } = await verify(policyText(bench.local), "--policy", boss, "--json");
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      accepted: false,
      code: "REFUSED",
      policies: [{ accepted: true }, { accepted: false }],
    });
  });

  it("checks the images of an index with --recursive", async () => {
    const { bench, file } = await open();
    const image = await bench.pushImage("in an index");
    const index = await bench.pushIndex(image);
    await sign(bench, bench.person(email), index, { isRecursive: false });
    const reference = `${formatRepository(index)}@${index.digest}`;
    const policy = file("policy.json", policyText(bench.local));
    const root = ["--trusted-root", bench.local.files.trustedRoot];
    const command = ["verify", reference, "--policy", policy, ...root, "--json"];
    expect((await trivet.run(command)).code).toBe(0);
    const { code, stdout } = await trivet.run([...command, "--recursive"]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ images: [{ code: "REFUSED" }] });
  });

  it.each<[string, (file: (name: string, text: string) => string) => string]>([
    ["is missing", () => "/nonexistent/trusted_root.json"],
    ["is a folder", () => "/"],
    ["is something else", (file) => file("broken.json", "{}")],
    ["lists a log without a start", (file) => file("log.json", JSON.stringify(rootWithoutStart()))],
  ])("fails with code 1 if the trusted root %s: nothing is known", async (_, root) => {
    const { bench, file, reference, verify } = await open();
    const policy = policyText(bench.local);
    const given = ["--trusted-root", root(file)];
    for (const run of [
      verify(policy, ...given),
      trivet.run(["signing", "tree", reference, "--policy", file("p.json", policy), ...given]),
    ]) {
      const { code, stdout, stderr } = await run;
      expect(code).toBe(1);
      expect(stdout).toContain("(NOT_KNOWN)");
      expect(stdout).not.toContain("REFUSED");
      expect(stderr).toContain("--trusted-root");
    }
    // What needs no trusted root is known all the same.
    const boss = file("static.json", staticPolicy("fail"));
    expect(await verify(policy, ...given, "--policy", boss)).toMatchObject({ code: 3 });
    expect(await verify(staticPolicy("pass"), ...given)).toMatchObject({ code: 0 });
  });

  it("advises about the path of a layout, not about credentials", async () => {
    const { bench, file } = await open();
    const layout = join(trivet.root, "layout");
    mkdirSync(layout);
    file("layout/oci-layout", '{"imageLayoutVersion":"1.0.0"}');
    file("layout/index.json", `{"manifests":${"[".repeat(200)}${"]".repeat(200)}}`);
    const policy = file("policy.json", policyText(bench.local));
    const { code, stderr } = await trivet.run(["verify", `oci:${layout}:1`, "--policy", policy]);
    expect(code).toBe(1);
    expect(stderr).toContain("more than 100 levels");
    expect(stderr).toContain("Check the path");
    expect(stderr).not.toContain("docker login");

    const absent = await trivet.run(["verify", `oci:${layout}s:1`, "--policy", policy]);
    expect(absent.code).toBe(1);
    expect(absent.stderr).toContain(`there is no image layout ${layout}s: the file or folder does`);
  });

  it("fails with code 1, and with the way out, if there is no verdict", async () => {
    const { verify } = await open();
    const { code, stdout, stderr } = await verify("a: 1");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("must be a ClusterImagePolicy");
    expect(stderr).toContain("Change the policy");
    expect(stderr).not.toContain("    at ");
  });
});
