import { Token } from "cdktf";

/** Each token that cdktf writes into a string contains one of these, and so does each part of one. */
const suspicious = /\{|TfToken\[|e\+2|Token Value/;

/** Whether cdktf may find something else in a string than its characters. False is certain. */
export const mayBeToken = (text: string): boolean => suspicious.test(text);

/** Whether a number may be a token, or the result of a calculation with one. False is certain. */
export const mayBeNumberToken = (value: number): boolean =>
  !(value > -1e280 && value < 1e280) || value === Token.NUMBER_MAP_TOKEN_VALUE;
