import type { Credentials } from "./credentials";
import { gcloudProject } from "./gcloud-folder";
import { GoogleError } from "./google-error";
import { readMetadata } from "./metadata-server";
import type { TokenServices } from "./token-request";

/**
 * Finds the project of credentials: the one in their file, else that of gcloud's configuration for a user who
 * has logged in there, else the machine's. Undefined without a project.
 */
export async function defaultProject(
  services: TokenServices,
  credentials: Credentials,
): Promise<string | undefined> {
  if (credentials.project !== undefined) return credentials.project;
  switch (credentials.type) {
    case "impersonated_service_account":
      return defaultProject(services, credentials.source);
    case "authorized_user":
    case "external_account_authorized_user":
      return gcloudProject(services.env);
    case "machine":
      return machineProject(services);
    default:
      return undefined;
  }
}

async function machineProject(services: TokenServices): Promise<string | undefined> {
  try {
    const answer = await readMetadata(services, "project/project-id");
    const project = "absent" in answer ? "" : answer.body.toString("utf8").trim();
    return /^[a-z\d.:-]{1,100}$/.test(project) ? project : undefined;
  } catch (error) {
    // The error for a missing project says how to set it.
    if (error instanceof GoogleError && error.code === "METADATA") return undefined;
    throw error;
  }
}
