import { Turns } from "../exec/turns";
import { writeStyled } from "../../core/redaction/output";

/** What writes to a screen. */
type Writer = object;

/** The output of several writers, of which one can have it for itself. */
export class Screen {
  readonly #turns = new Turns();
  #owner: Writer | undefined;
  readonly #held: (() => void)[] = [];

  /** Writes a text at once or, while another writer has the screen for itself, afterwards. */
  write(writer: Writer, stream: NodeJS.WriteStream, text: string): void {
    const write = (): void => {
      writeStyled(stream, text);
    };
    if (this.#owner === undefined || this.#owner === writer) write();
    else this.#held.push(write);
  }

  /** Calls `use` while only this writer can write, after those that have asked for it before. */
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
