import type { Call } from "./call";
import { invalidFields } from "./rpc-error";

const defaultSize = 50;
const maxSize = 1_000;

/** The query parameters of all list methods. */
export const pageParameters = ["pageSize", "pageToken", "filter"] as const;

/**
 * Returns one page of named items, sorted by name.
 *
 * @throws RpcError when a parameter is invalid, or is a filter
 */
export function page<T extends { readonly name: string }>(
  call: Call,
  all: Iterable<T>,
): { readonly items: readonly T[]; readonly nextPageToken?: string } {
  refuseFilter(call);
  const isDescending = parseOrder(call);
  const size = parseSize(call);
  const after = parseToken(call);
  const sorted = [...all].sort((a, b) => compare(a.name, b.name));
  if (isDescending) sorted.reverse();
  const rest = sorted.filter(({ name }) => {
    if (after === undefined) return true;
    return isDescending ? compare(name, after) < 0 : compare(name, after) > 0;
  });
  const items = rest.slice(0, size);
  const last = items.at(-1);
  if (last === undefined || rest.length === items.length) return { items };
  return { items, nextPageToken: Buffer.from(last.name).toString("base64url") };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function refuseFilter(call: Call): void {
  if ((call.query("filter") ?? "") === "") return;
  const description = "filters are not supported by the local back end";
  throw invalidFields([{ field: "filter", description }]);
}

function parseOrder(call: Call): boolean {
  const [, direction = "asc"] =
    /^(?:name(?: +(asc|desc))?)?$/.exec(call.query("orderBy")?.trim() ?? "") ??
    refuse("order_by", 'the local back end supports only "name" and "name desc"');
  return direction === "desc";
}

function parseSize(call: Call): number {
  const text = call.query("pageSize") ?? "0";
  if (!/^\d{1,9}$/.test(text)) refuse("page_size", "must be an integer, 0 or more");
  return Math.min(Number(text) || defaultSize, maxSize);
}

function parseToken(call: Call): string | undefined {
  const token = call.query("pageToken") ?? "";
  if (token === "") return undefined;
  const name = Buffer.from(token, "base64url").toString();
  return name.startsWith("projects/")
    ? name
    : refuse("page_token", "is not a page token of this service");
}

function refuse(field: string, description: string): never {
  throw invalidFields([{ field, description }]);
}
