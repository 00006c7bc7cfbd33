import { nativeText } from "../../../../../src/core/construct/product/native/native-block";

test.each([
  ["a plain text", "eu", '"eu"'],
  ["an empty text", "", '""'],
  ["quotes and backslashes", 'say "C:\\x"', '"say \\"C:\\\\x\\""'],
  ["lines and tabs", "a\r\n\tb", '"a\\r\\n\\tb"'],
  ["other control characters", "\u0007\u007f", '"\\u0007\\u007f"'],
  ["characters of any script", "Zürich 東京 🙂", '"Zürich 東京 🙂"'],
  [
    "an expression with quotes",
    'is ${lookup(var.m, "a\\"b")}"',
    '"is ${lookup(var.m, "a\\"b")}\\""',
  ],
  ["two expressions", '${a.b}"${c.d}', '"${a.b}\\"${c.d}"'],
  ["a directive", '%{ if var.x == "a" }"%{ endif }', '"%{ if var.x == "a" }\\"%{ endif }"'],
  ["what is escaped in a template", '$${x "y"} %%{z "w"}', '"$${x \\"y\\"} %%{z \\"w\\"}"'],
  ["an escaped and a real one", '$${a["k"]} ${a["k"]}', '"$${a[\\"k\\"]} ${a["k"]}"'],
  [
    "a template in a string of an expression",
    '"${"a${lookup(m, "}")}b"}"',
    '"\\"${"a${lookup(m, "}")}b"}\\""',
  ],
  ["a comment with a brace and a quote", '${a.b /* } " */}"', '"${a.b /* } " */}\\""'],
  [
    "lines that `~` does not trim",
    "a\n\n  ${~ a.b ~} \n\nb",
    '"a\\n\\n${""}  ${~ a.b ~} \\n${""}\\nb"',
  ],
  ["dollars and percent signs", "5 $ 100% $x %d", '"5 $ 100% $x %d"'],
])("%s", (_, text, native) => {
  expect(nativeText(text)).toBe(native);
});
