import { readFile } from "node:fs/promises";
import { writeFileAtomically } from "../../process/atomic-file";
import { hasCode } from "../../process/system-error";

/** In this order the services take ports. */
export const serviceNames = [
  "registry",
  "certificateAuthority",
  "transparencyLog",
  "timestampAuthority",
  "tokenIssuer",
] as const;

export type ServiceName = (typeof serviceNames)[number];

export type Ports = Readonly<Record<ServiceName, number>>;

/** The ports that were asked for, else those of the folder's last run, else free ones (0). */
export async function choosePorts(file: string, first: number | undefined): Promise<Ports> {
  if (first !== undefined) return portsBy((index) => (first === 0 ? 0 : first + index));
  try {
    const saved: unknown = JSON.parse(await readFile(file, "utf8"));
    if (Array.isArray(saved)) return portsBy((index) => Number(saved[index] ?? 0));
  } catch (failure) {
    if (!hasCode(failure, "ENOENT")) throw failure;
  }
  return portsBy(() => 0);
}

/** Remembers ports for the next run: identities in certificates name the issuer's address. */
export async function savePorts(file: string, ports: Ports): Promise<void> {
  const list = serviceNames.map((name) => ports[name]);
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
