// @ts-check
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

/** @type {Readonly<Record<string, string>>} */
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Serves the files of a site on the loopback interface. VitePress itself would serve them to the whole network.
 *
 * @param {string} folder
 * @param {string} base the path of the site, with slashes around it
 * @returns {Promise<string>} its URL
 */
export async function serveSite(folder, base) {
  const server = createServer(({ url = "/" }, response) => {
    const path = fileOf(folder, base, url);
    if (path === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
    response.end(readFileSync(path));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}${base}`;
}

/**
 * @param {string} folder
 * @param {string} base
 * @param {string} url
 * @returns {string | undefined}
 */
function fileOf(folder, base, url) {
  const origin = "http://127.0.0.1";
  const pathname = URL.canParse(url, origin) ? new URL(url, origin).pathname : "";
  if (!pathname.startsWith(base)) return undefined;
  const path = join(folder, normalize(`/${decoded(pathname.slice(base.length))}`));
  const found = [path, `${path}.html`, join(path, "index.html")];
  return found.find((each) => existsSync(each) && statSync(each).isFile());
}

/**
 * @param {string} path
 * @returns {string} the path as it is, if it is not encoded properly
 */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
