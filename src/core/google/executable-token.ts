import { spawn } from "node:child_process";
import type { Failure } from "../failure/failure";
import { httpError } from "../http/http-error";
import { serverMessage } from "../http/server-message";
import { readJsonObject } from "../json/parse-json";
import { readSmallFile } from "../process/files";
import { systemErrorCode } from "../process/system-error";
import type { CredentialFields } from "./credential-fields";
import { accountIn } from "./credential-url";
import type { ExternalAccount } from "./credentials";
import { googleError } from "./google-error";
import type { TokenServices } from "./token-request";

/** Google's own variable: a file of credentials must not be enough to run a program. */
const allowExecutables = "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES";

const maxOutputBytes = 1_000_000;
const defaultTimeoutMs = 30_000;

/**
 * Runs the program in a file of credentials, and returns the token that it prints. The user must have allowed it in the
 * environment.
 *
 * Google's library cannot be used for this: it ends the process if the program cannot be started.
 *
 * @throws GoogleError
 * @see https://google.aip.dev/auth/4117#determining-the-subject-token-in-executable-sourced-credentials
 */
export async function executableToken(
  services: TokenServices,
  account: ExternalAccount,
  executable: CredentialFields,
): Promise<string> {
  const { env, context, now } = services;
  const { origin, impersonation } = account;
  const command = executable.string("command");
  if (env[allowExecutables] !== "1") {
    throw googleError(
      "SUBJECT",
      `${origin} gets its token from a program, which was not run: set ${allowExecutables}=1 if you trust this file`,
    );
  }
  const outputFile = executable.optional("output_file");
  const cached = outputFile === undefined ? undefined : await readCache(outputFile);
  const kept = cached === undefined ? undefined : tokenIn(cached, account, now());
  if (kept !== undefined && "token" in kept && kept.isDated) return kept.token;
  const email = impersonation === undefined ? undefined : accountIn(impersonation.url);
  const output = await run({
    command,
    timeoutMs: executable.integer("timeout_millis", 5_000, 120_000) ?? defaultTimeoutMs,
    signal: context.signal,
    origin,
    env: {
      ...env,
      GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE: account.audience,
      GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE: account.subjectTokenType,
      GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE: "0",
      // Undefined also removes a variable of this process.
      GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL: email,
      GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE: outputFile,
    },
  });
  const found = tokenIn(output, account, now());
  if ("token" in found) return found.token;
  throw googleError("SUBJECT", `${origin}: the program that gets the token ${found.problem}`);
}

const readCache = async (path: string): Promise<Buffer | undefined> => {
  // An unreadable cache is ignored: the program reports what is wrong with its file.
  const text = await readSmallFile(path, maxOutputBytes).catch(() => undefined);
  return text === undefined ? undefined : Buffer.from(text);
};

interface Run {
  readonly command: string;
  readonly timeoutMs: number;
  readonly env: TokenServices["env"];
  readonly signal: AbortSignal;
  readonly origin: string;
}

/** Runs the program, without a shell, and returns its standard output. */
function run({ command, timeoutMs, env, signal, origin }: Run): Promise<Buffer> {
  const words = command.match(/(?:[^\s"]+|"[^"]*")+/g) ?? [];
  const [file = "", ...args] = words.map((word) => word.replace(/^"(.*)"$/, "$1"));
  const failed = (problem: string) =>
    googleError("SUBJECT", `${origin}: the program that gets the token ${problem}`);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "ignore"] });
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: Failure) => {
      child.kill("SIGKILL");
      settle(() => reject(error));
    };
    const timer = setTimeout(() => {
      fail(failed(`did not end within ${timeoutMs / 1000} seconds (timeout_millis)`));
    }, timeoutMs);
    const abort = () => fail(httpError("CANCELLED", `${origin}: interrupted`));
    signal.addEventListener("abort", abort, { once: true });
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      end();
    };
    child.on("error", (error) => fail(failed(`cannot be run (${systemErrorCode(error) ?? ""})`)));
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxOutputBytes) fail(failed(`printed more than ${maxOutputBytes} bytes`));
      else chunks.push(chunk);
    });
    child.on("close", (code, killedBy) => {
      const output = Buffer.concat(chunks);
      // A program that fails can say why, in the same format.
      if (code === 0 || Object.keys(readJsonObject(output) ?? {}).length > 0)
        settle(() => resolve(output));
      else settle(() => reject(failed(`ended with ${killedBy ?? `the exit code ${code ?? 0}`}`)));
    });
  });
}

type Found = { readonly token: string; readonly isDated: boolean } | { readonly problem: string };

/** Reads what the program prints. Messages quote only its own description of a failure. */
function tokenIn(output: Buffer, { subjectTokenType }: ExternalAccount, nowMs: number): Found {
  const json = readJsonObject(output) ?? {};
  const { version, success, token_type: type, expiration_time: expiry } = json;
  if (version !== 1) return { problem: 'must print a JSON object with "version": 1' };
  if (success !== true) {
    const { code, message } = json;
    const said = [code, message].filter((each) => typeof each === "string").join(": ");
    return { problem: `failed: "${serverMessage(said)}"` };
  }
  const isDated = typeof expiry === "number";
  if (isDated && expiry * 1000 <= nowMs) return { problem: "printed a token that has expired" };
  if (type !== subjectTokenType) {
    return { problem: `must print a token of the type ${subjectTokenType} (token_type)` };
  }
  const isSaml = subjectTokenType === "urn:ietf:params:oauth:token-type:saml2";
  const name = isSaml ? "saml_response" : "id_token";
  const token = json[name];
  if (typeof token === "string" && token !== "") return { token, isDated };
  return { problem: `must print the token as ${name}` };
}
