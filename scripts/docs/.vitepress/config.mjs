// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { root } from "../../providers.mjs";
import { emptyHeaders } from "../empty-headers.mjs";
import { outsideLinks } from "../outside-links.mjs";
import { docs, sections, slugOf } from "../pages.mjs";
import { withPolicy } from "../policy.mjs";
import { orderedSearch } from "../search-order.mjs";
import { startPage } from "../start-page.mjs";

/** @type {{ readonly version: string, readonly description: string, readonly homepage: string }} */
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const { hostname } = new URL(manifest.homepage);
const repository = hostname.endsWith(".invalid") ? undefined : `${manifest.homepage}/blob/main/`;

/** @param {string} path */
const linkTo = (path) => `/${path.replace(/(?:index)?\.md$/, "")}`;

const sidebar = (await sections()).map(({ title, entries }) => ({
  text: title,
  collapsed: title === "Design",
  items: entries.map(({ title: text, path }) => ({ text, link: linkTo(path) })),
}));

/** Three legs under a plate. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#5f7be0" stroke-width="2" ' +
  'stroke-linecap="round"><path d="M2 4h12M4 4 3 14M8 4v10M12 4l1 10"/></svg>';

export default defineConfig({
  title: "Trivet",
  description: manifest.description,
  lang: "en",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: docs,
  outDir: process.env["TRIVET_DOCS_OUTPUT"] ?? join(root, "dist", "site"),
  cacheDir: join(root, "dist", "site-cache"),
  base: /** @type {`/${string}/`} */ (process.env["TRIVET_DOCS_BASE"] ?? "/"),
  rewrites: { "README.md": "index.md" },
  markdown: {
    attrs: false,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: slugOf },
    languageAlias: { terraform: "hcl" },
    config: (md) => {
      startPage(md);
      outsideLinks(md, repository);
      emptyHeaders(md);
    },
  },
  themeConfig: {
    sidebar,
    outline: { level: [2, 3] },
    nav: [
      { text: "Guide", link: "/guide/first-stack" },
      { text: "Reference", link: "/reference/ids/" },
      { text: "Examples", link: "/examples/" },
      { text: "Codes", link: "/reference/codes/" },
      { text: "Messages", link: "/reference/messages/" },
    ],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // Words that are only similar count little: a message that was copied has many short words.
          searchOptions: {
            fuzzy: 0.1,
            prefix: true,
            weights: { fuzzy: 0.1, prefix: 0.1 },
            boost: { title: 2, text: 2, titles: 1 },
          },
        },
      },
    },
    footer: { message: `Trivet ${manifest.version} · Apache-2.0` },
  },
  transformHtml: withPolicy,
  vite: { plugins: [orderedSearch()] },
});
