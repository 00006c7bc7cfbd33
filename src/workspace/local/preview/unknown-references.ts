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

const replaced =
  /(?<![\w.-])(?:(?<call>templatefile)\s*\(|(?<data>data\s*\.\s*)?(?<type>[\p{ID_Start}_][\p{ID_Continue}-]*)\s*\.\s*(?<label>[\p{ID_Start}_][\p{ID_Continue}-]*)(?<attribute>\.(?:start_count|id|optional)\b)?)/gu;

interface Reduced {
  readonly kind: "template" | "expression";
  /**
   * True if the number of a build's machines becomes 1, because a preview always precedes a start: what decides
   * how often something exists must be known to Terraform. The platform does not know the number elsewhere.
   */
  readonly countsMachines: boolean;
}

/** Replaces references, and calls of functions that the platform does not have, with an unknown value. */
export function withoutReferences(
  text: string,
  { kind, countsMachines }: Reduced,
  addresses: UnknownAddresses,
): string {
  let result = "";
  let from = 0;
  for (const found of codeOf(text, kind).matchAll(replaced)) {
    const { call, data, type = "", label = "", attribute = "" } = found.groups ?? {};
    const address = `${data === undefined ? "" : "data."}${type}.${label}`;
    if (call === undefined && (!addresses.has(address) || isWritten(type, attribute))) continue;
    const isCount = type.endsWith("_workspace") && attribute === ".start_count";
    result += text.slice(from, found.index);
    // The result of a format that is not known is not known either.
    if (call !== undefined) result += `format(${unknownAt(call)}, `;
    else result += isCount && countsMachines ? "1" : unknownAt(address) + attribute;
    from = found.index + found[0].length;
  }
  return result + text.slice(from);
}

/** Checks for what a template itself writes in a data source. The platform knows it. */
const isWritten = (type: string, attribute: string): boolean =>
  type.endsWith("_external_auth") && (attribute === ".id" || attribute === ".optional");
