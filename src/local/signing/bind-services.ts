import { readFile } from "node:fs/promises";
import { parseTrustedJson } from "../../core/json/plain-json";
import { type Listener, startService, type Service } from "../service/service";
import { writeFileAtomically } from "../../core/process/atomic-file";
import { ifAbsent } from "../../core/process/system-error";

/** The services in the order of their ports. */
const serviceNames = [
  "registry",
  "certificateAuthority",
  "transparencyLog",
  "timestampAuthority",
  "tokenIssuer",
] as const;

export type PerService<T> = Readonly<Record<(typeof serviceNames)[number], T>>;

/** Services that listen. Requests wait for the listeners. */
export interface BoundServices {
  readonly services: PerService<Service>;
  /** Handles all requests, including those that already wait. */
  serve(listeners: PerService<Listener>): void;
  close(): Promise<void>;
}

/**
 * Listens on the ports of all services, or on none.
 *
 * @param ports as {@link choosePorts} returns them
 * @throws the system's error if a port is not available
 */
export async function bindServices(ports: readonly number[]): Promise<BoundServices> {
  let serve: BoundServices["serve"] = () => undefined;
  const listeners = new Promise<PerService<Listener>>((resolve) => {
    serve = resolve;
  });
  const bound: Service[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(bound.map((service) => service.close()));
  };
  const bind = async (name: keyof PerService<Service>): Promise<Service> => {
    const listener: Listener = async (request, response) =>
      (await listeners)[name](request, response);
    const service = await startService(listener, { port: ports[serviceNames.indexOf(name)] });
    bound.push(service);
    return service;
  };
  try {
    const services = {
      registry: await bind("registry"),
      certificateAuthority: await bind("certificateAuthority"),
      transparencyLog: await bind("transparencyLog"),
      timestampAuthority: await bind("timestampAuthority"),
      tokenIssuer: await bind("tokenIssuer"),
    };
    return { services, serve, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}

/** Returns the requested ports, those of the folder's last run, or free ones (0). */
export async function choosePorts(
  file: string,
  first: number | undefined,
): Promise<readonly number[]> {
  if (first !== undefined) return serviceNames.map((_, index) => (first === 0 ? 0 : first + index));
  const saved = parseTrustedJson((await readFile(file, "utf8").catch(ifAbsent)) ?? "[]");
  return Array.isArray(saved) ? saved.map(Number) : [];
}

/** Stores the ports for the next run, because certificates contain the issuer's URL. */
export async function savePorts(file: string, services: PerService<Service>): Promise<void> {
  const list = serviceNames.map((name) => services[name].port);
  await writeFileAtomically(file, `${JSON.stringify(list)}\n`);
}
