import { InvalidArgumentError } from "commander";

/** Parses an option that is a whole number. */
export const wholeNumber =
  (max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be an integer.");
    const number = Number(text);
    if (number > max) throw new InvalidArgumentError(`It must be at most ${max}.`);
    return number;
  };

/** The highest port number. */
export const lastPort = 65_535;
