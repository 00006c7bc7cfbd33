import { tell } from "../invocation/failure";
import { codePagePath } from "./code-pages";

let isTold = false;

/** Says, once in a process, how to read about a code that was printed. */
export function tellOfCodes(printed: readonly { readonly code?: string }[]): void {
  if (isTold) return;
  const code = printed.flatMap((each) => each.code ?? []).find((each) => codePagePath(each));
  if (code === undefined) return;
  isTold = true;
  tell(`\`trivet explain ${code}\` says why, and shows an example`);
}
