import { execFile, execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LocalSigning } from "../../../src/local/signing/start-local-signing";
import { temporaryFolder } from "./local-services";
import { onPath } from "../../on-path";

const run = promisify(execFile);

/** What is made and verified: one kind of evidence for an image. */
export interface Evidence {
  readonly format: "legacy" | "bundle";
  readonly what: "signature" | "attestation";
}

/** The statement of an attestation. */
interface Statement {
  readonly predicateType: string;
  readonly json: string;
}

/** A cosign on `PATH`. */
export interface Cosign {
  readonly path: string;
  readonly version: string;
  readonly major: 2 | 3;
}

/** A cosign of version 2 and one of version 3, as far as they are on `PATH` under these names. */
export function findCosign(): readonly Cosign[] {
  const found = [onPath("cosign2"), onPath("cosign3"), onPath("cosign")].flatMap(versionOf);
  return ([2, 3] as const).flatMap((major) => {
    const first = found.find((each) => each.major === major);
    return first ? [first] : [];
  });
}

function versionOf(path: string | undefined): readonly Cosign[] {
  if (path === undefined) return [];
  const said = execFileSync(path, ["version"], { encoding: "utf8", stdio: "pipe" });
  const [, version = ""] = /GitVersion:\s*v?(\S+)/.exec(said) ?? [];
  if (version.startsWith("2.")) return [{ path, version, major: 2 }];
  return version.startsWith("3.") ? [{ path, version, major: 3 }] : [];
}

/**
 * Signs or attests with the local services: Fulcio, version 1 of Rekor, a timestamp authority.
 *
 * @param more further options
 */
export async function cosignMakes(
  cosign: Cosign,
  { format, what }: Evidence,
  { predicateType, json }: Statement,
  local: LocalSigning,
  image: string,
  email: string,
  more: readonly string[] = [],
): Promise<void> {
  const { addresses, files } = local;
  const folder = await temporaryFolder();
  const [token, predicate] = [join(folder, "token"), join(folder, "predicate.json")];
  await writeFile(token, local.issueToken({ email }));
  await writeFile(predicate, json);
  const services =
    format === "bundle"
      ? [
          "--new-bundle-format",
          "--signing-config",
          files.signingConfig,
          "--trusted-root",
          files.trustedRoot,
        ]
      : [
          "--new-bundle-format=false",
          "--use-signing-config=false",
          "--fulcio-url",
          addresses.certificateAuthority,
          "--rekor-url",
          addresses.transparencyLog,
          "--timestamp-server-url",
          addresses.timestampAuthority,
        ];
  const verb =
    what === "signature" ? ["sign"] : ["attest", "--predicate", predicate, "--type", predicateType];
  const common = ["--identity-token", token, "--allow-http-registry", "--yes"];
  await cosignRuns(cosign, local, [...verb, ...services, ...common, ...more, image], format);
}

/** Verifies what is attached to an image, with the time of the log or of the timestamp. */
export async function cosignVerifies(
  cosign: Cosign,
  { format, what }: Evidence,
  { predicateType }: Pick<Statement, "predicateType">,
  local: LocalSigning,
  image: string,
  { email, timestamp }: { readonly email: string; readonly timestamp: boolean },
): Promise<void> {
  const { addresses, files } = local;
  const verb = what === "signature" ? ["verify"] : ["verify-attestation", "--type", predicateType];
  const chain = timestamp ? ["--timestamp-certificate-chain", files.timestampChain] : [];
  const takesRoot = cosign.major === 3 || format === "bundle";
  const roots = takesRoot ? ["--trusted-root", files.trustedRoot] : chain;
  const common = [
    `--new-bundle-format=${String(format === "bundle")}`,
    "--allow-http-registry",
    "--certificate-identity",
    email,
    "--certificate-oidc-issuer",
    addresses.tokenIssuer,
    "--output",
    "json",
    `--use-signed-timestamps=${String(timestamp)}`,
  ];
  await cosignRuns(cosign, local, [...verb, ...roots, ...common, image], format);
}

async function cosignRuns(
  { path, major }: Cosign,
  local: LocalSigning,
  args: readonly string[],
  format: Evidence["format"],
): Promise<void> {
  // Of version 2, only bundles are verified with a trusted root.
  const files = major === 2 && format === "legacy" ? local.environment : {};
  const env = { PATH: process.env["PATH"], HOME: await temporaryFolder(), ...files };
  await run(path, [...args], { env, timeout: 300_000 });
}
