import { InvalidArgumentError } from "commander";

export const wholeNumber =
  (max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be an integer.");
    const number = Number(text);
    if (number > max) throw new InvalidArgumentError(`It must be at most ${max}.`);
    return number;
  };

export const lastPort = 65_535;
