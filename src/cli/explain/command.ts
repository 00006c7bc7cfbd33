import { styleText } from "node:util";
import { didYouMean } from "../../core/schema";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { printJson } from "../invocation/failure";
import { codePage, explainedCodes, verdictAdvice, verdictCodes } from "./code-pages";
import { plainPage, plainText } from "./plain-page";
import { writeStyled } from "../../core/redaction/output";

/** Runs `trivet explain`: prints the page of a code, or the list of all codes. */
export function explain(given: string | undefined, isJson: boolean): void {
  const codes = explainedCodes();
  const verdicts = verdictCodes();
  if (given === undefined) {
    if (isJson) printJson({ codes, verdicts });
    else writeStyled(process.stdout, listText(codes, verdicts));
    return;
  }
  // As it was copied from a message.
  const code = given.replace(/^\[(.*)\]$/, "$1");
  const found = codes.find((each) => each.code.toLowerCase() === code.toLowerCase());
  const meanings = verdicts.filter((each) => each.code.toLowerCase() === code.toLowerCase());
  const pages = [found && codePage(found.code), verdictPage(meanings)];
  const markdown = pages.filter((page) => page !== undefined).join("\n");
  if (markdown === "") {
    const names = [...codes, ...verdicts].map((each) => each.code);
    throw new CommandError(
      `There is no code ${JSON.stringify(code)}${didYouMean(code, names) || "."}`,
      "`trivet explain` without a code lists all codes.",
      ExitCode.usage,
    );
  }
  if (isJson) printJson({ ...found, verdicts: meanings, markdown });
  else writeStyled(process.stdout, plainPage(markdown, width(), heading));
}

/** Describes a code of verdicts in Markdown. */
function verdictPage(meanings: ReturnType<typeof verdictCodes>): string | undefined {
  const [first] = meanings;
  if (first === undefined) return undefined;
  const lines = meanings.map(({ of, meaning }) => {
    const part = of === "all" ? "each part of it" : article(of);
    return `**In a verdict about an image**, of ${part}: ${meaning}.`;
  });
  return [
    `# ${first.code}`,
    ...lines,
    verdictAdvice(first.code),
    "node_modules/@trivet/constructs/docs/guide/verdicts.md shows a verdict and all codes.",
  ].join("\n\n");
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

const isTerminal = (): boolean => process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";

const heading = (text: string): string =>
  isTerminal() ? styleText("bold", text, { validateStream: false }) : text;

/** A line of more than 100 characters is hard to read, also in a wide terminal. */
const width = (): number => Math.min(process.stdout.isTTY ? process.stdout.columns : 80, 100);

function listText(
  codes: ReturnType<typeof explainedCodes>,
  verdicts: ReturnType<typeof verdictCodes>,
): string {
  const longest = Math.max(...codes.map(({ code }) => code.length));
  const lines = (["error", "warning"] as const).flatMap((kind) => [
    heading(kind === "error" ? "Errors" : "Warnings"),
    ...codes
      .filter(({ severity }) => severity === kind)
      .map(({ code, meaning }) => `  ${code.padEnd(longest)}  ${meaning}`),
    "",
  ]);
  const inVerdicts = verdicts.map(
    ({ code, of, meaning }) => `  ${code.padEnd(longest)}  ${of}: ${plainText(meaning)}`,
  );
  return `${[...lines, heading("Verdicts about images"), ...inVerdicts].join("\n").trimEnd()}\n`;
}
