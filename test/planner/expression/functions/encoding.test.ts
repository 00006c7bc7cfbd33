import { comparedWithTerraform, list, map, number, set } from "./compared";

const texts = [
  [""],
  ["hello"],
  ["\u00e9\ud83d\ude00"],
  ["a b&c=d/e?f+g~h*(i)'!"],
  ['<>&\u2028\u2029\u007f\u0000\b\f\n\r\t"\\'],
  [12],
  [null],
  [["a"]],
];

test("encodings", () => {
  const values = [
    null,
    true,
    1.5,
    number("1e21"),
    number("123456789012345678901234567890"),
    0.1,
    "a<b",
    [],
    {},
    [1, "a", null, [true]],
    { b: 1, a: { "\u00e9": [] } },
    list(1, 2),
    set("b", "a"),
    map({ b: 1, a: 2 }),
    [{ a: null }],
  ];
  const json = [
    "1",
    "1.50",
    "1e3",
    "-0.5",
    '"a"',
    '"\\u00e9\\ud83d\\ude00"',
    "true",
    "null",
    "[]",
    "{}",
    '[1,"a",null]',
    '{"a":{"b":[1,2]}}',
    ' { "a" : 1 } ',
    "",
    "{",
    "[1,]",
    '{"a":1,}',
    "01",
    "1 2",
    "nul",
    "'a'",
    '{"b":1,"a":2}',
    "123456789012345678901234567890",
    '"\\/\\b"',
    "[1}",
    '"a\nb"',
    "1e400",
  ];
  const csv = [
    "a,b,c\n1,2,3\n4,5,6\n",
    "a,b\n1,2",
    "a",
    "a\n",
    "",
    "\n\na,b\n\n1,2\n\n",
    'a,b\n"x,y","p""q"\n',
    "a,b\n1\n",
    "a,b\n1,2,3\n",
    "a,a\n1,2",
    'a\n"x\ny"\n',
    "a,b\r\n1,2\r\n",
    'a\nx"y\n',
    'a\n"x"y\n',
    'a\n"x',
    "a,b\n,\n",
    ",\n1,2\n",
    "a,b\n 1 , 2 ",
    "\u00e9,b\n1,2",
    'a\n""\n',
    "a,\n1,2",
  ];
  const open = comparedWithTerraform({
    base64encode: texts,
    urlencode: texts,
    base64decode: [
      texts,
      [
        ["aGVsbG8="],
        ["aGVs\nbG8="],
        ["aGVsbG8"],
        ["aGVsbG9="],
        ["////"],
        ["a==="],
        ["_-=="],
        ["w6k="],
        ["YQ==YQ=="],
      ],
    ].flat(),
    jsonencode: values.map((each) => [each]),
    jsondecode: json.map((each) => [each]),
    csvdecode: csv.map((each) => [each]),
    textencodebase64: [
      ["H\u00e9\ud83d\ude00", "UTF-16LE"],
      ["x", "utf-8"],
      ["x", "UTF-16BE"],
      ["x", "nope"],
      ["x", "ISO-8859-1"],
    ],
    textdecodebase64: [
      ["SADpAA==", "UTF-16LE"],
      ["eA==", "UTF-8"],
      ["AHg=", "UTF-16BE"],
      ["/w==", "UTF-8"],
      ["%", "UTF-8"],
      ["AAAAAA==", "UTF-16LE"],
    ],
  });
  expect(open).toEqual(['textencodebase64("x", "nope")', 'textencodebase64("x", "ISO-8859-1")']);
});

test("hashes", () => {
  const names = [
    "dns",
    "url",
    "oid",
    "x500",
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "{6BA7B810-9dad-11d1-80b4-00c04fd430c8}",
    "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "6ba7b8109dad11d180b400c04fd430c8",
    "x",
    "",
    "constructor",
  ];
  const open = comparedWithTerraform({
    md5: texts,
    sha1: texts,
    sha256: texts,
    sha512: texts,
    base64sha256: texts,
    base64sha512: texts,
    uuidv5: names.map((name) => [name, "www.\u00e9xample.com"]),
  });
  expect(open).toEqual([]);
});

test("paths", () => {
  const paths = [
    "",
    "/",
    "//",
    "a",
    "a/",
    "a/b",
    "/a/b/",
    "a//b/../c",
    "./a",
    "..",
    "../a/b.txt",
    "/a/../../b",
    "a/.",
    "~/x",
    "~",
  ];
  const open = comparedWithTerraform({
    basename: paths.map((each) => [each]),
    dirname: paths.map((each) => [each]),
    abspath: paths.filter((each) => each.startsWith("/")).map((each) => [each]),
    pathexpand: paths.map((each) => [each]),
  });
  expect(open).toEqual(['pathexpand("~/x")', 'pathexpand("~")']);
});

test("YAML, byte for byte", () => {
  const strings = [
    "",
    "a",
    "two\nlines",
    "end\n",
    "kept\n\n",
    "\n",
    " lead\nb",
    "a \nb",
    "trail\n ",
    "tab\tb",
  ];
  const others = [
    "word ".repeat(30),
    "\u{1f600}",
    "\u00a0\u0085",
    "\ufeffa b",
    "a\u2028\nb",
    '"\\\u0007',
    "#!/bin/sh\n",
  ];
  const all = [...strings, ...others];
  const open = comparedWithTerraform({
    yamlencode: [
      ...all.map((each) => [each]),
      ...all.map((each) => [{ a: [each, { b: each }], c: { d: [[each], []] } }]),
      ...all.map((each) => [{ [`${each}k`]: [1, each], ["k".repeat(129)]: each }]),
      [null],
      [true],
      [-1.5],
      [[]],
      [{}],
      [list("b", "a")],
      [set("b", "a")],
      [map({ z: 1, a: 2 })],
      [[[], {}, [[1, 2]], [{ a: null, b: [] }]]],
    ],
  });
  expect(open).toEqual([]);
});
