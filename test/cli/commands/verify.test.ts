import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatRepository } from "../../../src/signing/oci/reference/repository";
import { email, policyText } from "../../signing/provider/signing";
import { sign } from "../../signing/sign/operations";
import { openBench } from "../../signing/sign/signing-bench";
import { TrivetFixture } from "../command-fixture";

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
    return { bench, file, verify };
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

  it("fails with code 1, and with the way out, if there is no verdict", async () => {
    const { verify } = await open();
    const { code, stdout, stderr } = await verify("a: 1");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("must be a ClusterImagePolicy");
    expect(stderr).toContain("Change the policy");
    expect(stderr).not.toContain("    at ");
  });
});
