import { unusable, type Credentials } from "./credentials";
import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import type { CallContext } from "../../../http/call-context";
import { readJsonObject } from "../protocol/read-json";

const timeoutMs = 30_000;
const maxBytes = 1_000_000;

/**
 * Runs one of Docker's credential helpers, a program named `docker-credential-<name>`, without a shell.
 *
 * @returns undefined if the helper has no credentials for the registry
 * @throws RegistryError `CREDENTIALS`
 * @see https://github.com/docker/docker-credential-helpers#development
 */
export async function runCredentialHelper(
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
