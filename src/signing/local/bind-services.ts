import { type Listener, startService, type Service } from "../../local-service/service";
import { type Ports, type ServiceName } from "./ports";

/** Services that listen. Their requests wait until it is known who handles them. */
export interface BoundServices {
  readonly services: Readonly<Record<ServiceName, Service>>;
  /** Handles all requests, also those that wait. */
  serve(listeners: Readonly<Record<ServiceName, Listener>>): void;
  close(): Promise<void>;
}

/**
 * Listens on the ports of all services, or on none.
 *
 * @throws the system's error if a port is not available
 */
export async function bindServices(ports: Ports): Promise<BoundServices> {
  let serve: BoundServices["serve"] = () => undefined;
  const listeners = new Promise<Readonly<Record<ServiceName, Listener>>>((resolve) => {
    serve = resolve;
  });
  const bound: Service[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(bound.map((service) => service.close()));
  };
  const bind = async (name: ServiceName): Promise<Service> => {
    const listener: Listener = async (request, response) =>
      (await listeners)[name](request, response);
    const service = await startService(listener, { port: ports[name] });
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
