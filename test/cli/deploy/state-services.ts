import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { closeAfterTest } from "../../http/close-after-test";
import { onPath } from "../../on-path";
import { freePorts } from "../../signing/local/outside-services";
import { until } from "../../until";
import { temporaryFolder } from "../temporary-folder";

/** A service that keeps states. */
export interface StateService {
  /** The backend for a stack, as it is written in JSON. */
  readonly backend: object;
  /** The environment in which Terraform uses it. */
  readonly env: NodeJS.ProcessEnv;
}

/** A state with a lock, as Terraform's backend `http` asks for it. Our own: Terraform is the judge. */
export async function startHttp(): Promise<StateService> {
  let state = "";
  let lock = "";
  const server = createServer((message, response) => {
    void text(message).then((body) => {
      const { method } = message;
      if (method === "LOCK" && lock !== "") return response.writeHead(423).end(lock);
      if (method === "LOCK") lock = body;
      if (method === "UNLOCK") lock = "";
      if (method === "POST") state = body;
      if (method === "GET") return response.writeHead(state === "" ? 404 : 200).end(state);
      return response.writeHead(200).end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closeAfterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  const address = `http://127.0.0.1:${typeof bound === "object" ? (bound?.port ?? 0) : 0}/state`;
  return {
    backend: { http: { address, lock_address: address, unlock_address: address } },
    env: {},
  };
}

/** The folder of PostgreSQL's programs; Debian does not put them on PATH. */
export function postgresFolder(): string | undefined {
  const initdb = onPath("initdb");
  if (initdb !== undefined) return dirname(realpathSync(initdb));
  const versions = "/usr/lib/postgresql";
  const found = existsSync(versions) ? readdirSync(versions) : [];
  return found
    .map((version) => join(versions, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
}

/** PostgreSQL itself. */
export async function startPostgres(): Promise<StateService> {
  const bin = postgresFolder() ?? "";
  const folder = temporaryFolder();
  const data = join(folder, "data");
  mkdirSync(data);
  // It refuses to run as root.
  const idOf = (what: string): number => Number(execFileSync("id", [what, "postgres"]).toString());
  const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (user.uid !== undefined) {
    for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  }
  const options = { ...user, cwd: folder, stdio: "ignore" } as const;
  execFileSync(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "states", "-N"], options);
  const [port = 0] = await freePorts(1);
  const listening = ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`];
  const server = spawn(join(bin, "postgres"), ["-D", data, "-p", `${port}`, ...listening], options);
  const ended = once(server, "close");
  closeAfterTest(async () => {
    server.kill("SIGINT");
    await ended;
  });
  const asked = ["-h", "127.0.0.1", "-p", `${port}`, "-q"];
  await until(() => {
    const { status, error } = spawnSync(join(bin, "pg_isready"), asked);
    if (error !== undefined) throw error;
    return status === 0;
  });
  const connection = `postgres://states@127.0.0.1:${port}/postgres?sslmode=disable`;
  return { backend: { pg: { conn_str: connection } }, env: {} };
}

/** versitygw, which serves a folder as S3 does. */
export async function startS3(): Promise<StateService> {
  const data = join(temporaryFolder(), "data");
  mkdirSync(join(data, "states"), { recursive: true });
  const [port = 0] = await freePorts(1);
  const keys = ["--access", "states", "--secret", "of-the-test"];
  const args = ["--port", `127.0.0.1:${port}`, ...keys, "posix", data];
  const server = spawn(onPath("versitygw") ?? "", args, { stdio: "ignore" });
  closeAfterTest(() => server.kill());
  await untilOpen(port);
  const s3 = {
    bucket: "states",
    key: "one.tfstate",
    region: "us-east-1",
    use_lockfile: true,
    endpoints: { s3: `http://127.0.0.1:${port}` },
    use_path_style: true,
    skip_credentials_validation: true,
    skip_requesting_account_id: true,
    skip_metadata_api_check: true,
    skip_region_validation: true,
  };
  const env = { AWS_ACCESS_KEY_ID: "states", AWS_SECRET_ACCESS_KEY: "of-the-test" };
  return { backend: { s3 }, env };
}

async function untilOpen(port: number): Promise<void> {
  const isOpen = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => {
        resolve(false);
      });
    });
  await until(isOpen);
}
