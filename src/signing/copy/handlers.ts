import { implement, known } from "../../provider-kit";
import { copy } from "./declare";
import type { DigestReference } from "../oci/reference/digest-reference";
import { formatRepository, parseRepository, type Repository } from "../oci/reference/repository";
import type { Signing } from "../provider/configure";
import { imageOf, invalidReference } from "../provider/image";
import { explained } from "../provider/signing-failure";

// Long enough for the largest images on slow connections. A registry that does not respond fails much earlier.
const copyTimeoutMs = 2 * 60 * 60 * 1000;

/**
 * Handlers of the resource that copies images. The copy's reference is unknown until the copy exists, so
 * that resources that use it wait.
 */
export const copyHandlers = implement(copy)<Signing>({
  async create(plan, context) {
    const place = read(plan.source, plan.destination);
    const attempt = `Copying ${plan.source} to ${plan.destination}`;
    const { copyImage } = await import("./copy-image.js");
    const { registry } = await context.client.services();
    let sent = 0;
    const result = await explained(attempt, () =>
      copyImage(place.source, place.destination, {
        client: registry,
        context: { signal: context.signal, deadline: Date.now() + copyTimeoutMs },
        onStep({ kind, digest, size, how }) {
          if (kind === "blob" && how === "sent") sent += size;
          context.log.info(`${attempt}: ${kind} ${digest} is ${how}`, {
            bytes: size,
            sentBytes: sent,
          });
        },
      }),
    );
    for (const detail of result.warnings) {
      context.warn({ summary: "Copy Completed With Warnings", detail });
    }
    return known({ ...plan, id: result.copiedRef, copiedRef: result.copiedRef });
  },

  async read(state, context) {
    const place = read(state.source, state.destination);
    const { signal, client } = context;
    const services = await client.services();
    const deadline = Math.min(context.deadline, Date.now() + client.timeoutMs);
    const found = await explained(`Reading ${copiedReference(place)}`, () =>
      services.registry.manifests.head(place.destination, place.source.digest, {
        signal,
        deadline,
      }),
    );
    // If the copy is missing, the next apply copies again.
    return found === undefined ? undefined : state;
  },

  // A change of either argument replaces the resource.
  update: (plan) => Promise.resolve(known(plan)),

  // The copy is kept: others may use it.
  delete: () => Promise.resolve(),
});

interface CopyPlace {
  readonly source: DigestReference;
  readonly destination: Repository;
}

function read(source: string, destination: string): CopyPlace {
  const to = parseRepository(destination);
  if ("problem" in to) throw invalidReference("destination", to.problem);
  return { source: imageOf(source, "source"), destination: to };
}

const copiedReference = ({ source, destination }: CopyPlace): string =>
  `${formatRepository(destination)}@${source.digest}`;
