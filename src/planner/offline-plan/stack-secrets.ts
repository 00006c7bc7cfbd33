import { primitiveText, type Value } from "../expression/value";
import { Redactor } from "../../core/redaction/redactor";
import type { CoreDiagnostic } from "../../core/provider-kit/core";

/** Shorter texts occur in ordinary words, so they are redacted only where a message quotes a value. */
const minLength = 4;

/** The known sensitive values of a stack, which no message may contain. */
export class StackSecrets {
  readonly #redactor = new Redactor();
  #isEmpty = true;

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Adds the sensitive parts of a value. */
  add(value: Value, isInside = false): void {
    const isSecret = isInside || value.isSensitive;
    for (const part of value.parts()) this.add(part, isSecret);
    if (isSecret) this.#addText(primitiveText(value), typeof value.content === "string");
  }

  addPlain(json: unknown): void {
    if (typeof json === "object" && json !== null) {
      for (const each of Object.values(json)) this.addPlain(each);
    } else if (typeof json === "string") this.#addText(json, true);
    else if (typeof json === "number") this.#addText(String(json), false);
  }

  redacted<Each extends Pick<CoreDiagnostic, "summary" | "detail">>(diagnostic: Each): Each {
    const { summary, detail } = diagnostic;
    return {
      ...diagnostic,
      summary: this.#redactor.redact(summary),
      detail: this.#redactor.redact(detail),
    };
  }

  #addText(text: string | undefined, isQuoted: boolean): void {
    if (text === undefined || text === "" || text === "true" || text === "false") return;
    this.#isEmpty = false;
    const shown = isQuoted ? JSON.stringify(text) : `got ${text}`;
    this.#redactor.add(text.length < minLength ? shown : text);
  }
}
