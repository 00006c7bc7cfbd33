import { parseTrustedJson } from "../json/plain-json";

/** The key of an instance: a number with `count`, a string with `for_each`. */
export type InstanceKey = string | number | undefined;

/** Formats an instance's address, such as `ids_endpoint.edge["a"]`. */
export function instanceAddress(block: string, key: InstanceKey): string {
  if (key === undefined) return block;
  return `${block}[${typeof key === "number" ? key : JSON.stringify(key)}]`;
}

/** An address that a `moved`, `import` or `removed` block names. */
interface ParsedAddress {
  /** Such as `ids_endpoint.edge`. */
  readonly block: string;
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
}

const form =
  /^([\p{ID_Start}_][\p{ID_Continue}-]*)\.([\p{ID_Start}_][\p{ID_Continue}-]*)(?:\[(\d+|"(?:[^"\\]|\\.)*")\])?$/u;

/** Parses the address of a resource in the root module; undefined for any other text. */
export function parseAddress(text: string): ParsedAddress | undefined {
  // cdktf writes addresses as `${ids_endpoint.edge}` in some places.
  const plain = text.replace(/^\$\{([^]*)\}$/, "$1").trim();
  const [, type, name, key] = form.exec(plain) ?? [];
  if (type === undefined || name === undefined || type === "data" || type === "module") {
    return undefined;
  }
  const parsed = key === undefined ? undefined : (parseTrustedJson(key) as string | number);
  return { block: `${type}.${name}`, type, name, key: parsed };
}
