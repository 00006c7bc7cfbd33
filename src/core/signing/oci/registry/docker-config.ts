import { spawn } from "node:child_process";
import { isAbsolute, join } from "node:path";
import { type CallContext, systemClock } from "../../../http/call-context";
import { readJsonObject } from "../../../json/parse-json";
import { isObject, type Properties } from "../../../json/plain-json";
import { bytesIn, isFileProblem } from "../../../process/files";
import { readStrings } from "../reference/descriptor";
import { canonicalRegistry, dockerHub } from "../reference/image-name";
import {
  anonymous,
  type Credentials,
  type CredentialSource,
  rememberedCredentials,
  unusable,
} from "./credentials";

// Docker Hub's key in Docker's files is a URL of the first registry protocol.
const dockerHubKey = "https://index.docker.io/v1/";

interface DockerConfigSettings {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly homeFolder: string;
  readonly userId?: number | undefined;
}

/**
 * The credentials that `docker login` and similar tools stored: in $DOCKER_CONFIG or ~/.docker/config.json,
 * in $REGISTRY_AUTH_FILE, or in containers/auth.json under $XDG_RUNTIME_DIR or $XDG_CONFIG_HOME. Only the first
 * existing file is used. Credential helpers come first, then the entry with the longest path.
 *
 * @see https://docs.docker.com/reference/cli/docker/login/
 * @see https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md
 */
export function dockerConfigCredentials(settings: DockerConfigSettings): CredentialSource {
  const helpers = new Map<string, CredentialSource>();
  const helperOf = (name: string): CredentialSource => {
    const find: CredentialSource["find"] = (server, context) =>
      runCredentialHelper(name, server, settings.environment, context);
    const helper =
      helpers.get(name) ?? rememberedCredentials({ find }, systemClock, helperLifetimeMs);
    helpers.set(name, helper);
    return helper;
  };
  return {
    async find(registry, context, path = "") {
      const config = await readFirst(candidates(settings));
      if (config === undefined) return undefined;
      const { file, json } = config;
      const perRegistry = entriesFor(registry, "", readStrings(json["credHelpers"]) ?? {})[0];
      const helper = perRegistry ?? json["credsStore"];
      if (typeof helper === "string" && helper !== "") {
        const server = registry === dockerHub ? dockerHubKey : registry;
        const found = await helperOf(helper).find(server, context);
        if (found !== undefined) return found;
      }
      const auths = isObject(json["auths"]) ? json["auths"] : {};
      const entry = entriesFor(registry, path, auths).find(isObject);
      return entry === undefined ? undefined : readEntry(entry, registry, file);
    },
  };
}

/** Many repositories of one registry share a run of the helper. */
const helperLifetimeMs = 60_000;

/** The entries for a repository: the longest path first, and then the most exact name. */
function entriesFor<T>(
  registry: string,
  path: string,
  entries: Readonly<Record<string, T>>,
): readonly T[] {
  const exactNames = [dockerHubKey, registry, "docker.io", `https://${registry}`];
  const rank = (key: string): number =>
    exactNames.includes(key) ? exactNames.indexOf(key) : exactNames.length;
  return Object.entries(entries)
    .map(([key, entry]) => ({ entry, key, ...placeOf(key) }))
    .filter(
      ({ host, namespace }) =>
        host === registry && `${path}/`.startsWith(namespace && `${namespace}/`),
    )
    .sort((a, b) => b.namespace.length - a.namespace.length || rank(a.key) - rank(b.key))
    .map(({ entry }) => entry);
}

/**
 * The registry of a key, and the path of the repositories to which it is limited. In keys with a scheme, and in those of
 * the first registry protocols, the path belongs to the registry's API.
 */
function placeOf(key: string): { readonly host: string; readonly namespace: string } {
  const plain = key.replace(/^https?:\/\//i, "");
  const [host = "", ...path] = plain.split("/");
  const isApi = plain !== key || /^v[12]$/.test(path.join("/").replace(/\/+$/, ""));
  const namespace = isApi ? "" : path.join("/").replace(/\/+$/, "");
  return { host: canonicalRegistry(host), namespace };
}

function candidates({ environment, homeFolder, userId }: DockerConfigSettings): readonly string[] {
  const dockerFolder = environment["DOCKER_CONFIG"] ?? join(homeFolder, ".docker");
  const runtime =
    environment["XDG_RUNTIME_DIR"] ?? (userId === undefined ? "" : `/run/user/${userId}`);
  return [
    join(dockerFolder, "config.json"),
    environment["REGISTRY_AUTH_FILE"] ?? "",
    runtime === "" ? "" : join(runtime, "containers", "auth.json"),
    join(environment["XDG_CONFIG_HOME"] ?? join(homeFolder, ".config"), "containers", "auth.json"),
  ].filter((file) => file !== "");
}

/** Enough for thousands of registries. */
const maxConfigBytes = 4 * 1024 * 1024;

async function readFirst(
  files: readonly string[],
): Promise<{ readonly file: string; readonly json: Properties } | undefined> {
  for (const file of files) {
    const bytes = await bytesIn(file, maxConfigBytes, "regular").catch((error: unknown) => {
      throw isFileProblem(error) ? unusable(`${file} cannot be read: ${error.message}`) : error;
    });
    if (bytes === undefined) continue;
    const json = readJsonObject(bytes);
    if (json === undefined) throw unusable(`${file} is not a JSON object`);
    return { file, json };
  }
  return undefined;
}

function readEntry(entry: Properties, registry: string, file: string): Credentials {
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

const timeoutMs = 30_000;
const maxBytes = 1_000_000;

/**
 * Runs one of Docker's credential helpers, a program named `docker-credential-<name>`, without a shell.
 *
 * @returns undefined if the helper has no credentials for the registry
 * @throws RegistryError `CREDENTIALS`
 * @see https://github.com/docker/docker-credential-helpers#development
 */
async function runCredentialHelper(
  name: string,
  server: string,
  environment: Readonly<NodeJS.ProcessEnv>,
  { signal }: CallContext,
): Promise<Credentials | undefined> {
  if (!/^[a-z0-9._-]+$/.test(name)) {
    throw unusable("the name of the credential helper must consist of a-z, 0-9 and . _ -");
  }
  const program = `docker-credential-${name}`;
  const { code, output } = await run(program, server, environment, signal);
  if (code !== 0) {
    // These messages are part of the protocol. Any other output may contain secrets, so it is not quoted.
    if (/credentials not found|credentials missing/i.test(output)) return undefined;
    throw unusable(`${program} failed (exit code ${code ?? "none"})`);
  }
  const answer = readJsonObject(Buffer.from(output));
  const username = answer?.["Username"];
  const secret = answer?.["Secret"];
  if (typeof username !== "string" || typeof secret !== "string") {
    throw unusable(`${program} returned no Username and Secret`);
  }
  if (secret === "") return undefined;
  return username === "<token>"
    ? { kind: "identity-token", token: secret }
    : { kind: "basic", username, password: secret };
}

async function run(
  program: string,
  input: string,
  environment: Readonly<NodeJS.ProcessEnv>,
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly output: string }> {
  // Relative entries are dropped: a helper must not come from the working directory.
  const path = (environment["PATH"] ?? "").split(":").filter(isAbsolute).join(":");
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["get"], {
      env: { ...environment, PATH: path },
      stdio: ["pipe", "pipe", "ignore"],
      shell: false,
      killSignal: "SIGKILL",
      signal,
    });
    // Node's own timeout would keep running if the program does not exist.
    const timeout = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= maxBytes) chunks.push(chunk);
      else child.kill("SIGKILL");
    });
    child.on("error", (cause) => {
      clearTimeout(timeout);
      const absent = "code" in cause && cause.code === "ENOENT";
      reject(unusable(absent ? `${program} is not in PATH` : `${program} could not be run`));
    });
    child.on("close", (code, killedBy) => {
      clearTimeout(timeout);
      if (killedBy === null) resolve({ code, output: Buffer.concat(chunks).toString("utf8") });
      else
        reject(
          unusable(
            `${program} was stopped: it took longer than ${timeoutMs / 1000} s or wrote too much output`,
          ),
        );
    });
    // A helper that does not read its input must not crash this process.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
