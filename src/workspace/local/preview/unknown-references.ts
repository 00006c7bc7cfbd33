import { codeOf } from "../../../hcl/template-sequences";

/** The addresses of values that the platform does not know before it runs Terraform. */
export type UnknownAddresses = ReadonlySet<string>;

const name = "trivet_unknown";

/** Returns a reference to an unknown value, from which {@link originalReference} gets the address. */
const unknownAt = (address: string): string => `local.${name}["${address}"]`;

/** Returns the reference that was replaced, as Terraform spells it. */
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
 * Replaces references with references to an unknown value.
 *
 * The number of a build's machines becomes 1, because a preview always precedes a start. Modules use it as
 * their count, which must be known to Terraform.
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
