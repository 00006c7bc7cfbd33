import { styleText } from "node:util";
import { writeStyled } from "../../core/redaction/output";
import { printable } from "../../core/redaction/printable";
import { type Changes, type Rename, renameText } from "../../planner/changes/changes";
import { changesText, countsText } from "../../planner/changes/changes-text";
import type { ConstructOf } from "../../planner/changes/construct-place";
import { type Diagnostic, diagnosticText } from "../../planner/changes/diagnostic";
import { fitted, widthOf } from "../../core/redaction/wrapped";
import { sensitive, valueText } from "../../planner/changes/masked-value";
import { Turns } from "../exec/run-command";
import { noteCodes } from "../explain/code-pages";
import type { ShownOutput, StackResult } from "./stack-result";

type Writer = object;

/** The output of several writers. One of them can block the others. */
export class Screen {
  readonly #turns = new Turns();
  #owner: Writer | undefined;
  readonly #held: (() => void)[] = [];

  /** Writes immediately or, while another writer has the screen for itself, afterwards. */
  write(writer: Writer, stream: NodeJS.WriteStream, text: string): void {
    const write = (): void => {
      writeStyled(stream, text);
    };
    if (this.#owner === undefined || this.#owner === writer) write();
    else this.#held.push(write);
  }

  /** Calls `use` while only this writer can write, after all earlier callers. */
  async alone<Result>(writer: Writer, use: () => Promise<Result>): Promise<Result> {
    return await this.#turns.take(async () => {
      this.#owner = writer;
      try {
        return await use();
      } finally {
        this.#owner = undefined;
        for (const write of this.#held.splice(0)) write();
      }
    });
  }
}

/** Prints the progress of a stack for people. */
export class Report {
  readonly #screen: Screen;
  readonly #stream: NodeJS.WriteStream;
  readonly #isColored: boolean;
  readonly #margin: string;

  /**
   * @param screen shared by the reports of all stacks
   * @param stream receives the output, except for errors and warnings
   * @param margin the beginning of lines without the name of the stack
   */
  constructor(screen: Screen, stream: NodeJS.WriteStream, margin: string) {
    this.#screen = screen;
    this.#stream = stream;
    this.#isColored = stream.isTTY && (process.env["NO_COLOR"] ?? "") === "";
    this.#margin = margin;
  }

  /** Calls `use` while no other stack prints something. */
  async alone<Result>(use: () => Promise<Result>): Promise<Result> {
    return await this.#screen.alone(this, use);
  }

  start(stack: string, what: string): void {
    this.#print(this.#bold(`${stack}: ${what}`));
  }

  changes(stack: string, changes: Changes, isEmpty: boolean): void {
    const counts = countsText(changes.counts) || undefined;
    const others = changes.outputs.length > 0 ? "only outputs change" : "only the state changes";
    const summary = isEmpty ? "no changes" : (counts ?? others);
    const width = widthOf(this.#stream);
    const text = `\n${changesText(changes, this.#isColored, width)}`;
    if (!isEmpty) this.#print(fitted(text, width));
    this.#print(this.#bold(`${stack}: ${summary}`));
  }

  /** Prints which resources need not be destroyed and created. */
  renames(renames: readonly Rename[]): void {
    for (const rename of renames) this.#detail(renameText(rename));
  }

  refused(texts: readonly string[]): void {
    for (const text of texts) this.#detail(text);
  }

  progress(text: string): void {
    this.#detail(text);
  }

  outputs(outputs: Readonly<Record<string, ShownOutput>>): void {
    for (const [name, output] of Object.entries(outputs)) {
      this.#detail(`${name} = ${output.sensitive ? sensitive.text : valueText(output.value)}`);
    }
  }

  diagnostic(diagnostic: Diagnostic, constructOf: ConstructOf): void {
    const lines = diagnosticText(diagnostic, constructOf).split("\n");
    const text = lines.map((line) => `${this.#margin}${line}`).join("\n");
    this.#complain(fitted(text, widthOf(process.stderr)));
    noteCodes([diagnostic]);
  }

  /** Prints the outcome for a stack. */
  end({ name, outcome, because, diagnostics }: StackResult): void {
    if (outcome === "not run") for (const each of diagnostics) this.diagnostic(each, () => ({}));
    const reason = because === undefined ? "" : `, because ${because} was not finished`;
    if (outcome === "planned" || outcome === "unchanged") return;
    const unchanged = outcome === "refused" ? ", nothing was changed" : "";
    const text = `${name}: ${outcome}${unchanged}${reason}`;
    if (outcome === "deployed" || outcome === "destroyed") this.#print(this.#bold(text));
    else this.#complain(text);
  }

  #detail(text: string): void {
    this.#print(`${this.#margin}${printable(text)}`);
  }

  #print(text: string): void {
    this.#screen.write(this, this.#stream, `${text}\n`);
  }

  #complain(text: string): void {
    this.#screen.write(this, process.stderr, `${text}\n`);
  }

  #bold(text: string): string {
    return this.#isColored ? styleText("bold", text, { validateStream: false }) : text;
  }
}
