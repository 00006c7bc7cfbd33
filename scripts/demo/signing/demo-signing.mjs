// @ts-check
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cdktf } from "../cdktf.mjs";
import { withProgress } from "../progress.mjs";
import { tail } from "../trivet-exec.mjs";
import { root } from "../../providers.mjs";
import { followCopy } from "./copy-progress.mjs";
import { verifyWithCosign } from "./cosign.mjs";
import { filesIn, imageOfFiles, imageOfRandomBytes } from "./image.mjs";
import { repository } from "./registry.mjs";
import { sbom } from "./sbom.mjs";
import { seen } from "./seen.mjs";
import { SIGNER, startServices } from "./services.mjs";
import { megabytes, SLSA_PROVENANCE, SPDX, steps } from "./steps.mjs";

const STACK = "signing-demo";
const LARGE_LAYERS = 10;
const LARGE_LAYER_BYTES = 10_000_000;

/** @typedef {import("../trivet-exec.mjs").Done} Done */

/**
 * Packages our own providers as an image, deploys the signing stack for it, and shows what the stack
 * refuses. Each step is compared with the registry, and must not print a secret.
 *
 * @param {import("../trivet-exec.mjs").Setting & { providers: string }} setting `providers` is the
 *   folder with the built ones
 * @returns {Promise<Done[]>}
 */
export async function demoSigning(setting) {
  const { trivet, project } = setting;
  const folder = join(project, "signing");
  // Two registries, so that a copy transfers bytes: within one registry it transfers none.
  const { result: services } = await withProgress("start the local services for signing", () =>
    startServices({ trivet, cwd: project, folder: join(folder, "ours") }),
  );
  const vendor = await startServices({ trivet, cwd: project, folder: join(folder, "theirs") });
  const theirs = repository(vendor.host, "builds/providers");
  const ours = repository(services.host, "released/providers");
  console.log(`    ${services.host}, and another registry at ${vendor.host}`);

  const files = await filesIn(setting.providers);
  const release = await imageOfFiles(files);
  const tampered = await imageOfFiles([
    ...files,
    { path: "miner.sh", content: Buffer.from("#!/bin/sh\n") },
  ]);
  const large = await imageOfRandomBytes(LARGE_LAYERS, LARGE_LAYER_BYTES);
  await withProgress("pack our providers as an image, and push it", () => theirs.push(release));
  console.log(`    ${theirs.name}@${release.digest}`);
  await withProgress(`push another one, of ${megabytes(large.size)} MB`, () => theirs.push(large));
  const sbomFile = join(folder, "sbom.spdx.json");
  await writeFile(sbomFile, JSON.stringify(sbom("trivet-providers", "0.1.0", files)));

  /** @type {NodeJS.ProcessEnv} */
  let env = {
    ...process.env,
    DEMO_REGISTRY: services.host,
    DEMO_FULCIO_URL: services.certificateAuthority,
    DEMO_REKOR_URL: services.transparencyLog,
    DEMO_TIMESTAMP_URL: services.timestampAuthority,
    DEMO_TRUSTED_ROOT: services.trustedRoot,
    DEMO_SIGNER: SIGNER,
    DEMO_ISSUER: services.tokenIssuer,
    DEMO_SBOM: sbomFile,
    DEMO_SOURCE_URI: "git+https://trivet.example/trivet",
    DEMO_SOURCE_COMMIT: gitCommit(),
  };
  /** @type {Done[]} */
  const all = [];
  /** @type {import("./seen.mjs").Seen | undefined} */
  let before;
  let digest = release.digest;
  const plan = steps({ theirs, ours, release, tampered, large });
  for (const [index, step] of plan.entries()) {
    setting.throwIfInterrupted();
    digest = step.large?.digest ?? digest;
    const token = await services.identityToken();
    const logFile = join(folder, `terraform-${index + 1}.log`);
    env = { ...env, ...step.change };
    const title = `signing ${index + 1}/${plan.length} cdktf ${step.verb}: ${step.title}`;
    await step.prepare?.();
    let sentBytes = 0;
    const { result: report, seconds } = await withProgress(title, async () => {
      const following = followCopy(logFile, (bytes) => {
        sentBytes = bytes;
        if (step.large === undefined || megabytes(bytes) === 0) return;
        console.log(`    copied ${megabytes(bytes)} of ${megabytes(step.large.size)} MB`);
      });
      const log = { TF_LOG_PROVIDER: "INFO", TF_LOG_PATH: logFile };
      const running = cdktf(step.verb, STACK, setting, {
        ...env,
        ...log,
        SIGSTORE_ID_TOKEN: token,
      });
      return running.finally(following.stop);
    });
    setting.throwIfInterrupted();
    const { code, log, added, changed, destroyed } = report;
    if (code !== 0 && step.isRefused !== true) {
      throw new Error(`${title} ended with code ${code}\n${masked(tail(log), token)}`);
    }
    const stateFile = join(project, `terraform.${STACK}.tfstate`);
    const now = await seen(report, { ours, digest, stateFile, sentBytes });
    const written = await Promise.all([logFile, stateFile].map((file) => readFile(file, "utf8")));
    verify(title, masked(log, token), {
      ...step.expectations(now, before ?? now),
      "no secret is printed or kept": [log, ...written].every((text) => !text.includes(token)),
    });
    before = now;
    const counts = `${added} added, ${changed} changed, ${destroyed} destroyed`;
    const what = now.actions.length === 0 ? "signing: no changes" : now.actions.join("; ");
    for (const line of now.refusal ?? [`${what}: ${counts}`]) console.log(`    ${line}`);
    const details = now.refusal === undefined ? [what] : inShort(now.refusal);
    if (index === 0) {
      const image = `${ours.name}@${release.digest}`;
      details.push(await verifyWithCosign(image, services, [SLSA_PROVENANCE, SPDX]));
    }
    all.push({
      title: step.title,
      seconds,
      counts: now.refusal === undefined ? counts : "refused",
      details,
    });
  }
  return all;
}

/**
 * If several policies are violated, only the first.
 *
 * @param {readonly string[]} refusal
 */
function inShort(refusal) {
  const policies = refusal.filter((line) => line.startsWith("The policy ")).length;
  if (policies < 2) return [...refusal];
  const end = refusal.findIndex((line, index) => index > 1 && line.startsWith("The policy "));
  return [...refusal.slice(0, end), `and ${policies - 1} more policies refuse it`];
}

/**
 * @param {string} title
 * @param {string} log
 * @param {Readonly<Record<string, boolean>>} expectations
 */
function verify(title, log, expectations) {
  const missed = Object.entries(expectations).filter(([, isMet]) => !isMet);
  if (missed.length === 0) {
    for (const what of Object.keys(expectations)) console.log(`    ✓ ${what}`);
    return;
  }
  const list = missed.map(([what]) => `  expected, but not so: ${what}`).join("\n");
  throw new Error(`${title}\n${list}\n${tail(log)}`);
}

/**
 * @param {string} text
 * @param {string} token
 */
const masked = (text, token) => text.replaceAll(token, "(a secret)");

/** The source that the providers were built from, according to git. */
function gitCommit() {
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root });
  return status === 0 ? String(stdout).trim() : "unknown";
}
