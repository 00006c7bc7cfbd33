import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onPath } from "../../../../on-path";

/** The tester of sigstore/policy-controller (`cmd/tester`), if there is one. */
export const tester = process.env["TRIVET_POLICY_TESTER"] ?? onPath("policy-controller-tester");

/** What the tester says about an image: whether it passes, and its words. */
interface Answer {
  readonly accepts: boolean;
  readonly words: string;
}

interface TesterSettings {
  readonly trustRoot?: string | undefined;
  /** Further options. @default none */
  readonly more?: readonly string[];
}

/** Asks the tester whether policies accept an image. Invalid policies do not. */
export function askTester(
  policies: string,
  image: string,
  { trustRoot, more = [] }: TesterSettings = {},
): Promise<Answer> {
  if (tester === undefined) throw new Error("there is no tester");
  const program = tester;
  const folder = mkdtempSync(join(tmpdir(), "trivet-tester-"));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const args = [
    "-policy",
    write("policy.yaml", policies),
    "-image",
    image,
    "-log-level",
    "error",
    ...more,
  ];
  if (trustRoot !== undefined) args.push("-trustroot", write("root.yaml", trustRoot));
  const options = { env: { HOME: folder }, timeout: 60_000, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile(program, args, options, (failure, stdout, stderr) => {
      rmSync(folder, { recursive: true, force: true });
      resolve({ accepts: failure === null, words: `${stdout}${stderr}` });
    });
  });
}
