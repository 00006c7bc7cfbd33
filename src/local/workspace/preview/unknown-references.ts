import { type Edit, edited } from "../../../core/hcl/source-edits";
import { codeOf } from "../../../core/hcl/template-sequences";

/** The addresses of values that the platform does not know before it runs Terraform. */
export type UnknownAddresses = ReadonlySet<string>;

const name = "trivet_unknown";

/** Returns a reference to an unknown value, from which {@link originalReference} gets the address. */
export const unknownAt = (address: string): string => `local.${name}["${address}"]`;

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

const identifier = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;
const replaced = new RegExp(
  String.raw`(?<![\w.-])(?:(?<call>templatefile|provider::[\w-]+::[\w-]+)\s*\(|` +
    String.raw`(?<data>data\s*\.\s*)?(?<type>${identifier})\s*\.\s*(?<label>${identifier})` +
    String.raw`(?<rest>(?:\[[^[\]]*\])?(?<attribute>\.(?:start_count|id|optional|value)(?![\w-]))?))`,
  "gu",
);

interface Reduced {
  readonly kind: "template" | "expression";
  /**
   * True if the number of a build's machines becomes 1, because a preview always precedes a start: what decides
   * how often something exists must be known to Terraform. The platform does not know the number elsewhere.
   */
  readonly countsMachines: (index: number) => boolean;
}

/** Replaces references, and calls of functions that the platform does not have, with an unknown value. */
export function* unknownReferences(
  text: string,
  { kind, countsMachines }: Reduced,
  addresses: UnknownAddresses,
): Generator<Edit> {
  for (const { 0: all, index, groups = {} } of codeOf(text, kind).matchAll(replaced)) {
    const { call, data, type = "", label = "", rest = "", attribute = "" } = groups;
    const end = index + all.length;
    if (call !== undefined) {
      // The result of a format that is not known is not known either.
      yield { start: index, end, text: `format(${unknownAt(call)}, ` };
      continue;
    }
    const address = `${data === undefined ? "" : "data."}${type}.${label}`;
    const isOpen = attribute === ".value" && addresses.has(`${address}.value`);
    if (!isOpen && (!addresses.has(address) || isWritten(type, attribute))) continue;
    if (type.endsWith("_workspace") && attribute === ".start_count" && countsMachines(index)) {
      yield { start: index, end, text: "1" };
    } else yield { start: index, end: end - rest.length, text: unknownAt(address) };
  }
}

/** Returns a text without the references that {@link unknownReferences} finds. */
export const withoutReferences = (
  text: string,
  kind: Reduced["kind"],
  countsMachines: boolean,
  addresses: UnknownAddresses,
): string =>
  edited(text, [
    ...unknownReferences(text, { kind, countsMachines: () => countsMachines }, addresses),
  ]);

/** Checks for what a template itself writes in a data source. The platform knows it. */
const isWritten = (type: string, attribute: string): boolean =>
  type.endsWith("_external_auth") && (attribute === ".id" || attribute === ".optional");
