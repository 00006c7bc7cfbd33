import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { formatRepository } from "../../src/core/signing/oci/reference/image-name";
import { email, policyText } from "../core/signing/provider/signing";
import { sign } from "../core/signing/sign/operations";
import { openBench } from "../core/signing/sign/signing-bench";
import { packedProject, writeFiles } from "./packed-project";

const run = promisify(execFile);

/** A service that decides about deployments, as its author writes it. */
const gate = `
import { ImageVerifier, VerifyError, type ImageVerdict } from "@trivet/constructs/signing/verify";

const { IMAGE = "", POLICY = "", ROOT = "" } = process.env;

async function main(): Promise<void> {
  const verifier = new ImageVerifier({ trustedRoot: ROOT });
  const verdict: ImageVerdict = await verifier.verify({ image: IMAGE, policy: POLICY });
  const signers = verdict.policies.flatMap(({ authorities }) =>
    authorities.flatMap(({ requirements }) =>
      requirements.flatMap(({ counted }) => counted.map(({ subject }) => subject)),
    ),
  );
  const failure = await verifier
    .verify({ image: IMAGE, policy: "a: 1" })
    .then(() => undefined, (error: unknown) => (error instanceof VerifyError ? error.code : error));
  await verifier.close();
  console.log(JSON.stringify({ accepted: verdict.accepted, signers, failure }));
}

void main();
`;

/** The same in a project with ES modules. */
const esModule = `
import { verifyImage } from "@trivet/constructs/signing/verify";
const { IMAGE: image = "", POLICY: policy = "", ROOT: trustedRoot } = process.env;
const { accepted, text } = await verifyImage({ image, policy, trustedRoot });
console.log(JSON.stringify({ accepted, text }));
`;

test("a service verifies images with the packed package, without cdktf", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("gated");
  await sign(bench, bench.person(email), image);
  const project = packedProject(["typescript", "@types/node"]);
  const compilerOptions = {
    target: "es2022",
    module: "node16",
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
  };
  writeFiles(project, {
    "gate.ts": gate,
    "module.mts": esModule,
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["*.ts", "*.mts"] }),
  });
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  await run(process.execPath, [tsc], { cwd: project });
  const env = {
    IMAGE: `${formatRepository(image)}@${image.digest}`,
    POLICY: policyText(bench.local),
    ROOT: bench.local.files.trustedRoot,
  };
  const printed = async (file: string): Promise<unknown> =>
    JSON.parse((await run(process.execPath, [file], { cwd: project, env })).stdout) as unknown;
  expect(await printed("gate.js")).toEqual({
    accepted: true,
    signers: [email],
    failure: "INVALID_POLICY",
  });
  expect(await printed("module.mjs")).toEqual({
    accepted: true,
    text: expect.stringContaining("is accepted (ACCEPTED).") as string,
  });
});
