import * as fc from "fast-check";
import { type typedValues, named as local } from "./typed-values";

const named = (...names: readonly (keyof typeof typedValues)[]): fc.Arbitrary<string> =>
  fc.constantFrom(...names.map(local));

/** Fills the places of a text with generated parts. */
const form = (text: string, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts)
    .map((found) => found.reduce((made, part, at) => made.replaceAll(`#${at}`, () => part), text));

const { text, number, bool, list, map, any } = fc.letrec<
  Record<"text" | "number" | "bool" | "list" | "map" | "any", string>
>((tie) => {
  const [text, number, bool, list, map, any] = (
    ["text", "number", "bool", "list", "map", "any"] as const
  ).map((name) => tie(name)) as [
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
  ];
  const sized = (
    leaf: fc.Arbitrary<string>,
    ...others: readonly fc.Arbitrary<string>[]
  ): fc.Arbitrary<string> => fc.oneof({ maxDepth: 3, depthSize: "small" }, leaf, ...others);
  const chosen = (of: fc.Arbitrary<string>) => form("(#0 ? #1 : #2)", bool, of, of);
  return {
    text: sized(
      fc.oneof(
        fc.constantFrom('"a"', '""'),
        named("secret", "unknown", "hidden", "nothing"),
        named("text", "digits", "trueText", "accented", "emptyText"),
      ),
      chosen(text),
      form("tostring(#0)", number),
      form("upper(#0)", list),
      form("substr(#0, #1, #1)", text, number),
      form('format("%v|%5.2f", #0, #1)', any, number),
      form("yamlencode(#0)", any),
      form("urlencode(#0)", text),
      form("md5(#0)", text),
      form("trimspace(#0)", text),
      form(
        "<<-EOT\n    %{ for x in #0 ~}\n      ${x}\n    %{ endfor ~}\n    #1\n  EOT\n",
        list,
        any,
      ),
      form('"${#0}-${#1}"', text, text),
      form('"a%{ if #0 }${#1}%{ endif }"', bool, text),
      form('"a%{ if #0 }${#1}%{ else }${#2}%{ endif }"', bool, text, text),
      form('"%{ for x in #0 }${x}${#1}%{ endfor }"', list, text),
      form("#0[#1]", list, number),
      form("#0[#1]", map, text),
      form("#0.a", map),
      form("upper(#0)", text),
      form("join(#0, #1)", text, list),
      form("lookup(#0, #1, #2)", map, text, text),
      form("element(#0, #1)", list, number),
      form("coalesce(#0, #1)", text, text),
      form('format("%s-%s", #0, #1)', text, number),
      form("try(#0, #1)", any, text),
      form("jsonencode(#0)", any),
      form("one(#0)", list),
      form("replace(#0, #1, #2)", text, text, text),
    ),
    number: sized(
      fc.oneof(
        fc.constantFrom("0", "1"),
        named("secretNumber", "unknownNumber"),
        named(
          "half",
          "tenth",
          "huge",
          "tiny",
          "negative",
          "beyondDouble",
          "infinite",
          "nullNumber",
        ),
      ),
      chosen(number),
      form("(#0 * #1)", number, number),
      form("(#0 - #1)", number, number),
      form("(#0 / #1)", number, number),
      form("(#0 % #1)", number, number),
      form("ceil(#0)", number),
      form("floor(#0)", number),
      form("abs(#0)", number),
      form("sum(#0)", list),
      form("tonumber(#0)", text),
      form("length(#0)", text),
      form("parseint(#0, 10)", text),
      form("(#0 + #1)", number, number),
      form("-#0", number),
      form("length(#0)", list),
      form("length(#0)", map),
      form("max(#0, #1)", number, number),
      form("index(#0, #1)", list, text),
    ),
    bool: sized(
      fc.oneof(fc.constantFrom("true", "false"), named("secretBool", "unknownBool", "nullBool")),
      chosen(bool),
      form("(#0 >= #1)", number, any),
      form("anytrue(#0)", list),
      form("startswith(#0, #1)", text, text),
      form("tobool(#0)", text),
      form("(#0 == #1)", any, any),
      form("(#0 != #1)", any, any),
      form("(#0 < #1)", number, number),
      form("!#0", bool),
      form("(#0 && #1)", bool, bool),
      form("(#0 || #1)", bool, bool),
      form("contains(#0, #1)", list, any),
      form("can(#0)", any),
      form("alltrue([#0, #1])", bool, bool),
    ),
    list: sized(
      named(
        ...(["empty", "list", "nullList", "secretList", "listOfSecrets", "unknownList"] as const),
        ...(["listOfUnknowns", "mixedList", "set", "secretSet", "setOfUnknowns"] as const),
        ...(["unknownSet", "tuple", "tupleOfTuples", "tupleWithNull", "unknownTuple"] as const),
        ...(["emptyNumbers", "emptyTexts", "unsorted", "numbers", "listOfLists"] as const),
        ...(["listOfObjects", "listWithNull", "unknownNumbers", "emptySet"] as const),
        ...(["emptySetOfTexts", "setOfNumbers", "setWithNull", "setOfObjects"] as const),
        ...(["setOfLists", "emptyTuple"] as const),
      ),
      chosen(list),
      form("[#0, #1]", any, any),
      form("tolist(#0)", list),
      form("toset(#0)", list),
      form("concat(#0, #1)", list, list),
      form("[for x in #0 : #1]", list, any),
      form("[for x in #0 : x if #1]", list, bool),
      form("[for x in #0 : x if x == #1]", list, any),
      form("[for k, v in #0 : v if #1]", map, bool),
      form("keys(#0)", map),
      form("values(#0)", map),
      form("#0[*]", list),
      form("#0[*].a", map),
      form("flatten([#0, #1])", list, list),
      form("distinct(#0)", list),
      form("reverse(#0)", list),
      form("setunion(#0, #1)", list, list),
      form("setintersection(#0, #1)", list, list),
      form("slice(#0, 0, #1)", list, number),
      form('split(",", #0)', text),
      form("chunklist(#0, #1)", list, number),
      form("compact(#0)", list),
      form("coalescelist(#0, #1)", list, list),
      form("sensitive(#0)", list),
      form("#0.*.a", list),
      form("sort(#0)", list),
      form("setproduct(#0, #1)", list, list),
      form("matchkeys(#0, #1, #1)", list, list),
      form("setsubtract(#0, #1)", list, list),
      form("regexall(#0, #1)", text, text),
      form('formatlist("%s:%v", #0, #1)', list, any),
      form("coalesce(#0, #1)", list, list),
      form("jsondecode(jsonencode(#0))", list),
      form("range(#0)", number),
      form("[#0, #1...]", any, list),
      form("concat(#0...)", list),
    ),
    map: sized(
      named(
        ...(["emptyMap", "nullMap", "map", "object", "secretObject", "objectOfSecrets"] as const),
        ...(["objectOfUnknowns", "mapOfSecrets", "unknownMap"] as const),
        ...(["emptyObject", "nestedObject", "objectOfNull", "nullObject"] as const),
        ...(["unknownObject", "emptyMapOfNumbers", "mapOfNumbers", "mapOfLists"] as const),
      ),
      chosen(map),
      form("{ a = #0, b = #1 }", any, any),
      form("{ a = #0, (#1) = #2 }", any, text, any),
      form("{ for x in #0 : x => #1 }", list, any),
      form("{ for x in #0 : x => #1... }", list, any),
      form("{ for x in #0 : (#1) => x... if #2 }", list, text, bool),
      form("{ for k, v in #0 : k => v if #1 }", map, bool),
      form("merge(#0, #1)", map, map),
      form("merge(#0.*...)", list),
      form("tomap(#0)", map),
      form("zipmap(#0, #1)", list, list),
      form("transpose({ a = #0 })", list),
    ),
    any: fc.oneof({ maxDepth: 3 }, text, number, bool, list, map, named("none", "anything")),
  };
});

/** Random expressions with all kinds of values. */
export const randomExpressions = (numRuns: number, seed: number): readonly string[] =>
  fc.sample(
    fc
      .oneof(text, number, bool, list, map, any)
      .filter(({ length }) => length > 20 && length < 300),
    { numRuns, seed },
  );
