import { readFileSync } from "node:fs";
import {
  signFile,
  trustOf,
  verifyWorkflow,
} from "../../../../src/core/signing/file-attestation/workflow-signature";
import { digestOf } from "../../../../src/core/signing/oci/reference/descriptor";
import { openServices } from "../../../local/signing/local-services";

const repository = "https://github.com/acme/stacks";
const workflow = `${repository}/.github/workflows/stacks.yml`;
const commit = "c".repeat(40);
const file = digestOf(Buffer.from("plans"));
const job = {
  subject: `${workflow}@refs/pull/7/merge`,
  workflow: { repository: "acme/stacks", sha: commit, event_name: "pull_request" },
};

const call = () => ({ signal: AbortSignal.timeout(60_000), deadline: Date.now() + 60_000 });

async function opened(version: "signingConfig" | "signingConfigRekorV2" = "signingConfig") {
  const services = await openServices();
  const { files, environment, addresses } = services;
  // Version 2 of the log is trusted by the trusted root alone.
  const env = {
    ...(version === "signingConfig"
      ? environment
      : { TRIVET_TRUSTED_ROOT: readFileSync(files.trustedRoot, "utf8") }),
    TRIVET_SIGNING_CONFIG: files[version],
  };
  const expected = { issuer: addresses.tokenIssuer, workflow, repository, trigger: "pull_request" };
  const trust = await trustOf(env, call());
  return {
    sign: (token: Parameters<typeof services.issueToken>[0] = job) =>
      signFile(file, { ...env, SIGSTORE_ID_TOKEN: services.issueToken(token) }, call()),
    verify: (bundle: Uint8Array, changed: Partial<typeof expected> = {}, signed = file) =>
      verifyWorkflow(bundle, signed, { ...expected, ...changed }, trust),
    verifyWith: (bundle: Uint8Array, other: typeof trust) =>
      verifyWorkflow(bundle, file, expected, other),
    trust,
  };
}

describe("a file that a job of a workflow has signed", () => {
  it.each(["signingConfig", "signingConfigRekorV2"] as const)(
    "names the commit of the job, with the services of %s",
    async (version) => {
      const { sign, verify } = await opened(version);
      expect(verify(await sign())).toEqual({ commit });
    },
  );

  it("is that of no other workflow, repository, event, issuer, file or authority", async () => {
    const { sign, verify, verifyWith } = await opened();
    const bundle = await sign();
    const other = digestOf(Buffer.from("others"));
    expect(verify(bundle, {}, other)).toMatchObject({ code: "CLAIM" });
    for (const changed of [
      { issuer: "https://gitlab.com" },
      { workflow: `${repository}/.github/workflows/stacks` },
      { workflow: `${repository}/.github/workflows/other.yml` },
      { repository: "https://github.com/acme/other" },
      { repository: "https://github.com/acme" },
      { trigger: "push" },
      { trigger: "" },
    ]) {
      expect(verify(bundle, changed)).toMatchObject({ code: "IDENTITY" });
    }
    const elsewhere = await opened();
    expect(verifyWith(bundle, elsewhere.trust)).toHaveProperty("problem");
    expect(verify(bundle)).toEqual({ commit });
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof opened>>["sign"]>[0]]>([
    ["a person", { email: "dev@example.com" }],
    ["a job without facts", { subject: job.subject }],
    ["a workflow of another name", { ...job, subject: `${repository}/other.yml@refs/heads/x` }],
    ["a fork", { ...job, workflow: { ...job.workflow, repository: "mallory/stacks" } }],
    ["a push to a branch", { ...job, workflow: { ...job.workflow, event_name: "push" } }],
    ["a job without a commit", { ...job, workflow: { ...job.workflow, sha: "" } }],
  ])("is not one that %s has signed", async (_, token) => {
    const { sign, verify } = await opened();
    const result = verify(await sign(token));
    expect(result).toMatchObject({ code: "IDENTITY" });
  });

  it("is refused as a whole if a byte of its signature changes", async () => {
    const { sign, verify } = await opened();
    const text = (await sign()).toString("utf8");
    const payload = /"payload":"([^"]+)"/.exec(text)?.[1] ?? "";
    const changed = Buffer.from(payload, "base64")
      .toString("utf8")
      .replace(/[0-9a-f]{64}/, "0".repeat(64));
    const forged = text.replace(payload, Buffer.from(changed).toString("base64"));
    expect(verify(Buffer.from(forged))).toMatchObject({ code: "SIGNATURE" });
    expect(verify(Buffer.from("{}"))).toMatchObject({ code: "FORMAT" });
  });

  it("is signed by nobody without an identity", async () => {
    const empty = { NO_GCE_CHECK: "true" };
    await expect(signFile(file, empty, call())).rejects.toMatchObject({ code: "NO_IDENTITY" });
  });
});
