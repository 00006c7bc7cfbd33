import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../../json/is-object";
import { failureCode } from "../../../http/failure";
import { anonymous, type Credentials, type CredentialSource } from "./credentials";
import { runCredentialHelper } from "./credential-helper";
import { readJsonObject, readStrings, type JsonObject } from "../protocol/read-json";
import { RegistryError } from "../protocol/registry-error";

// Docker Hub's key in Docker's files is a URL of the first registry protocol.
const dockerHubKey = "https://index.docker.io/v1/";

/** Where to look for Docker's configuration. */
export interface DockerConfigSettings {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly homeFolder: string;
  readonly userId?: number | undefined;
}

/**
 * The credentials that `docker login` and similar tools stored: in $DOCKER_CONFIG or ~/.docker/config.json,
 * in $REGISTRY_AUTH_FILE, or in containers/auth.json under $XDG_RUNTIME_DIR or ~/.config. Only the first
 * existing file is used. The registry's name must match exactly.
 *
 * @see https://docs.docker.com/reference/cli/docker/login/
 * @see https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md
 */
export function dockerConfigCredentials(settings: DockerConfigSettings): CredentialSource {
  return {
    async find(registry, context) {
      const config = await readFirst(candidates(settings));
      if (config === undefined) return undefined;
      const { file, json } = config;
      const keys =
        registry === "index.docker.io" ? [dockerHubKey, registry, "docker.io"] : [registry];
      const helpers = readStrings(json["credHelpers"]) ?? {};
      const perRegistry = keys.map((key) => own(helpers, key)).find((name) => name !== undefined);
      const helper = perRegistry ?? json["credsStore"];
      if (typeof helper === "string" && helper !== "") {
        const server = keys[0] ?? registry;
        const found = await runCredentialHelper(helper, server, settings.environment, context);
        if (found !== undefined) return found;
      }
      const auths = isObject(json["auths"]) ? json["auths"] : {};
      for (const key of keys.flatMap((name) => [name, `https://${name}`, `http://${name}`])) {
        const entry = own(auths, key);
        if (isObject(entry)) return readEntry(entry, registry, file);
      }
      return undefined;
    },
  };
}

function candidates({ environment, homeFolder, userId }: DockerConfigSettings): readonly string[] {
  const dockerFolder = environment["DOCKER_CONFIG"] ?? join(homeFolder, ".docker");
  const runtime =
    environment["XDG_RUNTIME_DIR"] ?? (userId === undefined ? "" : `/run/user/${userId}`);
  return [
    join(dockerFolder, "config.json"),
    environment["REGISTRY_AUTH_FILE"] ?? "",
    runtime === "" ? "" : join(runtime, "containers", "auth.json"),
    join(homeFolder, ".config", "containers", "auth.json"),
  ].filter((file) => file !== "");
}

async function readFirst(
  files: readonly string[],
): Promise<{ readonly file: string; readonly json: JsonObject } | undefined> {
  for (const file of files) {
    let bytes: Buffer;
    try {
      bytes = await readFile(file);
    } catch (cause) {
      if (["ENOENT", "ENOTDIR"].includes(failureCode(cause) ?? "")) continue;
      throw unusable(`${file} cannot be read (${failureCode(cause) ?? "unknown"})`);
    }
    const json = readJsonObject(bytes);
    if (json === undefined) throw unusable(`${file} is not a JSON object`);
    return { file, json };
  }
  return undefined;
}

function readEntry(entry: JsonObject, registry: string, file: string): Credentials {
  const { auth, username, password, identitytoken, registrytoken } = entry;
  if (isNonEmpty(registrytoken)) return { kind: "registry-token", token: registrytoken };
  if (isNonEmpty(identitytoken)) return { kind: "identity-token", token: identitytoken };
  if (isNonEmpty(username) && isNonEmpty(password)) return { kind: "basic", username, password };
  if (!isNonEmpty(auth)) return anonymous;
  const pair = Buffer.from(auth, "base64").toString("utf8").replace(/\0+$/, "");
  const colon = pair.indexOf(":");
  if (colon > 0) {
    return { kind: "basic", username: pair.slice(0, colon), password: pair.slice(colon + 1) };
  }
  throw unusable(
    `the entry for ${registry} in ${file} has no valid user name and password in "auth"`,
  );
}

function isNonEmpty(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function own<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function unusable(problem: string): RegistryError {
  return new RegistryError({
    code: "CREDENTIALS",
    message: `the registry credentials: ${problem}`,
  });
}
