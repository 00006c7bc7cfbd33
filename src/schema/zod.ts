/**
 * The part of zod that rules are written with. The published build replaces this file by a bundle of
 * itself, so that loading a rule does not load all of zod.
 */
export {
  array,
  gte,
  int,
  length,
  lowercase,
  lte,
  maxLength,
  minLength,
  maxSize,
  minSize,
  number,
  record,
  refine,
  regex,
  string,
  unknown,
  url,
  uuid,
} from "zod/mini";
