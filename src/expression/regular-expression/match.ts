import { spend } from "../budget";
import { NotComputed } from "../value";
import type { Assertion, Node, Range } from "./node";

type Instruction =
  | { readonly kind: "set"; readonly ranges: readonly Range[] }
  | { readonly kind: "assertion"; readonly where: Assertion }
  | { readonly kind: "save"; readonly slot: number }
  | { readonly kind: "match" }
  | { readonly kind: "jump"; to: readonly number[] };

/** Where a match and its groups begin and end; undefined for a group that took no part. */
export type Slots = readonly (number | undefined)[];

const maxInstructions = 5_000;

/** Steps of all searches with one pattern: some seconds at worst. */
const maxSteps = 5_000_000;

/**
 * A compiled regular expression. It takes time proportional to the product of its own and the text's length, as
 * Go's does, and finds the same: the leftmost match, and of those the one that Perl would find.
 *
 * @see {@link https://swtch.com/~rsc/regexp/regexp2.html}
 */
export class Matcher {
  readonly #program: Instruction[] = [];
  #steps = 0;

  constructor(node: Node) {
    this.#save(0, node);
    this.#emit({ kind: "match" });
  }

  #emit(instruction: Instruction): void {
    if (this.#program.push(instruction) > maxInstructions) throw new NotComputed();
  }

  /** Emits a jump whose targets follow later. */
  #jump(): { to: readonly number[] } {
    const jump = { kind: "jump" as const, to: [] };
    this.#emit(jump);
    return jump;
  }

  #save(index: number, node: Node): void {
    this.#emit({ kind: "save", slot: 2 * index });
    this.#compile(node);
    this.#emit({ kind: "save", slot: 2 * index + 1 });
  }

  #compile(node: Node): void {
    switch (node.kind) {
      case "set":
      case "assertion": {
        this.#emit(node);
        return;
      }
      case "sequence": {
        node.parts.forEach((part) => this.#compile(part));
        return;
      }
      case "choice": {
        this.#choice(node.options);
        return;
      }
      case "group": {
        this.#save(node.index, node.node);
        return;
      }
      case "repeat": {
        this.#repeat(node);
        return;
      }
    }
  }

  #choice(options: readonly Node[]): void {
    const [first, ...others] = options;
    if (first === undefined) return;
    if (others.length === 0) {
      this.#compile(first);
      return;
    }
    const fork = this.#jump();
    const begin = this.#program.length;
    this.#compile(first);
    const leave = this.#jump();
    fork.to = [begin, this.#program.length];
    this.#choice(others);
    leave.to = [this.#program.length];
  }

  #repeat({ node, min, max, isLazy }: Extract<Node, { kind: "repeat" }>): void {
    for (let count = 0; count < min; count++) this.#compile(node);
    const order = (inside: number, outside: number): readonly number[] =>
      isLazy ? [outside, inside] : [inside, outside];
    if (max === Infinity) {
      const loop = this.#program.length;
      const fork = this.#jump();
      this.#compile(node);
      this.#jump().to = [loop];
      fork.to = order(loop + 1, this.#program.length);
      return;
    }
    const forks: { fork: { to: readonly number[] }; inside: number }[] = [];
    for (let count = min; count < max; count++) {
      const fork = this.#jump();
      forks.push({ fork, inside: this.#program.length });
      this.#compile(node);
    }
    for (const { fork, inside } of forks) fork.to = order(inside, this.#program.length);
  }

  /** Finds the first match in the code points of a text, from a position on. */
  find(points: readonly number[], from: number): Slots | undefined {
    let found: Slots | undefined;
    let threads = new Threads();
    for (let at = from; ; at++) {
      if (found === undefined) this.#follow(threads, 0, [], points, at);
      if (found !== undefined && threads.all.length === 0) return found;
      const next = new Threads();
      for (const { pc, slots } of threads.all) {
        const instruction = this.#program[pc];
        if (instruction?.kind === "match") {
          found = slots;
          break;
        }
        const point = points[at];
        if (instruction?.kind === "set" && point !== undefined && isIn(instruction.ranges, point)) {
          this.#follow(next, pc + 1, slots, points, at + 1);
        }
      }
      threads = next;
      if (at >= points.length) return found;
    }
  }

  /** Adds a thread, after it has taken all steps that consume nothing. */
  #follow(threads: Threads, pc: number, slots: Slots, points: readonly number[], at: number): void {
    if (threads.visited.has(pc)) return;
    threads.visited.add(pc);
    this.#steps += 1;
    spend(1);
    if (this.#steps > maxSteps) throw new NotComputed();
    const instruction = this.#program[pc];
    switch (instruction?.kind) {
      case "jump":
        for (const target of instruction.to) this.#follow(threads, target, slots, points, at);
        return;
      case "save": {
        const saved = slots.slice();
        saved[instruction.slot] = at;
        this.#follow(threads, pc + 1, saved, points, at);
        return;
      }
      case "assertion":
        if (holds(instruction.where, points, at)) this.#follow(threads, pc + 1, slots, points, at);
        return;
      default:
        threads.all.push({ pc, slots });
    }
  }
}

/** The threads at one position, in the order of preference. */
class Threads {
  readonly all: { readonly pc: number; readonly slots: Slots }[] = [];
  readonly visited = new Set<number>();
}

const isIn = (ranges: readonly Range[], point: number): boolean =>
  ranges.some(([low, high]) => point >= low && point <= high);

function holds(where: Assertion, points: readonly number[], at: number): boolean {
  switch (where) {
    case "start":
      return at === 0;
    case "end":
      return at === points.length;
    case "lineStart":
      return at === 0 || points[at - 1] === 10;
    case "lineEnd":
      return at === points.length || points[at] === 10;
    case "word":
      return isWord(points[at - 1]) !== isWord(points[at]);
    case "notWord":
      return isWord(points[at - 1]) === isWord(points[at]);
  }
}

const isWord = (point: number | undefined): boolean =>
  point !== undefined && point < 0x80 && /\w/.test(String.fromCharCode(point));
