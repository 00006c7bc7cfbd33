import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeFileAtomically } from "../../core/process/atomic-file";
import { bindServices, choosePorts, savePorts, type BoundServices } from "./bind-services";
import { refuseTrackedKeys } from "./keys/tracked-keys";
import { ignoreContent, keepTokenFresh, localFiles, writeFiles } from "./local-files";
import type { LocalSigning, LocalSigningSettings } from "./local-signing";
import { openServices } from "./open-services";
import { storeSampleImage } from "./registry/sample-image";
import { timestampPath } from "./timestamp/timestamp";

/**
 * Starts all signing services on the loopback interface: an image registry, a certificate authority with its
 * log, a transparency log, a timestamp authority, and a token issuer.
 *
 * Keys are created once for each folder. Only one run at a time can use a folder.
 */
export async function startLocalSigning(settings: LocalSigningSettings): Promise<LocalSigning> {
  const folder = resolve(settings.folder);
  await refuseTrackedKeys(join(folder, "keys"));
  // Before anything is written: a port in use leaves no trace.
  const bound = await bindServices(await choosePorts(join(folder, "ports.json"), settings.port));
  try {
    return await serve(folder, bound, settings);
  } catch (failure) {
    await bound.close();
    throw failure;
  }
}

async function serve(
  folder: string,
  bound: BoundServices,
  settings: LocalSigningSettings,
): Promise<LocalSigning> {
  const { services } = bound;
  const { registry } = services;
  const { sampleImage: repository, email = "dev@example.com" } = settings;
  const sample =
    repository === undefined
      ? undefined
      : `${registry.host}/${repository}@${await storeSampleImage(join(folder, "registry"), repository)}`;
  await ignoreContent(folder);
  const { listeners, issuer, stored, trusted, settled } = await openServices(
    folder,
    services,
    settings,
  );
  bound.serve(listeners);
  await savePorts(join(folder, "ports.json"), services);
  const addresses = {
    registry: registry.url,
    certificateAuthority: services.certificateAuthority.url,
    transparencyLog: services.transparencyLog.url,
    timestampAuthority: `${services.timestampAuthority.url}${timestampPath}`,
    tokenIssuer: services.tokenIssuer.url,
  };
  const files = localFiles(folder);
  const environment = await writeFiles(files, { addresses, ...trusted });
  if (sample === undefined) await rm(files.sampleImage, { force: true });
  else await writeFileAtomically(files.sampleImage, sample);
  const stopToken = await keepTokenFresh(files.identityToken, () => issuer.issue({ email }));
  return {
    addresses,
    registryHost: registry.host,
    files,
    sampleImage: sample,
    environment,
    stored,
    issueToken: (subject) => issuer.issue(subject),
    close: async () => {
      stopToken();
      await bound.close();
      await settled();
    },
  };
}
