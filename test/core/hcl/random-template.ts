import * as fc from "fast-check";

type Parts = Readonly<
  Record<"template" | "sequence" | "expression" | "quoted" | "heredoc", string>
>;

const trim = fc.constantFrom("", "", "", "", "~");

/** The same in every kind of template. A sign alone would escape the sequence after it. */
const letters = ["a", " ", "}", "{", "$ ", "% ", "$${", "%%{", "#", "//", "/*", "<<END", "é🙂"];

const joined = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(part, { maxLength: 5 }).map((parts) => parts.join(""));

/** Templates that Terraform accepts, with everything in which a brace or a quote can be literal. */
export const randomTemplate: fc.Arbitrary<string> = fc.letrec<Parts>((part) => ({
  template: joined(
    fc.oneof(
      fc.constantFrom(...letters, '"', "\\", "\n"),
      { arbitrary: part("sequence"), weight: 4 },
      fc.tuple(part("expression"), part("template")).map(([condition, then]) => {
        return `%{ if ${condition} == "v" ~}${then}%{~ endif }`;
      }),
    ),
  ),
  sequence: fc
    .tuple(trim, part("expression"), trim)
    .map(([left, expression, right]) => `\${${left} ${expression} ${right}}`),
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("local.v", 'local.v /* } " ${ */', 'local.v # } " ${\n', 'local.v // } "\n'),
    part("quoted"),
    part("heredoc"),
    part("expression").map((inner) => `upper(${inner})`),
    part("expression").map((inner) => `{ a = ${inner} }.a`),
    part("quoted").map((inner) => `lookup(local.m, ${inner}, "none")`),
  ),
  quoted: joined(
    fc.oneof(
      fc.constantFrom(...letters, '\\"', "\\\\", "\\n", "\\u00e9", "\\U0001F642", "$${", "%%{"),
      part("sequence"),
    ),
  ).map((inner) => `"${inner}"`),
  heredoc: fc
    .tuple(
      fc.constantFrom("<<", "<<-"),
      fc.array(joined(fc.oneof(fc.constantFrom(...letters, '"', "\\"), part("sequence"))), {
        maxLength: 3,
      }),
    )
    .map(([start, lines]) => {
      return [`${start}END`, ...lines.map((line) => `: ${line}`), "END", ""].join("\n");
    }),
})).template;
