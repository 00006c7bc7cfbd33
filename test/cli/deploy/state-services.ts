import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { closeAfterTest } from "../../core/http/close-after-test";
import { onPath } from "../../on-path";
import { freePorts } from "../../local/signing/outside-services";
import { until } from "../../until";
import { temporaryFolder } from "../temporary-folder";

/** A service that keeps states. */
export interface StateService {
  /** The backend of a stack, as it is written in JSON. Each name is another state. */
  readonly backend: (stack: string) => object;
  /** The environment in which Terraform uses it. */
  readonly env: NodeJS.ProcessEnv;
}

/** A state with a lock, as Terraform's backend `http` asks for it. Our own: Terraform is the judge. */
export async function startHttp(): Promise<StateService> {
  const states = new Map<string, string>();
  const locks = new Map<string, string>();
  const server = createServer((message, response) => {
    void text(message).then((body) => {
      const { method, url = "" } = message;
      const [path = ""] = url.split("?");
      const lock = locks.get(path);
      const state = states.get(path);
      if (method === "LOCK" && lock !== undefined) return response.writeHead(423).end(lock);
      if (method === "LOCK") locks.set(path, body);
      if (method === "UNLOCK") locks.delete(path);
      if (method === "POST") states.set(path, body);
      if (method === "GET") return response.writeHead(state === undefined ? 404 : 200).end(state);
      return response.writeHead(200).end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closeAfterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  const origin = `http://127.0.0.1:${typeof bound === "object" ? (bound?.port ?? 0) : 0}`;
  const backend = (stack: string): object => {
    const address = `${origin}/${stack}`;
    return { http: { address, lock_address: address, unlock_address: address } };
  };
  return { backend, env: {} };
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

/** PostgreSQL itself. `hold` takes an advisory lock, until the function that it returns is called. */
export async function startPostgres(): Promise<
  StateService & { readonly hold: (lock: number) => Promise<() => void> }
> {
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
  const backend = (stack: string): object => ({
    pg: { conn_str: connection, schema_name: stack },
  });
  const hold = async (lock: number): Promise<() => void> => {
    const client = spawn(join(bin, "psql"), [connection], { stdio: ["pipe", "pipe", "ignore"] });
    client.stdin.write(`select pg_advisory_lock(${lock});\n`);
    await once(client.stdout, "data");
    return () => {
      client.stdin.end();
    };
  };
  return { backend, env: {}, hold };
}

/** versitygw, which serves a folder as S3 does, with one bucket. */
export async function startS3(bucket = "states", region = "us-east-1"): Promise<StateService> {
  const data = join(temporaryFolder(), "data");
  mkdirSync(join(data, bucket), { recursive: true });
  const [port = 0] = await freePorts(1);
  const keys = ["--access", "states", "--secret", "of-the-test", "--region", region];
  const args = ["--port", `127.0.0.1:${port}`, ...keys, "posix", data];
  const server = spawn(onPath("versitygw") ?? "", args, { stdio: "ignore" });
  closeAfterTest(() => server.kill());
  await untilOpen(port);
  const s3 = {
    bucket,
    region,
    use_lockfile: true,
    endpoints: { s3: `http://127.0.0.1:${port}` },
    use_path_style: true,
    skip_credentials_validation: true,
    skip_requesting_account_id: true,
    skip_metadata_api_check: true,
    skip_region_validation: true,
  };
  const env = { AWS_ACCESS_KEY_ID: "states", AWS_SECRET_ACCESS_KEY: "of-the-test" };
  return { backend: (stack) => ({ s3: { ...s3, key: `${stack}.tfstate` } }), env };
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
