import { contenders } from "../../../bench/against-go/contender";
import { plot } from "../../../bench/against-go/plot";
import { measured } from "./measured";

const svg = plot(
  measured({
    1: { ours: 300, "ours, compiled": 200, "ours, warm": 50, Go: 100, "Go, quiet": 90 },
    100: { ours: 500, "ours, compiled": 400, "ours, warm": 300, Go: 800, "Go, quiet": 600 },
    5000: { ours: 900, "ours, compiled": 800, "ours, warm": 700, Go: 3000, "Go, quiet": 2000 },
  }),
);

const matches = (pattern: RegExp): readonly RegExpMatchArray[] => [...svg.matchAll(pattern)];

describe("the plot of the CPU", () => {
  it("has a line of each contender for plan and for apply, in a colour of its own", () => {
    const colours = contenders.map(({ colour }) => colour);
    expect(new Set(colours).size).toBe(contenders.length);
    const lines = matches(/<path [^>]*fill="none" stroke="(#\w+)"/g).map(([, colour]) => colour);
    expect(lines).toEqual([...colours, ...colours]);
  });

  it("draws what takes less CPU lower", () => {
    const [, first = ""] = /<path d="([^"]*)" fill="none"/.exec(svg) ?? [];
    const [from = Number.NaN, to = Number.NaN] = [...first.matchAll(/[ML]\S+ ([\d.]+)/g)].map(
      ([, y]) => Number(y),
    );
    expect(from).toBeGreaterThan(to);
    expect(svg).not.toContain("NaN");
  });

  it("explains each contender at a place of its own, below the panels and in the picture", () => {
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
    const key = matches(/<rect x="(\d+)" y="(\d+)" width="18"[^>]*\/><text [^>]*>([^<]*)</g).map(
      ([, x, y, label]) => ({ x: Number(x), y: Number(y), label }),
    );
    expect(key.map(({ label }) => label)).toEqual(
      contenders.map(({ label }) => label.replaceAll("`", "")),
    );
    expect(new Set(key.map(({ x, y }) => `${x} ${y}`)).size).toBe(contenders.length);
    const [, top] = /<g transform="translate\(\d+ (\d+)\)">/.exec(svg) ?? [];
    const [, panel] = /<path d="M\S+ 0V(\d+)"/.exec(svg) ?? [];
    const lowest = Number(top) + Number(panel);
    for (const { x, y } of key) {
      expect(y).toBeGreaterThan(lowest);
      expect(x).toBeLessThan(Number(width));
      // A line of text has room below.
      expect(y + 20).toBeLessThan(Number(height));
    }
  });
});
