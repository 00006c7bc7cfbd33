import type { CallContext } from "../../../http/call-context";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { RegistryError } from "../protocol/registry-error";
import type { Credentials, CredentialSource } from "./credentials";

/**
 * The credentials for the registries of Google, Amazon and Azure, from the identity that the cloud gave to this
 * machine, or that its tools stored. They are sent only to hosts that the clouds document. A machine without
 * such an identity has no credentials.
 *
 * Each cloud's part is loaded only for its registries.
 */
export function cloudCredentials(settings: CloudSettings): CredentialSource {
  return {
    async find(registry, context) {
      try {
        return await credentialsFor(registry, settings, context);
      } catch (error) {
        if (!(error instanceof RegistryError) || error.code !== "CREDENTIALS") throw error;
        const way = `to use ${registry} without them, add an empty entry for it to auths in Docker's configuration`;
        const message = `${error.message}; ${way}`;
        throw new RegistryError("CREDENTIALS", message, { cause: error });
      }
    },
  };
}

async function credentialsFor(
  registry: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  switch (cloudOf(registry)) {
    case "google": {
      const { googleCredentials } = await import("./google.js");
      return googleCredentials(settings, context);
    }
    case "amazon": {
      const { amazonCredentials } = await import("./amazon.js");
      return amazonCredentials(registry, settings, context);
    }
    case "azure": {
      const { azureCredentials } = await import("./azure.js");
      return azureCredentials(registry, settings, context);
    }
    case undefined:
      return undefined;
  }
}

type Cloud = "google" | "amazon" | "azure";

/**
 * The hosts of private registries, whole and without a port. Anyone who could choose another host would get the
 * token.
 *
 * @see https://cloud.google.com/artifact-registry/docs/docker/names
 * @see https://docs.aws.amazon.com/AmazonECR/latest/userguide/Registries.html
 * @see https://learn.microsoft.com/azure/container-registry/container-registry-concepts
 */
const hosts: readonly (readonly [Cloud, RegExp])[] = [
  ["google", /^(?:(?:us|eu|asia)\.)?gcr\.io$|^[a-z\d-]+-docker\.pkg\.dev$/],
  ["amazon", /^\d{12}\.dkr\.ecr(?:-fips)?\.[a-z\d-]+\.amazonaws\.com(?:\.cn)?$/],
  ["azure", /^[a-z\d-]{5,60}\.azurecr\.(?:io|us|cn)$/],
];

/** The cloud of a registry; undefined for all other hosts. */
export function cloudOf(registry: string): Cloud | undefined {
  return hosts.find(([, host]) => host.test(registry))?.[0];
}
