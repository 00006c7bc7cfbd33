import { NotComputed } from "../../../../src/planner/expression/value";
import {
  lowerCase,
  titleCase,
  upperCase,
} from "../../../../src/planner/expression/functions/characters";
import { evaluatedByTerraform } from "../terraform-console";

const characters = Array.from({ length: 0x2_0000 - 0x80 }, (_, at) => 0x80 + at)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((character) => /\p{Cased}|\p{CWCM}/u.test(character))
  .filter((character) => character.normalize() === character);

const blocks = Array.from({ length: Math.ceil(characters.length / 4000) }, (_, at) =>
  characters.slice(at * 4000, (at + 1) * 4000),
);

const escaped = (character: string): string =>
  `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;

test.each([
  ["upper", upperCase],
  ["lower", lowerCase],
  ["title", titleCase],
])("%s changes the letters of all scripts as Terraform does", (name, change) => {
  // The dash keeps what combines with its neighbours apart, and begins a word.
  const expected = evaluatedByTerraform(
    blocks.map(
      (block) => `split(" ", ${name}("${block.map((one) => `-${escaped(one)}`).join(" ")}"))`,
    ),
  );
  let open = 0;
  blocks.forEach((block, at) => {
    const [theirs = []] = JSON.parse(expected[at]?.json ?? "[]") as string[][];
    const own = block.map((character, index) => {
      try {
        return change(`-${character}`).normalize();
      } catch (error) {
        if (!(error instanceof NotComputed)) throw error;
        open += 1;
        return theirs[index];
      }
    });
    expect(own).toEqual(theirs);
  });
  expect(open).toBeLessThan(500);
});
