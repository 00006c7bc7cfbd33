import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Page, root } from "./page";

/** The links of a page that lead to no file, or to no heading in one. */
export function deadLinks({ path, links }: Page): readonly string[] {
  return links.filter((link) => {
    const [to = "", anchor] = link.split("#");
    const file = to === "" ? join(root, path) : join(root, dirname(path), to);
    if (!existsSync(file)) return true;
    return anchor !== undefined && file.endsWith(".md") && !anchorsIn(file).has(anchor);
  });
}

const known = new Map<string, ReadonlySet<string>>();

function anchorsIn(file: string): ReadonlySet<string> {
  const found = known.get(file) ?? readAnchors(readFileSync(file, "utf8"));
  known.set(file, found);
  return found;
}

/** The anchors of headings, as Git hosts make them, and those that are written. */
function readAnchors(text: string): ReadonlySet<string> {
  const prose = text.replaceAll(/^(`{3,})[^]*?^\1$/gm, "");
  const written = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  const slugs = new Set<string>(written);
  for (const [, heading = ""] of prose.matchAll(/^#+ (.*)$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
      .replaceAll(/\s/g, "-");
    let unique = slug;
    for (let count = 1; slugs.has(unique); count++) unique = `${slug}-${count}`;
    slugs.add(unique);
  }
  return slugs;
}
