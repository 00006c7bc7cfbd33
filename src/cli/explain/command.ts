import { styleText } from "node:util";
import { didYouMean } from "../../schema";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { printJson } from "../invocation/failure";
import { codePage, explainedCodes } from "./code-pages";
import { plainPage } from "./plain-page";

/** Runs `trivet explain`: prints the page of a code, or the list of all codes. */
export function explain(given: string | undefined, isJson: boolean): void {
  const codes = explainedCodes();
  if (given === undefined) {
    if (isJson) printJson({ codes });
    else process.stdout.write(listText(codes));
    return;
  }
  // As it was copied from a message.
  const code = given.replace(/^\[(.*)\]$/, "$1");
  const found = codes.find((each) => each.code.toLowerCase() === code.toLowerCase());
  const markdown = found && codePage(found.code);
  if (markdown === undefined) {
    const names = codes.map((each) => each.code);
    throw new CommandError(
      `There is no code ${JSON.stringify(code)}${didYouMean(code, names) || "."}`,
      "`trivet explain` without a code lists all codes.",
      ExitCode.usage,
    );
  }
  if (isJson) printJson({ ...found, markdown });
  else process.stdout.write(plainPage(markdown, width(), heading));
}

const isTerminal = (): boolean => process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";

const heading = (text: string): string =>
  isTerminal() ? styleText("bold", text, { validateStream: false }) : text;

/** A line of more than 100 characters is hard to read, also in a wide terminal. */
const width = (): number => Math.min(process.stdout.isTTY ? process.stdout.columns : 80, 100);

function listText(codes: ReturnType<typeof explainedCodes>): string {
  const longest = Math.max(...codes.map(({ code }) => code.length));
  const lines = (["error", "warning"] as const).flatMap((kind) => [
    heading(kind === "error" ? "Errors" : "Warnings"),
    ...codes
      .filter(({ severity }) => severity === kind)
      .map(({ code, meaning }) => `  ${code.padEnd(longest)}  ${meaning}`),
    "",
  ]);
  return `${lines.join("\n").trimEnd()}\n`;
}
