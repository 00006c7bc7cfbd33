import type { ImportParts } from "./implementation";

/**
 * Takes an imported ID apart by the first template that fits.
 *
 * A part such as `{project}` stands for one or more characters that are no slash.
 *
 * @returns undefined when no template fits
 */
export function matchImportId(templates: readonly string[], id: string): ImportParts | undefined {
  for (const template of templates) {
    const source = template
      .split(/(\{\w+\})/)
      .map((piece) => (/^\{\w+\}$/.test(piece) ? `(?<${piece.slice(1, -1)}>[^/]+)` : escape(piece)))
      .join("");
    const groups = new RegExp(`^${source}$`).exec(id)?.groups;
    if (groups !== undefined) return { ...groups };
  }
  return undefined;
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
