import { openRegistry } from "../../../../src/local/signing/registry/open-registry";
import { type Listener, type Service, startService } from "../../../../src/local/service/service";
import { type RegistryAccess, withAccess } from "./registry-access";

type Settings = Parameters<typeof openRegistry>[0] & {
  /** @default 0, any free port */
  readonly port?: number | undefined;
  /** @default anonymous clients may read and write */
  readonly access?: RegistryAccess | undefined;
};

/** Starts only the registry of the local services. */
export function startRegistry({ port, access, ...settings }: Settings): Promise<Service> {
  let opened: Promise<Listener> | undefined;
  const open = async (): Promise<Listener> => {
    const listener = await openRegistry(settings);
    const { now = () => new Date() } = settings;
    return access === undefined ? listener : withAccess(listener, access, now);
  };
  // Only after the port is bound: another registry that has the port may be using the folder.
  return startService(async (request, response) => (await (opened ??= open()))(request, response), {
    port,
  });
}
