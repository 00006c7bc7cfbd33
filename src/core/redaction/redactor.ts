import {
  bytesOf,
  jsonUnescaped,
  type TextBytes,
  urlUnescaped,
  utf8Of,
  withoutHalfEscape,
} from "./text-bytes";

/** The placeholder for a redacted secret. */
export const redactedText = "***";

/** Shorter lines, such as a brace, occur in ordinary text. */
const minLineLength = 16;

interface RedactionSettings {
  /** True if the end of the text may be cut off: the beginning of a secret is redacted there, too. @default false */
  readonly isCut?: boolean | undefined;
}

/** Removes secrets from text that is shown, logged or quoted. */
export class Redactor {
  readonly #minLength: number;
  readonly #secrets = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #search = new SecretSearch();

  /** @param minLength shorter secrets are not redacted. @default 1 */
  constructor({ minLength = 1 }: { readonly minLength?: number | undefined } = {}) {
    this.#minLength = minLength;
  }

  /** Adds a secret, which is also recognised by its long lines, in base64, and with escapes of JSON, URLs and forms. */
  add(secret: string): void {
    if (secret === "" || secret.length < this.#minLength || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#waiting.add(secret);
  }

  /** Replaces every secret with `***`, as well as the beginning of one before "…". Takes linear time. */
  redact(text: string, { isCut = false }: RedactionSettings = {}): string {
    if (this.#secrets.size === 0) return text;
    // Prepared late, because most processes show no text.
    for (const secret of this.#waiting) {
      for (const form of formsOf(secret)) this.#search.add(form);
    }
    this.#waiting.clear();
    const whole = isCut ? withoutHalfEscape(text) : text;
    const spans = readings(bytesOf(whole)).flatMap(({ bytes, starts, ends }) =>
      this.#search.find(bytes, isCut).map(({ start, end }) => ({
        start: starts[start] ?? 0,
        end: ends[end - 1] ?? 0,
      })),
    );
    return replaced(whole, spans);
  }
}

/** Returns the text, and how it reads without escapes inside escapes, removed in any order of their kinds. */
function readings(text: TextBytes, escapes = 3): readonly TextBytes[] {
  if (escapes === 0) return [text];
  const clean = [jsonUnescaped(text), urlUnescaped(text)].filter((each) => each !== undefined);
  return [text, ...clean.flatMap((each) => readings(each, escapes - 1))];
}

function formsOf(secret: string): readonly (readonly number[])[] {
  const longLines = secret.split(/\r?\n/).filter((line) => line.trim().length >= minLineLength);
  const parts = [secret, ...longLines, ...base64Forms(secret)];
  const forms = parts.map((part) => bytesOf(part).bytes);
  // In a URL, two surrogates are one character.
  return /[\ud800-\udfff]/.test(secret) ? [...forms, utf8Of(secret).bytes] : forms;
}

/** Replaces parts of the text. Overlapping parts are replaced as one. */
function replaced(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let shown = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= shown) continue;
    if (start >= shown) pieces.push(text.slice(shown, start), redactedText);
    shown = end;
  }
  return pieces.join("") + text.slice(shown);
}

/** Replaces each of the secrets with `***`. */
export function redact(
  text: string,
  secrets: Iterable<string>,
  settings: RedactionSettings = {},
): string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor.redact(text, settings);
}

/** Shorter pieces of base64 occur in ordinary text. */
const minLength = 5;

/**
 * Returns the pieces of base64 that only this secret produces, at any offset in the encoded data, such as in
 * `user:password`. The characters at the ends, which also encode neighbouring bytes, are left out. The alphabet is the
 * standard one; to `bytesOf`, that of URLs is equal.
 */
function base64Forms(secret: string): readonly string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = bytes.toString("base64");
    const part = whole.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.byteLength * 8) / 6));
    if (part.length >= minLength) forms.push(part);
  }
  return forms;
}

/** Part of a sequence: from its first symbol up to, and without, the end. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A shorter beginning of a secret occurs in ordinary text, and reveals little. */
const minCutLength = 4;

/** The edge of a node without children. */
const none = -1;

/** The bytes of "…", which marks a cut. */
const cutMark = [0xe2, 0x80, 0xa6];

/** Finds many patterns in one pass, in linear time for any content (the algorithm of Aho and Corasick). */
class SecretSearch {
  // For each node, from the root: the edge to its first child, the node of its longest proper suffix, its depth, and the
  // length of the longest pattern that ends there. Few nodes have more than one child.
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

  /** Returns the spans of all patterns, which may overlap, and of beginnings before a cut: "…", and the end if `isCut`. */
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

  /** Links each node to its longest proper suffix, shallow nodes first. */
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

const queryOfUrl = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)\?[^\s#"'<>]*/gi;
const userOfUrl = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>@]+@/gi;

/** Replaces the query strings and the user information of all URLs. */
export const withoutUrlSecrets = (text: string): string =>
  text.replace(queryOfUrl, `$1?${redactedText}`).replace(userOfUrl, `$1${redactedText}@`);
