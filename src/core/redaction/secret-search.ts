/** A part of a sequence of symbols, by its first symbol and the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Shorter beginnings of a secret occur in ordinary text, and reveal little. */
const minCutLength = 4;

/** The edge of a node without children. */
const none = -1;

/** The bytes of "…", which marks where a text was cut. */
const cutMark = [0xe2, 0x80, 0xa6];

/**
 * Finds any of many patterns in a sequence of bytes, in one pass: the time is proportional to the length
 * of the sequence, for any content (the algorithm of Aho and Corasick).
 */
export class SecretSearch {
  // Per node, the root first: the edge to its first child, the node of its longest proper suffix, its depth,
  // and the length of the longest pattern that ends there. Few nodes have more than one child.
  readonly #edge: number[] = [none];
  readonly #child: number[] = [0];
  readonly #more = new Map<number, Map<number, number>>();
  readonly #suffix: number[] = [0];
  readonly #depth: number[] = [0];
  readonly #found: number[] = [0];
  #isLinked = true;

  add(pattern: readonly number[]): void {
    let node = 0;
    for (const byte of pattern) node = this.#next(node, byte) ?? this.#grow(node, byte);
    this.#found[node] = pattern.length;
    this.#isLinked = false;
  }

  /**
   * Returns the spans of all patterns, some of which may overlap. The beginning of a pattern also counts
   * where the text was cut: before "…", and at its end if `isCut` is set.
   */
  find(bytes: readonly number[], isCut = false): readonly Span[] {
    if (!this.#isLinked) this.#link();
    const spans: Span[] = [];
    const addCut = (node: number, end: number): void => {
      const depth = this.#depth[node] ?? 0;
      if (depth >= minCutLength) spans.push({ start: end - depth, end });
    };
    let node = 0;
    for (const [at, byte] of bytes.entries()) {
      if (byte === cutMark[0] && cutMark.every((each, offset) => bytes[at + offset] === each)) {
        addCut(node, at);
      }
      node = this.#step(node, byte);
      const length = this.#found[node] ?? 0;
      if (length > 0) spans.push({ start: at + 1 - length, end: at + 1 });
    }
    if (isCut) addCut(node, bytes.length);
    return spans;
  }

  #grow(parent: number, byte: number): number {
    const node = this.#edge.length;
    if (this.#edge[parent] === none) {
      this.#edge[parent] = byte;
      this.#child[parent] = node;
    } else {
      const more = this.#more.get(parent) ?? new Map<number, number>();
      this.#more.set(parent, more.set(byte, node));
    }
    this.#edge.push(none);
    this.#child.push(0);
    this.#suffix.push(0);
    this.#depth.push((this.#depth[parent] ?? 0) + 1);
    this.#found.push(0);
    return node;
  }

  #next(node: number, byte: number): number | undefined {
    return this.#edge[node] === byte ? this.#child[node] : this.#more.get(node)?.get(byte);
  }

  #step(from: number, byte: number): number {
    for (let node = from; ; node = this.#suffix[node] ?? 0) {
      const next = this.#next(node, byte);
      if (next !== undefined || node === 0) return next ?? 0;
    }
  }

  /** Links each node with its longest proper suffix, the shallow nodes first. */
  #link(): void {
    const queue = [0];
    const link = (parent: number, byte: number, node: number): void => {
      const suffix = parent === 0 ? 0 : this.#step(this.#suffix[parent] ?? 0, byte);
      this.#suffix[node] = suffix;
      this.#found[node] = Math.max(this.#found[node] ?? 0, this.#found[suffix] ?? 0);
      queue.push(node);
    };
    for (const parent of queue) {
      const edge = this.#edge[parent] ?? none;
      if (edge === none) continue;
      link(parent, edge, this.#child[parent] ?? 0);
      for (const [byte, node] of this.#more.get(parent) ?? []) link(parent, byte, node);
    }
    this.#isLinked = true;
  }
}
