import { once } from "node:events";
import { createServer, type Server } from "node:net";

const lowest = 20_000;
const highest = 32_000;

/** The first of some ports in a row that are free on the loopback interface. */
export async function firstOfFreePorts(count: number): Promise<number> {
  for (let first = ownStart(); first < highest; first += count) {
    const servers: Server[] = [];
    try {
      for (let port = first; port < first + count; port++) servers.push(await listening(port));
      return first;
    } catch {
      // One of them is in use: try the next ones.
    } finally {
      for (const server of servers) server.close();
    }
  }
  throw new Error(`no ${count} ports in a row are free`);
}

/** Where this worker starts to look: no other one of the same run of jest may find the same ports. */
function ownStart(): number {
  const worker = Number(process.env["JEST_WORKER_ID"] ?? 0) % 12;
  return lowest + worker * 1000 + (process.pid % 10) * 100;
}

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
