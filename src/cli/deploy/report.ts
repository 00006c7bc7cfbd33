import { styleText } from "node:util";
import { printable } from "../../redaction/printable";
import type { Changes } from "../../changes/changes";
import { changesText, countsText } from "../../changes/changes-text";
import { type Rename, renameText } from "../../changes/renames";
import type { ConstructOf } from "../../changes/construct-place";
import { sensitive, valueText } from "../../changes/masked-value";
import { type Diagnostic, diagnosticText } from "../../changes/diagnostic";
import { type Annotation, annotationText } from "../synthesis/manifest";
import type { ShownOutput, StackResult, Verb } from "./stack-result";

/** Prints the progress for people. */
export class Report {
  readonly #stream: NodeJS.WriteStream;
  readonly #isColored: boolean;

  /** @param stream receives the output, except for errors and warnings */
  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#isColored = stream.isTTY && (process.env["NO_COLOR"] ?? "") === "";
  }

  /** Prints the remarks of constructs. */
  annotations(annotations: readonly Annotation[]): void {
    for (const annotation of annotations) console.error(annotationText(annotation));
  }

  start(stack: string, verb: Verb): void {
    const isDestroyed = verb === "destroy";
    this.#print(this.#bold(`${stack}: planning${isDestroyed ? " to destroy it" : ""}`));
  }

  changes(stack: string, changes: Changes, isEmpty: boolean): void {
    const counts = countsText(changes.counts) || undefined;
    const others = changes.outputs.length > 0 ? "only outputs change" : "only the state changes";
    const summary = isEmpty ? "no changes" : (counts ?? others);
    this.#stream.write(isEmpty ? "" : `\n${changesText(changes, this.#isColored)}\n`);
    this.#print(this.#bold(`${stack}: ${summary}`));
  }

  /** Tells which resources need not be destroyed and created. */
  renames(renames: readonly Rename[]): void {
    for (const rename of renames) this.#print(`  ${printable(renameText(rename))}`);
  }

  /** Tells which changes `--refuse` does not allow. */
  refused(addresses: readonly string[]): void {
    for (const address of addresses) this.#print(`  ${printable(`refused: ${address}`)}`);
  }

  progress(text: string): void {
    this.#print(`  ${printable(text)}`);
  }

  outputs(outputs: Readonly<Record<string, ShownOutput>>): void {
    for (const [name, output] of Object.entries(outputs)) {
      const text = output.sensitive ? sensitive.text : valueText(output.value);
      this.#print(printable(`  ${name} = ${text}`));
    }
  }

  diagnostic(diagnostic: Diagnostic, constructOf: ConstructOf): void {
    console.error(`  ${diagnosticText(diagnostic, constructOf)}`);
  }

  /** Prints the outcome for a stack and, if there are several, for all stacks. */
  end({ name, outcome, because }: StackResult): void {
    const reason = because === undefined ? "" : `, because ${because} was not finished`;
    if (outcome === "planned" || outcome === "unchanged") return;
    const text = this.#bold(`${name}: ${outcome}${reason}`);
    if (outcome === "deployed" || outcome === "destroyed") this.#print(text);
    else console.error(`${name}: ${outcome}${reason}`);
  }

  #print(line: string): void {
    this.#stream.write(`${line}\n`);
  }

  #bold(text: string): string {
    return this.#isColored ? styleText("bold", text, { validateStream: false }) : text;
  }
}
