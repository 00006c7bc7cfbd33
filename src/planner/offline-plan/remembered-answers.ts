import { createHash } from "node:crypto";

/** Of about ten thousand resources. */
const maxAnswers = 20_000;

/**
 * An answer can depend on more than the question: on the clock, or on a file that nobody watches. In milliseconds.
 */
const maxAgeMs = 60_000;

/**
 * The answers of providers, so that a plan asks only about what has changed since the last one. For providers of
 * which it is known that the same question has the same answer.
 */
export class RememberedAnswers<Answer> {
  readonly #answers = new Map<string, { readonly answer: Answer; readonly until: number }>();

  /**
   * Returns the answer to a question, which is asked only if it is not known.
   *
   * @param question all that the answer depends on
   */
  async answer(question: readonly Uint8Array[], ask: () => Promise<Answer>): Promise<Answer> {
    const hash = createHash("sha256");
    for (const part of question) hash.update(`${part.length};`).update(part);
    const key = hash.digest("base64");
    const known = this.#answers.get(key);
    const now = performance.now();
    if (known !== undefined && now < known.until) return known.answer;
    const answer = await ask();
    if (this.#answers.size >= maxAnswers) this.forget();
    this.#answers.set(key, { answer, until: now + maxAgeMs });
    return answer;
  }

  forget(): void {
    this.#answers.clear();
  }
}
