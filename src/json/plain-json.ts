/**
 * Parses JSON as JavaScript does, for text without a known structure: output of programs, responses of
 * services, values of variables. The parser's message is dropped because it quotes the text.
 *
 * @returns undefined if it is not JSON
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON that this package, Terraform or a tool of the same user wrote.
 *
 * @throws SyntaxError which quotes the text
 */
export function parseTrustedJson(text: string): unknown {
  return JSON.parse(text);
}
