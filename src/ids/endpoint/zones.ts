import type { CallContext } from "../../http/call-context";
import { isObject } from "../../json/is-object";
import type { IdsClient } from "../client/client";

/** Short, because this only improves an error message. */
const maxMs = 10_000;

/**
 * Returns the service's zones in the region of a location; undefined if they cannot be listed. Even a wrong
 * location may contain the name of a region: `us-central1`, `us-central1-z`.
 */
export async function zonesNear(
  { call }: IdsClient,
  { project, location }: { readonly project: string; readonly location: string },
  context: CallContext,
): Promise<readonly string[] | undefined> {
  const region = location.replace(/-[a-z]$/, "");
  const path = `projects/${encodeURIComponent(project)}/locations`;
  const deadline = Math.min(context.deadline, Date.now() + maxMs);
  try {
    const query = { pageSize: "1000" };
    const answer = await call(
      { method: "GET", path, query, attempts: 1 },
      { signal: context.signal, deadline },
    );
    const { locations = [] } = answer;
    if (!Array.isArray(locations)) return undefined;
    return locations
      .filter(isObject)
      .map(({ locationId }) => locationId)
      .filter((id): id is string => typeof id === "string" && /^[a-z\d-]{1,63}$/.test(id))
      .filter((id) => id.startsWith(`${region}-`))
      .slice(0, 10);
  } catch {
    return undefined;
  }
}
