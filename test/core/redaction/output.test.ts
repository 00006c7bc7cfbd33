import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { writeJson, writeStyled, writeText } from "../../../src/core/redaction/output";

const written = (write: (output: { write(text: string): unknown }) => void): string => {
  const parts: string[] = [];
  write({ write: (text) => parts.push(text) });
  return parts.join("");
};

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(...Array.from("\u001b\u009b\u202e\u2028\r\n\t[1m]0;x\u0007")),
  }),
);

it("writes nothing that a terminal interprets", () => {
  fc.assert(
    fc.property(text, (foreign) => {
      const shown = written((output) => {
        writeText(output, foreign);
      });
      expect(shown.replaceAll(/[\n\t]/g, "")).not.toMatch(unprintable);
    }),
  );
});

it("writes JSON with the same value", () => {
  fc.assert(
    fc.property(fc.dictionary(text, text), (value) => {
      const shown = written((output) => {
        writeJson(output, value);
      });
      expect(JSON.parse(shown)).toEqual(value);
      expect(shown.replaceAll("\n", "")).not.toMatch(unprintable);
    }),
  );
});

it("keeps styles of ours, and no other sequence", () => {
  const shown = written((output) => {
    writeStyled(output, "\u001b[1m\u001b[31mred\u001b[39m\u001b[22m \u001b[8mhidden\u001b[2J");
  });
  expect(shown).toBe("\u001b[1m\u001b[31mred\u001b[39m\u001b[22m \\u001b[8mhidden\\u001b[2J");
});

/** Code that writes to the output of a process. */
const rawWrite =
  /(?<![.\w])console\.\w+\(|\bstd(?:out|err)\??\.write\b|\b(?:stream|output|terminal)\.write\(|\.pipe\((?:process\.)?std(?:out|err)|\bwrite\w*Sync\(\s*(?:[12]\b|std(?:out|err))/;

/** The files that write otherwise, and why. */
const others: Readonly<Record<string, string>> = {
  "core/redaction/output.ts": "is the one place",
  "cli/app-process/rerun.ts":
    "prints the error of the user's own app in its process, as Node.js does",
  "cli/user-code/loop-watch.ts": "writes printable text at once, since its process ends",
  "cli/project-providers/main.ts": "sends entries of a log to `trivet`, which prints them",
  "cli/provider-package/compiled/compiled-package.ts":
    "is code of another program, with names of providers only",
  "cli/provider-package/provider-package.ts":
    "is code of another program, which says that Node.js is missing",
};

it("is how every command writes", () => {
  const root = join(__dirname, "..", "..", "..");
  const found = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => {
      if (!file.endsWith(".ts")) return false;
      const code = readFileSync(join(root, "src", file), "utf8").replaceAll(
        /^\s*(?:\/\/|\*).*$/gm,
        "",
      );
      return rawWrite.test(code);
    },
  );
  expect(found.sort()).toEqual(Object.keys(others).sort());
});
