import type { ImportParts } from "../implementation";

/**
 * Takes an imported ID apart by the first template that fits.
 *
 * A part such as `{project}` stands for one or more characters that are no slash; `{+image}` for any.
 *
 * @returns undefined when no template fits
 */
export function matchImportId(templates: readonly string[], id: string): ImportParts | undefined {
  for (const template of templates) {
    const source = template
      .split(/(\{\+?\w+\})/)
      .map(sourceOf)
      .join("");
    const groups = new RegExp(`^${source}$`).exec(id)?.groups;
    if (groups !== undefined) return { ...groups };
  }
  return undefined;
}

function sourceOf(piece: string): string {
  const [, plus, name] = /^\{(\+?)(\w+)\}$/.exec(piece) ?? [];
  if (name === undefined) return piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return `(?<${name}>${plus === "+" ? ".+" : "[^/]+"})`;
}
