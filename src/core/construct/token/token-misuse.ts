import { Token } from "cdktf";
import type { FindingCode } from "../../schema";
import {
  isExpression,
  templates,
  isMarker,
  isRegistered,
  markers,
  withoutMarkers,
  mayBeToken,
  isNumberListElement,
  isNumberToken,
  isCorruptNumberToken,
} from "./is-token";

/** The way in which a token, or a string that looks like one, is misused. */
export interface Misuse {
  readonly code: Extract<FindingCode, "TOKEN_MISUSE" | "LITERAL_INTERPOLATION">;
  readonly message: string;
}

const misuse = (message: string): Misuse => ({ code: "TOKEN_MISUSE", message });

const mapElement = misuse(
  'must not be the placeholder inside a map token: write Fn.lookup(map, "key") instead of reading the map in JavaScript',
);
const mapKey = misuse(
  "must not contain a map token in a string: write Fn.lookup for one value, or Fn.keys for the keys",
);
const mapSpread = misuse("must not spread a map token: write Fn.merge([map, { … }]) instead");
const listElement = misuse(
  "must not contain a list token in a string: write Fn.element(list, 0) for one element, or Fn.join for all",
);
const listSpread = misuse("must not spread a list token: write Fn.concat([list, […]]) instead");
const numberElement = misuse(
  "must not be the placeholder inside a list token: write Fn.element(list, 0) instead of list[0]",
);
const numberInString = misuse(
  "must not contain a number token in a string: write Token.asString(number) instead",
);
const arithmetic = misuse(
  "must not calculate with a number token in JavaScript: write Op.mul, Op.div, Op.sub or Op.negate instead",
);
const cut = misuse(
  "must not contain a part of a token: write Fn.substr, Fn.trimprefix or Fn.split instead of cutting the string in JavaScript",
);
const changedCase = misuse(
  "must not change the case of a token: write Fn.upper or Fn.lower instead of toUpperCase and toLowerCase",
);

/**
 * Returns the way in which a value misuses a token; undefined if it does not. Only the value itself is
 * checked, not its elements.
 *
 * cdktf encodes tokens as ordinary strings, numbers, lists and maps, and JavaScript silently takes them
 * apart. The result is a wrong value in Terraform, or an error without the name of the property.
 *
 * @param secret the value must not be shown. @default false
 */
export function tokenMisuse(value: unknown, secret = false): Misuse | undefined {
  switch (typeof value) {
    case "string":
      return misusedString(value, secret);
    case "number":
      return misusedNumber(value);
    case "object":
      if (value === null) return undefined;
      return Array.isArray(value) ? misusedList(value) : misusedMap(value);
    default:
      return undefined;
  }
}

function misusedNumber(value: number): Misuse | undefined {
  if (value === Token.NUMBER_MAP_TOKEN_VALUE) return mapElement;
  if (isNumberListElement(value)) return numberElement;
  return isCorruptNumberToken(value) ? arithmetic : undefined;
}

function misusedList(list: readonly unknown[]): Misuse | undefined {
  if (list.length < 2) return undefined;
  const spread = list.some((element) =>
    typeof element === "number" ? isNumberListElement(element) : isMarker(element, "list"),
  );
  return spread ? listSpread : undefined;
}

function misusedMap(map: object): Misuse | undefined {
  const keys = Object.keys(map);
  if (keys.length < 2) return undefined;
  return keys.some((key) => isMarker(key, "map")) ? mapSpread : undefined;
}

function misusedString(text: string, secret: boolean): Misuse | undefined {
  if (!mayBeToken(text)) return undefined;
  if (text === Token.STRING_MAP_TOKEN_VALUE || text === Token.ANY_MAP_TOKEN_VALUE) {
    return mapElement;
  }
  for (const { kind } of markers(text)) {
    if (kind === "list") return listElement;
    if (kind === "map") return mapKey;
  }
  const rest = withoutMarkers(text);
  return misusedPiece(rest) ?? literalInterpolation(rest, secret);
}

function misusedPiece(text: string): Misuse | undefined {
  for (const [written] of text.matchAll(/-\d(?:\.\d+)?e\+2(?:98|89)/g)) {
    const value = Number(written);
    if (isNumberToken(value) || isNumberListElement(value)) return numberInString;
  }
  if (/(?<!\$)\$\{T(?:f(?:T(?:o(?:k(?:e(?:n(?:\[[^\]}]*\]?)?)?)?)?)?)?)?$/.test(text)) return cut;
  const piece = /TfToken\[([\w:.-]+)/.exec(text);
  if (piece?.[1] !== undefined && isRegistered(piece[1])) return cut;
  const shouted = /[$#&]\{tftoken\[/i.exec(text);
  return shouted !== null && !shouted[0].includes("TfToken") ? changedCase : undefined;
}

function literalInterpolation(text: string, secret: boolean): Misuse | undefined {
  for (const template of templates(text)) {
    if (isExpression(template) || template.inside?.startsWith("TfToken[") === true) continue;
    const sign = template.text.charAt(0);
    const written = secret ? `${sign}{…}` : shortened(template.text);
    return {
      code: "LITERAL_INTERPOLATION",
      message:
        `must not contain ${JSON.stringify(written)}, which Terraform would read as an expression: ` +
        `write ${JSON.stringify(sign + written)} to use these characters literally`,
    };
  }
  return undefined;
}

const shortened = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);
