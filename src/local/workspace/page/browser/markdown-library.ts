/** The part of markdown-it that the page uses. The build replaces this file with a bundle of it. */
export { default as MarkdownIt, type Token } from "markdown-it";
