/**
 * The parts of zod that rules may use. The published build replaces this file with a bundle of it, so
 * that loading a rule does not load all of zod.
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
