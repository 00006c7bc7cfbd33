import { Token, type IResolvable } from "cdktf";

/** A configuration in which some properties are texts, as bindings take the words of enumerations. */
export type WithStrings<Config, Name extends keyof Config> = {
  [Key in keyof Config]: Key extends Name ? string : Config[Key];
};

/** Turns words, and the tokens that stand for words, into texts. */
export function withStrings<
  Config extends Readonly<Partial<Record<Name, string | IResolvable>>>,
  Name extends keyof Config,
>(config: Config, ...names: readonly Name[]): WithStrings<Config, Name> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const word = config[name];
    if (word !== undefined) texts[name] = Token.asString(word);
  }
  // Every named property that is there has become a text.
  return { ...config, ...texts } as WithStrings<Config, Name>;
}
