import { redactedText } from "./redactor";

const queryOfUrl = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)\?[^\s#"'<>]*/gi;
const userOfUrl = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>@]+@/gi;

/** Replaces the query strings and the user information of all URLs in a text. */
export const withoutUrlSecrets = (text: string): string =>
  text.replace(queryOfUrl, `$1?${redactedText}`).replace(userOfUrl, `$1${redactedText}@`);
