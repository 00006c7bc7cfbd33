// @ts-check

/** @param {string} name of a list, such as `mergeStrategies` */
export const singular = (name) => name.replace(/ies$/, "y").replace(/s$/, "");

/** @param {string} name in snake_case or camelCase */
export const pascal = (name) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());

/** @param {string} name in snake_case */
export const kebab = (name) => name.replaceAll("_", "-");

/** @param {string} name in PascalCase or snake_case */
export const camelCase = (name) =>
  (name.charAt(0).toLowerCase() + name.slice(1)).replaceAll(/_([a-z\d])/g, (_, letter) =>
    letter.toUpperCase(),
  );

/** @param {string} word */
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
