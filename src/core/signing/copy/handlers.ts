import type { CallContext } from "../../http/call-context";
import {
  implement,
  known,
  type ChangeContext,
  type OperationContext,
  type PlanOf,
} from "../../provider-kit";
import { copy } from "./declare";
import {
  type DigestReference,
  formatRepository,
  parseDestination,
  parseDigestImage,
  type Repository,
} from "../oci/reference/image-name";
import type { Signing } from "../provider/configure";
import { explained, invalidReference } from "../provider/signing-failure";

/**
 * Handlers of the resource that copies images. The copy's reference is unknown until the copy exists, so
 * that resources that use it wait.
 */
export const copyHandlers = implement(copy)<Signing>({
  create: (plan, context) => copied(plan, context, "create"),

  async read(state, context) {
    const place = read(state.source, state.destination);
    const { source, destination } = place;
    const { registry } = await context.client.services();
    const call = callOf(context);
    const found = await explained(`Reading ${formatRepository(destination)}@${source.digest}`, () =>
      registry.manifests.head(destination, source.digest, call),
    );
    // If the copy is missing, the next apply copies again.
    if (found === undefined) return undefined;
    // In the state of cosign's provider, these are the source.
    const copiedRef = `${formatRepository(destination)}@${source.digest}`;
    const current = { ...state, id: copiedRef, copiedRef };
    if (state.tags === null) return current;
    const tags: string[] = [];
    for (const tag of state.tags) if (await isTagged(place, tag, context)) tags.push(tag);
    return { ...current, tags };
  },

  // Copies what is missing, and sets the tags.
  update: (plan, _state, context) => copied(plan, context, "update"),

  // The copy is kept: others may use it.
  delete: () => Promise.resolve(),
});

type Plan = PlanOf<typeof copy>;

async function copied(
  plan: Plan,
  context: Omit<ChangeContext<never, Signing>, "save">,
  operation: "create" | "update",
) {
  const place = read(plan.source, plan.destination);
  const attempt = `Copying ${plan.source} to ${plan.destination}`;
  const { copyImage } = await import("./copy-image.js");
  const { registry } = await context.client.services();
  let sent = 0;
  const result = await explained(
    attempt,
    () =>
      copyImage(place.source, place.destination, {
        client: registry,
        context: { signal: context.signal, deadline: context.deadline },
        tags: plan.tags ?? [],
        platforms: plan.platforms ?? undefined,
        onStep({ kind, digest, size, how }) {
          if (kind === "blob" && how === "sent") sent += size;
          context.log.info(`${attempt}: ${kind} ${digest} is ${how}`, {
            bytes: size,
            sentBytes: sent,
          });
        },
      }),
    // The provider's timeout, which limits the other operations on images, has no effect on a copy.
    `Allow more time with timeouts { ${operation} = "…" }, and apply again: what is already at the destination is kept.`,
  );
  for (const detail of result.warnings) {
    context.warn({ summary: "Copy Completed With Warnings", detail });
  }
  return known({ ...plan, id: result.copiedRef, copiedRef: result.copiedRef });
}

async function isTagged(
  { source, destination }: CopyPlace,
  tag: string,
  context: OperationContext<Signing>,
): Promise<boolean> {
  const { manifests } = (await context.client.services()).registry;
  const call = callOf(context);
  return explained(`Reading ${formatRepository(destination)}:${tag}`, async () => {
    const head = await manifests.head(destination, tag, call);
    if (head === undefined) return false;
    // Some registries do not send the digest in a header.
    const digest = head.digest ?? (await manifests.get(destination, tag, call))?.digest;
    return digest === source.digest;
  });
}

function callOf({ client, signal, deadline }: OperationContext<Signing>): CallContext {
  return { signal, deadline: Math.min(deadline, Date.now() + client.timeoutMs) };
}

interface CopyPlace {
  readonly source: DigestReference;
  readonly destination: Repository;
}

function read(source: string, destination: string): CopyPlace {
  const from = parseDigestImage(source);
  if ("problem" in from) throw invalidReference("source", from.problem);
  const to = parseDestination(destination);
  if ("problem" in to) throw invalidReference("destination", to.problem);
  return { source: from, destination: to };
}
