import { type Call, invalidFields, toSnakeCase } from "./call";
import { compare, parseFilter } from "./filter";

const defaultSize = 50;
const maxSize = 1_000;

/** The query parameters of all list methods. */
export const pageParameters = ["pageSize", "pageToken", "filter"] as const;

/**
 * Returns one page of the items that match the filter, in the requested order or by name.
 *
 * @param fields the fields that a filter and an order can name
 * @throws HttpFailure when a parameter is invalid
 */
export function page<T extends { readonly name: string }>(
  call: Call,
  all: Iterable<T>,
  fields: readonly (keyof T & string)[],
): { readonly items: readonly T[]; readonly nextPageToken?: string } {
  const filter = parseFilter(call.query("filter") ?? "", fields);
  const order = orderOf(call, fields);
  const size = parseSize(call);
  const after = parseToken(call);
  const sorted = [...all].filter((item) => filter({ ...item })).sort(order);
  const rest = restAfter(sorted, after);
  const items = rest.slice(0, size);
  const end = items.at(-1);
  if (end === undefined || rest.length === items.length) return { items };
  return { items, nextPageToken: Buffer.from(end.name).toString("base64url") };
}

/** Finds the rest by name: the last item of a page may have been deleted meanwhile. */
function restAfter<T extends { readonly name: string }>(
  sorted: readonly T[],
  after: string | undefined,
): readonly T[] {
  if (after === undefined) return sorted;
  const last = sorted.findIndex(({ name }) => name === after);
  return last === -1
    ? sorted.filter(({ name }) => compare(name, after) > 0)
    : sorted.slice(last + 1);
}

/** Parses an order: `field` or `field desc`, separated by commas. Equal items are ordered by name. */
function orderOf<T extends { readonly name: string }>(
  call: Call,
  fields: readonly (keyof T & string)[],
): (a: T, b: T) => number {
  const parts = (call.query("orderBy") ?? "").split(",").map((part) => part.trim());
  const keys = parts.flatMap((part) => {
    if (part === "" && parts.length === 1) return [];
    const [, name, direction] = /^(\S+?)(?: +(asc|desc))?$/.exec(part) ?? [];
    const field = fields.find((each) => each === name || toSnakeCase(each) === name);
    if (field === undefined)
      return refuse("order_by", `has ${JSON.stringify(part)} in place of a field`);
    return [{ field, sign: direction === "desc" ? -1 : 1 }];
  });
  return (a, b) => {
    for (const { field, sign } of keys) {
      const order = compare(String(a[field]), String(b[field]));
      if (order !== 0) return sign * order;
    }
    return compare(a.name, b.name);
  };
}

function parseSize(call: Call): number {
  const text = call.query("pageSize") ?? "0";
  if (!/^\d{1,9}$/.test(text)) refuse("page_size", "must be an integer of at least 0");
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
