import {
  CreateAliasCommand,
  CreateKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  type KeySpec,
} from "@aws-sdk/client-kms";
import { spawn } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onPath } from "../../on-path";

/** An emulator of AWS KMS that other people wrote. */
interface AwsKmsEmulator {
  /** `host:port`. */
  readonly host: string;
  /** Environment of a process with credentials for it. */
  readonly env: NodeJS.ProcessEnv;
  /**
   * Creates a key for signing.
   *
   * @returns its public key in PEM
   */
  createKey(alias: string, spec: KeySpec): Promise<string>;
  close(): Promise<void>;
}

const program = onPath("local-kms");
const running = process.env["TRIVET_AWS_KMS"];

/** Why there is no emulator; undefined if there is one. */
export const missingEmulator =
  program === undefined && running === undefined
    ? "local-kms is not on PATH, and TRIVET_AWS_KMS names no emulator that runs"
    : undefined;

/** The emulator that runs at `TRIVET_AWS_KMS` (`host:port`, such as LocalStack), or a new `local-kms`. */
export function startAwsKms(port: number): AwsKmsEmulator {
  const host = running ?? `127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), "trivet-kms-"));
  const settings = { PORT: `${port}`, KMS_DATA_PATH: folder, KMS_REGION: "eu-central-1" };
  const child =
    running === undefined
      ? spawn(program ?? "", { stdio: "ignore", env: { ...process.env, ...settings } })
      : undefined;
  const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a-secret-key" };
  const client = new KMSClient({
    endpoint: `http://${host}`,
    region: "eu-central-1",
    credentials,
    // It takes a moment to start.
    maxAttempts: 30,
  });
  return {
    host,
    env: {
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    async createKey(alias, spec) {
      const request = { KeyUsage: "SIGN_VERIFY", KeySpec: spec } as const;
      const { KeyMetadata } = await client.send(new CreateKeyCommand(request));
      const TargetKeyId = KeyMetadata?.KeyId;
      await client.send(new CreateAliasCommand({ AliasName: `alias/${alias}`, TargetKeyId }));
      const { PublicKey = [] } = await client.send(new GetPublicKeyCommand({ KeyId: TargetKeyId }));
      const key = createPublicKey({ key: Buffer.from(PublicKey), format: "der", type: "spki" });
      return key.export({ type: "spki", format: "pem" }).toString();
    },
    async close() {
      client.destroy();
      if (child?.exitCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      rmSync(folder, { recursive: true });
    },
  };
}
