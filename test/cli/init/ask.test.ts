import { PassThrough } from "node:stream";
import { ask } from "../../../src/cli/init/project-kind";

const choices = [
  { name: "ids", help: "an endpoint" },
  { name: "signing", help: "an image" },
] as const;

/** Asks somebody who types these lines, and then ends the input. */
async function answered(...lines: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const answer = ask("What for?", choices, { input, output });
  // An answer is read only once it is asked for.
  let typed = 0;
  let shown = "";
  output.on("data", (data: Buffer) => {
    shown += data.toString();
    if (!data.toString().includes("[ids]")) return;
    const line = lines[typed++];
    if (line === undefined) input.end();
    else input.write(`${line}\n`);
  });
  return { answer: await answer.catch((failure: unknown) => failure), shown };
}

it.each([
  ["its name", ["signing"], "signing"],
  ["its number", ["2"], "signing"],
  ["nothing, for the first one", [""], "ids"],
  ["something else first", ["3", "sign", " 1 "], "ids"],
])("takes %s", async (_, lines, name) => {
  const { answer, shown } = await answered(...lines);
  expect(answer).toBe(name);
  expect(shown).toContain("What for?\n  1  ids      an endpoint\n  2  signing  an image\n");
  const refused = lines.length - 1;
  expect(shown.split("Answer with a number from 1 to 2, or a name.")).toHaveLength(refused + 1);
});

it("ends as after Ctrl-C when the input ends", async () => {
  const { answer } = await answered();
  expect(answer).toMatchObject({ name: "CommandError", exitCode: 130 });
});
