import { brandIcons } from "./brand-icons.js";
import { drawnIcons } from "./drawn-icons.js";

/** Draws one of the platform's own icons, such as `/icon/docker.svg`; undefined if the page does not have it. */
export function platformIcon(url: string): SVGElement | undefined {
  const [, name = ""] = /^\/icon\/([\w.-]+)\.(?:svg|png)$/.exec(url) ?? [];
  if (Object.hasOwn(drawnIcons, name)) return drawing(drawnIcons[name] ?? "", "icon drawn");
  const brand = Object.hasOwn(brandIcons, name) ? brandIcons[name] : undefined;
  if (brand === undefined) return undefined;
  const drawn = drawing(brand.path, "icon of-brand");
  drawn.style.setProperty("--brand", `#${brand.hex}`);
  return drawn;
}

const namespace = "http://www.w3.org/2000/svg";

function drawing(lines: string, classes: string): SVGElement {
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", classes);
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", lines);
  picture.append(path);
  return picture;
}
