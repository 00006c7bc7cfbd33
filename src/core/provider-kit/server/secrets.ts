import { printable } from "../../redaction/printable";
import { Redactor } from "../../redaction/redactor";
import { isRecord } from "../../json/plain-json";
import { type Fields, isSensitive } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import type { Type } from "../../schema/type";
import type { DiagnosticInit } from "../wire/tfplugin6/tfplugin6-value";

/** Shorter values occur in ordinary text, and are too weak to be secrets. */
const minLength = 4;

/** Collects the sensitive values that a provider has received, and redacts them in diagnostics. */
export class Secrets {
  readonly #redactor = new Redactor({ minLength });

  /** Adds a secret. Values shorter than 4 characters are ignored. */
  add(secret: string): void {
    this.#redactor.add(secret);
  }

  /** Adds the sensitive values of a declaration, a block or an object. */
  collect({ attributes, blocks = {} }: Fields, values: Values): void {
    for (const [name, attribute] of Object.entries(attributes)) {
      if (isSensitive(attribute)) this.#addAll(values[name]);
      else this.#collectIn(attribute.type, values[name]);
    }
    for (const [name, { nesting, fields }] of Object.entries(blocks)) {
      for (const each of nesting === "single" ? [values[name]] : elements(values[name])) {
        if (isRecord(each)) this.collect(fields, each);
      }
    }
  }

  readonly censor = (diagnostic: DiagnosticInit): DiagnosticInit => {
    const { summary = "", detail = "" } = diagnostic;
    return { ...diagnostic, summary: this.censorText(summary), detail: this.censorText(detail) };
  };

  /**
   * Returns the text with every secret replaced by `***`, and without characters that a terminal would
   * interpret, because Terraform prints them unchanged.
   */
  censorText(text: string): string {
    return printable(this.#redactor.redact(text));
  }

  #collectIn(type: Type, value: unknown): void {
    if (type.kind === "object" && isRecord(value)) this.collect(type.fields, value);
    else if ("of" in type) for (const each of elements(value)) this.#collectIn(type.of, each);
  }

  #addAll(value: unknown): void {
    if (typeof value === "string") this.add(value);
    else for (const each of elements(value)) this.#addAll(each);
  }
}

const elements = (value: unknown): readonly unknown[] =>
  isRecord(value) ? Object.values(value) : [];
