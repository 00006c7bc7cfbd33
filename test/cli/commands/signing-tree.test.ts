import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatRepository } from "../../../src/core/signing/oci/reference/image-name";
import { email, policyText } from "../../core/signing/provider/signing";
import { sign } from "../../core/signing/sign/operations";
import { openBench } from "../../core/signing/sign/signing-bench";
import { TrivetFixture } from "../command-fixture";

describe("trivet signing tree", () => {
  const trivet = new TrivetFixture();

  async function open() {
    const bench = await openBench();
    const image = await bench.pushImage("seen");
    await sign(bench, bench.person(email), image);
    const reference = `${formatRepository(image)}@${image.digest}`;
    const root = ["--trusted-root", bench.local.files.trustedRoot];
    const file = (text: string): string => {
      const path = join(trivet.root, "policy.json");
      writeFileSync(path, text);
      return path;
    };
    const tree = (...more: readonly string[]) =>
      trivet.run(["signing", "tree", reference, ...root, ...more]);
    const verify = (...more: readonly string[]) =>
      trivet.run(["verify", reference, ...root, ...more]);
    return { bench, reference, file, tree, verify };
  }

  it("prints who has signed, and writes nothing", async () => {
    const { bench, reference, tree } = await open();
    const before = await bench.logSize();
    const { code, stdout, stderr } = await tree();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.startsWith(`${reference}\n└─ signature: verified\n`)).toBe(true);
    expect(stdout).toContain(
      `by ${email} (identity confirmed by ${bench.local.addresses.tokenIssuer})`,
    );
    expect(await bench.logSize()).toBe(before);
  });

  it.each([
    [email, 0],
    ["boss@example.com", 3],
  ])("says the same as `trivet verify` about %s, with code %i", async (signer, code) => {
    const { bench, file, tree, verify } = await open();
    const policy = ["--policy", file(policyText(bench.local, {}, signer))];
    const shown = await tree(...policy);
    const verdict = await verify(...policy);
    expect([shown.code, verdict.code]).toEqual([code, code]);
    expect(shown.stdout.endsWith(`\n\n${verdict.stdout}`)).toBe(true);
    const data = await tree(...policy, "--json");
    const { verdict: json } = JSON.parse(data.stdout) as { verdict: unknown };
    expect(json).toEqual(JSON.parse((await verify(...policy, "--json")).stdout));
  });

  it("fails with code 1 and the way out if the image is not there", async () => {
    const { bench } = await open();
    const missing = `${bench.local.registryHost}/lab/app:missing`;
    const { code, stdout, stderr } = await trivet.run(["signing", "tree", missing]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("is not in the registry\nCheck the name");
  });

  it("says that it looked for `latest` if the image has neither a tag nor a digest", async () => {
    const { bench, file } = await open();
    const missing = `${bench.local.registryHost}/lab/app`;
    const policy = ["--policy", file(policyText(bench.local))];
    for (const command of [
      ["signing", "tree", missing],
      ["verify", missing, ...policy],
    ]) {
      const { code, stderr } = await trivet.run(command);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          `the image ${missing} is not in the registry; without a tag or digest, the tag latest is read`,
        ),
      ]);
      const help = await trivet.run([...command.slice(0, 2), "--help"]);
      expect(help.stdout.replaceAll(/\s+/g, " ")).toContain("by tag (default: latest) or digest");
    }
  });
});
