import { type BodyItem, itemsIn } from "../../../core/hcl/configuration-blocks";
import { type Edit, edited } from "../../../core/hcl/source-edits";
import { codeOf } from "../../../core/hcl/template-sequences";
import { parsedJson } from "../../../core/json/plain-json";
import { listOf, stringOf } from "../terraform/json-value";

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

/** Checks for an attribute that the template sets in a data source. The platform knows it. */
const isWritten = (type: string, attribute: string): boolean =>
  type.endsWith("_external_auth") && (attribute === ".id" || attribute === ".optional");

/**
 * The attribute with the value that a parameter has in the form, as a list of one. It is set only if this value
 * may differ from the default.
 */
export const firstReading = "trivet_first";

export const isParameter = ({ name, labels: [of = ""] }: BodyItem): boolean =>
  name === "data" && of.endsWith("_parameter");

/**
 * Lets a parameter be read as the platform does: before it knows the values of parameters with a `count`. The
 * form keeps what it reads first. So a default that contains such a value has none in the form, or what `try`
 * gives instead, and a `count` for which `try` gives something hides its parameter. A parameter with a `count` is
 * read later itself.
 */
export function* readFirst(
  text: string,
  code: string,
  { start: from, end: to }: BodyItem,
  counted: ReadonlySet<string>,
  addresses: UnknownAddresses,
): Generator<Edit> {
  const items = itemsIn(text, code, from, to);
  for (const { name, start, end } of items) {
    if (name !== "count" && name !== "default") continue;
    const value = text.slice(start, end);
    const early = readEarly(value, counted);
    if (early === value) continue;
    const read = withoutReferences(early, "expression", name === "count", addresses);
    if (name === "count") {
      // A value can end with a comment: what follows is on a line of its own.
      yield { start, end: start, text: ` try(${read}\n, ` };
      yield { start: end, end, text: "\n)\n" };
    } else if (!items.some((item) => item.name === "count")) {
      yield { start: to, end: to, text: `\n${firstReading} = [try(${read}\n, null)]\n` };
    }
  }
}

/**
 * Writes the bounds of a parameter as JSON, with what Terraform makes of them: it converts text to a number, but the
 * platform ignores a bound that is text, such as the value of a parameter whose default is text.
 */
export function boundsAsJson(
  text: string,
  code: string,
  { start: from, end: to }: BodyItem,
): readonly Edit[] {
  return itemsIn(text, code, from, to)
    .filter(({ kind, name }) => kind === "block" && name === "validation")
    .flatMap((validation) => itemsIn(text, code, validation.start, validation.end))
    .filter(({ name }) => name === "min" || name === "max")
    .flatMap(({ start, end }) => {
      const [space = ""] = /\s*$/.exec(text.slice(start, end)) ?? [];
      const last = end - space.length;
      return [
        { start, end: start, text: " jsonencode([for bound in [" },
        { start: last, end: last, text: "\n] : [bound, tonumber(bound)]][0])" },
      ];
    });
}

/** Returns a bound that {@link boundsAsJson} wrote. Only a number counts. */
export function boundOf(json: unknown): unknown {
  const bound = parsedJson(stringOf(json));
  return Array.isArray(bound) ? listOf(bound)[0] : bound;
}

function readEarly(value: string, counted: ReadonlySet<string>): string {
  // A here document cannot be an argument of a function everywhere.
  if (value.includes("<<")) return value;
  const found = [...codeOf(value, "expression").matchAll(reference)].flatMap(
    ({ 0: all, 1: name = "", index }) =>
      counted.has(name)
        ? [{ start: index, end: index + all.length, text: withoutValue(name) }]
        : [],
  );
  return edited(value, found);
}

const reference =
  /(?<![\w.-])data\s*\.\s*\w+_parameter\s*\.\s*([\p{ID_Start}_][\p{ID_Continue}-]*)/gu;

const withoutValue = (name: string): string => `local.trivet_counted_${name}`;

/** Returns the locals to which {@link readFirst} refers. */
export function countedLocals(
  names: Iterable<string>,
  typePrefix: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...names].map((name) => [
      withoutValue(name).slice("local.".length),
      `\${[for each in data.${typePrefix}parameter.${name} : { name = each.name }]}`,
    ]),
  );
}
