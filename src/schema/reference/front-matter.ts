import { firstSentence } from "./markdown";

/**
 * Writes the metadata at the top of a page for registries: its title, its group in the navigation, and a
 * description.
 *
 * @param subcategory the group; empty for no group, undefined for the page of a provider, which must not have
 * one
 */
export function frontMatter(title: string, subcategory: string | undefined, doc: string): string {
  return [
    "---",
    `page_title: ${JSON.stringify(title)}`,
    ...(subcategory === undefined ? [] : [`subcategory: ${JSON.stringify(subcategory)}`]),
    "description: |-",
    // Registries show it as plain text.
    `  ${firstSentence(doc).replaceAll("`", "")}`,
    "---",
  ].join("\n");
}
