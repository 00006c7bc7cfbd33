import { type Edit, edited } from "../../core/hcl/source-edits";
import { codeOf } from "../../core/hcl/template-sequences";
import type { KnownTypes } from "./known-types";

/** A reference to a resource or data source, perhaps to one of its instances, and to an attribute. */
const reference =
  /(?<![\w.-])(data\s*\.\s*)?([a-z]\w*)(?:\s*\.\s*[\p{ID_Start}_][\p{ID_Continue}-]*)(?:\s*\[[^\]]*\])?(?:\s*\.\s*([a-z_]\w*))?/dgu;

/**
 * Replaces the types and the names of attributes in references to resources whose type changes. Strings and comments stay.
 *
 * @param kind "body" for a file
 */
export function renamedReferences(
  text: string,
  types: KnownTypes,
  isConverted: (address: string) => boolean,
): string {
  const edits = [...codeOf(text, "expression").matchAll(reference)].flatMap((found): Edit[] => {
    const [all, data, type = "", attribute] = found;
    const known = types.find(data === undefined ? "resource" : "data", type);
    const [, , typeAt, attributeAt] = found.indices ?? [];
    if (known === undefined || known.written === type || typeAt === undefined) return [];
    const label = /^\s*\.\s*([\p{ID_Continue}-]+)/u.exec(all.slice(typeAt[1] - found.index))?.[1];
    if (!isConverted(`${data === undefined ? "" : "data."}${type}.${label}`)) return [];
    const ours = attribute === undefined ? undefined : known.toOurs?.names.get(attribute);
    return [
      { start: typeAt[0], end: typeAt[1], text: known.written },
      ...(ours === undefined || attributeAt === undefined
        ? []
        : [{ start: attributeAt[0], end: attributeAt[1], text: ours }]),
    ];
  });
  return edited(text, edits);
}

/** Replaces a pattern in an expression, but not in its strings and comments. */
export const replacedInCode = (text: string, pattern: RegExp, replacement: string): string =>
  edited(
    text,
    [...codeOf(text, "expression").matchAll(pattern)].map(({ 0: { length }, index }) => {
      return { start: index, end: index + length, text: replacement };
    }),
  );
