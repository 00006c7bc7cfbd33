import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { formatRepository } from "../../src/signing/oci/reference/repository";
import { skippedWithout } from "../on-path";
import { closeAfterTest } from "../http/close-after-test";
import { freePorts, programs } from "../signing/local/outside-services";
import { missingEmulator, startAwsKms } from "./support/aws-kms-emulator";
import { keyed, keyFlow } from "./support/key-flow";
import { signingScenario } from "./support/signing";

const run = promisify(execFile);

skippedWithout(programs.cosign === undefined ? ["cosign"] : [], "what a key signs is not verified");

const specs = ["ECC_NIST_P256", "RSA_2048"] as const;

(missingEmulator === undefined ? describe : describe.skip)("an emulator of AWS KMS", () => {
  test.each(specs)("signs and attests with %s, and policies and cosign accept it", async (spec) => {
    const [port = 0] = await freePorts(1);
    const kms = startAwsKms(port);
    closeAfterTest(() => kms.close());
    const alias = `images-${spec}-${port}`;
    const data = await kms.createKey(alias, spec);
    const scenario = await signingScenario("terraform");
    const { bench, workspace } = scenario;
    Object.assign(workspace.env, kms.env, { SIGSTORE_ID_TOKEN: "" });
    const pushed = await bench.pushImage(spec);
    const image = `${formatRepository(pushed)}@${pushed.digest}`;
    const key = `awskms://${kms.host}/alias/${alias}`;
    const accepting = [{ kms: key }, { data }];
    workspace.write(keyed(scenario, keyFlow(scenario, image, key, accepting)));
    await workspace.init();
    await workspace.apply();
    expect(await workspace.plansChanges()).toBe(false);
    if (programs.cosign === undefined) return;
    const file = join(workspace.folder, "images.pub");
    writeFileSync(file, data);
    const common = ["--key", file, "--allow-http-registry"];
    const log = ["--trusted-root", bench.local.files.trustedRoot];
    const env = { PATH: process.env["PATH"], HOME: workspace.folder };
    await run(programs.cosign, ["verify", ...common, ...log, image], { env });
    await run(
      programs.cosign,
      ["verify-attestation", ...common, ...log, "--type", "custom", image],
      { env },
    );
  });
});
