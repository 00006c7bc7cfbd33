import type { Problem } from "../oci/reference/digest";

const maxLength = 1_000;

/** What the shortest patterns stand for. */
const bare: Readonly<Record<string, string>> = {
  "*": "index.docker.io/library/*",
  "*/*": "index.docker.io/*/*",
};

/**
 * A pattern of image names: `*` is any run of characters without a slash, `**` any run at all, and the
 * pattern matches whole names. The shortest patterns, one or two stars alone, mean Docker Hub.
 */
export class ImageGlob {
  private constructor(
    readonly source: string,
    /** Single characters, `*` and `**`. */
    private readonly parts: readonly string[],
  ) {}

  static parse(source: string): ImageGlob | Problem {
    if (source === "") return { problem: "must not be empty" };
    if (source.length > maxLength) return { problem: `must have at most ${maxLength} characters` };
    if (!/^[A-Za-z0-9\-_:/*.@]+$/.test(source)) {
      return { problem: "must consist of letters, digits and - _ : / * . @" };
    }
    const full = Object.hasOwn(bare, source) ? (bare[source] ?? source) : source;
    return new ImageGlob(source, full.match(/\*\*|./g) ?? []);
  }

  /** What a reader may not expect of the pattern. */
  get advice(): string | undefined {
    const full = Object.hasOwn(bare, this.source) ? bare[this.source] : undefined;
    if (full !== undefined) return `"${this.source}" matches images of Docker Hub only: ${full}`;
    if (!this.source.startsWith("docker.io/")) return undefined;
    return `the full names of images at docker.io begin with index.docker.io/, so "${this.source}" matches only images that are given as docker.io/…`;
  }

  /** Follows all ways through the pattern at once, so that no pattern takes long. */
  matches(text: string): boolean {
    const { parts } = this;
    let reached = this.skipStars(new Set([0]));
    for (const character of text) {
      const next = new Set<number>();
      for (const at of reached) {
        const part = parts[at];
        if (part === "**" || (part === "*" && character !== "/")) next.add(at);
        else if (part === character && part !== "*") next.add(at + 1);
      }
      reached = this.skipStars(next);
    }
    return reached.has(parts.length);
  }

  /** A run may be empty. */
  private skipStars(positions: Set<number>): Set<number> {
    // A set that grows while it is walked through is walked to its new end.
    for (const at of positions) {
      if (this.parts[at]?.startsWith("*") === true) positions.add(at + 1);
    }
    return positions;
  }
}
