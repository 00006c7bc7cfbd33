import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCertificate } from "../../src/core/provider-kit/host/connection/certificate";
import { skippedWithout } from "../on-path";
import { closeAfterTest } from "../core/http/close-after-test";
import { freePorts, programs } from "../local/signing/outside-services";
import { missingEmulator, startAwsKms } from "./support/aws-kms-emulator";
import { keyed, keyFlow, verifyFlow } from "./support/key-flow";
import { imageText, signingScenario } from "./support/signing";

const run = promisify(execFile);

skippedWithout(programs.cosign === undefined ? ["cosign"] : [], "what a key signs is not verified");

const specs = ["ECC_NIST_P256", "RSA_2048"] as const;

/** Leads TLS, the only way in which cosign asks, to a service that has none. */
async function startTlsFront(target: string, folder: string) {
  const { pem, keyPem } = createCertificate();
  const server = createServer({ cert: pem, key: keyPem }, (message, response) => {
    const { method, url, headers } = message;
    const onward = request(`http://${target}${url ?? ""}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    message.pipe(onward.on("error", () => response.destroy()));
  });
  await once(server.listen(0, "localhost"), "listening");
  closeAfterTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const roots = join(folder, "roots.pem");
  writeFileSync(roots, pem);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { host: `localhost:${port}`, roots };
}

(missingEmulator === undefined ? describe : describe.skip)("an emulator of AWS KMS", () => {
  test.each(specs)("signs and attests with %s, and policies and cosign accept it", async (spec) => {
    const [port = 0] = await freePorts(1);
    const kms = startAwsKms(port);
    closeAfterTest(() => kms.close());
    const alias = `images-${spec}-${port}`;
    const data = await kms.createKey(alias, spec);
    const scenario = await signingScenario("terraform");
    const { bench, workspace } = scenario;
    const { host, roots } = await startTlsFront(kms.host, workspace.folder);
    const without = { SIGSTORE_ID_TOKEN: "", NODE_EXTRA_CA_CERTS: roots };
    Object.assign(workspace.env, kms.env, without);
    const image = imageText(await bench.pushImage(spec));
    const key = `awskms://${host}/alias/${alias}`;
    const accepting = [{ kms: key }, { data }];
    workspace.write(keyed(scenario, keyFlow(scenario, image, key, accepting)));
    await workspace.init();
    await workspace.apply();
    expect(await workspace.plansChanges()).toBe(false);
    if (programs.cosign === undefined) return;
    const file = join(workspace.folder, "images.pub");
    writeFileSync(file, data);
    const { PATH } = process.env;
    const env = { PATH, HOME: workspace.folder, ...kms.env, SSL_CERT_FILE: roots };
    const cosign = (...args: readonly string[]) => run(programs.cosign ?? "", [...args], { env });
    const { trustedRoot, signingConfig } = bench.local.files;
    const common = ["--allow-http-registry", "--trusted-root", trustedRoot];
    // cosign takes the first algorithm that a service lists: for RSA, the emulator's is PSS, which it cannot verify.
    const isEcdsa = spec === "ECC_NIST_P256";
    for (const by of isEcdsa ? [file, key] : [file]) {
      await cosign("verify", "--key", by, ...common, image);
      await cosign("verify-attestation", "--key", by, "--type", "custom", ...common, image);
    }
    if (!isEcdsa) return;
    const theirs = imageText(await bench.pushImage("signed by cosign"));
    const predicate = join(workspace.folder, "predicate.json");
    writeFileSync(predicate, '{"tested":true}');
    const making = ["--key", key, "--yes", "--signing-config", signingConfig, ...common];
    await cosign("sign", ...making, theirs);
    await cosign("attest", "--type", "custom", "--predicate", predicate, ...making, theirs);
    workspace.write(keyed(scenario, verifyFlow(scenario, theirs, accepting)));
    await workspace.apply();
  });
});
