import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hovering } from "../../../hovering";

const file = join(__dirname, "declarations.ts");

const program = `${readFileSync(file, "utf8")}
import { construct } from "../../../../src/core/construct";
import type { Construct } from "constructs";
const Note = construct(note);
export const read = (scope: Construct) => new Note(scope, "a", { fileName: "a", text: "b" }).text;
`;

test("editors show the comment of an attribute at a property and at an output", () => {
  const hover = hovering(file, program);
  const line = program.lastIndexOf("export const read");
  expect(hover(program.indexOf("text:", line)).text).toBe("What the note says.");
  expect(hover(program.lastIndexOf(".text") + 1).text).toBe("What the note says.");
});
