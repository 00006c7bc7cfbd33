// @ts-check
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SIGNER } from "./services.mjs";

/**
 * Verifies what the provider wrote with cosign, if it is on the `PATH`.
 *
 * @param {string} image
 * @param {import("./services.mjs").Services} services
 * @param {readonly string[]} predicateTypes
 * @returns {Promise<string>} the result, for the summary
 */
export async function verifyWithCosign(image, { trustedRoot, tokenIssuer }, predicateTypes) {
  const found = await cosign(["version"], process.env);
  if (found === undefined) return "cosign is not on the PATH: nothing was verified with it";
  const version = /GitVersion: *(\S+)/.exec(found.output)?.[1] ?? "of unknown version";
  // It keeps a cache in the home folder.
  const home = await mkdtemp(join(tmpdir(), "trivet-demo-cosign-"));
  try {
    const env = { ...process.env, HOME: home };
    const identity = ["--certificate-identity", SIGNER, "--certificate-oidc-issuer", tokenIssuer];
    const commands = ["true", "false"].flatMap((isBundle) => {
      const options = ["--trusted-root", trustedRoot, ...identity];
      options.push(`--new-bundle-format=${isBundle}`, "--allow-http-registry");
      return [
        ["verify", ...options, image],
        ...predicateTypes.map((type) => ["verify-attestation", "--type", type, ...options, image]),
      ];
    });
    for (const command of commands) {
      const done = await cosign(command, env);
      if (done?.code !== 0) {
        throw new Error(`cosign ${command.join(" ")} refused:\n${done?.output ?? ""}`);
      }
    }
    return `cosign ${version} also verifies the signature and both attestations, in both formats`;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, output: string } | undefined>} undefined if it is not installed
 */
function cosign(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn("cosign", args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    child.on("error", (error) => {
      if ("code" in error && error.code === "ENOENT") resolve(undefined);
      else reject(error);
    });
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
