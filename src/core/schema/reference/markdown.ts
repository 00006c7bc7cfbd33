/** Escapes what Markdown would read as HTML, outside of code. */
export function escapeHtml(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;")))
    .join("");
}

export const bullets = (texts: readonly string[]): string =>
  texts.map((text) => `- ${text}`).join("\n");

export const codes = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(", ");

export const fence = (language: string, code: string): string =>
  ["```" + language, code.trimEnd(), "```"].join("\n");

/** Returns the first sentence in one line, as front matter and lists need it. */
export const firstSentence = (text: string): string =>
  (text.split(/(?<=\.)\s+(?=[A-Z])/)[0] ?? text).trim().replaceAll(/\s+/g, " ");

/** The same configuration in HCL and in TypeScript, for the section Example Usage. */
export interface ReferenceExample {
  readonly hcl: string;
  /** The example for users of constructs or bindings. @default none */
  readonly typescript?: string | undefined;
}

export function usage(example: ReferenceExample | undefined): string[] {
  if (example === undefined) return [];
  const { hcl, typescript } = example;
  return [
    "## Example Usage",
    fence("terraform", hcl),
    ...(typescript === undefined
      ? []
      : ["The same in TypeScript:", fence("typescript", typescript)]),
  ];
}

/** Returns the name of the first `resource` block of a type in an example. */
export const nameInExample = (type: string, example: ReferenceExample | undefined): string =>
  new RegExp(`^\\s*resource "${type}" "([\\w-]+)"`, "m").exec(example?.hcl ?? "")?.[1] ?? "example";
