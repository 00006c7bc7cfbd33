import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../process/atomic-file";
import { hasCode } from "../../process/system-error";
import type { LocalSigningFiles } from "./local-signing";
import { signingConfig, trustedRoot, type TrustedParts } from "./trusted-root";

/** Paths of the files for other tools. */
export function localFiles(folder: string): LocalSigningFiles {
  return {
    trustedRoot: join(folder, "trusted_root.json"),
    signingConfig: join(folder, "signing_config.json"),
    signingConfigRekorV2: join(folder, "signing_config_rekor_v2.json"),
    certificateChain: join(folder, "certificate-authority.pem"),
    ctLogPublicKey: join(folder, "ct-log.pub"),
    transparencyLogPublicKey: join(folder, "transparency-log.pub"),
    timestampChain: join(folder, "timestamp-authority.pem"),
    identityToken: join(folder, "identity-token"),
    sampleImage: join(folder, "sample-image"),
    environment: join(folder, "environment.sh"),
  };
}

/** Keeps git from adding what will be in the folder, above all the keys. */
export async function ignoreContent(folder: string): Promise<void> {
  const keys = join(folder, "keys");
  await mkdir(folder, { recursive: true });
  await mkdir(keys, { recursive: true, mode: 0o700 });
  await writeFileAtomically(join(keys, ".gitignore"), "*\n");
  // The folder may be one of the user's.
  await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch((failure: unknown) => {
    if (!hasCode(failure, "EEXIST")) throw failure;
  });
}

/** Writes all files except the token, and returns environment variables with their paths. */
export async function writeFiles(
  files: LocalSigningFiles,
  parts: TrustedParts,
): Promise<Readonly<Record<string, string>>> {
  const environment = {
    SIGSTORE_ROOT_FILE: files.certificateChain,
    SIGSTORE_CT_LOG_PUBLIC_KEY_FILE: files.ctLogPublicKey,
    SIGSTORE_REKOR_PUBLIC_KEY: files.transparencyLogPublicKey,
    SIGSTORE_TSA_CERTIFICATE_FILE: files.timestampChain,
  };
  const lines = Object.entries(environment).map(
    ([name, value]) => `export ${name}=${quote(value)}`,
  );
  const token = `export SIGSTORE_ID_TOKEN="$(cat ${quote(files.identityToken)})"`;
  await Promise.all([
    writeFileAtomically(files.trustedRoot, json(trustedRoot(parts))),
    writeFileAtomically(files.signingConfig, json(signingConfig(parts, 1))),
    writeFileAtomically(files.signingConfigRekorV2, json(signingConfig(parts, 2))),
    writeFileAtomically(files.certificateChain, parts.certificateAuthority.pem),
    writeFileAtomically(files.ctLogPublicKey, parts.ctLog.publicKeyPem),
    writeFileAtomically(files.transparencyLogPublicKey, parts.transparencyLog.publicKeyPem),
    writeFileAtomically(files.timestampChain, parts.timestampAuthority.pem),
    writeFileAtomically(files.environment, `${[...lines, token].join("\n")}\n`),
  ]);
  return environment;
}

// Half of what a token lasts.
const renewalMs = 5 * 60 * 1000;

/** Keeps a valid token in a file until the returned function is called. */
export async function keepTokenFresh(file: string, issue: () => string): Promise<() => void> {
  const write = () => writeFileAtomically(file, issue(), { mode: 0o600 });
  await write();
  const timer = setInterval(() => {
    // If the folder was removed, the next request that needs it fails.
    write().catch(() => undefined);
  }, renewalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
