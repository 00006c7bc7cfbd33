// Serves everything that signing needs from a folder until its input ends.
import { startLocalSigning } from "../../src/local/signing/start-local-signing";

async function main(folder: string): Promise<void> {
  const services = await startLocalSigning({ folder, port: 0 });
  const { registryHost, addresses, files } = services;
  console.log(
    JSON.stringify({
      registry: registryHost,
      fulcioUrl: addresses.certificateAuthority,
      rekorUrl: addresses.transparencyLog,
      issuer: addresses.tokenIssuer,
      trustedRoot: files.trustedRoot,
      ctLogPublicKey: files.ctLogPublicKey,
      identityToken: files.identityToken,
    }),
  );
  process.stdin.resume().on("end", () => void services.close());
}

const [, , folder = ""] = process.argv;
void main(folder);
