import { codeOf } from "../../../hcl/template-sequences";

/** What the platform does not know before it runs Terraform, by its address. */
export type UnknownAddresses = ReadonlySet<string>;

const name = "trivet_unknown";

/** A reference to an unknown value, from which {@link originalReference} gets the address. */
const unknownAt = (address: string): string => `local.${name}["${address}"]`;

/** The reference that was replaced, in Terraform's spelling of one. */
export function originalReference(reference: string): string | undefined {
  const [, address, rest] = new RegExp(`^local\\.${name}\\["(.+?)"\\](.*)$`).exec(reference) ?? [];
  return address === undefined ? undefined : address + (rest ?? "");
}

/** A value that is not known during a plan, and may have any attributes. */
export const unknownValue = {
  resource: { terraform_data: { [name]: {} } },
  locals: { [name]: `\${jsondecode(terraform_data.${name}.id)}` },
};

const reference =
  /(?<![\w.-])(data\s*\.\s*)?([\p{ID_Start}_][\p{ID_Continue}-]*)\s*\.\s*([\p{ID_Start}_][\p{ID_Continue}-]*)(\.start_count\b)?/gu;

/**
 * Replaces references with one to an unknown value.
 *
 * The number of a build's machines becomes 1, because a preview always precedes a start. Modules have it
 * as their count, and Terraform accepts no unknown one.
 */
export function withoutReferences(
  text: string,
  kind: "template" | "expression",
  addresses: UnknownAddresses,
): string {
  if (addresses.size === 0) return text;
  let result = "";
  let from = 0;
  for (const found of codeOf(text, kind).matchAll(reference)) {
    const [all, data, type = "", label = "", count = ""] = found;
    const address = `${data === undefined ? "" : "data."}${type}.${label}`;
    if (!addresses.has(address)) continue;
    const isCount = data !== undefined && type.endsWith("_workspace") && count !== "";
    result += text.slice(from, found.index) + (isCount ? "1" : unknownAt(address) + count);
    from = found.index + all.length;
  }
  return result + text.slice(from);
}
