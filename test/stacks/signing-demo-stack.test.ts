import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Testing } from "cdktf";
import { parsePolicies } from "../../src/core/signing/policy/parse/parse-policies";
import { SigningDemoStack } from "../../stacks/signing-demo-stack";
import { synthesized } from "../core/ids/synthesized";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trivet-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function newStack(candidate?: string): SigningDemoStack {
  const sbom = join(folder, "sbom.spdx.json");
  writeFileSync(sbom, JSON.stringify({ spdxVersion: "SPDX-2.3", SPDXID: "SPDXRef-DOCUMENT" }));
  return new SigningDemoStack(Testing.app(), "signing-demo", {
    image: `127.0.0.1:5000/built/providers@sha256:${"0123456789abcdef".repeat(4)}`,
    candidate,
    registryHost: "127.0.0.1:5000",
    fulcioUrl: "http://127.0.0.1:5001",
    rekorUrl: "http://127.0.0.1:5002",
    timestampUrl: "http://127.0.0.1:5003/api/v1/timestamp",
    trustedRoot: "/srv/signing/trusted_root.json",
    signer: "dev@example.com",
    issuer: "http://127.0.0.1:5004",
    sbom,
    source: { uri: "git+https://example.com/trivet", gitCommit: "0123456789".repeat(4) },
  });
}

test("the demo stack synthesizes without warnings", () => {
  const stack = newStack();
  expect(synthesized(stack)).toMatchSnapshot();
  const notes = stack.node.findAll().flatMap(({ node }) => node.metadata);
  expect(notes.filter(({ type }) => type === "@cdktf/warn")).toEqual([]);
});

test("its policies are valid and cause no warnings", () => {
  const { data } = synthesized(newStack()) as {
    readonly data: { readonly signing_verify: { readonly verified: { readonly policy: string } } };
  };
  const parsed = parsePolicies(data.signing_verify.verified.policy);
  const names = ["signed", "signed-with-a-bundle", "attested"];
  expect(parsed).toMatchObject({ policies: names.map((name) => ({ name })), warnings: [] });
});

test("a run can verify another image", () => {
  const candidate = `127.0.0.1:5000/released/providers@sha256:${"f".repeat(64)}`;
  expect(synthesized(newStack(candidate))["data"]).toMatchObject({
    signing_verify: { verified: { image: candidate } },
  });
});
