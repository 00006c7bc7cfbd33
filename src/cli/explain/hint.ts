import { tell } from "../invocation/failure";
import { codePagePath } from "./code-pages";

let isTold = false;

interface Coded {
  readonly code?: string;
  readonly acknowledged?: object;
  /** Set for an acknowledgement that matches no warning. */
  readonly stale?: object;
}

/** Says, once in a process, how to read about a code that was printed, unless it is acknowledged. */
export function tellOfCodes(printed: readonly Coded[]): void {
  if (isTold) return;
  const open = printed.filter(({ acknowledged, stale }) => (acknowledged ?? stale) === undefined);
  const code = open.flatMap((each) => each.code ?? []).find((each) => codePagePath(each));
  if (code === undefined) return;
  isTold = true;
  tell(`\`trivet explain ${code}\` says why, and shows an example`);
}
