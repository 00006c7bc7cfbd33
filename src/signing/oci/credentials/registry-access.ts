import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { canonicalRegistry } from "../reference/image-name";
import { cloudCredentials } from "./cloud-credentials";
import { type Credentials, type CredentialSource, firstOf, givenCredentials } from "./credentials";
import { dockerConfigCredentials } from "./docker-config";
import type { RegistryAccess } from "./registry-settings";

/**
 * The credentials for registries: those that are given, otherwise those that `docker login` stored, otherwise
 * those of a cloud's identity.
 */
export function registryAccess(
  registries: readonly RegistryAccess[],
  settings: CloudSettings & { readonly homeFolder: string },
): { readonly credentials: CredentialSource; readonly plainHttpRegistries: readonly string[] } {
  const given: Record<string, Credentials> = {};
  for (const { host, username = "", password } of registries) {
    if (password === undefined) continue;
    settings.redact(password);
    given[canonicalRegistry(host)] = { kind: "basic", username, password };
  }
  const { env, homeFolder } = settings;
  const userId = process.getuid?.();
  const docker = dockerConfigCredentials({ environment: { ...env }, homeFolder, userId });
  return {
    credentials: firstOf([givenCredentials(given), docker, cloudCredentials(settings)]),
    plainHttpRegistries: registries
      .filter(({ plainHttp }) => plainHttp === true)
      .map(({ host }) => canonicalRegistry(host)),
  };
}
