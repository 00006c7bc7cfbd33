import { readFile } from "node:fs/promises";
import { writeFileAtomically } from "../../process/atomic-file";
import { hasCode } from "../../process/system-error";
import { parseTrustedJson } from "../../json/plain-json";

/** The services in the order of their ports. */
export const serviceNames = [
  "registry",
  "certificateAuthority",
  "transparencyLog",
  "timestampAuthority",
  "tokenIssuer",
] as const;

/** The name of a local service. */
export type ServiceName = (typeof serviceNames)[number];

/** The ports of the local services. */
export type Ports = Readonly<Record<ServiceName, number>>;

/** The requested ports, those of the folder's last run, or free ones (0). */
export async function choosePorts(file: string, first: number | undefined): Promise<Ports> {
  if (first !== undefined) return portsBy((index) => (first === 0 ? 0 : first + index));
  try {
    const saved = parseTrustedJson(await readFile(file, "utf8"));
    if (Array.isArray(saved)) return portsBy((index) => Number(saved[index] ?? 0));
  } catch (failure) {
    if (!hasCode(failure, "ENOENT")) throw failure;
  }
  return portsBy(() => 0);
}

/** Stores the ports for the next run, because certificates contain the issuer's URL. */
export async function savePorts(
  file: string,
  services: Readonly<Record<ServiceName, { readonly port: number }>>,
): Promise<void> {
  const list = serviceNames.map((name) => services[name].port);
  await writeFileAtomically(file, `${JSON.stringify(list)}\n`);
}

function portsBy(port: (index: number) => number): Ports {
  return {
    registry: port(0),
    certificateAuthority: port(1),
    transparencyLog: port(2),
    timestampAuthority: port(3),
    tokenIssuer: port(4),
  };
}
