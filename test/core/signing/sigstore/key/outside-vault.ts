import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { closeAfterTest } from "../../../http/close-after-test";
import { onPath } from "../../../../on-path";
import { temporaryFolder } from "../../../../local/signing/local-services";
import { freePorts } from "../../../../local/signing/outside-services";

const run = promisify(execFile);

/** The server, if it is on `PATH`. Both have the same API. */
export const vaultProgram = onPath("bao", "vault");

/** A server of OpenBao or Vault, which others wrote. */
interface OutsideVault {
  /** What reaches it with all rights. */
  readonly env: Readonly<Record<"VAULT_ADDR" | "VAULT_TOKEN" | "VAULT_CACERT", string>>;
  /** Runs its command line with all rights, and returns the output without the line break at its end. */
  admin(...args: readonly string[]): Promise<string>;
  /** Creates a token that may only do this: `{ "transit/keys/release": ["read"] }`. */
  tokenFor(rights: Readonly<Record<string, readonly string[]>>): Promise<string>;
}

/** Starts one with TLS of its own authority and the transit engine, until the end of the test. */
export async function startVault(program: string): Promise<OutsideVault> {
  for (let tries = 1; ; tries++) {
    const started = await startOne(program);
    if (started !== undefined) return started;
    if (tries === 5) throw new Error(`${program} did not start`);
  }
}

/** Returns undefined if the server ends at once, such as because of the port of its cluster, which is the next one. */
async function startOne(program: string): Promise<OutsideVault | undefined> {
  const folder = await temporaryFolder();
  const [port = 0] = await freePorts(1);
  const env = {
    VAULT_ADDR: `https://127.0.0.1:${port}`,
    VAULT_TOKEN: "the-root-token",
    VAULT_CACERT: join(folder, "vault-ca.pem"),
  };
  const child = spawn(
    program,
    [
      "server",
      "-dev-tls",
      "-dev-no-store-token",
      `-dev-tls-cert-dir=${folder}`,
      `-dev-root-token-id=${env.VAULT_TOKEN}`,
      `-dev-listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore", cwd: folder, env: { PATH: process.env["PATH"], HOME: folder } },
  );
  closeAfterTest(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const own = { PATH: process.env["PATH"], HOME: folder, ...env };
  const admin = async (...args: readonly string[]): Promise<string> =>
    (await run(program, args, { env: own })).stdout.trimEnd();
  for (let tries = 1; ; tries++) {
    const failure: unknown = await admin("secrets", "enable", "transit").catch((e: unknown) => e);
    if (typeof failure === "string") break;
    if (child.exitCode !== null) return undefined;
    if (tries === 100) throw failure;
    await wait(100);
  }
  let policies = 0;
  return {
    env,
    admin,
    async tokenFor(rights) {
      const name = `policy-${++policies}`;
      const rules = Object.entries(rights).map(
        ([path, capabilities]) =>
          `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`,
      );
      await admin("write", `sys/policies/acl/${name}`, `policy=${rules.join("\n")}`);
      return admin("token", "create", "-field=token", `-policy=${name}`);
    },
  };
}
