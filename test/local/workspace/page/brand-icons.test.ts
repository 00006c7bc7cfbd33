import icons from "simple-icons/icons.json";
import { brandIcons } from "../../../../src/local/workspace/page/browser/brand-icons";

it("shows no icon with a licence of its own", () => {
  const own = new Set(
    icons
      .filter(({ license }) => license !== undefined && license.type !== "CC0-1.0")
      .map(({ title }) => title),
  );
  // What a set of titles without any of ours shows is that the rule finds something.
  expect(own.has("Rust")).toBe(true);
  const shown = Object.values(brandIcons);
  expect(shown.length).toBeGreaterThan(50);
  expect(shown.filter(({ title }) => own.has(title))).toEqual([]);
});
