import * as fc from "fast-check";
import { canonicalJson } from "../../../src/core/json/exact-json";

it("sorts keys by their code units and writes as RFC 8785 shows", () => {
  const value = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  expect(Object.values(JSON.parse(canonicalJson(value)) as object)[0]).toBe("One");
  const order = ["\\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"];
  const positions = order.map((key) => canonicalJson(value).indexOf(`"${key}":`));
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(positions).not.toContain(-1);
  const numbers = [
    Number("333333333.33333329"),
    1e30,
    4.5,
    2e-3,
    0.000000000000000000000000001,
    -0,
  ];
  expect(
    canonicalJson({ numbers, literals: [null, true, false], string: "\u20ac$\u000f\nA'B\"\\" }),
  ).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],' +
      '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\"}',
  );
});

it("preserves the value, whatever the order of the keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

it("leaves undefined members out, and refuses what JSON cannot represent", () => {
  expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  for (const wrong of [NaN, Infinity, 1n, undefined, [undefined], "\ud800", { "\udc00": 1 }]) {
    expect(() => canonicalJson(wrong)).toThrow(TypeError);
  }
});
