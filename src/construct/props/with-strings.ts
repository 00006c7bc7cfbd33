import { Token, type IResolvable } from "cdktf";

/** A configuration in which some properties are strings, as bindings take enum values. */
export type WithStrings<Config, Name extends keyof Config> = {
  [Key in keyof Config]: Key extends Name ? string : Config[Key];
};

/** Turns enum values, and tokens for them, into strings. */
export function withStrings<
  Config extends Readonly<Partial<Record<Name, string | IResolvable>>>,
  Name extends keyof Config,
>(config: Config, ...names: readonly Name[]): WithStrings<Config, Name> {
  const strings: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = config[name];
    if (value !== undefined) strings[name] = Token.asString(value);
  }
  // Every named property that is set has become a string.
  return { ...config, ...strings } as WithStrings<Config, Name>;
}
